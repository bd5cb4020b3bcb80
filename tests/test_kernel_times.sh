#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Modules of 6.12 and 6.1, built from Debian's source packages, in the whole
# program: 6.12 takes the same simulated time as the project's allocator of the
# same generation, for each number of processes; both trees run with the oracles
# on and with their own zram; the tree's warnings are faults with its file and
# line; and a run's row says what it ran.

# shellcheck source=tests/program.sh
. "${srcdir:-..}/tests/program.sh"

ZSMSIM_CACHE_FOR_TEST=$work/cache
get_tree() {
	tree=$(sh "$src/tests/kernel_sources.sh" "$1")
	status=$?
	[ $status -ne 77 ] || exit 77
	[ $status -eq 0 ] || { fail "no sources of $1: status $status"; finish; }
}

get_tree 6.1
tree61=$tree
get_tree 6.12
tree612=$tree

# Built anew, then from the cache: the same bytes, well inside 15 s even on a busy machine.
began=$(date +%s)
ZSMSIM_CACHE=$ZSMSIM_CACHE_FOR_TEST expect 0 "$zsmsim" kernel build "$tree612" -o k612.so || finish
[ $(($(date +%s) - began)) -lt 15 ] || fail "building took $(($(date +%s) - began)) s"
ZSMSIM_CACHE=$ZSMSIM_CACHE_FOR_TEST expect 0 "$zsmsim" kernel build "$tree612" -o again.so
grep -q 'from the cache' stdout || fail "the second build did not come from the cache: $(cat stdout)"
expect_same k612.so again.so 'a module from the cache'
ZSMSIM_CACHE=$ZSMSIM_CACHE_FOR_TEST expect 0 "$zsmsim" kernel build "$tree612" --no-cache -o again.so
expect_same k612.so again.so 'a module built a second time'
expect 0 "$zsmsim" kernel build "$tree61" -o k61.so || finish

expect 0 "$zsmsim" run "$src/scenarios/munmap.json" --set variants=k612.so,k61.so,pool-lock -q \
	--set profiles=i7-14700hx-p --set 'workload.procs={"sweep":[1,2,3,4]}' --set workload.region_mb=64 \
	-o times.db --csv times || finish
expect_silent 'runs of modules'
# 6.12 and pool-lock within 10 % of each other, for each number of processes. 6.1 has one lock
# for all: where four processes want it, it must be far slower.
awk -F, '
	$7 == "munmap_ms" && $9 == "mean" {
		split($6, param, /[=;]/)
		ms[$3, param[2]] = $10
	}
	END {
		for (n = 1; n <= 4; n++) {
			own = ms["pool-lock", n]
			tree = ms["k612", n]
			if (!own || !tree)
				print "no time of " n " processes"
			else if (tree > own * 1.1 || tree < own * 0.9)
				print n " processes: 6.12 takes " tree " ms, pool-lock " own
		}
		if (ms["k61", 4] < 1.3 * ms["pool-lock", 4])
			print "4 processes: 6.1 with its one lock takes only " ms["k61", 4] " ms"
	}' times/results.csv >wrong
[ ! -s wrong ] || fail "$(cat wrong)"

# Compaction beside tasks that go on: a page costs what it costs in the project's allocator, and as many are had.
expect 0 "$zsmsim" run "$src/scenarios/compaction.json" --set variants=k612.so,pool-lock -q --set workload.pool_mb=24 \
	--set workload.burst=400 --set machine.memory_mb=512 -o comp.db --csv comp || finish
head -n 1 stdout | grep -q ' pages, unknown, [0-9.]* us with k612;' || fail "the answer claims to know what a tree holds: $(head -n 1 stdout)"
awk -F, '
	$7 == "callback" && $9 == "sum" { us[$3, $4] = $10 }
	$7 == "given_back" { pages[$3, $4] = $10; profiles[$4] }
	END {
		for (p in profiles) {
			own = us["pool-lock", p] / pages["pool-lock", p]
			tree = us["k612", p] / pages["k612", p]
			if (tree > own * 1.1 || tree < own * 0.9)
				print p ": a page costs " tree " us in 6.12, " own " in pool-lock"
			if (pages["k612", p] > pages["pool-lock", p] * 1.1 || pages["k612", p] < pages["pool-lock", p] * 0.9)
				print p ": 6.12 gives " pages["k612", p] " pages back, pool-lock " pages["pool-lock", p]
			n++
		}
		if (n != 2)
			print n + 0 " profiles instead of 2"
	}' comp/results.csv >wrong
[ ! -s wrong ] || fail "compaction: $(cat wrong)"

# Their own zram, too; the same bytes are stored as by the project's.
expect 0 "$zsmsim" kernel build "$tree612" --with-zram -o k612z.so
expect 0 "$zsmsim" kernel build "$tree61" --with-zram -o k61z.so
expect 0 "$zsmsim" run "$quick" --set variants=k612z.so,k61z.so,pool-lock -q -o zram.db --csv zram
awk -F, '
	$7 == "mm_stat" && $9 ~ /^(orig_data_size|compr_data_size)$/ {
		key = $6 " " $9
		if (key in value && value[key] != $10)
			print key ": " $10 " in " $3 ", " value[key] " in another"
		value[key] = $10
		nr++
	}
	END { if (nr < 12) print nr + 0 " figures of mm_stat instead of 12" }' zram/results.csv >wrong
[ ! -s wrong ] || fail "$(cat wrong)"
expect 2 "$zsmsim" run "$quick" --set 'variants=[{"kernel":"k612z.so","zram_stats":"percpu"}]' -o no.db
[ ! -e no.db ] || fail 'a refused variant left a database behind'

# Warnings of a tree are live: one that always comes is a fault with the tree's file and line.
cp -r "$tree612" warns
chmod -R u+w warns
awk '{ print } /^void zs_free\(/ { inside = 1 } inside && /^{/ { print "\tWARN_ON(pool);"; inside = 0 }' \
	"$tree612/mm/zsmalloc.c" >warns/mm/zsmalloc.c
line=$(grep -n 'WARN_ON(pool);' warns/mm/zsmalloc.c | cut -d: -f1)
expect 0 "$zsmsim" kernel build warns -o warns.so
expect 1 "$zsmsim" run "$quick" --set variants=warns.so --set workload.procs=1 -q -o warns.db
grep -q "^fault: WARN_ON(pool) at mm/zsmalloc.c:$line\$" stderr || fail "the warning is not reported: $(cat stderr)"
grep -Eq '^  called from: zs_free \(mm/zsmalloc\.c:[0-9]+\) <' stderr || fail 'its call chain does not name the tree'

# So are the assertions that a production kernel leaves out.
sed 's/WARN_ON(pool);/VM_BUG_ON(pool);/' warns/mm/zsmalloc.c >vm
mv vm warns/mm/zsmalloc.c
expect 0 "$zsmsim" kernel build warns -o warns.so
expect 1 "$zsmsim" run "$quick" --set variants=warns.so --set workload.procs=1 -q -o vm.db
grep -q "^fault: VM_BUG_ON(pool) at mm/zsmalloc.c:$line\$" stderr || fail "VM_BUG_ON is not reported: $(cat stderr)"

# The oracles see what a tree does: an object freed twice.
expect 1 "$zsmsim" run "$quick" --set variants=k612.so --set workload.procs=1 --set break=double-free -q -o twice.db
grep -q '^fault: load of a freed slab object' stderr || fail "a double free is not found: $(cat stderr)"

finish
