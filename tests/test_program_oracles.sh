#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Each oracle fires on a model that is broken on purpose, says when, where,
# in which task and by which calls, says it in the same words each time, and
# gives a command that shows it again. The same scenario unbroken is silent.

# shellcheck source=tests/program.sh
. "${srcdir:-..}/tests/program.sh"

# scenario NAME [BREAK]: 2 processes of 8 MB under two variants.
scenario() {
	cat >"$1.json" <<-JSON
	{
		"name": "$1", ${2:+"\"break\": \"$2\","}
		"profiles": ["i7-14700hx-p"], "variants": ["base", "deferred"],
		"machine": { "cpus": 4, "memory_mb": 512 },
		"workload": { "procs": 2, "region_mb": 8 }
	}
	JSON
}

# Without address randomisation if it can be turned off: what differs then shows.
fixed=
can setarch -R true && fixed='setarch -R'

# Calls are of the software only, each with its function, file and line; never an address of the host.
expect_chain() {
	grep -Eq "^  $2: [a-z_]+ \(model/[a-z_/]+\.[ch]:[0-9]+\)( <|$)" fault || fail "$1: no call chain '$2:'"
	if grep -E "^  $2:.*(0xffff|0x[0-9a-f]{9})" fault; then
		fail "$1: the call chain shows an address of the host"
	fi
}

# expect_fault BREAK PATTERN TASK: the report of each of the two variants, and its second edition.
expect_fault() {
	scenario "$1" "$1"
	expect 1 "$zsmsim" run "$1.json" -o "$1.db" -j 1
	grep -q ' fault ' stdout || fail "$1: the table does not say that the runs ended in a fault"
	cp stderr fault
	[ "$(grep -c '^fault: ' fault)" -eq 2 ] || fail "$1: $(grep -c '^fault: ' fault) reports of 2 runs"
	[ "$(grep -c "^fault: .*$2" fault)" -eq 2 ] || fail "$1: the reports are not of '$2': $(grep '^fault: ' fault)"
	[ "$(grep -c ": an oracle found a fault; to replay it: zsmsim run $1.json " fault)" -eq 2 ] ||
		fail "$1: no line that names the run and how to replay it"
	[ "$(grep -cE "^  at [0-9]+\.[0-9]{6} us, CPU [0-3], task [0-9]+ \($3\)$" fault)" -eq 2 ] ||
		fail "$1: time, CPU and task: $(grep '^  at ' fault)"
	expect_chain "$1" 'called from'

	expect 1 $fixed "$zsmsim" run "$1.json" -o "$1-2.db" -j 1
	expect_same fault stderr "$1: a second time"
}

# The command that the first report gives, as it stands, leads to the same report and nothing else.
expect_replay() {
	sed '/^zsmsim: run 2 /,$d; /^zsmsim: run 1 /d' fault >report
	sed -n '/^zsmsim: run 1 /s/.*; to replay it: zsmsim //p' fault >command
	status=0
	eval "\"\$zsmsim\" $(cat command) -o replay.db" >stdout 2>stderr || status=$?
	[ "$status" -eq 1 ] || fail "$1: the replay ended with status $status"
	drop_noise
	sed 1d stderr >again
	expect_same report again "$1: the replay"
	rm -f replay.db
}

# ---- nothing is broken, nothing is said ----

scenario sound
expect 0 "$zsmsim" run sound.json -o sound.db --csv sound
expect_silent sound
if grep -q fault stdout; then
	fail "the table of the sound runs speaks of a fault"
fi
[ "$(grep -c ',munmap_ms,ms,mean,' sound/results.csv)" -eq 2 ] || fail "sound runs without munmap_ms"

scenario nothing nothing
expect 0 "$zsmsim" run nothing.json -o nothing.db
expect_silent "break: nothing"

# ---- each fault ----

expect_fault double-free 'double free of handle 0x' proc0
expect_replay double-free
expect_fault use-freed-page 'store of a freed page' proc0
expect_chain use-freed-page 'freed from'
expect_replay use-freed-page
expect_fault use-freed-handle 'load of a freed ' proc0
expect_chain use-freed-handle 'freed from'
expect_fault content 'slot 1 does not hold what was written' proc0
expect_fault unlock-other "'test lock a' is released by CPU 0 but held by CPU 3" proc0
expect_fault lock-order "'test lock a' is taken while 'test lock b' is held, but 'test lock b' is also taken inside 'test lock a'" proc0
expect_replay lock-order
expect_fault leak '1 objects in use' '[a-z0-9]*'
expect_fault lose-page 'pages do not add up: ' '[a-z0-9]*'
expect_fault deadlock "CPU 0 waits for 'test lock a', which it holds" proc0

# A fault of each kind that the schema knows was tried above.
known=$(sed -n 's/.*"enum": *\[\(.*"double-free".*\)\].*/\1/p' "$src/scenarios/schema.json" | tr -d '", ' )
[ -n "$known" ] || known=$(tr -d '\n' <"$src/scenarios/schema.json" |
	grep -o '\[[^]]*"double-free"[^]]*\]' | tr -d '", []\t')
tried=nothingdouble-freeuse-freed-pageuse-freed-handlecontentunlock-otherlock-orderleaklose-pagedeadlock
[ "$known" = "$tried" ] || fail "the schema has other faults than were tried: $known"

# A run that ends in a fault leaves no figures, and does not keep the others from their own.
cat >mixed.json <<'JSON'
{
	"name": "mixed",
	"profiles": ["i7-14700hx-p"], "variants": ["base"],
	"machine": { "cpus": 2, "memory_mb": 512 }, "workload": { "region_mb": 8 },
	"runs": [{ "break": "content" }, { "workload": { "region_mb": 4 } }]
}
JSON
expect 1 "$zsmsim" run mixed.json -o mixed.db --csv mixed
[ "$(grep -c ',munmap_ms,ms,mean,' mixed/results.csv)" -eq 1 ] ||
	fail "one of two runs broken: results.csv has $(grep -c ',munmap_ms,ms,mean,' mixed/results.csv) munmap_ms"

finish
