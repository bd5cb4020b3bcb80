#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# zsmsim kernel build of a real tree, that of Debian's linux-source-6.12: the
# same input gives the same bytes wherever it is built, and no path of this
# host; what was built before comes from the cache unless anything that went in
# changed; patches and definitions arrive; nothing is left behind.

# shellcheck source=tests/program.sh
. "${srcdir:-..}/tests/program.sh"

tree=$(sh "$src/tests/kernel_sources.sh" 6.12) || exit $?
mkdir temporary cache
TMPDIR=$work/temporary
ZSMSIM_CACHE=$work/cache
export TMPDIR ZSMSIM_CACHE

# build OUTPUT PATTERN ARGUMENT...: its one line fits the pattern, and TMPDIR is as it was.
build() {
	output=$1 pattern=$2
	shift 2
	expect 0 "$zsmsim" kernel build -o "$output" "$@" || return
	grep -Eq "^$output: Linux 6\.12\.[0-9]+.*$pattern" stdout || fail "$output: expected '$pattern', got: $(cat stdout)"
	[ "$(wc -l <stdout)" -eq 1 ] || fail "$output: more than a line"
	[ -z "$(ls -A temporary)" ] || fail "$output: left in TMPDIR: $(ls -A temporary)"
}

entries() {
	find cache -type f -name '*.so' | wc -l
}

# ---- bytes and the cache ----

echo 'something that was there before' >a.so
build a.so 'chain size 8, .*, built in ' "$tree"
expect_silent 'a build'
[ "$(find . -maxdepth 1 -name 'a.so*' | wc -l)" -eq 1 ] || fail "left beside the module: $(ls -d a.so*)"
build b.so 'from the cache' "$tree"
expect_same a.so b.so 'from the cache'
[ "$(entries)" -eq 1 ] || fail "$(entries) entries in the cache after one module"

# The same files at another place, built in another place.
mkdir "$work/another temporary directory"
cp -R "$tree" "$work/another tree"
TMPDIR="$work/another temporary directory"
build c.so 'built in ' "another tree" --no-cache
TMPDIR=$work/temporary
expect_same a.so c.so 'another directory'
[ -z "$(ls -A 'another temporary directory')" ] || fail 'left in the other TMPDIR'
for word in "$work" "$tree" "$src" zsmsim-kernel-; do
	if grep -aqF "$word" a.so; then
		fail "a path of this host is in the module: $word"
	fi
done

# What is in the cache is believed only if it is whole; and it is only a cache.
printf 'X' | dd of="$(find cache -name '*.so')" bs=1 seek=5000 conv=notrunc 2>/dev/null
build d.so 'built in ' "$tree"
expect_same a.so d.so 'a damaged entry of the cache'
build d.so 'from the cache' "$tree"
ZSMSIM_CACHE=$work/a.so/cache
build d.so 'built in ' "$tree"
expect_same a.so d.so 'no cache'
ZSMSIM_CACHE=$work/cache

# ---- what goes in ----

build e.so 'chain size 4, CONFIG_ZSMALLOC_CHAIN_SIZE=4,.*built in ' "$tree" --define CONFIG_ZSMALLOC_CHAIN_SIZE=4
cmp -s a.so e.so && fail 'another chain size makes no difference'
build e.so 'from the cache' "$tree" --define CONFIG_ZSMALLOC_CHAIN_SIZE=9 --define CONFIG_ZSMALLOC_CHAIN_SIZE=4
build f.so 'built in ' "$tree" --define CONFIG_ZSMALLOC_STAT=y
build g.so 'built in ' "$tree" --define CONFIG_COMPACTION=n
build h.so 'and zram, .*built in ' "$tree" --with-zram
expect 0 "$zsmsim" kernel info h.so
grep -q '^files .*drivers/block/zram' stdout && grep -q '^tree  *6\.12\.' stdout || fail "info: $(cat stdout)"
# Its zram compresses by itself, so a file's pages are refused.
echo text >some.txt
expect 2 "$zsmsim" run "$src/scenarios/quick.json" --set variants=h.so --set workload.contents=some.txt
grep -q 'contents with variant "h", whose zram compresses by itself' stderr || fail "contents and a tree's zram: $(cat stderr)"
for cc in gcc clang; do
	can $cc --version && build "$cc.so" "$cc.*, (built in|from the cache)" "$tree" --cc $cc
done

# A patch arrives: one line changed, in the tree and by a patch, gives the same code.
if can patch --version && can diff --version; then
	cp -R "$tree" changed
	sed '1i /* a line more */' "$tree/mm/zsmalloc.c" >changed/mm/zsmalloc.c
	diff -u --label a/mm/zsmalloc.c "$tree/mm/zsmalloc.c" --label b/mm/zsmalloc.c changed/mm/zsmalloc.c >one.patch
	printf -- '--- a/mm/vmscan.c\n+++ b/mm/vmscan.c\n@@ -1 +1 @@\n-a\n+b\n' >>one.patch
	cp "$tree/mm/zsmalloc.c" before.c
	build p.so 'patched \(one\.patch\), .*built in ' "$tree" --patch one.patch
	grep -q '^zsmsim: one\.patch: mm/vmscan\.c: left out' stderr || fail "the part left out is not named: $(cat stderr)"
	expect_same before.c "$tree/mm/zsmalloc.c" 'the tree'
	build q.so 'built in ' changed
	"$zsmsim" kernel info p.so | grep '^files' >p.files
	"$zsmsim" kernel info q.so | grep '^files' >q.files
	expect_same p.files q.files 'a patch and a changed tree'
	build p.so 'from the cache' "$tree" --patch one.patch

	# A name that is declared but that nobody defines is found when linking.
	printf 'int frob_nobody(void);\nint (*frob_pointer)(void) = frob_nobody;\n' >>changed/mm/zsmalloc.c
	expect 2 "$zsmsim" kernel build changed -o p.so --no-cache
	grep -q "^zsmsim: mm/zsmalloc\.c: the shim lacks 'frob_nobody' (used, but defined nowhere); " stderr ||
		fail "undefined name: $(head -n 3 stderr)"
fi

# ---- a run with it ----

expect 0 "$zsmsim" run -q "$quick" --set variants=a.so -o a.db
expect 0 "$zsmsim" run -q "$quick" --set variants=a.so -o b.db --csv csv
[ -s csv/results.csv ] || fail 'no results of a run with the module'

finish
