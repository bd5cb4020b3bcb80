#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# zsmsim validate with tables of our own making, so that the errors are known
# in advance and only a few runs are made.

. "${srcdir:-.}/tests/program.sh"

# The data directory with other published tables.
mkdir scenarios
cp "$src"/scenarios/*.json scenarios
cp -r "$src/data" data
chmod -R u+w data
ZSMSIM_DATA=$PWD/data
export ZSMSIM_DATA
# A small pool is enough to compare with.
sed 's/"kind": "compaction"/&, "pool_mb": 24, "burst": 400/; s/12288/512/' "$src/scenarios/compaction.json" >scenarios/compaction.json

sizes=data/published/munmap-sizes.csv
procs=data/published/munmap-procs.csv
head_sizes='cpu,freq_mhz,soc,region_mb,variant,munmap_ms'
head_procs='cpu,freq_mhz,soc,procs,region_mb_each,variant,munmap_ms'

# What the simulator says of three cells, from `run`, which has tests of its own.
expect 0 "$zsmsim" run "$src/scenarios/munmap.json" -o run.db --csv run --set profiles=i7-14700hx-p \
	--set workload.procs=1 --set workload.region_mb=64 -j 1
simulated() {
	awk -F, -v variant="$1" '$3 == variant && $7 == "munmap_ms" && $9 == "mean" { print $10 }' run/results.csv
}
base=$(simulated base)
deferred=$(simulated deferred)
percpu=$(simulated deferred+percpu-stats)

# published TIME FACTOR: what it would have to be, so that the simulated one is FACTOR times as much.
published() {
	awk -v ms="$1" -v factor="$2" 'BEGIN { printf "%.2f", ms / factor }'
}
{
	echo "$head_sizes"
	echo "i7-14700hx-p,2100,x,64,base,$(published "$base" 1)"
	echo "i7-14700hx-p,2100,x,64,deferred,$(published "$deferred" 0.5)"
} >$sizes
{
	echo "$head_procs"
	echo "i7-14700hx-p,2100,x,1,64,deferred+percpu-stats,$(published "$percpu" 2)"
} >$procs

expect 0 "$zsmsim" validate -o v.db --csv v.csv -j 1
expect_silent validate
# Half and twice the published time: errors of -50 % and +100 %, to the rounding of the published figure.
awk -F, '
	NR == 1 { next }
	{ nr++ }
	$5 == "base" && ($9 < -0.5 || $9 > 0.5) { print "base is off by " $9 }
	$5 == "deferred" && ($9 < -50.5 || $9 > -49.5) { print "deferred is off by " $9 " instead of -50" }
	$5 == "deferred" && ($10 < 98 || $10 > 102) { print "its speed-up by " $10 " instead of 100" }
	$5 == "deferred+percpu-stats" && ($9 < 98 || $9 > 102) { print "percpu is off by " $9 " instead of 100" }
	$6 != "predicted" { print "a cell is " $6 ", though no profile was calibrated" }
	END { if (nr != 3) print nr " cells instead of 3" }
' v.csv >wrong
[ ! -s wrong ] || fail "$(cat wrong)"
grep -q 'order of two variants at one place: [01] of 1 agree' stdout || fail 'the order of the two variants is not judged'
# The runs are kept, only those that are cells, and not made twice.
[ "$(awk 'END { print NR }' v.csv)" -eq 4 ] || fail 'v.csv has not four lines'
cp stdout first
cp v.csv first.csv
expect 0 "$zsmsim" validate -o v.db --csv v.csv -j 2
expect_same stdout first 'validate from the runs that are kept'
expect_same v.csv first.csv 'validate from the runs that are kept'

# The shrinker's calls: simulated figures are those of a run, the price of a page is predicted and its error right.
expect 0 "$zsmsim" run scenarios/compaction.json -o c.db --csv c --set 'variants=base' --set profiles=cortex-a55 -j 1
of_run() {
	awk -F, -v metric="$1" -v stat="$2" '$7 == metric && $9 == stat { print $10 }' c/results.csv
}
for stat in median:p50 p95:p95 max:max; do
	awk -v us="$(of_run callback "${stat#*:}")" -v pages="$(of_run callback_freed "${stat#*:}")" -v stat="${stat%:*}" '
		$0 ~ "^elapsed, ms +" stat " " { ms = $4; simulated_ms = $5 }
		$0 ~ "^reclaimed, MiB +" stat " " { mib = $4 }
		$0 ~ "us per page +" stat " " { published = $(NF - 3); simulated = $(NF - 2); error = $(NF - 1); kind = $NF }
		function off(a, b) { return a < b - 0.06 || a > b + 0.06 }
		END {
			if (off(simulated_ms, us / 1000) || off(simulated, us / pages) || off(published, ms * 1000 / (mib * 256)) ||
			    off(error, 100 * (us / pages / (ms * 1000 / (mib * 256)) - 1)) || kind != "predicted")
				print stat ": " simulated_ms " ms, " simulated " us of " published ", " error " %, " kind
		}' first >wrong
	[ ! -s wrong ] || fail "shrinker calls: $(cat wrong)"
done

# A profile that was calibrated has calibrated cells: base, one process, 256 MB. No run is needed to see it.
{
	echo "$head_sizes"
	echo 'i7-14700hx-p,2100,x,64,base,3.00'
} >$sizes
sed 's/"unit": "GHz"/"calibrated": true, &/' data/profiles/i7-14700hx-p.json >profile
cmp -s profile data/profiles/i7-14700hx-p.json && fail 'the profile could not be marked'
mv profile data/profiles/i7-14700hx-p.json
{
	echo "$head_procs"
	echo 'i7-14700hx-p,2100,x,1,256,base,12.00'
} >$procs
expect 0 "$zsmsim" validate -j 1 --csv v.csv
grep -q '^munmap-procs,.*,256,base,calibrated,' v.csv || fail 'a calibrated cell is not told apart'
grep -q '^munmap-sizes,.*,64,base,predicted,' v.csv || fail 'a predicted cell of a calibrated profile is not'

# Damaged tables are named with file and line, and nothing is run.
bad() {
	expect 2 "$zsmsim" validate
	[ "$(wc -l <stderr)" -eq 1 ] || fail "$1: not one line: $(cat stderr)"
	grep -q "munmap-procs.csv:$2: " stderr || fail "$1: file and line are not named: $(cat stderr)"
}
{ echo "$head_procs"; echo 'i7-14700hx-p,2100,x,1,256,base,fast'; } >$procs
bad 'no number' 2
{ echo "$head_procs"; echo 'i7-14700hx-p,2100,x,1'; } >$procs
bad 'a short line' 2
echo "$head_procs" >$procs
bad 'no cells' 1
{ echo "$head_procs"; echo 'i7-14700hx-p,2100,x,1,256,base,12.00'; } >$procs
grep -v 'reclaimed,MiB,p95' "$src/data/published/compaction-callbacks.csv" >data/published/compaction-callbacks.csv
expect 2 "$zsmsim" validate
grep -q 'compaction-callbacks.csv: no line of reclaimed, p95; it is expected' stderr || fail "a missing line: $(cat stderr)"
echo 'elapsed,ms,median,fast' >>data/published/compaction-callbacks.csv
expect 2 "$zsmsim" validate
grep -q 'compaction-callbacks.csv:[0-9]*: ' stderr || fail "no number: $(cat stderr)"
cp "$src/data/published/compaction-callbacks.csv" data/published
rm $procs
expect 2 "$zsmsim" validate
grep -q 'munmap-procs.csv: cannot be read' stderr || fail "a missing table is not named: $(cat stderr)"
expect 2 "$zsmsim" validate extra
ls "${TMPDIR:-/tmp}"/zsmsim-validate-* >left 2>/dev/null && fail "left behind: $(cat left)"

finish
