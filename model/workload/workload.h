/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * workload.h - the thread's test program: processes that fill memory with its
 * pattern, are paged out to zram, stop, and unmap together.
 */
#ifndef WORKLOAD_WORKLOAD_H
#define WORKLOAD_WORKLOAD_H

#include "model/model.h"

struct zram;

/* Device, swap, filled and paged-out regions, tasks ready to run. */
void workload_prepare(const struct model_config *config);
struct zram *workload_zram(void);
/* After the last process ended: swap off and the device away. */
void workload_finish(void);

/* break.c: helpers that a fault needs, started with the rest; what process 0 does wrong before it unmaps, and what is wrong at the end. */
void break_prepare(enum model_break what);
void break_in_task(enum model_break what, struct zram *zram);
void break_at_end(enum model_break what, struct zram *zram);

#endif
