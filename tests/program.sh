# SPDX-License-Identifier: GPL-3.0-or-later
#
# program.sh - what the tests of the whole program share. They read it with
# `.` and run in the build tree, with srcdir as automake's harness sets it.
# Each works in a directory of its own, so that they can run side by side.
# Nothing but a shell and awk is needed to look at the results.

set -u
LC_ALL=C
export LC_ALL

zsmsim=${ZSMSIM:-$PWD/zsmsim}
src=$(CDPATH='' cd -- "${srcdir:-..}" && pwd) || exit 99
quick=$src/scenarios/quick.json
failures=0

work=$(mktemp -d "${TMPDIR:-/tmp}/zsmsim-test-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work" || exit 99

# Say what is wrong; the test goes on.
fail() {
	printf 'FAILED: %s\n' "$*"
	failures=$((failures + 1))
}

say() {
	printf '%s\n' "$*"
}

# The last command of each test.
finish() {
	[ "$failures" -eq 0 ] || say "$failures failed"
	[ "$failures" -eq 0 ]
	exit
}

# The address sanitizer says that a fault was reported on a stack it does not know:
# that of a simulated task.
drop_noise() {
	sed -e '/ASan is ignoring requested __asan_handle_no_return/d' \
		-e '/^False positive error reports may follow/d' \
		-e '/^For details see .*sanitizers.issues/d' stderr >stderr.kept
	mv stderr.kept stderr
}

# expect STATUS COMMAND...: its output is left in the files stdout and stderr.
expect() {
	wanted=$1
	shift
	got=0
	"$@" >stdout 2>stderr || got=$?
	drop_noise
	[ "$got" -eq "$wanted" ] && return 0
	fail "status $got instead of $wanted: $*"
	sed 's/^/	/' stderr
	return 1
}

expect_silent() {
	[ ! -s stderr ] || fail "$1: standard error is not empty: $(head -n 3 stderr)"
}

expect_same() {
	cmp -s "$1" "$2" && return 0
	fail "$3: $1 and $2 differ:" "$(diff "$1" "$2" | head -n 4)"
}

# same_csv DIRECTORY DIRECTORY WHAT: all files that --csv writes, byte for byte.
same_csv() {
	for file in results series causes locks lines; do
		[ -s "$1/$file.csv" ] || fail "$3: $1/$file.csv is missing or empty"
		expect_same "$1/$file.csv" "$2/$file.csv" "$3"
	done
}

# Is a command there, and does it work here?
can() {
	"$@" >/dev/null 2>&1
}
