#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The same scenario and seed give the same bytes, whatever surrounds the
# program: the number of jobs, the directory, the locale, the time zone, the
# layout of addresses, an interruption on the way. Compared are all CSV files
# and the trace hash of each run, which covers every access in its order.

# shellcheck source=tests/program.sh
. "${srcdir:-..}/tests/program.sh"

# run_as NAME PROGRAM...: the scenario under the program; NAME/ holds the CSV and the hashes.
run_as() {
	name=$1
	shift
	mkdir -p "$name"
	expect 0 "$@" run "$quick" -o "$name/x.db" --csv "$name" --verbose $flags || return
	expect_silent "$name"
	grep '  trace: ' stdout >"$name/trace"
}

expect_like_reference() {
	same_csv reference "$1" "$2"
	expect_same reference/trace "$1/trace" "$2: trace hash"
}

# ---- what surrounds the program ----

flags='-j 1'
run_as reference "$zsmsim"
# A hash that is always the same would prove nothing: 6 different runs, 6 hashes.
[ "$(sort -u reference/trace | wc -l)" -eq 6 ] ||
	fail "the 6 runs have $(sort -u reference/trace | wc -l) different trace hashes"

run_as again "$zsmsim"
expect_like_reference again "a second time"

flags='-j 2'
run_as jobs "$zsmsim"
expect_like_reference jobs "two jobs"

# Runs that differ only in the kind of CPU are prepared together where there are enough of them for
# all jobs, as there are for one; for 64 there are not. It must not show.
several() {
	expect 0 "$zsmsim" run "$quick" --set profiles=cortex-a55,cortex-a76,i7-14700hx-p \
		--set variants=pool-lock,base,deferred -q -j "$1" -o "$2.db" --csv "$2"
}
several 1 together
several 64 alone
same_csv together alone "prepared together or each for itself"

# Another directory; a locale with a decimal comma; another time zone; a file
# name through a link; and an environment that moves the stack by 100 kB.
mkdir -p elsewhere/below locale
ln -s "$src/scenarios" elsewhere/link
if can localedef -i de_DE -f UTF-8 "$work/locale/de_DE.UTF-8"; then
	language=de_DE.UTF-8
else
	language=C
	say "no German locale can be made here: tried without"
fi
padding=$(awk 'BEGIN { for (i = 0; i < 100000; i++) printf "x" }')
(
	cd elsewhere/below || exit 1
	LOCPATH=$work/locale LC_ALL=$language LANG=$language TZ=Asia/Kathmandu PADDING=$padding \
		"$zsmsim" run ../link/quick.json -o x.db --csv . --verbose -j 1 >stdout 2>stderr
) || fail "another directory: $(cat elsewhere/below/stderr)"
grep '  trace: ' elsewhere/below/stdout >elsewhere/below/trace
expect_like_reference elsewhere/below "another directory, locale, time zone, environment"

# Most systems move the address space at random; then the runs above differ in it already.
if can setarch -R true; then
	run_as fixed setarch -R "$zsmsim"
	expect_like_reference fixed "address randomisation off"
else
	say "the address space cannot be fixed here: not tried"
fi

# Another build of everything but the software: other compiler, optimisation or sanitizers.
if [ -n "${ZSMSIM_OTHER:-}" ]; then
	run_as other env ZSMSIM_MODEL="${zsmsim%/*}/zsmsim-model.so" ZSMSIM_DATA="$src/data" "$ZSMSIM_OTHER"
	expect_like_reference other "the build $ZSMSIM_OTHER"
fi

# A database that holds other runs before.
expect 0 "$zsmsim" run "$quick" -o mixed.db --set workload.region_mb=8 --set variants=base
expect 0 "$zsmsim" run "$quick" -o mixed.db --csv mixed
same_csv reference mixed "other runs in the database before"

# ---- interruptions ----

# 18 runs, interrupted again and again, later each time, until one command
# gets through. Expect status 1 and one line each time, and in the end what
# an undisturbed command gives.
many() {
	"$zsmsim" run "$quick" --set 'seed={"sweep":[1,2,3]}' --set workload.region_mb=8 -j 2 "$@"
}

# As above, with the process number of the program itself.
interrupted() {
	exec "$zsmsim" run "$quick" --set 'seed={"sweep":[1,2,3]}' --set workload.region_mb=8 -j 2 "$@"
}

expect 0 many -o whole.db --csv whole
tenths=2
nr_interrupted=0
while [ $tenths -lt 300 ]; do
	interrupted -o torn.db --csv torn >stdout 2>stderr &
	pid=$!
	sleep $((tenths / 10)).$((tenths % 10))
	if [ $((tenths % 2)) -eq 0 ]; then
		kill -INT $pid 2>/dev/null
	else
		kill -TERM $pid 2>/dev/null
	fi
	status=0
	wait $pid || status=$?
	[ $status -ne 0 ] || break
	tenths=$((tenths + 1))
	# On a busy machine: before it listened.
	[ $status -ne 143 ] || [ -s stderr ] || continue
	[ $status -eq 1 ] || fail "interrupted: status $status"
	[ "$(wc -l <stderr)" -eq 1 ] && grep -q '^zsmsim: interrupted with [0-9]* of [0-9]* runs made' stderr ||
		fail "interrupted: standard error: $(cat stderr)"
	[ ! -e torn/results.csv ] || fail "an interrupted command wrote results.csv"
	nr_interrupted=$((nr_interrupted + 1))
done
[ $status -eq 0 ] || fail "18 small runs were not done after $nr_interrupted attempts"
[ $nr_interrupted -gt 0 ] || fail "all runs were done before the first interruption: nothing was tested"
say "interrupted $nr_interrupted times"
same_csv whole torn "interrupted and continued"

finish
