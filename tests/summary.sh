#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# summary.sh [--broken] [DIRECTORY...] - how a `make check` ended, in one line:
#
#	N passed, N failed[, N skipped]
#
# Reads the .trs and .log files that automake's test harness left in each
# build tree. A Criterion program counts with each of its tests, any other
# program as one. Trees configured inside a tree are not entered; name them.
# --broken says that make itself reported an error: if no test explains it (a
# test did not build), it counts as one failure.
# Exit status 1 if something failed or if nothing was run at all.

set -u
broken=0
if [ "${1:-}" = --broken ]; then
	broken=1
	shift
fi
[ $# -gt 0 ] || set -- .

# The .trs files of one build tree, without those of trees inside it.
list_results() {
	find "$1" -mindepth 1 -type d -exec test -e '{}/config.status' ';' -prune \
		-o -name '*.trs' -print
}

for tree in "$@"; do
	list_results "$tree" || exit 1
done | sort -u | {
	while IFS= read -r trs; do
		result=$(sed -n 's/^:test-result: *\([A-Z]*\).*/\1/p' "$trs" | tail -n 1)
		printf '@program %s\n' "${result:-ERROR}"
		log=${trs%.trs}.log
		[ -r "$log" ] && grep -a -e 'Synthesis: Tested:' -e '^\[SKIP\]' "$log"
	done
	printf '@end\n'
} | awk -v broken="$broken" '
	function field(label,    at) {
		at = index($0, label)
		return at ? substr($0, at + length(label)) + 0 : 0
	}
	# A program that failed without a failed test (it crashed, leaked, timed
	# out) still is a failure.
	function finish() {
		if (program == "")
			return
		passed += ok
		failed += bad
		skipped += out
		if (program == "PASS" || program == "XFAIL")
			passed += !seen
		else if (program == "SKIP")
			skipped += !seen
		else if (!bad)
			failed++
	}
	/^@/ { finish(); program = $2; seen = ok = bad = out = 0; next }
	/^\[SKIP\]/ { out++; next }
	{
		seen = 1
		ok += field("Passing: ")
		bad += field("Failing: ") + field("Crashing: ")
	}
	END {
		if (broken && !failed)
			failed = 1
		printf "%d passed, %d failed", passed, failed
		if (skipped)
			printf ", %d skipped", skipped
		printf "\n"
		exit failed > 0 || passed == 0
	}'
