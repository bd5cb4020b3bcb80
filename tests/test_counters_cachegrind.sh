#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Cache misses of one CPU that unmaps, on the simulated machine and in
# cachegrind with caches of the same sizes. Expect the misses of the first
# level and of the last one to agree within 10 %, in two geometries.
#
# Both have two levels here, lines of 64 bytes, the least recently used line
# out and no prefetcher. What is not the same is small: cachegrind sees the
# stack too and starts warm from filling the region, and its last level holds
# instructions and does not force the first to be a part of it.

# shellcheck source=tests/program.sh
. "${srcdir:-..}/tests/program.sh"

top=${zsmsim%/*}
native=$top/tests/counters/native
simulated=$top/tests/counters/simulated
region_mb=16
limit=10

command -v valgrind >/dev/null || { say 'no valgrind: skipped'; exit 77; }

# count MARK FILE L1_KB L1_WAYS LAST_KB LAST_WAYS: cachegrind's misses until MARK.
count() {
	COUNTERS_STOP=$1 valgrind -q --tool=cachegrind --cache-sim=yes --D1=$(($3 * 1024)),"$4",64 \
		--LL=$(($5 * 1024)),"$6",64 --cachegrind-out-file="$2" "$native" $region_mb >native.log 2>&1 ||
		fail "cachegrind: $(cat native.log)"
}

# misses EVENT...: what these events of the second file have more than in the first.
misses() {
	awk -v names="$*" '
		$1 == "events:" { for (i = 2; i <= NF; i++) at[$i] = i }
		$1 == "summary:" {
			sign = files++ ? 1 : -1
			n = split(names, name, " ")
			for (k = 1; k <= n; k++)
				if (name[k] in at)
					sum += sign * $at[name[k]]
				else
					exit 1
		}
		END { print sum + 0 }' begin.out end.out
}

machine() {
	awk -v name="$1" '$1 == "machine" && $2 == name { print $3 }' simulated.txt
}

# within WHAT SEEN REAL
within() {
	awk -v what="$1" -v seen="$2" -v real="$3" -v limit=$limit 'BEGIN {
		if (real + 0 <= 0)
			exit 1
		e = 100 * (seen - real) / real
		printf "%-32s cachegrind %7d  simulated %7d  %+5.1f%%\n", what, real, seen, e
		exit (e < 0 ? -e : e) > limit
	}' || fail "$1: more than $limit % apart"
}

# geometry L1_KB L1_WAYS LAST_KB LAST_WAYS
geometry() {
	count munmap_begin begin.out "$@"
	count munmap_end end.out "$@"
	"$simulated" "$top/zsmsim-model.so" cortex-a55 $region_mb "$@" >simulated.txt || fail simulated
	within "first level, $1 KiB, $2 ways" "$(machine l1_misses)" "$(misses D1mr D1mw)"
	within "last level, $3 KiB, $4 ways" "$(machine dram_reads)" "$(misses DLmr DLmw)"
}

geometry 32 8 256 8
# Four ways at 64 or 128 sets would test where the linkers put global variables: some of them, and
# structures at the beginnings of pages, then compete for the ways of one set. With the variables
# in the same sets on both sides the two agree there as well.
geometry 64 4 512 16
geometry 16 16 128 16
finish
