#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The files of a kernel package that tests need: unpacked once, by one of
# several that want them, and whole or not at all. With a small package of our
# own instead of Debian's.

# shellcheck source=tests/program.sh
. "${srcdir:-..}/tests/program.sh"
get=$src/tests/kernel_sources.sh

ZSMSIM_CACHE=$work/cache
ZSMSIM_KERNEL_TARBALLS=$work/tarballs
export ZSMSIM_CACHE ZSMSIM_KERNEL_TARBALLS

can xz --version || { say "no xz to make a package with"; exit 77; }

# pack FILE...: linux-source-0.1.tar.xz with these files; each holds its name.
pack() {
	rm -rf linux-source-0.1
	for file in "$@"; do
		mkdir -p "linux-source-0.1/$(dirname "$file")" tarballs
		echo "$file" >"linux-source-0.1/$file"
	done
	tar -cJf tarballs/linux-source-0.1.tar.xz linux-source-0.1
}

# expect_skip WHAT PATTERN: nothing but one line that says why.
expect_skip() {
	expect 77 sh "$get" 0.1
	[ ! -s stdout ] || fail "$1: prints $(cat stdout)"
	[ "$(wc -l <stderr)" -eq 1 ] || fail "$1: not one line: $(cat stderr)"
	grep -q "$2" stderr || fail "$1: says $(cat stderr)"
}

expect_skip 'no package' 'linux-source-0.1.tar.xz is not there'

# A package without the files, or cut off in the middle, is not left half unpacked.
pack Makefile mm/zsmalloc.c
expect_skip 'a package without zram' 'lacks files of zsmalloc or zram, or is damaged'
all='Makefile mm/Kconfig mm/zsmalloc.c mm/zpdesc.h include/linux/zsmalloc.h include/linux/mm.h
	drivers/block/zram/zram_drv.c drivers/block/zram/zram_drv.h drivers/block/zram/deep/other.c'
# shellcheck disable=SC2086
pack $all
cp tarballs/linux-source-0.1.tar.xz whole
head -c 200 whole >tarballs/linux-source-0.1.tar.xz
expect_skip 'half a package' 'lacks files of zsmalloc or zram, or is damaged'
[ -z "$(find cache -name '*zsmalloc*')" ] || fail "something is left: $(find cache -name '*zsmalloc*')"

# Two at once, in an empty cache: both get the same tree, and just the files that are of use.
cp whole tarballs/linux-source-0.1.tar.xz
sh "$get" 0.1 >first &
other=$!
expect 0 sh "$get" 0.1
expect_silent 'two at once'
wait $other || fail "two at once: status $?"
expect_same first stdout 'two at once'
tree=$(cat first)
(cd "$tree" && find . -type f | sort) >files
printf '%s\n' ./Makefile ./drivers/block/zram/zram_drv.c ./drivers/block/zram/zram_drv.h \
	./include/linux/zsmalloc.h ./mm/zpdesc.h ./mm/zsmalloc.c >wanted
expect_same files wanted 'files'
[ -z "$(find cache -name 'unpack-*')" ] || fail "something temporary is left: $(find cache -name 'unpack-*')"

# What is there is taken as it is; what is not whole is unpacked anew, and so is another package.
echo mark >>"$tree/mm/zsmalloc.c"
expect 0 sh "$get" 0.1
grep -q mark "$tree/mm/zsmalloc.c" || fail "a tree that is there was unpacked again"
rm "$tree/Makefile"
expect 0 sh "$get" 0.1
[ "$(cat "$tree/mm/zsmalloc.c" "$tree/Makefile")" = "$(printf 'mm/zsmalloc.c\nMakefile')" ] ||
	fail "a tree that is not whole was taken"
# shellcheck disable=SC2086
pack $all mm/zpdesc.h drivers/block/zram/new.h
expect 0 sh "$get" 0.1
[ "$(cat stdout)" != "$tree" ] || fail "another package: the same tree"
[ -s "$(cat stdout)/drivers/block/zram/new.h" ] || fail "another package: its new file is not there"

# No place for it.
: >file
ZSMSIM_CACHE=$work/file expect_skip 'a cache in a file' 'cannot be written'
expect 2 sh "$get"

finish
