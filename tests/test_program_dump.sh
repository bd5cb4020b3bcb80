#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Pools from the field: what a run dumps is, read back in, the same pool to the
# byte; compaction gives back what the dump calls freeable; damaged dumps are
# refused with their own line.

# shellcheck source=tests/program.sh
. "${srcdir:-..}/tests/program.sh"

scenario() {
	cat <<END
{ "name": "$1", "profiles": ["cortex-a76"], "variants": ["base", "deferred", "pool-lock"],
  "question": "how much would compaction give back?",
  "machine": { "cpus": 2, "memory_mb": 512 }, "workload": { "kind": "field-pool" },
  "zsmalloc": { "chain_size": 8 },
  "pool": { "classes": "$2" } }
END
}

# metric NAME STAT VARIANT FILE: its value.
metric() {
	awk -F, -v m="$1" -v s="$2" -v v="$3" '$7 == m && $9 == s && $3 == v { print $10 }' "$4"
}

# A pool that was made for it, in today's format: the same bytes again, whatever the variant.
scenario fragmented "$src/data/dumps/third-freed.txt" > f.json
expect 0 "$zsmsim" run f.json -o f.db --csv f
expect_silent 'a sound dump'
head -n 1 stdout | grep -Eq '^Compaction gives back, with base: third-freed on cortex-a76 [0-9]+ of 46028 pages \(' ||
	fail "the first line is no answer: $(head -n 1 stdout)"
for run in 1 2 3; do
	expect 0 "$zsmsim" dump f.db $run -o again.txt
	expect_same again.txt "$src/data/dumps/third-freed.txt" "run $run"
done
expect 0 "$zsmsim" dump f.db 1
expect_same stdout again.txt 'standard output'
for variant in base deferred pool-lock; do
	[ "$(metric compact_freed_pages sum $variant f/results.csv)" = "$(metric dump_freeable value $variant f/results.csv)" ] ||
		fail "$variant: compaction freed $(metric compact_freed_pages sum $variant f/results.csv)"
	[ "$(metric dump_repacked classes $variant f/results.csv)" = 0 ] || fail "$variant: classes were stored anew"
done

# The pool of another kind's run, dumped and read in.
expect 0 "$zsmsim" run "$quick" --set variants=base --set profiles=cortex-a55 -q -o q.db
expect 0 "$zsmsim" dump q.db 1 -o quick.txt
scenario back quick.txt > back.json
expect 0 "$zsmsim" run back.json --set variants=base -q -o back.db
expect 0 "$zsmsim" dump back.db 1 -o again.txt
expect_same again.txt quick.txt 'round trip'

# The same bytes whatever the number of jobs; other holes and another order with another seed.
expect 0 "$zsmsim" run back.json -q -j 1 -o j1.db --csv j1
expect 0 "$zsmsim" run back.json -q -j 2 -o j2.db --csv j2
same_csv j1 j2 'one job and two'
expect 0 "$zsmsim" run back.json -q --seed 2 -o seed.db --csv seed
[ "$(metric free_us sum base seed/results.csv)" != "$(metric free_us sum base j1/results.csv)" ] ||
	fail 'another seed gives the same time'

# Another chain limit: what has no class of its shape is stored anew, and all is freed in the end.
expect 0 "$zsmsim" run f.json --set variants=base --set zsmalloc.chain_size=4 -q -o c.db --csv c
[ "$(metric dump_repacked classes base c/results.csv)" -gt 20 ] || fail 'chain limit 4 has all classes of 8'

# refuse FILE LINE TEXT: as input error that names the dump's own line.
refuse() {
	scenario r "$1" > r.json
	expect 2 "$zsmsim" run r.json
	grep -q "^zsmsim: $1:$2: .*$3" stderr || fail "$1: $(cat stderr)"
	[ "$(wc -l < stderr)" -eq 1 ] || fail "$1: more than a line: $(cat stderr)"
}

awk 'NR == 60 { $15 = $14 + 1 } { print }' again.txt > used.txt
refuse used.txt 60 'obj_used .* is more than obj_allocated'
awk 'NR == 1 { $14 = ""; } { print }' again.txt > column.txt
refuse column.txt 1 'where the column obj_allocated belongs'
grep -v '^ *62  *1024 ' again.txt > short.txt
refuse short.txt 121 'the rows add up to'
printf 'hello\n' > hello.txt
refuse hello.txt 1 'hello in the header'
: > empty.txt
scenario r empty.txt > r.json
expect 2 "$zsmsim" run r.json
grep -q '^zsmsim: empty.txt: empty; ' stderr || fail "empty: $(cat stderr)"

# What the scenario itself has wrong.
wrong() {
	expect 2 "$zsmsim" run "$@"
	grep -q "$pattern" stderr || fail "$*: $(cat stderr)"
}
pattern='no such file' wrong f.json --set pool.classes=absent.txt
pattern='734494 pages does not fit 512 MiB of simulated memory; memory_mb of at least [0-9]*$' \
	wrong f.json --set "pool.classes=\"$src/data/dumps/lz4-2016.txt\"" --set zsmalloc.chain_size=4
pattern='has 7 to 9' wrong f.json --set 'pool.mm_stat="1 2 3"'
pattern='unknown key; the nearest known key is "classes"' wrong f.json --set pool.clases=x
pattern='only a workload of kind "field-pool"' wrong f.json --set workload.kind=mapping
sed '/"pool"/d; s/"chain_size": 8 },/"chain_size": 8 } }/' f.json > none.json
pattern='no dump of a pool is named' wrong none.json

expect 2 "$zsmsim" dump f.db 99
grep -q 'no run 99; it has 1 to 3' stderr || fail "run 99: $(cat stderr)"
expect 2 "$zsmsim" dump f.db
expect 2 "$zsmsim" dump absent.db 1
expect 2 "$zsmsim" dump f.db one
expect 2 "$zsmsim" dump f.db 1 -o /nonexistent/x
expect 0 "$zsmsim" dump --help

finish
