#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# From a real file to a scenario: its pages' sizes under each compressor, the
# distribution written, and a pool with objects of these sizes.

# shellcheck source=tests/program.sh
. "${srcdir:-..}/tests/program.sh"

# 12 pages of noise, 8 of zeros, 20 of text, 100 bytes.
{
	awk 'BEGIN { srand(1); for (i = 0; i < 12 * 4096; i++) printf "%c", 33 + int(rand() * 90) }'
	head -c 32768 /dev/zero
	n=0
	while [ $n -lt 40 ]; do cat "$src/scenarios/README.md"; n=$((n + 1)); done | head -c 81920
	head -c 100 "$src/scenarios/README.md"
} >file

for algo in lz4 zstd lzo lzo-rle; do
	expect 0 "$zsmsim" sizes file --algo $algo -o $algo.json
	expect_silent "sizes --algo $algo"
	head -n 1 stdout | grep -q "^file: 41 pages of 4 KiB, 8 of one word, 33 compressed ($algo) to [0-9]* bytes" ||
		fail "$algo: $(head -n 1 stdout)"
	# what is in the classes is all there is
	awk '/^ *[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+ / { n += $5; p += $8 } /^total/ { exit !(n == 33 && $2 == n && $4 == p) }' stdout ||
		fail "$algo: the classes do not add up: $(cat stdout)"
	python3 - $algo.json <<'END' || fail "$algo: the file written is not right"
import json, sys
d = json.load(open(sys.argv[1]))
assert d["pages"] == 41 and d["one_word"] == 8 and d["page_kb"] == 4, d
assert sum(n for _, n in d["sizes"]) == 33, d
END
done
expect 0 "$zsmsim" sizes file
head -n 1 stdout | grep -q '(lzo-rle)' || fail 'the default is not lzo-rle'

# A pool of one size has objects in one class: 1000 bytes and a header are in class 1024 (62), with which 1008 is merged: both have 4 in a page.
echo '{ "sizes": [[1000, 1]] }' >one.json
cat >run.json <<'END'
{ "name": "one", "profiles": ["cortex-a76"], "variants": ["base"], "machine": { "cpus": 4, "memory_mb": 256 },
  "workload": { "kind": "compaction", "pool_mb": 4, "burst": 50, "passes": 2, "sizes": "one.json" } }
END
expect 0 "$zsmsim" run run.json -o one.db --csv one
grep -q 'sizes=one' one/results.csv || fail 'results do not say which sizes'
expect 0 "$zsmsim" dump one.db 1
awk 'NR > 1 && $1 ~ /^[0-9]+$/ && $14 > 0 && $1 != 62 { exit 1 }' stdout || fail "objects of other sizes: $(cat stdout)"

# Sizes of a dump: as many objects as it says.
expect 0 "$zsmsim" sizes --classes "$src/data/dumps/lz4-2016.txt" --chain-size 4 -o dump.json
head -n 1 stdout | grep -q ': 986773 pages of 4 KiB' || fail "the dump's objects: $(head -n 1 stdout)"

# refused MESSAGE COMMAND...
refused() {
	message=$1
	shift
	expect 2 "$@"
	grep -qF -- "$message" stderr || fail "expected '$message' but: $(cat stderr)"
	[ "$(wc -l <stderr)" = 1 ] || fail "more than one line: $(cat stderr)"
}

: >empty
echo kept >kept.json
refused 'empty: an empty file has no pages' "$zsmsim" sizes empty -o kept.json
refused 'nothing: No such file or directory; name a file that can be read' "$zsmsim" sizes nothing -o kept.json
refused '.: a directory; name a file' "$zsmsim" sizes .
refused 'lz5: unknown algorithm; there are lz4, zstd, lzo, lzo-rle' "$zsmsim" sizes file --algo lz5
refused 'no file; name one' "$zsmsim" sizes
refused 'a second file; name one' "$zsmsim" sizes file file
refused '--algo with --classes' "$zsmsim" sizes --classes file --algo lz4
refused 'no/such/dir: No such file or directory; name a file that can be written' "$zsmsim" sizes file -o no/such/dir
head -c 8192 /dev/zero >zeros
refused 'zeros: all pages are of one word' "$zsmsim" sizes zeros -o kept.json
[ "$(cat kept.json)" = kept ] || fail 'a file was lost to an error'

echo '{ "sizes": [[1000, 1], [900, 1]] }' >bad.json
sed 's/one.json/bad.json/' run.json >badrun.json
refused 'bad.json:1:25: $.sizes[1][0]: 900 bytes after 1000' "$zsmsim" run badrun.json
sed 's/one.json/none.json/' run.json >badrun.json
refused 'badrun.json:2:88: $.workload.sizes: no such file' "$zsmsim" run badrun.json
sed 's/"passes"/"object_bytes": 500, "passes"/' run.json >badrun.json
refused '$.workload.object_bytes: a mean size beside "sizes"; leave one of the two out' "$zsmsim" run badrun.json
sed 's/"compaction", "pool_mb": 4, "burst": 50, "passes": 2/"mapping"/' run.json >badrun.json
refused 'a workload of kind "mapping" has no sizes; leave it out' "$zsmsim" run badrun.json

finish
