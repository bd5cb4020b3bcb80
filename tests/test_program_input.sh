#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Wrong input, one of each kind: status 2, one line on standard error that
# says where and what, nothing on standard output, before any run starts. A
# database that is there keeps its bytes; no file is made.

# shellcheck source=tests/program.sh
. "${srcdir:-..}/tests/program.sh"

head='"name": "s", "profiles": ["i7-14700hx-p"], "variants": ["base"]'
machine='"machine": { "cpus": 2, "memory_mb": 512 }'
load='"workload": { "region_mb": 4 }'

# The one line, and the state of the directory after a refusal.
expect_refusal() {
	[ "$(wc -l <stderr)" -eq 1 ] || fail "$1: $(wc -l <stderr) lines on standard error: $(head -n 3 stderr)"
	grep -Eq "^zsmsim: $2" stderr || fail "$1: expected '$2', got: $(cut -c 1-300 stderr)"
	[ ! -s stdout ] || fail "$1: something on standard output"
	expect_same before.db kept.db "$1: the database that was there"
	[ -z "$(ls new 2>/dev/null)" ] && [ ! -e new.db ] && [ ! -e csv ] || fail "$1: made $(ls -d new/* new.db csv 2>/dev/null)"
	rm -rf new.db csv
}

# refused WHAT PATTERN FILE [OPTION...]: with a database that is there, and with a new one.
refused() {
	what=$1 pattern=$2 file=$3
	shift 3
	expect 2 "$zsmsim" run "$file" -o kept.db --csv csv "$@" && expect_refusal "$what" "$pattern"
	expect 2 "$zsmsim" run "$file" -o new.db "$@" && expect_refusal "$what" "$pattern"
}

# bad WHAT PATTERN TEXT: a scenario of this text; the line names the file, a line and a column.
bad() {
	printf '%s' "$3" >bad.json
	refused "$1" "bad\.json:$2" bad.json
}

# wrong WHAT PATTERN MEMBERS: as bad(), with what every scenario needs before the members.
wrong() {
	bad "$1" "1:[0-9]+: $2" "{ $head, $3 }"
}

# The scenario without a mistake is accepted: what follows is refused for its mistake alone.
printf '%s' "{ $head, $machine, $load }" >good.json
expect 0 "$zsmsim" run good.json -o kept.db
expect_silent good
cp kept.db before.db

# ---- files that are no scenarios ----

refused 'missing file' 'no-such\.json:1:1: .*No such file.*; ' no-such.json
mkdir directory
refused directory 'directory:1:1: .*is a directory; ' directory
: >empty.json
refused 'empty file' 'empty\.json:1:1: .*; ' empty.json
dd if=/dev/zero of=large.json bs=1048576 count=0 seek=100 2>/dev/null
refused '100 MB' 'large\.json:1:1: .*104857600 bytes.*' large.json
awk 'BEGIN { for (i = 0; i < 1000000; i++) printf "[" }' >deep.json
refused 'nesting a million deep' 'deep\.json:1:[0-9]+: .*(nest|deep).*' deep.json
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "{\"a\":" }' >deep.json
refused 'objects in objects' 'deep\.json:1:[0-9]+: .*(nest|deep).*' deep.json

# ---- text that is not JSON ----

bad 'syntax error' '3:15: .*; expected ' "$(printf '{ %s,\n\n\t"machine": { ] }' "$head")"
bad 'text ends early' '1:[0-9]+: ' "{ $head, "
bad 'text after the end' '1:[0-9]+: ' "{ $head } x"
bad 'comma too many' '1:[0-9]+: ' "{ $head, }"
bad 'duplicate key' '1:68: \$\.name: duplicate key; .*line 1 column 3' "{ $head, \"name\": \"t\" }"
printf '{ "name": "\303\050", "profiles": [] }' >bad.json
refused 'invalid UTF-8' 'bad\.json:1:[0-9]+: .*UTF-8' bad.json
printf '{ "name": "\355\240\200" }' >bad.json
refused 'a surrogate in UTF-8' 'bad\.json:1:[0-9]+: .*UTF-8' bad.json
printf '{ "name": "a\000b" }' >bad.json
refused 'a zero byte' 'bad\.json:1:[0-9]+: ' bad.json

# ---- JSON that is not a scenario ----

wrong 'unknown key' '\$\.machin: .*machine' '"machin": {}'
wrong 'unknown key below' '\$\.workload\.region: .*region_mb' '"workload": { "region": 4 }'
wrong 'wrong type' '\$\.machine: .*; ' '"machine": 4'
wrong 'text for a number' '\$\.seed: .*' '"seed": "1"'
for value in 0 257 1.5 -1 1e-400 9007199254740993 true null '[]' '{}' '"4"'; do
	wrong "cpus: $value" '\$\.machine\.cpus: .*1 to 256' "\"machine\": { \"cpus\": $value }"
done
for value in 1e400 -1e400; do
	wrong "cpus: $value" '\$\.machine\.cpus: .*; ' "\"machine\": { \"cpus\": $value }"
done
for value in NaN nan Infinity -Infinity +1 01 1. .5 0x4; do
	bad "cpus: $value" '1:[0-9]+: ' "{ $head, \"machine\": { \"cpus\": $value } }"
done
wrong 'empty sweep' '\$\.workload\.procs.*: ' '"workload": { "procs": { "sweep": [] } }'
wrong 'third value of a sweep' '\$\.workload\.procs\.sweep\[2\]: .*' '"workload": { "procs": { "sweep": [1, 2, 0] } }'
bad 'unknown profile' '1:[0-9]+: \$\.profiles\[0\]: .*cortex-a55.*cortex-a76.*i7-14700hx-p' \
	'{ "name": "s", "profiles": ["cortex-a57"], "variants": ["base"] }'
bad 'unknown variant' '1:[0-9]+: \$\.variants\[0\]: .*base.*deferred' \
	'{ "name": "s", "profiles": ["cortex-a55"], "variants": ["bass"] }'
bad 'unknown axis value' '1:[0-9]+: \$\.variants\[0\]\.lookup: .*pool-lock.*class-in-obj' \
	'{ "name": "s", "profiles": ["cortex-a55"], "variants": [{ "name": "v", "lookup": "none" }] }'
wrong 'unknown fault' '\$\.break: .*double-free.*deadlock' '"break": "nothin"'
wrong 'more processes than CPUs' '\$.*processes.*CPU' \
	'"machine": { "cpus": 2, "memory_mb": 512 }, "workload": { "procs": 3, "region_mb": 4 }'
wrong 'regions that do not fit' '\$.*fit.*' '"machine": { "cpus": 2, "memory_mb": 256 }, "workload": { "region_mb": 256 }'

# The mistake may be in the last of many files or in an option.
expect 2 "$zsmsim" run good.json bad.json -o new.db && expect_refusal 'the second file' 'bad\.json:1:'
refused '--set of an unknown path' '--set workload\.proc: .*procs' good.json --set workload.proc=2
refused '--set of a bad value' '--set workload\.procs: .*1 to 256' good.json --set workload.procs=0
refused '--set without a value' '.*--set' good.json --set workload.procs
refused '--seed' 'run: --seed 1\.5: ' good.json --seed 1.5
refused '-j' 'run: -j 0: ' good.json -j 0
refused 'unknown option' 'run: --jbos: .*--jobs' good.json --jbos=1

# ---- outputs ----

# output WHAT PATTERN OPTION...
output() {
	what=$1 pattern=$2
	shift 2
	expect 2 "$zsmsim" run good.json "$@" && expect_refusal "$what" "$pattern"
}

# -o on a file that is not ours: refused, and its bytes stay.
foreign() {
	cp foreign.db foreign.copy
	output "$1" "foreign\.db: $2" -o foreign.db --csv csv
	expect_same foreign.copy foreign.db "$1"
}

# A number of the database's header: 4 bytes, most significant first, at 60 user_version, at 68 application_id.
patch_header() {
	cp before.db foreign.db
	printf "$2" | dd of=foreign.db bs=1 seek="$1" conv=notrunc 2>/dev/null
}

output 'a directory that is not there' 'nowhere/x\.db: .*No such file.*; ' -o nowhere/x.db --csv csv
output 'a directory as database' 'directory: .*' -o directory
output 'CSV below a file' 'good\.json/csv: .*Not a directory' -o new.db --csv good.json/csv
output 'CSV into a file' 'good\.json.*: .*' -o new.db --csv good.json
if [ "$(id -u)" -ne 0 ]; then
	mkdir new
	chmod 555 new
	output 'a directory that cannot be written' 'new/x\.db: .*' -o new/x.db
	chmod 755 new
	rmdir new
fi
echo 'text of somebody else, longer than a header of a database needs to be: 0123456789 0123456789 0123456789' >foreign.db
foreign 'a text file' '.*not .*database'
head -c 3000 before.db >foreign.db
foreign 'a damaged database' '.*; '
patch_header 60 '\000\000\377\377'
foreign 'a newer version' 'database version 65535, but .*; '
patch_header 68 '\101\102\103\104'
foreign 'a database of another program' '.*; '

# ---- compare reads what run made ----

expect 2 "$zsmsim" compare nowhere.db && expect_refusal 'compare: missing' 'nowhere\.db: .*No such file.*; '
expect 2 "$zsmsim" compare good.json && expect_refusal 'compare: no database' 'good\.json: .*not .*database'
expect 2 "$zsmsim" compare kept.db --baseline bass && expect_refusal 'compare: baseline' '.*bass.*base'
expect 2 "$zsmsim" compare kept.db --metric munmap && expect_refusal 'compare: metric' '.*munmap.*munmap_ms'

finish
