#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# zsmsim validate --kernel without the means: one polite line, status 2, and
# nothing touched. The test itself adds devices, so it is made by hand and
# never from here.

. "${srcdir:-.}/tests/program.sh"

# What would be left behind: devices and swap areas.
traces() {
	ls /sys/block 2>/dev/null | grep '^zram'
	cat /proc/swaps 2>/dev/null
}

# Without CAP_SYS_ADMIN, whoever runs this. A sandbox may forbid to give it away.
powerless() {
	if [ "$(id -u)" -ne 0 ]; then
		"$@"
	else
		setpriv --bounding-set=-sys_admin -- "$@"
	fi
}

expect 0 "$zsmsim" validate --help
grep -q -- '--kernel' stdout || fail 'validate --help does not name --kernel'
grep -q -- '--repeat' stdout || fail 'validate --help does not name --repeat'

expect 2 "$zsmsim" validate --kernel extra
expect 2 "$zsmsim" validate --kernel --repeat 0

can powerless true || { say 'nobody without CAP_SYS_ADMIN can be had here: the refusal is not tested'; finish; }

traces >before
expect 2 powerless "$zsmsim" validate --kernel --csv kernel.csv --quiet
[ "$(wc -l <stderr)" -eq 1 ] || fail "not one line: $(cat stderr)"
grep -q '^zsmsim: validate --kernel: .*root (CAP_SYS_ADMIN)' stderr || [ "$(uname -s)" != Linux ] ||
	fail "what is missing is not named: $(cat stderr)"
[ ! -s stdout ] || fail "something was printed: $(head -n 3 stdout)"
[ ! -e kernel.csv ] || fail 'a CSV file was made'
traces >after
expect_same after before 'devices and swap areas'

finish
