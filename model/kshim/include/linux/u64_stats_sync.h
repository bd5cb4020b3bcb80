/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * u64_stats_sync.h - counters of 64 bits that are read whole. On a 64-bit
 * machine they always are, so there is nothing to synchronise and nothing to
 * pay for.
 */
#ifndef KSHIM_LINUX_U64_STATS_SYNC_H
#define KSHIM_LINUX_U64_STATS_SYNC_H

#include <linux/kernel.h>

struct u64_stats_sync { };

typedef struct { u64 v; } u64_stats_t;

#define u64_stats_init(sync)			do { (void)(sync); } while (0)
#define u64_stats_update_begin(sync)		do { (void)(sync); } while (0)
#define u64_stats_update_end(sync)		do { (void)(sync); } while (0)
#define u64_stats_fetch_begin(sync)		((void)(sync), 0u)
#define u64_stats_fetch_retry(sync, start)	((void)(sync), (void)(start), false)

#define u64_stats_read(stat)			READ_ONCE((stat)->v)
#define u64_stats_set(stat, value)		WRITE_ONCE((stat)->v, value)
#define u64_stats_add(stat, value)		WRITE_ONCE((stat)->v, (stat)->v + (value))
#define u64_stats_sub(stat, value)		WRITE_ONCE((stat)->v, (stat)->v - (value))
#define u64_stats_inc(stat)			u64_stats_add(stat, 1)

#endif
