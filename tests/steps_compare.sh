# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2154
#
# steps_compare.sh - running tests/steps and comparing transcripts, for tests
# that have read program.sh. $steps is the program; they set it.

# transcript FILE ARGUMENT...: what it prints goes to FILE; it must succeed.
transcript() {
	to=$1
	shift
	"$steps" "$@" >"$to" 2>stderr && return 0
	fail "steps $*: ended with status $?"
	sed 's/^/	/' stderr
	return 1
}

# Number of the first line in which two files differ; nothing if they are the same.
first_difference() {
	diff "$1" "$2" | sed -n '1s/^\([0-9]*\).*/\1/p'
}

# explain A B ARGUMENTS_A ARGUMENTS_B SEED: where two transcripts part, and how the pools lie then.
explain() {
	at=$(first_difference "$1" "$2")
	[ "$at" -gt 3 ] && sed -n "$((at - 3)),$((at - 1))s/^/	  /p" "$1"
	sed -n "${at}s/^/	< /p" "$1"
	sed -n "${at}s/^/	> /p" "$2"
	# A line of a text belongs to the step before it.
	step=$(sed -n "1,${at}s/^\([0-9][0-9]*\) [a-z].*/\1/p" "$1" | tail -n 1)
	[ -n "$step" ] || return 0
	say "	the pools after step $step:"
	# shellcheck disable=SC2086
	"$steps" $3 --seed "$5" --steps "$step" --text-every 0 2>&1 | sed -n '/^after step/,$p' >pool.a
	# shellcheck disable=SC2086
	"$steps" $4 --seed "$5" --steps "$step" --text-every 0 2>&1 | sed -n '/^after step/,$p' >pool.b
	diff pool.a pool.b | head -n 30 | cut -c 1-200 | sed 's/^/	/'
}

# same_steps WHAT STEPS SEED ARGUMENTS_A ARGUMENTS_B: both must say the same, to the byte.
same_steps() {
	# shellcheck disable=SC2086
	transcript a.txt $4 --seed "$3" --steps "$2" && transcript b.txt $5 --seed "$3" --steps "$2" || return 0
	cmp -s a.txt b.txt && return 0
	fail "$1, seed $3: the transcripts differ at line $(first_difference a.txt b.txt):"
	explain a.txt b.txt "$4" "$5" "$3"
}

# other_steps WHAT STEPS SEED ARGUMENTS_A ARGUMENTS_B: a difference that must be noticed.
other_steps() {
	# shellcheck disable=SC2086
	transcript a.txt $4 --seed "$3" --steps "$2" && transcript b.txt $5 --seed "$3" --steps "$2" || return 0
	if cmp -s a.txt b.txt; then
		fail "$1, seed $3: the transcripts are the same"
	fi
}
