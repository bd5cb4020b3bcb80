#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The mapping test: the new interface takes fewer instructions, branches,
# copies and bytes than the old. Published is 27.97 % of the instructions;
# expect 20 to 36 % with nothing fitted for it, and say so when it drifts.

# shellcheck source=tests/program.sh
. "${srcdir:-..}/tests/program.sh"

scenario=$src/scenarios/mapping-api.json

expect 0 "$zsmsim" run "$scenario" --set workload.objects=8192 --set profiles=i7-14700hx-p -o m.db --csv m
expect_silent 'the mapping test'
head -n 1 stdout | grep -q '^new takes [0-9.]* % fewer instructions than old' ||
	fail "the first line is no answer: $(head -n 1 stdout)"

# saved METRIC: how much less the new interface needs, in per cent.
saved() {
	awk -F, -v metric="$1" '$7 == metric && $9 == "total" { value[$3] = $10 }
		END { printf "%.2f", 100 * (value["old"] - value["new"]) / value["old"] }' m/results.csv
}

within() {
	awk "BEGIN { exit !($2 >= $3 && $2 <= $4) }" || fail "$1: $2 % saved, $3 to $4 expected"
}

within instructions "$(saved instructions)" 20 36
within branches "$(saved branches)" 20 36
# Reading and writing is two copies each; the old way adds one for each side that spans pages and is not read only.
within copies "$(saved copies)" 15 40
within bytes "$(saved bytes_copied)" 15 40

# Keys of another kind are no silent settings.
cat > wrong.json <<'END'
{ "name": "w", "profiles": ["cortex-a55"], "variants": ["base"],
  "workload": { "kind": "mapping", "procs": 2 } }
END
expect 2 "$zsmsim" run wrong.json
grep -q 'wrong.json:2:36: .*a workload of kind "mapping" has no procs' stderr || fail "wrong key: $(cat stderr)"

finish
