#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The ways of deferring frees, the whole program: the answer is that of the
# figures, each scheme returns before its memory is back and gives back what
# sync does, what goes on waiting is told, and nothing depends on -j.

# shellcheck source=tests/program.sh
. "${srcdir:-..}/tests/program.sh"

scenario=$src/scenarios/deferral-schemes.json
deferred='deferred defer-page-pool defer-global-list defer-mm-thread'

some() {
	out=$1
	shift
	expect 0 "$zsmsim" run "$scenario" --set profiles=cortex-a55 --set machine.memory_mb=1024 "$@" -o "$out.db" --csv "$out"
}

some a --set workload.region_mb=64 -j 1 || finish
expect_silent 'the schemes'
cp stdout table

# value DIR VARIANT PROCS METRIC STAT
value() {
	awk -F, -v v="$2" -v p="procs=$3" -v m="$4" -v s="$5" \
		'$3 == v && index($6, p ";") && $7 == m && $9 == s { print $10; exit }' "$1/results.csv"
}

holds() {
	awk "BEGIN { exit !($2) }" || fail "$1: $2"
}

# soonest PROCS METRIC STAT: "with VARIANT, MS ms" of the least.
soonest() {
	awk -F, -v p="procs=$1" -v m="$2" -v s="$3" \
		'index($6, p ";") && $7 == m && $9 == s && (!best || $10 < least) { best = $3; least = $10 }
		END { printf "with %s, %.3f ms", best, least }' a/results.csv
}

for procs in 1 4; do
	for words in "returns soonest $(soonest $procs munmap_ms mean) (base $(printf %.3f "$(value a base $procs munmap_ms mean)") ms)" \
		"back soonest $(soonest $procs free_complete_ms value) (base $(printf %.3f "$(value a base $procs free_complete_ms value)") ms)"; do
		head -n 1 table | grep -qF "$words" || fail "the answer lacks '$words': $(head -n 1 table)"
	done
	munmap=$(value a base $procs munmap_ms max)
	complete=$(value a base $procs free_complete_ms value)
	holds "sync, $procs: the memory is back when the last process is" "$complete > 0.9 * $munmap && $complete < 1.1 * $munmap"
	[ "$(value a base $procs deferred_objects_end value)" = 0 ] || fail "sync leaves objects"
	for variant in $deferred; do
		grep -q " $variant" table || fail "$variant is not in the table"
		holds "$variant, $procs: munmap() returns sooner than with sync" "$(value a "$variant" $procs munmap_ms mean) < $munmap"
		holds "$variant, $procs: memory is back after munmap() returned" \
			"$(value a "$variant" $procs free_complete_ms value) > $(value a "$variant" $procs munmap_ms max)"
		# the page of the swap header
		[ "$(value a "$variant" $procs zspage_pages_end value)" = 1 ] ||
			fail "$variant, $procs: $(value a "$variant" $procs zspage_pages_end value) pages of the pool are left"
	done
done

# The table's column of what waited is the largest sample of the series, as it is in the CSV.
most=$(awk -F, '$3 == "defer-mm-thread" && index($6, "procs=1;") && $7 == "deferred_objects" && $10 > most { most = $10 }
	END { print most + 0 }' a/series.csv)
holds 'most of 16384 objects wait for the thread' "$most > 8000"
grep -q "[ ]$most  *0\$" table || fail "no $most in the table: $(cat table)"

some b --set workload.region_mb=64 -j 2
same_csv a b 'two jobs'

# Below half of its room nobody empties the list: its memory does not come back, and the answer says so.
some c --set workload.region_mb=7 --set workload.procs=1
head -n 1 stdout | grep -q 'left waiting: 768 objects with defer-page-pool, 1792 objects with defer-global-list\.$' ||
	fail "what is left is not told: $(head -n 1 stdout)"
head -n 1 stdout | grep -q 'back soonest with defer-page-pool' && fail 'memory that does not all come back is back soonest'
[ "$(value c defer-page-pool 1 deferred_objects_end value)" = 768 ] || fail 'page pool: 1792 slots are not one page of 1024 and 768'

# Where nobody lets swap slots go the schemes are no silent sync.
cat > wrong.json <<'END'
{ "name": "w", "profiles": ["cortex-a55"], "variants": ["defer-page-pool"],
  "workload": { "kind": "mapping" } }
END
expect 2 "$zsmsim" run wrong.json
grep -q 'wrong.json:2:25: .*variant "defer-page-pool" defers what the swap code lets go' stderr || fail "kind: $(cat stderr)"

# zswap has the same schemes; all memory is back at the end but for what none of them empties.
some d --set workload.region_mb=64 --set workload.procs=1 --set workload.user=zswap
for v in defer-mm-thread deferred base; do
	[ "$(value d $v 1 zspage_pages_end value)" = 0 ] || fail "$v with zswap: the pool is not empty"
done

finish
