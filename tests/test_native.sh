#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The machine itself, through the command line: native runs leave the state
# that simulated ones do, are stored like them and can be compared; wrong
# input is said in a line; a measured profile can be used. No time is
# expected to be anything: other work may run here.

# shellcheck source=tests/program.sh
. "${srcdir:-..}/tests/program.sh"

cat >s.json <<'END'
{
	"name": "small",
	"profiles": ["cortex-a76", "i7-14700hx-p"],
	"variants": ["pool-lock", "base", "deferred+percpu-stats"],
	"machine": { "cpus": 4, "memory_mb": 256 },
	"workload": { "kind": "munmap", "procs": 1, "region_mb": 2 }
}
END

# column FILE METRIC COLUMN: of the rows of a metric in results.csv.
column() {
	awk -F, -v metric="$2" -v at="$3" '$7 == metric { print $at }' "$1"
}

# one_line WORDS...: standard error is one line and has them.
one_line() {
	[ "$(wc -l <stderr)" -eq 1 ] || fail "not one line: $(cat stderr)"
	for word in "$@"; do
		grep -q -e "$word" stderr || fail "'$word' is not said: $(cat stderr)"
	done
}

# ---- a run, twice: two profiles are one machine, so 3 variants x 2 ----

expect 0 "$zsmsim" native s.json -o n.db --csv n --repeat 2
expect_silent native
[ "$(column n/results.csv mm_stat 1 | sort -u | wc -l)" -eq 6 ] || fail "not six runs"
[ "$(column n/results.csv munmap_ms 4 | sort -u)" = host ] || fail "the profile is not host"
[ "$(column n/results.csv munmap_ms 5 | sort -u | tr '\n' ' ')" = '1 2 ' ] || fail "repetitions are not seeds 1 and 2"
column n/results.csv munmap_ms 10 | awk '!($1 > 0) { bad = 1 } END { exit bad || NR != 18 }' ||
	fail "munmap_ms is not positive in p0, mean and max of each run"
grep -q '^host ' stdout || fail "no row in the table: $(cat stdout)"

# What was paged out is to the byte what the simulated device holds.
expect 0 "$zsmsim" run -q s.json -o r.db --csv r --set profiles=i7-14700hx-p
awk -F, '$7 == "mm_stat" && $5 == 1 { print $3, $9, $10 }' n/results.csv | sort >native.stat
awk -F, '$7 == "mm_stat" && $5 == 1 { print $3, $9, $10 }' r/results.csv | sort >simulated.stat
[ -s native.stat ] || fail "no mm_stat"
expect_same native.stat simulated.stat 'mm_stat'

# The same command makes nothing again; more repetitions only what is missing.
cp n/results.csv before
expect 0 "$zsmsim" native s.json -o n.db --csv n --repeat 2
expect_same before n/results.csv 'a second time'

# Stored like any run, beside simulated ones.
expect 0 "$zsmsim" compare n.db --baseline base
grep -q '2 seeds' stdout || fail "repetitions are not compared: $(cat stdout)"
expect 0 "$zsmsim" run -q s.json -o n.db --set profiles=cortex-a76
expect 0 "$zsmsim" compare n.db
grep -q '^host' stdout && grep -q '^cortex-a76' stdout || fail "not beside each other: $(cat stdout)"

# ---- what does not fit ----

expect 2 "$zsmsim" native s.json -o no.db --set workload.procs=256 --set workload.region_mb=1 \
	--set machine.cpus=256 --set machine.memory_mb=512
one_line 's.json' '256 processes' 'workload.procs'
expect 0 "$zsmsim" native s.json -q -o some.db --repeat 1 --set variants=base --set machine.cpus=256 \
	--set machine.memory_mb=512 --set workload.region_mb=1 --set 'workload.procs={"sweep":[1,256]}'
one_line '2 of the scenario' 'more processes'
expect 2 "$zsmsim" native s.json -o no.db --cpus 0-
one_line 'no list of CPUs'
expect 2 "$zsmsim" native s.json -o no.db --cpus 4000
one_line 'CPU 4000'
expect 2 "$zsmsim" native s.json -o no.db --repeat 0
one_line 'repeat'
expect 2 "$zsmsim" native
one_line 'no scenario'
expect 2 "$zsmsim" native missing.json
one_line 'missing.json'
[ ! -e no.db ] || fail "a refused command left a database"
expect 1 env ZSMSIM_NATIVE=/nonexistent "$zsmsim" native s.json -o no.db
one_line 'nonexistent'

# An object that nobody frees is noticed here too.
sed 's/"variants"/"break": "leak", "variants"/' s.json >leak.json
expect 1 "$zsmsim" native leak.json -q -o leak.db --repeat 1 --set variants=base
grep -q 'fault: .*1 objects in use' stderr || fail "the leak was not found: $(cat stderr)"

# ---- a profile of this machine ----

expect 2 "$zsmsim" hostprofile -o i7-14700hx-p.json
one_line 'name of the profile'
expect 2 "$zsmsim" hostprofile -o host.txt
one_line 'host.json'
expect 2 "$zsmsim" hostprofile -o /nonexistent/host.json
expect 0 "$zsmsim" hostprofile --quick -o here.json
expect_silent hostprofile
grep -q 'noisy\|Others took' stdout || fail "nothing about noise: $(cat stdout)"
grep -q '"kind":	"measured"' here.json || fail "nothing was measured"
if can python3 -c 'import jsonschema'; then
	python3 - "$src/data/profiles/schema.json" here.json <<'END' || fail "the schema refuses the profile"
import json, sys, jsonschema
jsonschema.validate(json.load(open(sys.argv[2])), json.load(open(sys.argv[1])))
END
fi
expect 0 "$zsmsim" run -q s.json -o h.db --set profiles=./here.json --set variants=base
grep -q '^here ' stdout || fail "the profile does not have its file's name: $(cat stdout)"
cpu=$(awk '/^Cpus_allowed_list/ { split($2, first, /[-,]/); print first[1] }' /proc/self/status)
expect 0 "$zsmsim" hostprofile --quick -o one.json --cpus "$cpu"
grep -q '^One CPU' stdout || fail "one CPU is not said to be too few: $(cat stdout)"

# A profile that is no profile, or takes another's name.
printf '{}\n' >empty.json
expect 2 "$zsmsim" run -q s.json -o no.db --set profiles=./empty.json
one_line 'empty.json'
cp here.json cortex-a76.json
expect 2 "$zsmsim" run -q s.json -o no.db --set profiles=./cortex-a76.json
one_line 'cortex-a76'

finish
