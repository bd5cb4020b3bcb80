#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The project's own allocator against the one of Linux 6.12, compiled from
# Debian's source package: 40000 random operations, three times, and after
# each the same return value, the same layout of the class (which object is
# where in which zspage of which list, where its free list begins, the
# counters) and the same number of pages. Every 1000 operations the whole
# pool, in words. 6.12 has the locks of the variant pool-lock.

build=$PWD
# shellcheck source=tests/program.sh
. "${srcdir:-..}/tests/program.sh"
# shellcheck source=tests/steps_compare.sh
. "$src/tests/steps_compare.sh"
steps=$build/tests/steps
own="--module $build/zsmsim-model.so --variant pool-lock"

tree=$(sh "$src/tests/kernel_sources.sh" 6.12)
status=$?
[ $status -ne 77 ] || exit 77
[ $status -eq 0 ] || { fail "no sources: status $status"; finish; }

expect 0 "$zsmsim" kernel build "$tree" -o k612.so || finish
for seed in 1 2 3; do
	same_steps 'own allocator and 6.12' 40000 $seed "$own" '--module ./k612.so'
done

# With its statistics compiled in the text of the file "classes" comes from the tree's own code.
expect 0 "$zsmsim" kernel build "$tree" --define CONFIG_ZSMALLOC_STAT=y -o k612-stat.so || finish
same_steps 'own allocator and 6.12 with its statistics' 40000 4 "$own" '--module ./k612-stat.so'

# Shorter chains are another layout in both, and again the same one.
expect 0 "$zsmsim" kernel build "$tree" --define CONFIG_ZSMALLOC_CHAIN_SIZE=5 -o k612-5.so || finish
same_steps 'own allocator and 6.12, chains of 5' 20000 5 "$own --chain 5" '--module ./k612-5.so'

# What differs is noticed here too: another chain limit, and one free too many in the tree's.
other_steps 'chains of 5 against 8' 1000 1 "$own" '--module ./k612-5.so'
# A tree in which zspages join their lists at the other end.
cp -r "$tree" changed
sed 's/list_add(&zspage->list,/list_add_tail(\&zspage->list,/' "$tree/mm/zsmalloc.c" >changed/mm/zsmalloc.c
if cmp -s "$tree/mm/zsmalloc.c" changed/mm/zsmalloc.c; then
	fail "the tree could not be changed: it was tested against itself"
fi
expect 0 "$zsmsim" kernel build changed -o changed.so || finish
other_steps 'another order of lists' 2000 1 "$own" '--module ./changed.so'
other_steps 'one free too many' 4000 1 "$own" '--module ./k612.so --break extra-free --break-at 2000'

finish
