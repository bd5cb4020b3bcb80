# SPDX-License-Identifier: GPL-3.0-or-later
# compare.awk - reads what simulated printed and what callgrind.awk made, and
# prints the functions, most instructions first: callgrind's count, the
# machine's, and the error in per cent, for instructions and for branches.
# Exit status 1 if one of the first `most` is further off than `limit` per cent.
function error(seen, real)
{
	return real ? 100 * (seen - real) / real : seen ? 100 : 0
}
function size(x)
{
	return x < 0 ? -x : x
}
$1 == "block" {
	sub(/\..*/, "", $2)
	insns[$2] += $4
	branches[$2] += $5
}
NF == 4 && $1 in insns {
	real[$1] = $3
	real_branches[$1] = $4
}
END {
	printf "%-26s %10s %10s %7s %10s %10s %7s\n", "function", "callgrind", "simulated", "error", \
		"branches", "simulated", "error"
	for (n = 1; n <= most + 10; n++) {
		best = ""
		for (f in real)
			if (!(f in done) && (best == "" || real[f] > real[best]))
				best = f
		if (best == "")
			break
		done[best] = 1
		e = error(insns[best], real[best])
		b = error(branches[best], real_branches[best])
		bad = n <= most && (size(e) > limit || size(b) > limit)
		wrong += bad
		printf "%-26s %10d %10d %+6.1f%% %10d %10d %+6.1f%%%s%s\n", best, real[best], insns[best], e, \
			real_branches[best], branches[best], b, n <= most ? "" : "  -", bad ? "  too far" : ""
	}
	exit n <= most || wrong
}
