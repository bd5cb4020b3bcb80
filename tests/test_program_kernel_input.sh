#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# zsmsim kernel with wrong input, one of each kind: status 2, a line on
# standard error that says where and what, lines after it only if indented,
# nothing on standard output; the module that was there keeps its bytes, and
# neither its directory nor the one for temporary files has anything new in it.
# The trees are made here and have just enough in them to be refused.

# shellcheck source=tests/program.sh
. "${srcdir:-..}/tests/program.sh"

mkdir temporary out cache
TMPDIR=$work/temporary
ZSMSIM_CACHE=$work/cache
export TMPDIR ZSMSIM_CACHE
echo 'a module that was there before' >out/my.so
cp out/my.so before.so

# tree NAME: a tree whose mm/zsmalloc.c is standard input.
tree() {
	mkdir -p "$1/mm"
	cat >"$1/mm/zsmalloc.c"
}

# Every build that fails leaves the world as it was.
expect_untouched() {
	expect_same before.so out/my.so "$1: the module that was there"
	[ "$(ls out)" = my.so ] || fail "$1: left in the output's directory: $(ls out)"
	[ -z "$(ls -A temporary)" ] || fail "$1: left in TMPDIR: $(ls -A temporary)"
	[ -z "$(ls -A cache)" ] || fail "$1: left in the cache: $(ls -A cache)"
}

# refused WHAT PATTERN ARGUMENT...: of zsmsim kernel build.
refused() {
	what=$1 pattern=$2
	shift 2
	expect 2 "$zsmsim" kernel build -o out/my.so "$@" || return
	grep -Eq "^zsmsim: $pattern" stderr || fail "$what: expected '$pattern', got: $(head -n 3 stderr)"
	[ "$(grep -c '^[^ ]' stderr)" -eq "${lines:-1}" ] ||
		fail "$what: not ${lines:-1} line, and indented ones: $(head -n 5 stderr)"
	[ ! -s stdout ] || fail "$what: something on standard output"
	expect_untouched "$what"
}

# What the compiler shows of the place comes after the line, indented.
expect_shown() {
	grep -Eq "^ .*$2" stderr || fail "$1: '$2' is not shown: $(head -n 5 stderr)"
}

# ---- the command line ----

expect 0 "$zsmsim" kernel && grep -q 'zsmsim kernel build TREE' stdout || fail 'kernel alone does not explain itself'
expect 2 "$zsmsim" kernel bulid && grep -q '^zsmsim: kernel: bulid: .*build' stderr || fail 'unknown word'
refused 'no tree' 'kernel build: no tree; '
refused 'an unknown option' 'kernel build: --pacth: .*--patch' --pacth=x .
expect 2 "$zsmsim" kernel build . && grep -q '^zsmsim: kernel build: no output; ' stderr || fail 'no output'
refused 'a define without a value' 'kernel build: --define CONFIG_X: no value; ' . --define CONFIG_X
refused 'a define without a name' 'kernel build: --define =: not a name' . --define =1
refused 'a define that is no name' 'kernel build: --define 2X=: not a name' . --define 2X=1
refused 'a define of two lines' 'kernel build: --define A: the value' . --define "A=1
#error x"

# ---- what is not a tree ----

refused 'a tree that is not there' 'nowhere: No such file or directory; ' nowhere
: >file
refused 'a file' 'file: not a directory; ' file
mkdir bare
refused 'no mm/zsmalloc.c' 'bare/mm/zsmalloc\.c: No such file or directory; ' bare
tree empty </dev/null
refused 'an empty file' 'empty/mm/zsmalloc\.c: the file is empty; ' empty
printf 'unsigned long zs_malloc(void)\n{\n\000}\n' | tree binary
refused 'a zero byte' 'binary/mm/zsmalloc\.c: it is not text' binary
head -c 4096 /bin/sh | tree machine
refused 'machine code' 'machine/mm/zsmalloc\.c: it is not text' machine
dd if=/dev/zero bs=1048576 count=0 seek=64 2>/dev/null | tree large
truncate -s 64M large/mm/zsmalloc.c
refused 'a file of 64 MB' 'large/mm/zsmalloc\.c: File too large; ' large
mkdir -p directory/mm/zsmalloc.c
refused 'a directory for a file' 'directory/mm/zsmalloc\.c: Is a directory; ' directory
mkdir -p pipe/mm
mkfifo pipe/mm/zsmalloc.c
refused 'a pipe' 'pipe/mm/zsmalloc\.c: ' pipe
printf 'unsigned long zs_malloc(int size);\nvoid zs_free(int handle);\n' | tree prototypes
refused 'prototypes only' 'prototypes/mm/zsmalloc\.c: it does not define zs_malloc\(\) and zs_free\(\)' prototypes

# ---- what does not compile ----

tree syntax <<'END'
#include <linux/mm.h>

unsigned long zs_malloc(int size)
{
	return size +;
}

void zs_free(int handle)
{
}
END
refused 'a syntax error' 'mm/zsmalloc\.c:5: expected expression' syntax
expect_shown 'a syntax error' 'return size \+;'
for cc in gcc clang; do
	can $cc --version || continue
	refused "a syntax error, $cc" 'mm/zsmalloc\.c:5: expected expression' syntax --cc $cc
	expect_shown "a syntax error, $cc" 'return size \+;'
done

# lacks NAME PATTERN LINE: a tree with this line in a function; its header mm.h declares what the shim does not.
lacks() {
	mkdir -p "$1/include/linux"
	tree "$1" <<-END
		#include <linux/list.h>
		#include <linux/mm.h>
		#include <linux/spinlock.h>
		unsigned long zs_malloc(struct page *page)
		{
			$3
			return 0;
		}
		void zs_free(int handle)
		{
		}
	END
	printf 'struct frob { int x; };\n#define FROB_MAX 4\nvoid frob_page(struct page *page);\n' >"$1/include/linux/mm.h"
	refused "$1" "mm/zsmalloc\.c:6: the shim lacks $2, see doc/kernel-shim\.md" "$1"
	if can clang --version; then
		refused "$1, clang" "mm/zsmalloc\.c:6: the shim lacks $2, see doc/kernel-shim\.md" "$1" --cc clang
	fi
}

in='declare it in model/kshim/include/linux'
lacks function "'frob_page' \(a function\); $in/mm\.h" 'frob_page(page);'
lacks constant "'FROB_MAX' \(a constant, variable or macro\); $in/mm\.h" 'if (page) return FROB_MAX;'
lacks unheard "'spin_lock_twice' \(a function\); $in/spinlock\.h, for example" 'spin_lock_twice(page);'
lacks member "'frobs' \(a member of struct page\); $in/.*\.h, for example" 'return page->frobs;'
lacks unknown-struct "'.*' \(what is in the struct\); $in/mm\.h.*" 'return sizeof(struct frob);'

tree header <<'END'
#include <linux/frobnicate.h>
unsigned long zs_malloc(int size)
{
	return 0;
}
void zs_free(int handle)
{
}
END
refused 'a header' "mm/zsmalloc\.c:1: the shim lacks 'linux/frobnicate\.h' \(a header\); write " header
sed -i 's,.*frob.*,#include "internal.h",' header/mm/zsmalloc.c
refused 'a file that is not copied' "mm/zsmalloc\.c:1: 'internal\.h' is not among " header
# The file's own mistakes are not the shim's.
sed -i 's,.*internal.*,struct own { int a; };,; s,return 0,return ((struct own *)size)->b,' header/mm/zsmalloc.c
refused 'a member of its own struct' "mm/zsmalloc\.c:4: .*no member named 'b'" header

refused 'a compiler that is not there' 'no-such-cc: No such file or directory; ' syntax --cc no-such-cc
refused 'a compiler that is none' 'cat: it fails when it is called with -dM .*; name gcc or clang' syntax --cc cat
refused 'a compiler that says nothing' 'true: it is neither gcc nor clang; ' syntax --cc true
refused 'a compiler that fails' 'false: .*--version; name gcc or clang' syntax --cc false
refused 'no zram' 'syntax/drivers/block/zram/zram_drv\.c: No such file' syntax --with-zram

# ---- configuration ----

tree chain <<'END'
int limit = CONFIG_ZSMALLOC_CHAIN_SIZE;
unsigned long zs_malloc(int size)
{
	return 0;
}
void zs_free(int handle)
{
}
END
for value in 3 17 x -8 8x '' 99999999999999999999; do
	refused "chain size '$value'" "--define CONFIG_ZSMALLOC_CHAIN_SIZE=$value: not a chain size; .* 4 to 16" chain \
		--define CONFIG_ZSMALLOC_CHAIN_SIZE="$value"
done
refused 'a chain size that has no effect' '--define CONFIG_ZSMALLOC_CHAIN_SIZE=8: .*leave it out' syntax \
	--define CONFIG_ZSMALLOC_CHAIN_SIZE=8

# ---- patches ----

refused 'a patch that is not there' 'nowhere\.patch: No such file or directory; ' syntax --patch nowhere.patch
echo 'Dear all, this is not a patch.' >text.patch
refused 'text' 'text\.patch: no diff in it; ' syntax --patch text.patch
printf 'Content-Transfer-Encoding: base64\n\nLS0tIGEvbW0venNtYWxsb2MuYwo=\n' >coded.patch
refused 'a mail in base64' 'coded\.patch: a mail in an encoding' syntax --patch coded.patch
cat >cut.patch <<'END'
--- a/mm/zsmalloc.c
+++ b/mm/zsmalloc.c
@@ -3,4 +3,4 @@
 unsigned long zs_malloc(int size)
 {
END
refused 'a patch that was cut off' 'cut\.patch:5: the patch ends within a hunk; ' syntax --patch cut.patch
cat >other.patch <<'END'
--- a/mm/vmscan.c
+++ b/mm/vmscan.c
@@ -1 +1 @@
-a
+b
END
lines=2
refused 'a patch for others' 'other\.patch: none of its files is part of the module; ' syntax --patch other.patch
grep -q '^zsmsim: other\.patch: mm/vmscan\.c: left out' stderr || fail 'the file that was left out is not named'
lines=1
cat >climb.patch <<'END'
--- a/../mm/zsmalloc.c
+++ b/../../out/my.so
@@ -1 +1 @@
-a module that was there before
+b
END
lines=2
refused 'a patch that leads out of the tree' 'climb\.patch: none of its files' syntax --patch climb.patch
lines=1

if can patch --version; then
	cat >reject.patch <<'END'
From: somebody
Subject: a hunk whose context is another

diff --git a/mm/zsmalloc.c b/mm/zsmalloc.c
--- a/mm/zsmalloc.c
+++ b/mm/zsmalloc.c
@@ -1,2 +1,3 @@
 #include <linux/mm.h>
+#include <linux/list.h>
 
@@ -3,8 +4,8 @@
 unsigned long zs_malloc(int size)
 {
-	return size + 1;
+	return size + 2;
 }
 
 void zs_free(long handle)
 {
 }
-- 
2.39
END
	refused 'a hunk that does not apply' \
		'reject\.patch: mm/zsmalloc\.c: hunk 2 \(line 11 of the patch\) does not apply at line 4; .*does not match:' \
		syntax --patch reject.patch
	expect_shown reject 'patch has *: 	return size \+ 1;'
	expect_shown reject 'tree has *6: 	return size \+;'
	expect_shown reject 'patch has *: void zs_free\(long handle\)'
	cat >there.patch <<'END'
--- a/mm/zsmalloc.c
+++ b/mm/zsmalloc.c
@@ -1,3 +1,4 @@
 #include <linux/mm.h>
 
+unsigned long zs_malloc(int size)
-long zs_malloc(int size)
 {
END
	sed -i 's/-1,3 +1,4/-1,4 +1,4/' there.patch
	refused 'a patch that is in the tree' 'there\.patch: mm/zsmalloc\.c: its change is in the tree already; ' \
		syntax --patch there.patch
	cat >new.patch <<'END'
--- /dev/null
+++ b/mm/zsmalloc.c
@@ -0,0 +1 @@
+int x;
END
	refused 'a new file that is there' 'new\.patch: mm/zsmalloc\.c: the patch creates this file' syntax \
		--patch new.patch
	# What a patch made is what is compiled: its line has the error, and a file that it created is included.
	cat >made.patch <<'END'
--- a/mm/zsmalloc.c
+++ b/mm/zsmalloc.c
@@ -1,6 +1,7 @@
 #include <linux/mm.h>
+#include "made.h"
 
 unsigned long zs_malloc(int size)
 {
-	return size +;
+	return MADE +;
 }
--- /dev/null
+++ b/mm/made.h
@@ -0,0 +1 @@
+#define MADE 1
END
	refused 'an error in a patched line' 'mm/zsmalloc\.c:6: expected expression' syntax --patch made.patch
	expect_shown made 'return MADE \+;'
fi

# Without patch(1) the message says which package has it.
mkdir bin
for tool in gcc cc clang; do
	path=$(command -v $tool) && ln -s "$path" bin/$tool
done
sed 's/-3,4 +3,4/-3,2 +3,2/' cut.patch >whole.patch
PATH_BEFORE=$PATH
PATH=$work/bin
got=0
"$zsmsim" kernel build -o out/my.so syntax --patch whole.patch >stdout 2>stderr || got=$?
PATH=$PATH_BEFORE
[ $got -eq 2 ] && grep -q 'patch(1) is not installed.*Debian package patch' stderr ||
	fail "without patch(1): $got, $(head -n 2 stderr)"

# ---- outputs ----

# output WHAT PATTERN OUTPUT: before the tree is looked at.
output() {
	expect 2 "$zsmsim" kernel build syntax -o "$3" || return
	grep -Eq "^zsmsim: $2" stderr || fail "$1: expected '$2', got: $(head -n 3 stderr)"
	[ "$(wc -l <stderr)" -eq 1 ] || fail "$1: more than a line"
	expect_untouched "$1"
}

output 'a directory' 'out: it is a directory; ' out
output 'a name with a slash' 'nothing/: it is a directory; ' nothing/
output 'no such directory' 'nowhere/my\.so: the directory nowhere: No such file or directory; ' nowhere/my.so
output 'below a file' 'before\.so/my\.so: the directory before\.so: Not a directory; ' before.so/my.so
output 'a device' '/dev/null: it is not a regular file; ' /dev/null
[ -c /dev/null ] || fail 'a device was replaced'
if [ "$(id -u)" -ne 0 ]; then
	mkdir readonly
	chmod 555 readonly
	output 'a directory that cannot be written' 'readonly/my\.so: the directory readonly: ' readonly/my.so
	chmod 755 readonly
fi

# ---- the private copy ----

mkdir full
: >full/x
refused 'a directory with files in it' 'full: Directory not empty; ' syntax --keep full
[ -e full/x ] || fail 'a file of the user was removed'
expect 2 "$zsmsim" kernel build syntax -o out/my.so --keep kept
expect_untouched 'with --keep'
expect_same syntax/mm/zsmalloc.c kept/mm/zsmalloc.c 'the copy that is kept'
grep -q '^#define TREE_PARAMS_zs_malloc 1$' kept/tree_features.h || fail 'tree_features.h is not in the copy that is kept'
TMPDIR=$work/nowhere
expect 1 "$zsmsim" kernel build syntax -o out/my.so
grep -q '^zsmsim: .*nowhere.*; name another directory in TMPDIR' stderr || fail "TMPDIR: $(head -n 2 stderr)"
TMPDIR=$work/temporary

# An interruption while the compiler runs: nothing stays, and nobody waits for the compiler.
cat >bin/slowcc <<'END'
#!/bin/sh
case $1 in
--version | -dM) exec gcc "$@" ;;
esac
sleep 60
END
chmod +x bin/slowcc
for signal in INT TERM; do
	# A shell's background jobs ignore SIGINT; the program starts anew with what env gives it.
	env --default-signal="$signal" "$zsmsim" kernel build syntax -o out/my.so --cc "$work/bin/slowcc" \
		>stdout 2>stderr &
	pid=$!
	tries=0
	while ! can ls temporary/zsmsim-kernel-*/tree_features.h && [ $tries -lt 100 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
	kill -"$signal" $pid
	got=0
	wait $pid || got=$?
	[ $got -eq 1 ] || fail "SIG$signal: status $got"
	grep -q '^zsmsim: interrupted; ' stderr || fail "SIG$signal: $(head -n 2 stderr)"
	expect_untouched "SIG$signal"
done

# ---- info ----

# A run's loader would do what a damaged module says; only what is whole is believed.
info() {
	expect 2 "$zsmsim" kernel info "$3" || return
	grep -Eq "^zsmsim: $3: $2" stderr && [ "$(wc -l <stderr)" -eq 1 ] || fail "$1: $(head -n 3 stderr)"
}

info 'a module that is not there' 'cannot be opened: No such file' nowhere.so
info 'another file' "not a module of 'zsmsim kernel build'; build it with" before.so
info 'a directory' 'cannot be opened: ' out

finish
