#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Measures what "Speed and memory" asks for and prints it beside what is asked.
# Run by `make bench` in the build tree; figures are of this host, now.
set -eu
srcdir=${srcdir:-.}
median() { sort -n | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'; }
row() { printf '%-58s %10s %12s\n' "$1" "$2" "$3"; }
again() { n=$1; shift; i=0; while [ "$i" -lt "$n" ]; do "$@"; i=$((i + 1)); done; }

printf 'host: %s, %s, compiler: %s\n' "$(uname -n)" \
	"$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$(${CC:-cc} --version | head -n 1)"
row 'what' 'reach' 'reached'
for n in 1:10 4:20 16:30 64:40; do
	cpus=${n%:*}
	mb=$((cpus > 4 ? 32 : 128))
	got=$(again 3 tests/bench/bench_sim access "$cpus" "$((cpus < 4 ? 4 : cpus))" "$mb" | cut -d' ' -f1 | median)
	row "host time per simulated access, munmap base, $cpus CPUs" "${n#*:} ns" "$got ns"
done
row 'one coroutine switch' '4 ns' "$(again 5 tests/bench/bench_sim switch | median) ns"

# simulated slow-down: measured phase against the same code run natively, in turn
native=$(again 5 tests/bench/native 256 | median)
simulated=$(again 3 tests/bench/bench_sim access 1 4 256 | cut -d' ' -f3 | median)
row 'slow-down against the native run, 1 CPU' '5 x' \
	"$(awk "BEGIN { printf \"%.1f\", $simulated / $native }") x"
if command -v valgrind >/dev/null 2>&1; then
	whole() { s=$(date +%s%N); "$@" >/dev/null 2>&1; e=$(date +%s%N); echo $((e - s)); }
	cg=$(whole valgrind --tool=cachegrind --cache-sim=yes --cachegrind-out-file=/dev/null tests/bench/native 256)
	sim=$(again 3 whole tests/bench/bench_sim access 1 4 256 | median)
	row 'faster than cachegrind with caches, same program and run' '2 x' \
		"$(awk "BEGIN { printf \"%.1f\", $cg / $sim }") x"
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
s=$(date +%s%N)
./zsmsim run "$srcdir/scenarios/munmap.json" -j 2 --quiet -o "$tmp/m.db" >/dev/null
e=$(date +%s%N)
row 'scenarios/munmap.json whole, -j 2' '20 s' "$(awk "BEGIN { printf \"%.1f\", ($e - $s) / 1e9 }") s"
row 'resident memory, 4 processes x 256 MB' '1 GB' \
	"$(tests/bench/bench_sim access 4 8 256 | cut -d' ' -f4 | awk '{ printf "%.2f", $1 / 1024 }') GB"
small=$(again 3 tests/bench/bench_sim access 1 4 64 | cut -d' ' -f1 | median)
large=$(tests/bench/bench_sim access 1 4 4096 | cut -d' ' -f1)
row 'cost per access, 4 GB region against 64 MB' '1.5 x' "$(awk "BEGIN { printf \"%.2f\", $large / $small }") x"
# two million objects in 4 GB: stored, then a fifth of them freed and stored anew in each of 24 rounds
age=$(tests/bench/bench_sim age 4096 2048 24)
row 'ageing a 4 GB pool without timing, operations a minute' '10 M' \
	"$(echo "$age" | awk '{ printf "%.1f", $3 / 1e6 }') M"
