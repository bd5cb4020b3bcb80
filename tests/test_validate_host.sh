#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `validate --host`: this machine measured, the software run on it for real and
# simulated on the measured profile. The region is tiny and the repetitions are
# two, so no figure means anything: all rows must be there, complete and
# consistent with each other. No time is expected to be anything.

# shellcheck source=tests/program.sh
. "${srcdir:-..}/tests/program.sh"

TMPDIR=$work
export TMPDIR

# CPUs of LIST ("0-3,6"): how many.
count_cpus() {
	printf '%s\n' "$1" | tr , '\n' | awk -F- '{ n += (NF > 1 ? $2 : $1) - $1 + 1 } END { print n }'
}

allowed=$(awk '/^Cpus_allowed_list/ { print $2 }' /proc/self/status)
cpus=$(count_cpus "$allowed")
# As documented: each number of processes up to 4, then doubling, and all.
points=$(awk -v cpus="$cpus" 'BEGIN {
	for (p = 1; p <= cpus; p = q) {
		n++
		q = p < 4 ? p + 1 : 2 * p
		if (p < cpus && q > cpus)
			q = cpus
	}
	print n
}')

ZSMSIM_VALIDATE_REGION_MB=2
export ZSMSIM_VALIDATE_REGION_MB

expect 0 "$zsmsim" validate --host --repeat 2 --csv h.csv
expect_silent 'validate --host'

# A time for each number of processes and each of the 4 variants; 3 ratios to base for each
# number, and for each number but 1 the ratios of 4 variants to 1 process.
rows() {
	awk -F, -v kind="$1" '$1 == kind' h.csv | wc -l
}
[ "$(rows munmap_ms)" -eq $((4 * points)) ] || fail "$(rows munmap_ms) times instead of $((4 * points))"
[ "$(rows ratio)" -eq $((3 * points + 4 * (points - 1))) ] || fail "$(rows ratio) ratios are not all"

# Columns: 6 measured, 7 and 8 its spread, 9 samples, 10 simulated, 11 error in percent.
awk -F, '$1 == "munmap_ms" || $1 == "ratio" {
	if (!($6 > 0 && $7 > 0 && $7 <= $6 && $6 <= $8 && $9 >= 1 && $9 <= 2 && $10 > 0))
		bad = 1
	error = 100 * ($10 / $6 - 1)
	if (error - $11 > 0.01 || $11 - error > 0.01)
		bad = 1
} END { exit bad }' h.csv || fail "figures are missing or do not agree: $(cat h.csv)"

# A simulated ratio is the ratio of the simulated times; measured ones are medians of their own.
awk -F, '$1 == "munmap_ms" { ms[$2, $3] = $10 }
$1 == "ratio" {
	expected = ms[$2, $3] / ms[$4, $5]
	if ($10 / expected > 1.0001 || expected / $10 > 1.0001)
		bad = 1
} END { exit bad }' h.csv || fail "simulated ratios are not those of the times: $(cat h.csv)"

# What was asked stands beside what was reached, and the noise is told.
for words in 'asked: ratios between variants within 15 %; reached: ' 'asked: times within 30 %; reached: ' \
	'machine: [0-9]* of [0-9]* runs were preempted' 'This machine: '; do
	grep -q "$words" stdout || fail "'$words' is not said: $(cat stdout)"
done
grep -q "of $((4 * points)), largest error" stdout || fail "not all times are judged: $(cat stdout)"
grep -q "of $((2 * 4 * points)) runs were" stdout || fail "not all real runs are told: $(cat stdout)"

# On one CPU it says so, and there is nothing to compare 1 process with.
if can taskset -c "${allowed%%[-,]*}" true; then
	expect 0 taskset -c "${allowed%%[-,]*}" "$zsmsim" validate --host --repeat 2 --csv h.csv
	grep -q '^One CPU' stdout || fail "one CPU is not said: $(cat stdout)"
	[ "$(rows munmap_ms)" -eq 4 ] || fail "$(rows munmap_ms) times on one CPU"
	[ "$(rows ratio)" -eq 3 ] || fail "$(rows ratio) ratios on one CPU"
fi

# What cannot be, before anything is measured; and nothing is left behind.
expect 2 "$zsmsim" validate --host --csv /nonexistent/h.csv
expect 1 env ZSMSIM_NATIVE=/nonexistent "$zsmsim" validate --host
[ "$(wc -l <stderr)" -eq 1 ] || fail "not one line: $(cat stderr)"
grep -q nonexistent stderr || fail "the module is not named: $(cat stderr)"
ls -d "$work"/zsmsim-* >left 2>/dev/null && fail "left behind: $(cat left)"

finish
