# SPDX-License-Identifier: GPL-3.0-or-later
#
# validation.gp - published against simulated times, from the file that
# `zsmsim validate --csv` wrote: gnuplot -e "cells='cells.csv'; out='munmap.svg'" validation.gp

set datafile separator ","
set terminal svg size 760,560 dynamic background rgb "white"
set output out
set title "munmap() of swapped-out memory: every published cell"
set xlabel "published, ms"
set ylabel "simulated, ms"
set logscale xy
set grid
set key left top
# kind of CPU in column 2, published in 7, simulated in 8
point(cpu, ms) = strcol(2) eq cpu ? ms : NaN
plot x with lines lc rgb "black" title "equal", \
	x * 1.25 with lines dt 2 lc rgb "gray50" title "25 % off", \
	x / 1.25 with lines dt 2 lc rgb "gray50" notitle, \
	cells using (point("cortex-a55", $7)):8 with points pt 7 title "Cortex-A55", \
	cells using (point("cortex-a76", $7)):8 with points pt 5 title "Cortex-A76", \
	cells using (point("i7-14700hx-p", $7)):8 with points pt 9 title "i7-14700HX"
