#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# zswap as the user of the allocator, the whole program: the answer is that of
# the figures, both users give all memory back, nothing depends on -j, and what
# only zram can do is refused.

# shellcheck source=tests/program.sh
. "${srcdir:-..}/tests/program.sh"

scenario=$src/scenarios/zswap-free.json

small() {
	out=$1
	shift
	expect 0 "$zsmsim" run "$scenario" -v --set profiles=cortex-a76 --set workload.region_mb=4 --set workload.procs=2 \
		"$@" -o "$out.db" --csv "$out"
}

small a -j 1
expect_silent 'zswap'
cp stdout table

# value VARIANT USER METRIC STAT
value() {
	awk -F, -v v="$1" -v u="user=$2" -v m="$3" -v s="$4" \
		'$3 == v && index($6, u) && $7 == m && $9 == s { print $10; exit }' a/results.csv
}

for user in zram zswap; do
	times=$(awk "BEGIN { printf \"%.2f\", $(value base $user munmap_ms mean) / $(value deferred $user munmap_ms mean) }")
	head -n 1 table | grep -q "[, ]${times}x as fast with $user (2)" ||
		fail "with $user it is ${times}x as fast, but the answer is: $(head -n 1 table)"
	for variant in base deferred; do
		pages=$(value $variant $user zspage_pages_end value)
		# zram has the page of the swap header still
		[ "$pages" = "$([ $user = zram ] && echo 1 || echo 0)" ] ||
			fail "$variant, $user: $pages pages of the pool are left"
		[ "$(value $variant $user deferred_objects_end value)" = 0 ] || fail "$variant, $user: frees are left"
	done
	awk "BEGIN { exit !($(value deferred $user free_complete_ms value) > $(value deferred $user munmap_ms mean)) }" ||
		fail "$user: deferred frees are done before the unmapping returns"
done

# What zswap does for a page, it does before zs_free() and cannot be deferred with it.
awk "BEGIN { exit !($(value deferred zswap munmap_ms mean) > 1.2 * $(value deferred zram munmap_ms mean)) }" ||
	fail 'deferred: unmapping from zswap costs no more than from zram'

# mm_stat is zram's.
[ "$(grep -c 'mm_stat' table)" = 2 ] || fail "expected mm_stat for the two runs with zram: $(cat table)"

small b -j 2
cmp -s a/results.csv b/results.csv || fail 'results differ between -j 1 and -j 2'
cmp -s table stdout || fail 'tables differ between -j 1 and -j 2'

cat > wrong.json <<'END'
{ "name": "w", "profiles": ["cortex-a55"], "variants": ["base"], "break": "double-free",
  "workload": { "user": "zswap" } }
END
expect 2 "$zsmsim" run wrong.json
grep -qF 'wrong.json:2:25: $.workload.user: "break" needs the user zram; leave one of the two out' stderr ||
	fail "a break with zswap: $(cat stderr)"

sed 's/zswap/zsawp/; s/, "break": "double-free"//' wrong.json > word.json
expect 2 "$zsmsim" run word.json
grep -q 'word.json:2:25: .*user: .*"zsawp".*zram.*zswap' stderr || fail "an unknown user: $(cat stderr)"

finish
