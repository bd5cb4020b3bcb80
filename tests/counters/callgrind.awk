# SPDX-License-Identifier: GPL-3.0-or-later
# callgrind.awk - reads the addresses of locked instructions and calls, one a
# line, then two files of callgrind's, and prints "FUNCTION CALLS INSNS BRANCHES" of what
# the second has more than the first.
#
# The line after calls= holds what the callee took, which is counted there
# already. To callgrind a locked instruction is one with a branch, taken when
# it has to be done again, and a call through a pointer is a branch as well. To
# the machine branches are conditional and indirect jumps.
FNR == 1 {
	file++
	delete name
}
file == 1 {
	no_branch["0x" $1] = 1
	next
}
/^fn=/ || /^cfn=/ {
	id = $0
	sub(/^c?fn=/, "", id)
	sub(/\).*/, ")", id)
	text = $0
	if (sub(/^[^)]*\) /, "", text)) {
		sub(/['.].*/, "", text)		# recursion level, and the compiler's own copies
		name[id] = text
	}
	if ($0 ~ /^fn=/)
		at = name[id]
	else
		callee = name[id]
	next
}
/^calls=/ {
	split($0, part, /[= ]/)
	calls[callee] += file == 2 ? -part[2] : part[2]
	skip = 1
	next
}
/^0x/ {
	if (!skip) {
		insns[at] += file == 2 ? -$2 : $2
		if (!($1 in no_branch))
			branches[at] += file == 2 ? -$3 - $5 : $3 + $5
	}
	skip = 0
}
END {
	for (f in insns)
		if (insns[f] > 0)
			print f, calls[f] + 0, insns[f], branches[f] + 0
}
