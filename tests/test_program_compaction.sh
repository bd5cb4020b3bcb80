#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Reclaim and its shrinker, the whole program: the answer is that of the
# figures, the budget bounds a call, what nobody asks for is not given back,
# nothing depends on -j, and a compaction by hand beside the shrinker's loses
# no object (the run checks the bytes of all at its end).

# shellcheck source=tests/program.sh
. "${srcdir:-..}/tests/program.sh"

scenario=$src/scenarios/compaction.json

small() {
	out=$1
	shift
	expect 0 "$zsmsim" run "$scenario" --set workload.pool_mb=24 --set workload.burst=400 \
		--set machine.memory_mb=512 "$@" -o "$out.db" --csv "$out"
}

small a -j 1
expect_silent 'compaction'
cp stdout table

# value VARIANT METRIC STAT, of the first profile
value() {
	awk -F, -v v="$1" -v m="$2" -v s="$3" \
		'$3 == v && $4 == "cortex-a55" && $7 == m && $9 == s { print $10; exit }' a/results.csv
}

holds() {
	awk "BEGIN { exit !($2) }" || fail "$1: $2"
}

# The first line says of each variant what the figures say, and draws the right conclusion.
for v in base budget-cursor ratio-skip no-shrinker; do
	pages=$(value $v given_back sum)
	head -n 1 table | grep -q " $pages pages, [0-9]*, [0-9.]* us with $v[;:]" ||
		fail "$v gave back $pages pages, but the answer is: $(head -n 1 table)"
done
best=$(for v in base budget-cursor ratio-skip; do
	awk "BEGIN { held = $(value $v compaction_hold sum) + 0; print held ? $(value $v given_back sum) / held : 0, \"$v\" }"
done | sort -rn | sed -n '1s/.* //p')
head -n 1 table | grep -q "On cortex-a55[^.]*\(\.[0-9][^.]*\)*: the best price has $best, the shortest tail no-shrinker\." ||
	fail "the best price has $best, but the answer is: $(head -n 1 table)"

# A budget of 128 pages in batches, and at most a zspage (8 pages) more; without it a call takes what there is.
holds 'a call with a budget' "$(value budget-cursor callback_freed max) < 128 + 8"
holds 'a call without' "$(value base callback_freed max) > 128 + 8"
holds 'holds are shorter than calls' "$(value base compaction_hold max) < $(value base callback max)"
holds 'a store waits for compaction' "$(value base object_store max) > 2 * $(value no-shrinker object_store max)"
for metric in object_read object_free object_store; do
	count=$(value base $metric count)
	[ "$count" -gt 0 ] || fail "no $metric"
	for v in budget-cursor ratio-skip no-shrinker; do
		[ "$(value $v $metric count)" = "$count" ] || fail "$v: $(value $v $metric count) x $metric, not $count as with base"
	done
done
[ "$(value no-shrinker given_back sum)" = 0 ] || fail 'without a shrinker something was given back'
[ -z "$(value no-shrinker callback count)" ] || fail 'without a shrinker it was called'

small b -j 2
cmp -s a/results.csv b/results.csv || fail 'results differ between -j 1 and -j 2'
cmp -s table stdout || fail 'tables differ between -j 1 and -j 2'

small c --set workload.manual_every=1 --set profiles=cortex-a55
manual=$(awk -F, '$3 == "no-shrinker" && $7 == "manual_freed" && $9 == "sum" { print $10 }' c/results.csv)
[ "${manual:-0}" -gt 0 ] || fail "compaction by hand freed '$manual' pages where there is no shrinker"

# refused JSON MESSAGE
refused() {
	printf '%s\n' "$1" > wrong.json
	expect 2 "$zsmsim" run wrong.json
	grep -qF "$2" stderr || fail "expected '$2' but: $(cat stderr)"
}

head='{ "name": "w", "profiles": ["cortex-a55"], "variants": ["base"],'
refused "$head
 \"machine\": { \"cpus\": 3 }, \"workload\": { \"kind\": \"compaction\", \"tasks\": 3 } }" \
	'wrong.json:2:73: $.workload.tasks: 3 tasks and kswapd on 3 CPUs, but each has its own; at most 2 tasks or at least 4 CPUs'
refused "$head
 \"machine\": { \"memory_mb\": 512 }, \"workload\": { \"kind\": \"compaction\", \"pool_mb\": 512 } }" \
	'wrong.json:2:82: $.workload.pool_mb: a pool of 512 MiB does not fit 512 MiB of simulated memory'
refused "$head
 \"workload\": { \"kind\": \"compaction\", \"procs\": 2 } }" \
	'a workload of kind "compaction" has no procs'
refused '{ "name": "w", "profiles": ["cortex-a55"], "variants": [{ "name": "x", "from": "base", "shrinker_ratio": 5 }] }' \
	'shrinker_ratio without its shrinker; add "shrinker": "ratio-skip" or leave it out'
refused '{ "name": "w", "profiles": ["cortex-a55"], "variants": [{ "name": "x", "shrinker": "adaptive" }] }' \
	'unknown value "adaptive" of axis shrinker; known: full-pool, budget-cursor, ratio-skip, off'

finish
