/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workload.h - what is done with the allocator: one kind of workload a run. */
#ifndef WORKLOAD_WORKLOAD_H
#define WORKLOAD_WORKLOAD_H

#include "model/model.h"

struct zram;
struct zs_pool;

/* One kind. All but the tasks that prepare() wakes runs in functional mode. */
struct workload {
	/* The allocator and its user in the state to start from, tasks ready to run. */
	void (*prepare)(const struct model_config *config);
	/* What is stored is what was written; a difference is a fault. */
	void (*check)(void);
	/* The pool whose classes and pages are reported. */
	struct zs_pool *(*pool)(void);
	/* The device, for its mm_stat; NULL, or returns NULL, where the user is not a zram. */
	struct zram *(*zram)(void);
	/* Free what waits above the pool, after the last task ended; NULL where nothing can. */
	void (*flush)(void);
	/* After that: all goes, nothing may be left. */
	void (*finish)(void);
};

extern const struct workload munmap_workload;		/* munmap.c */
extern const struct workload mapping_workload;		/* mapping.c */
extern const struct workload field_pool_workload;	/* field_pool.c */
extern const struct workload compaction_workload;	/* compaction.c */

const struct workload *workload_of_kind(enum model_workload kind);

/* break.c: helpers that a fault needs, started with the rest; what process 0 does wrong before it unmaps, and what is wrong at the end. */
void break_prepare(enum model_break what);
void break_in_task(enum model_break what, struct zram *zram);
void break_at_end(enum model_break what, struct zram *zram);

#endif
