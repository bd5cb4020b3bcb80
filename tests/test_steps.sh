#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The step driver itself. The same sequence gives the same transcript; the
# variants that differ in locks only give the same as well, for locks change
# no layout; and what is done wrong on purpose, however little, shows.

build=$PWD
# shellcheck source=tests/program.sh
. "${srcdir:-..}/tests/program.sh"
# shellcheck source=tests/steps_compare.sh
. "$src/tests/steps_compare.sh"
steps=$build/tests/steps

# ---- the same, and the same under other locks ----

same_steps 'a second time' 5000 1 '' ''
for seed in 1 2; do
	for variant in lookup-only release-only base; do
		same_steps "pool-lock and $variant" 15000 $seed '--variant pool-lock' "--variant $variant"
	done
done

# ---- each operation and each of its outcomes was there ----

transcript all.txt --steps 20000 --seed 1
while read -r pattern; do
	grep -Eq "^[0-9]+ $pattern" all.txt || fail "no step '$pattern' in 20000"
done <<'EOF'
malloc 0 -> -22 pages
malloc 4097 -> -28 pages
malloc 4294967295 -> -28 pages
malloc [0-9]+ -> -12 pages
malloc 4096 -> #[0-9]+ class 254
malloc 1 -> #[0-9]+ class 0
free #[0-9]+ \(random\)
free #[0-9]+ \(oldest\)
free #[0-9]+ \(newest\)
free #[0-9]+ and #[0-9]+ class
free class [0-9]+: ([2-9]|[0-9]{2})
free nothing \(0\)
free nothing \(-12\)
read #
write #
compact -> 0
compact -> [1-9]
shrinker count -> [1-9][0-9]*, scan -> [1-9]
shrinker count -> 0, scan -> -1
migrate page 0 of #[0-9]+ -> 0
migrate page [1-7] of #[0-9]+ -> 0
migrate page [0-9] of #[0-9]+ -> no page
lock page [0-9] of #[0-9]+ layout
lock page [0-9] of #[0-9]+, free all of its zspage: [1-9]
unlock page
run workers
class of [0-9]+ -> [0-9]+, huge from [0-9]+
EOF

# A zspage that was emptied while one of its pages was locked waits for the worker in group 0, and is gone
# after that. At rest none is left there.
transcript each.txt --steps 1500 --seed 1 --text-every 1
grep -q '^  group 0: 0/' each.txt || fail "no zspage ever waits for the worker"
"$steps" --steps 1500 --seed 1 --text-every 1 | awk '
	/^[0-9]+ unlock page/ { rest = 1; next }
	/^[0-9]+ [a-z]/ { rest = 0 }
	rest && /^  group 0: / { print; found = 1 }
	END { exit found }' || fail "an empty zspage is left after the worker has run"

# ---- differences that must show ----

transcript a.txt --steps 2000 --seed 1 && transcript b.txt --steps 2000 --seed 2
if cmp -s a.txt b.txt; then
	fail "another seed: the transcripts are the same"
fi
other_steps 'another chain limit' 2000 1 '' '--chain 7'
other_steps 'frees that wait' 2000 1 '' '--variant deferred'

# shows_at BREAK PATTERN: nothing differs before step 1000, from where on it is done wrong, and the step that
# first differs is one that PATTERN matches.
shows_at() {
	for seed in 1 2 3; do
		other_steps "$1" 4000 $seed '' "--break $1 --break-at 1000"
		sed -n '1,/^1000 /p' a.txt | sed '$d' >a.head
		sed -n '1,/^1000 /p' b.txt | sed '$d' >b.head
		expect_same a.head b.head "$1, seed $seed: the steps before"
		at=$(first_difference a.txt b.txt)
		sed -n "${at:-1}p" b.txt | grep -Eq "$2" ||
			fail "$1, seed $seed: the first difference is $(sed -n "${at:-1}p" b.txt)"
	done
}

# In a step that touches the class, at the next text at the latest.
shows_at extra-free '^[0-9]+ |^after step '
# Two objects freed in the other order: nothing but the order in a free list tells.
shows_at swap-frees '^[0-9]+ free #[0-9]+ and #[0-9]+ '
sed -n "$(first_difference a.txt b.txt)s/ layout .* pages / pages /p" a.txt >a.line
sed -n "$(first_difference a.txt b.txt)s/ layout .* pages / pages /p" b.txt >b.line
expect_same a.line b.line "swap-frees: all but the layout"

# A byte that changed is found when the object is read, at the next text at the latest.
expect 1 "$steps" --steps 3000 --seed 2 --text-every 100 --break content --break-at 1000
grep -Eq '^fault: step [0-9]+: object #[0-9]+ of [0-9]+ bytes does not hold at offset [0-9]+ what was written$' stderr ||
	fail "content: $(head -n 1 stderr)"

# ---- wrong use ----

for wrong in '--seed x' '--steps 0' '--chain 3' '--chain 17' '--variant nobody' '--break everything' '--module none.so' 'more'; do
	# shellcheck disable=SC2086
	expect 2 "$steps" $wrong
	[ "$(wc -l <stderr)" -eq 1 ] || fail "steps $wrong: not one line: $(cat stderr)"
done

finish
