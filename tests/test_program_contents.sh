#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Processes with a real file in memory, really compressed: what the device holds
# is what zsmsim sizes says of the file, under each compressor, with both users.

# shellcheck source=tests/program.sh
. "${srcdir:-..}/tests/program.sh"

# 256 pages: noise, zeros, text.
{
	awk 'BEGIN { srand(1); for (i = 0; i < 20 * 4096; i++) printf "%c", 33 + int(rand() * 90) }'
	head -c 40960 /dev/zero
	n=0
	while [ $n -lt 200 ]; do cat "$src/scenarios/README.md"; n=$((n + 1)); done
} | head -c 1048576 >file.bin
[ "$(wc -c <file.bin)" = 1048576 ] || fail 'the file is not as large as it should be'
head -c 1048576 /dev/zero >zeros.bin

cat >run.json <<'END'
{ "name": "c", "profiles": ["cortex-a76"], "variants": ["base", "deferred"], "machine": { "cpus": 2, "memory_mb": 256 },
  "workload": { "procs": 1, "region_mb": 1, "contents": "file.bin", "algo": { "sweep": ["lzo-rle", "lzo", "lz4", "zstd"] },
    "user": { "sweep": ["zram", "zswap"] } } }
END
expect 0 "$zsmsim" run run.json -j 1 -o a.db --csv a
expect_silent 'contents'

# value ALGO STAT: of mm_stat, with zram and base.
value() {
	awk -F, -v algo="algo=$1;" -v stat="$2" '$3 == "base" && index($6, algo) && index($6, "user=zram") &&
		$7 == "mm_stat" && $9 == stat { print $10 }' a/results.csv
}

# A device with nothing but pages of one word and the swap header.
expect 0 "$zsmsim" run run.json --set workload.contents=zeros.bin --set workload.algo=lz4 --set workload.user=zram -o z.db --csv z
header=$(awk -F, '$3 == "base" && $7 == "mm_stat" && $9 == "compr_data_size" { print $10 }' z/results.csv)
[ "$(awk -F, '$3 == "base" && $7 == "mm_stat" && $9 == "same_pages" { print $10 }' z/results.csv)" = 256 ] || fail 'zeros are not pages of one word'

for algo in lzo-rle lzo lz4 zstd; do
	expect 0 "$zsmsim" sizes file.bin --algo $algo -o dist.json
	want=$(python3 -c '
import json
d = json.load(open("dist.json"))
print(sum(n * (b if b < 3625 else 4096) for b, n in d["sizes"]), d["one_word"])')
	got="$(($(value $algo compr_data_size) - header)) $(value $algo same_pages)"
	[ "$got" = "$want" ] || fail "$algo: the device has bytes and pages of one word $got, of the file they are $want"
done
[ "$(value zstd compr_data_size)" -lt "$(value lz4 compr_data_size)" ] || fail 'zstd makes pages no smaller than lz4'
grep -q 'contents=file.bin' a/results.csv || fail 'results do not say which file'

expect 0 "$zsmsim" run run.json -j 2 -o b.db --csv b
cmp -s a/results.csv b/results.csv || fail 'results differ between -j 1 and -j 2'

# The file is part of what a run is: another one is run anew.
{ echo changed; cat file.bin; } >other.bin && mv other.bin file.bin
expect 0 "$zsmsim" run run.json -j 2 -o a.db --csv c
cmp -s a/results.csv c/results.csv && fail 'a file that changed has the old results'

# refused MESSAGE COMMAND...
refused() {
	message=$1
	shift
	expect 2 "$@"
	grep -qF -- "$message" stderr || fail "expected '$message' but: $(cat stderr)"
	[ "$(wc -l <stderr)" = 1 ] || fail "more than one line: $(cat stderr)"
}

: >empty.bin
refused '$.workload.contents: no such file' "$zsmsim" run run.json --set workload.contents=nothing.bin
refused '$.workload.contents: an empty file has no pages' "$zsmsim" run run.json --set workload.contents=empty.bin
refused '$.workload.contents: cannot be read' "$zsmsim" run run.json --set workload.contents=.
sed 's/"contents": "file.bin", //' run.json >wrong.json
refused 'wrong.json:2:45: $.workload.algo: an algorithm without contents' "$zsmsim" run wrong.json
sed 's/"procs": 1, "region_mb": 1/"kind": "mapping"/; s/, "algo.*/ } }/; /"user"/d' run.json >wrong.json
refused 'a workload of kind "mapping" has no contents' "$zsmsim" run wrong.json

finish
