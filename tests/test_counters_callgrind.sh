#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Instructions and branches that the machine counts, function by function,
# against callgrind's count of the same unmapping of 16 MB, compiled without
# instrumentation. Expect the ten functions with the most instructions to
# agree within 10 % in both; those behind the ten are shown only.
#
# The native program is counted to the end of the unmapping and to its
# beginning, and the difference taken, so what fills the region is in neither.

# shellcheck source=tests/program.sh
. "${srcdir:-..}/tests/program.sh"

top=${zsmsim%/*}
native=$top/tests/counters/native
simulated=$top/tests/counters/simulated
counters=$src/tests/counters
region_mb=16

for tool in valgrind objdump; do
	command -v "$tool" >/dev/null || { say "no $tool: skipped"; exit 77; }
done

# count MARK FILE: what the native program executes until MARK.
count() {
	COUNTERS_STOP=$1 valgrind -q --tool=callgrind --branch-sim=yes --dump-instr=yes --dump-line=no \
		--compress-pos=no --callgrind-out-file="$2" "$native" $region_mb >native.log 2>&1 ||
		fail "callgrind: $(cat native.log)"
}

count munmap_begin begin.out
count munmap_end end.out
objdump -d --no-show-raw-insn "$native" | awk '$2 == "lock" || $2 == "call" { sub(":", "", $1); print $1 }' >no_branch
[ -s no_branch ] || fail 'no calls found'
awk -f "$counters/callgrind.awk" no_branch begin.out end.out >native.txt || fail 'callgrind.awk'
"$simulated" "$top/zsmsim-model.so" cortex-a55 $region_mb >simulated.txt || fail 'simulated'
awk -v most=10 -v limit=10 -f "$counters/compare.awk" simulated.txt native.txt || fail 'more than 10 % apart'
finish
