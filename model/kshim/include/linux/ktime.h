/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ktime.h - the clock stands still: software on this machine cannot see a time
 * (sim/hw.h). A tree that stamps its slots does so with zero and pays for the
 * room and the stores, not for reading the clock.
 */
#ifndef KSHIM_LINUX_KTIME_H
#define KSHIM_LINUX_KTIME_H

#include <linux/kernel.h>

typedef s64 ktime_t;

#define NSEC_PER_SEC		1000000000l
#define ns_to_ktime(ns)		((ktime_t)(ns))
#define ktime_sub(a, b)		((a) - (b))
#define ktime_after(a, b)	((a) > (b))

#define ktime_get_boottime()	((ktime_t)0)
#define ktime_get_boottime_seconds() ((ktime_t)0)

#endif
