#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What a run leaves behind says what it should: the table, the CSV files and
# how their figures hang together, the device's mm_stat, the comparison, and
# the shape of the published table of several processes at once.

# shellcheck source=tests/program.sh
. "${srcdir:-..}/tests/program.sh"

# value DIRECTORY RUN METRIC STAT: from results.csv.
value() {
	awk -F, -v run="$2" -v metric="$3" -v stat="$4" \
		'$1 == run && $7 == metric && $9 == stat { print $10 }' "$1/results.csv"
}

# holds WHAT EXPRESSION...: an expression of awk that must be true.
holds() {
	what=$1
	shift
	awk "BEGIN { exit !($*) }" || fail "$what: $*"
}

# check WHAT AWK-PROGRAM FILE...: the program prints what is wrong.
check() {
	what=$1
	shift
	wrong=$(awk -F, "$@" 2>&1 | head -n 4)
	[ -z "$wrong" ] || fail "$what: $wrong"
}

# ---- 1 and 4 processes on x86: runs 1 to 3 and 4 to 6 ----

expect 0 "$zsmsim" run "$quick" --set 'workload.procs={"sweep":[1,4]}' -o x.db --csv x
expect_silent 'x86'
cp stdout table

[ "$(grep -c '^i7-14700hx-p ' table)" -eq 2 ] || fail "the table has not two rows: $(cat table)"
for word in base deferred deferred+percpu-stats munmap complete speedup procs region_mb; do
	grep -qw -e "$word" table || fail "the table does not say $word"
done
# The figure of the table is that of the CSV.
for run in 1 4; do
	shown=$(printf '%.3f' "$(value x $run munmap_ms mean)")
	grep -q "^i7-14700hx-p.* $shown " table || fail "munmap_ms $shown of run $run is not in the table"
done

[ "$(head -n 1 x/results.csv)" = run_id,scenario,variant,profile,seed,params,metric,unit,stat,value ] ||
	fail "header of results.csv"
[ "$(head -n 1 x/series.csv)" = run_id,scenario,variant,profile,seed,params,series,unit,t_ns,value ] ||
	fail "header of series.csv"
for file in results series causes locks lines; do
	check "columns of $file.csv" 'NR == 1 { nr = NF } NF != nr' "x/$file.csv"
	check "runs in $file.csv" 'NR > 1 { seen[$1] = 1 }
		END { for (run = 1; run <= 6; run++) if (!seen[run]) print "none of run " run }' "x/$file.csv"
done

# Each process's time, then their mean and maximum; the return of the last page beside it.
check 'munmap_ms' '
	$7 == "munmap_ms" && $9 ~ /^p[0-9]+$/ { nr[$1]++; sum[$1] += $10; if ($10 > max[$1]) max[$1] = $10 }
	$7 == "munmap_ms" && $9 == "mean" { mean[$1] = $10; if ($10 <= 0) print "run " $1 " took no time" }
	$7 == "munmap_ms" && $9 == "max" { most[$1] = $10 }
	$7 == "free_complete_ms" { complete[$1] = $10 }
	$7 == "release_t50_ms" { half[$1] = $10 }
	$7 == "release_t90_ms" { most_of[$1] = $10 }
	function differ(a, b) { return a - b > 1e-6 || b - a > 1e-6 }
	END {
		for (run = 1; run <= 6; run++) {
			if (nr[run] != (run < 4 ? 1 : 4))
				print "run " run " has " nr[run] + 0 " processes"
			else if (differ(mean[run], sum[run] / nr[run]))
				print "run " run ": mean " mean[run] ", the processes " sum[run] / nr[run]
			if (differ(most[run], max[run]))
				print "run " run ": max " most[run] ", the processes " max[run]
			if (!(half[run] > 0 && half[run] <= most_of[run] && most_of[run] <= complete[run]))
				print "run " run ": pages back " half[run] ", " most_of[run] ", " complete[run]
		}
	}' x/results.csv

# Deferred frees come later than the return of munmap(); those done at once before it.
holds 'base: the last page is back when munmap() returns' \
	"$(value x 1 free_complete_ms value)" '<=' "$(value x 1 munmap_ms max)"
holds 'deferred: work is left when munmap() returns' \
	"$(value x 2 free_complete_ms value)" '>' "1.1 * $(value x 2 munmap_ms max)"

# ---- where the time went ----

# Of each task: cpu_ms is what its causes add up to, without idling. A
# process does little else than its munmap(), and on a CPU of its own under
# base: its causes add up to that time and at most 20 us for its start and end.
check 'causes of tasks' '
	FILENAME ~ /causes/ && FNR > 1 {
		if ($9 !~ /^[0-9]+$/) print "ps " $9
		if ($8 != "idle") sum[$1 " " $7] += $9 / 1e9
	}
	FILENAME ~ /results/ && $7 == "cpu_ms" {
		nr++
		if (sum[$1 " " $9] - $10 > 1e-6 || $10 - sum[$1 " " $9] > 1e-6)
			print "run " $1 ", " $9 ": cpu_ms " $10 ", its causes " sum[$1 " " $9]
	}
	FILENAME ~ /results/ && $3 == "base" && $7 == "munmap_ms" && $9 ~ /^p/ {
		name = $1 " proc" substr($9, 2)
		if (sum[name] < $10 || sum[name] > $10 + 0.020)
			print "run " $1 ", " $9 ": munmap_ms " $10 ", its causes " sum[name]
	}
	END { if (nr < 20) print "cpu_ms of " nr + 0 " tasks only" }' x/causes.csv x/results.csv

# Waiting for a lock is booked to the tasks that waited and to the lock: the same sum.
check 'lock waits' '
	FILENAME ~ /causes/ && $8 ~ /^lock wait: / { booked[$1 " " substr($8, 12)] += $9 }
	FILENAME ~ /locks/ && FNR > 1 {
		if ($11 > 0) nr++
		if ($11 != booked[$1 " " $7] + 0) print "run " $1 ", " $7 ": waited " $11 " ps, booked " booked[$1 " " $7] + 0
		if ($9 > $8 || $12 > $11 || $14 > $13) print "run " $1 ", " $7 ": more contentions than uses, or a maximum above its sum"
	}
	END { if (!nr) print "no lock was waited for" }' x/causes.csv x/locks.csv

# All line transfers belong to a group of lines.
check 'line transfers' '
	FILENAME ~ /lines/ && FNR > 1 { sum[$1] += $8 }
	FILENAME ~ /results/ && $7 == "line_transfers" && $10 != sum[$1] { print "run " $1 ": " $10 ", in groups " sum[$1] }
	' x/lines.csv x/results.csv

# ---- series ----

# From 0 on, by 100 us; the pool's pages only fall under base; at the start
# they are what mm_stat says of the device, at the end one page is left for
# the swap header.
check 'series' '
	FILENAME ~ /series/ && FNR > 1 {
		key = $1 " " $7
		if (!(key in last) && $9 != 0) print key " begins at " $9
		if (key in last && $9 <= last[key]) print key ": " $9 " ns after " last[key]
		if ($3 == "base" && $7 == "zspage_pages" && key in last && $10 > now[key]) print key ": rises at " $9
		if (!(key in first)) first[key] = $10
		last[key] = $9; now[key] = $10; names[$7] = 1
	}
	FILENAME ~ /results/ && $7 == "mm_stat" && $9 == "mem_used_total" && $10 != 4096 * first[$1 " zspage_pages"] {
		print "run " $1 ": mm_stat has " $10 " bytes, the series begins with " first[$1 " zspage_pages"] " pages"
	}
	END {
		if (now["1 zspage_pages"] != 1) print "base leaves " now["1 zspage_pages"] " pages"
		split("free_pages pcp_pages zspage_pages deferred_objects pinned_pages", want, " ")
		for (i in want) if (!(want[i] in names)) print "no series " want[i]
	}' x/series.csv x/results.csv

# ---- the shape of the published table ----

# Base and deferred suffer from each other's counters; with counters per CPU the deferred variant does not.
ratio() {
	awk -v one="$(value x "$1" munmap_ms mean)" -v four="$(value x "$2" munmap_ms mean)" 'BEGIN { print four / one }'
}
say "4 processes to 1: base $(ratio 1 4), deferred $(ratio 2 5), deferred+percpu-stats $(ratio 3 6)"
holds 'base with 4 processes' "$(ratio 1 4)" '>= 2.5'
holds 'deferred with 4 processes' "$(ratio 2 5)" '>= 2.5'
holds 'deferred+percpu-stats with 4 processes' "$(ratio 3 6)" '<= 1.3'

# ---- compare ----

expect 0 "$zsmsim" compare x.db --csv compare.csv
expect_silent compare
times=$(awk -v base="$(value x 1 munmap_ms mean)" -v deferred="$(value x 2 munmap_ms mean)" \
	'BEGIN { printf "%.3f", deferred / base }')
grep -q "$times" stdout || fail "compare: no ratio $times of deferred to base: $(cat stdout)"
grep -q ',deferred,base,' compare.csv || fail "compare.csv: $(head -n 3 compare.csv)"
expect 0 "$zsmsim" compare x.db --baseline deferred --metric free_complete_ms
grep -q 'free_complete_ms' stdout || fail "compare --metric: $(cat stdout)"

# ---- CPUs that do nothing change nothing ----

# The kernel shares the pages that CPUs may keep to themselves among all of
# them: up to some 100 CPUs of this machine their number shows in how pages go
# back. Beyond, each has the least there is; what is left is where the data of
# the CPUs push others to in memory, and so in the caches.
expect 0 "$zsmsim" run "$quick" --set variants=base --set workload.procs=1 --set workload.region_mb=8 \
	--set 'machine.cpus={"sweep":[2,4,64,128,200,256]}' -o idle.db --csv idle
for run in 5 6; do
	holds 'idle CPUs, at the same limits' \
		"($(value idle 4 munmap_ms p0) - $(value idle $run munmap_ms p0)) ^ 2 <= ($(value idle 4 munmap_ms p0) * 0.002) ^ 2"
done
for run in 2 3 4; do
	holds 'idle CPUs' \
		"($(value idle 1 munmap_ms p0) - $(value idle $run munmap_ms p0)) ^ 2 <= ($(value idle 1 munmap_ms p0) * 0.1) ^ 2"
done

# ---- the other profiles ----

expect 0 "$zsmsim" run "$quick" --set profiles=cortex-a55,cortex-a76 --set workload.procs=2 --set workload.region_mb=8 \
	-o arm.db --csv arm
expect_silent arm
[ "$(grep -c ',munmap_ms,ms,mean,' arm/results.csv)" -eq 6 ] || fail "not 6 results on the Arm profiles"

# ---- mm_stat of 2 x 256 MB, as a real kernel with chains of 8 pages shows it ----

# The pattern has 16 kinds of pages, each a sixteenth of all. Given are their
# sizes after lzo-rle, and the number of objects and pages of a zspage of the
# class that holds them (object and handle, rounded up to 16 bytes, merged
# classes). Objects lie densely: of each kind, whole zspages and a last one.
# The header of the swap device is one more small object in a page of its own.
expect 0 "$zsmsim" run "$quick" --set variants=base --set workload.procs=2 --set workload.region_mb=256 \
	--set machine.memory_mb=4096 -o big.db --csv big --verbose
awk '
	{ objects = 2 * 65536 / 16; compressed += objects * $1; pages += int((objects + $2 - 1) / $2) * $3 }
	END { used = (pages + 1) * 4096; printf "%d %.0f %.0f 0 %.0f 0 0 0 0\n", NR, compressed, used, used }' >expected <<EOT
876 32 7
945 17 4
1004 4 1
1074 15 4
1137 7 2
1200 10 3
1274 22 7
1343 3 1
1399 23 8
1461 11 4
1529 21 8
1605 5 2
1658 17 7
1715 7 3
1776 16 7
1842 11 5
EOT
read -r kinds compressed rest <expected
[ "$kinds" -eq 16 ] || fail "$kinds kinds of pages"
line=$(sed -n 's/^  mm_stat: *//p' stdout | tr -s ' ')
header=$(($(printf '%s' "$line" | cut -d ' ' -f 2) - compressed))
[ "$line" = "$(((2 * 65536 + 1) * 4096)) $((compressed + header)) $rest" ] ||
	fail "mm_stat: $line, expected $(((2 * 65536 + 1) * 4096)) $compressed (and the header) $rest"
{ [ $header -gt 40 ] && [ $header -le 56 ]; } || fail "mm_stat: a swap header of $header bytes"
[ "$(value big 1 mm_stat compr_data_size)" = $((compressed + header)) ] || fail "mm_stat differs in results.csv"

finish
