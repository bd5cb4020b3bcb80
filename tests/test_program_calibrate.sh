#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# zsmsim calibrate, and validate --sensitivity, from outside: a profile whose
# figure is known is measured by simulation, and the fit must find the figure
# again; what the rule forbids is refused.

# shellcheck source=tests/program.sh
. "${srcdir:-..}/tests/program.sh"

cpu=i7-14700hx-p
head='cpu,freq_mhz,soc,region_mb,variant,munmap_ms'

# member FILE FIGURE MEMBER: of a profile in the form that calibrate writes.
member() {
	awk -v figure="\"$2\":" -v member="\"$3\":" '
		$1 == figure { inside = 1 }
		inside && /}/ { inside = 0 }
		inside { for (i = 1; i < NF; i++) if ($i == member) { sub(/,$/, "", $(i + 1)); print $(i + 1) } }
	' "$1"
}

# time_of PROFILE MB: munmap_ms of base, one process, as `run` has it.
time_of() {
	rm -rf time.db time
	expect 0 "$zsmsim" run -q "$src/scenarios/munmap.json" -o time.db --csv time --set "profiles=[\"$1\"]" \
		--set 'variants=["base"]' --set workload.procs=1 --set workload.region_mb="$2"
	awk -F, '$7 == "munmap_ms" && $9 == "mean" { print $10 }' time/results.csv
}

near() {
	awk -v a="$1" -v b="$2" -v percent="$3" 'BEGIN { d = a / b - 1; exit !(d * 100 <= percent && -d * 100 <= percent) }' ||
		fail "$4: $1 is not within $3 % of $2"
}

# ---- what cannot be met is said ----

# A time that no ipc in its range gives; and a profile in the form of our own writing for the tests that follow.
{ echo "$head"; echo "$cpu,2100,x,256,base,5.00"; } >fast.csv
expect 0 "$zsmsim" calibrate --profile $cpu --rows fast.csv -o fast.json
expect_silent 'calibrate'
cp stdout fast
grep -q 'ipc stands AT THE END' fast || fail 'it does not say that the figure stands at its end'
grep -q 'NOT MET' fast || fail 'it does not say that the row is not met'
highest=$(member fast.json ipc high)
[ "$(member fast.json ipc value)" = "$highest" ] || fail 'the best is not the high end'
[ "$(grep -c '"calibrated": true' fast.json)" -eq 1 ] || fail 'not just the fitted figure is marked as calibrated'
grep -q "calibrated: .* with row fast.csv line 2: $cpu, base, 1 process, 256 MB" fast.json ||
	fail 'the note does not name the row'
# Twice the time that it takes at the slow end of the range needs a figure beyond.
slow=$(awk '$1 == "trial" && $2 == "2:" { printf "%.2f", 2 * $5 }' fast)
{ echo "$head"; echo "$cpu,2100,x,256,base,$slow"; } >slow.csv
expect 0 "$zsmsim" calibrate --profile $cpu --rows slow.csv --beyond -o slow.json
grep -q 'ipc .* is OUTSIDE its sourced range' stdout || fail 'it does not say that the figure left its range'
near "$(time_of "$PWD/slow.json" 256)" "$slow" 0.1 'the time of a profile beyond its range'
expect 2 "$zsmsim" calibrate --profile $cpu --rows slow.csv --fit work.syscall
grep -q 'slow.csv:2: does not depend on work.syscall' stderr || fail "no effect is not told: $(cat stderr)"

# ---- a figure that is known is found ----

# One with another ipc, in its range: the profile as it comes must be fitted to that.
sourced=$(awk '$1 == "ipc" { print $2 }' fast)
known=$(awk -v low="$sourced" -v high="$highest" 'BEGIN { printf "%.3g", (low + high) / 2 }')
sed -e "/\"ipc\"/,/}/s/\"value\": [0-9.]*/\"value\": $known/" -e 's/"name": "fast"/"name": "other"/' fast.json >other.json
ms=$(time_of "$PWD/other.json" 256)
{ echo "$head"; echo "cortex-a55,1800,x,256,base,50"; echo "$cpu,2100,x,256,base,$(printf %.2f "$ms")"; } >rows.csv
expect 0 "$zsmsim" calibrate --profile $cpu --rows rows.csv -o fitted.json
cp stdout fitted
grep -q WARNING fitted && fail "a warning, though all is met: $(grep WARNING fitted)"
near "$(member fitted.json ipc value)" "$known" 0.5 'the fit to a profile with another ipc'
near "$(time_of "$PWD/fitted.json" 256)" "$ms" 0.1 'the time of the fitted profile'
grep -q 'rows.csv:2: of cortex-a55, not used' fitted || fail 'the row of another CPU is not said to be unused'
grep -q 'One row determines one figure' fitted || fail 'it does not say what one row determines'
# The standard deviation is 2 % of the time, and half of the last digit, over the slope that is printed.
awk -v ms="$ms" '
	$1 == "ipc" { deviation = $6 }
	/ms per unit of it/ { for (i = 2; i <= NF; i++) if ($i == "ms" && $(i + 1) == "per") slope = $(i - 1) }
	END {
		wanted = slope ? sqrt((0.02 * ms) ^ 2 + 0.005 ^ 2) / slope : 0
		if (!slope || deviation < 0.95 * wanted || deviation > 1.05 * wanted)
			print "the uncertainty is " deviation " instead of " wanted
	}
' fitted >wrong
[ ! -s wrong ] || fail "$(cat wrong)"

# ---- in place only by name; equal commands give equal bytes ----

sed 's/"name": "other"/"name": "kept"/' other.json >kept.json
cp kept.json before.json
expect 0 "$zsmsim" calibrate --profile kept.json --cpu $cpu --rows fast.csv
expect_same kept.json before.json 'a calibration without -o'
grep -q 'CALIBRATED ALREADY' stdout || fail 'it does not say that the figure was calibrated before'
grep -v '^Not written' stdout >first
expect 0 "$zsmsim" calibrate --profile kept.json --cpu $cpu --rows fast.csv -o kept.json
grep -v '^Written' stdout >second
expect_same first second 'two equal calibrations'
cmp -s kept.json before.json && fail '-o with the name of the profile itself did not write it'
[ "$(member kept.json ipc value)" = "$highest" ] || fail 'in place another value was written than by another name'
sed -e '/"llc_latency"/,/}/s/"unit"/"calibrated": true, "unit"/' -e 's/"name": "kept"/"name": "two"/' kept.json >two.json

# ---- refused, before anything is run ----

# refused WHAT PATTERN ARGUMENT...: one line that has the pattern, no output, no file.
refused() {
	what=$1 pattern=$2
	shift 2
	cp kept.json out.json
	expect 2 "$zsmsim" calibrate -o out.json "$@"
	[ "$(wc -l <stderr)" -eq 1 ] || fail "$what: not one line: $(cat stderr)"
	grep -q "^zsmsim: .*$pattern" stderr || fail "$what: expected '$pattern', got: $(cat stderr)"
	[ ! -s stdout ] || fail "$what: something on standard output"
	expect_same out.json kept.json "$what"
}
refused_row() {
	{ echo "$head"; echo "$cpu,2100,x,256,base,12.51"; echo "$3"; } >bad.csv
	refused "$1" "bad.csv:3: $2" --profile $cpu --rows bad.csv
}
refused_row 'another variant' 'variant "deferred"' "$cpu,2100,x,256,deferred,3.00"
refused_row 'another size' 'a region of 512 MB' "cortex-a55,2100,x,512,base,12.51"
refused_row 'a second row' 'a second row of' "$cpu,2100,x,256,base,12.60"
refused_row 'no time' 'munmap_ms "fast"' "cortex-a55,2100,x,256,base,fast"
refused 'several processes' 'munmap-procs.csv:[0-9]*: ' --profile $cpu --rows "$src/data/published/munmap-procs.csv"
refused 'the whole table' 'munmap-sizes.csv:2: ' --profile $cpu --rows "$src/data/published/munmap-sizes.csv"
refused 'no such file' 'none.csv: cannot be read' --profile $cpu --rows none.csv
refused 'no row of the CPU' 'no row of cortex-a72' --profile cortex-a72 --rows rows.csv
refused 'no such profile' 'is unknown' --profile nothing --rows rows.csv
refused 'no such figure' 'no such figure' --profile $cpu --rows rows.csv --fit speed
refused 'a whole number' 'whole numbers only' --profile $cpu --rows rows.csv --fit window
refused 'three figures' 'more than two figures' --profile $cpu --rows rows.csv --fit ipc,fence,atomic
refused 'a figure twice' 'one figure twice' --profile $cpu --rows rows.csv --fit ipc,ipc
refused 'a third calibrated figure' 'would have 3 calibrated' --profile two.json --cpu $cpu --rows rows.csv --fit fence
refused 'no profile' 'no profile' --rows rows.csv
refused 'no rows' 'no rows' --profile $cpu
refused 'a spread that is none' 'spread' --profile $cpu --rows rows.csv --spread lots
refused 'an argument' 'takes no arguments' --profile $cpu --rows rows.csv more
expect 2 "$zsmsim" calibrate --profile $cpu --rows rows.csv -o $cpu.json
grep -q 'the name of the profile' stderr || fail "the name of a known profile is taken: $(cat stderr)"

# ---- validate --sensitivity: of a profile that has two ranges left ----

awk '
	/"low": / && !/"figures"/ {
		value = low = high = $0
		sub(/.*"value": /, "", value)
		sub(/,.*/, "", value)
		if (!keep) { sub(/"low": [^,]*/, "\"low\": " value); sub(/"high": [^,]*/, "\"high\": " value) }
	}
	{ print }
	{ keep = /"ipc": \{/ || /"dram_latency": \{/ }
' fast.json | sed 's/"name": "fast"/"name": "narrow"/' >narrow.json
expect 0 "$zsmsim" validate --sensitivity=narrow.json --csv s.csv -j 2
expect_silent 'validate --sensitivity'
cp stdout first
[ "$(awk -F, 'NR > 1 && $2 != "all" { print $2 }' s.csv | sort -u | tr '\n' ' ')" = 'dram_latency ipc ' ] ||
	fail "not just the two figures that have a range: $(cut -d, -f2 s.csv | sort -u | tr '\n' ' ')"
# Its times are those of `run` with the figure at its end.
sed -e "/\"ipc\"/,/}/s/\"value\": [0-9.]*/\"value\": $(member narrow.json ipc low)/" -e 's/"name": "narrow"/"name": "end"/' \
	narrow.json >end.json
[ "$(awk -F, '$2 == "ipc" && $5 == "low" && $7 == "base" { print $8 }' s.csv)" = "$(time_of "$PWD/end.json" 64)" ] ||
	fail 'the time at the low end is not the one that run gives'
[ "$(awk -F, '$2 == "all" && $5 == "up" && $7 == "base" { print $8 }' s.csv)" = "$(time_of "$PWD/narrow.json" 64)" ] ||
	fail 'the time of the band is not that of the profile as it is'
# Its changes are those of the times, and the band the root of their squares.
awk -F, '
	NR == 1 || $7 != "base" { next }
	$2 == "all" { value = $8; band[$5] = $9; next }
	{ time[$2 $5] = $8; change[$2 $5] = $9 }
	END {
		for (end in time) {
			percent = (time[end] / value - 1) * 100
			if (percent - change[end] > 0.0051 || change[end] - percent > 0.0051)
				print end ": " change[end] " instead of " percent
			if (change[end] > 0 && change[end] > up[substr(end, 1, 3)])
				up[substr(end, 1, 3)] = change[end]
		}
		wanted = sqrt(up["ipc"] ^ 2 + up["dra"] ^ 2)
		if (wanted - band["up"] > 0.01 || band["up"] - wanted > 0.01)
			print "band: " band["up"] " instead of " wanted
	}
' s.csv >wrong
[ ! -s wrong ] || fail "$(cat wrong)"
cp s.csv first.csv
expect 0 "$zsmsim" validate --sensitivity=narrow.json --csv s.csv -j 1
expect_same stdout first 'sensitivity with -j 1 and 2'
expect_same s.csv first.csv 'sensitivity with -j 1 and 2'
# An end that the loader refuses is named; the rest is done.
sed -e '/"l2_ways"/,/}/s/"low": [0-9.]*/"low": 7/' -e 's/"name": "narrow"/"name": "odd"/' narrow.json >odd.json
expect 0 "$zsmsim" validate --sensitivity=odd.json -j 2
grep -q '^Left out: an end of l2_ways: .*whole sets' stdout || fail 'an end that cannot be loaded is not named'
expect 2 "$zsmsim" validate --sensitivity=nothing
grep -q 'is unknown' stderr || fail "an unknown profile: $(cat stderr)"
ls -d "${TMPDIR:-/tmp}"/zsmsim-trials-* >left 2>/dev/null && say "a directory of trials is there, perhaps of another run: $(cat left)"

finish
