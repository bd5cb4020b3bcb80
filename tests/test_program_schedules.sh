#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Thousands of random schedules: every variant, with every user and while
# memory is compacted, must pass all oracles (pages are conserved, nothing leaks
# or is freed twice, bytes are what they were) whoever is held up where.

# shellcheck source=tests/program.sh
. "${srcdir:-..}/tests/program.sh"

scenario=$src/scenarios/schedules.json

expect 0 "$zsmsim" run "$scenario" -o s.db --csv s
expect_silent 'schedules'
runs=$(awk -F, 'NR > 1 && !seen[$1]++ { n++ } END { print n }' s/results.csv)
[ "$runs" -ge 2000 ] || fail "only $runs runs"

# Every named variant is among them; the names are those of the list.
"$zsmsim" list variants | awk '$1 ~ /^[a-z]/ { print $1 }' >names
[ -s names ] || fail 'no variants are listed'
while read -r name; do
	awk -F, -v v="$name" '$3 == v { found = 1 } END { exit !found }' s/results.csv || fail "variant $name has no schedule"
done <names

# One schedule is one result, and each seed is a schedule of its own.
expect 0 "$zsmsim" run "$scenario" -j 1 --set jitter=7 -o one.db --csv one
sed 1d one/results.csv | cut -d, -f3-5,7- | sort >one.txt
awk -F, 'NR > 1 && $6 ~ /jitter=7(;|$)/' s/results.csv | cut -d, -f3-5,7- | sort >all.txt
cmp -s one.txt all.txt || fail 'seed 7 alone is not seed 7 among others'
times=$(awk -F, '$3 == "base" && $6 ~ /user=zram/ && $7 == "munmap_ms" && $9 == "mean" { print $10 }' s/results.csv | sort -u | wc -l)
[ "$times" -ge 60 ] || fail "64 seeds give $times different times"

# The deliberate faults are found under them too.
cat > broken.json <<'END'
{ "name": "b", "profiles": ["cortex-a76"], "variants": ["base"], "machine": { "cpus": 4, "memory_mb": 256 },
  "workload": { "procs": 4, "region_mb": 1 }, "break": "double-free", "jitter": { "sweep": [1, 2, 3] } }
END
expect 1 "$zsmsim" run broken.json
[ "$(grep -c 'double free' stderr)" -ge 3 ] || fail "a double free under three schedules: $(cat stderr)"

finish
