/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * defer.h - batches of handles that a worker frees later.
 *
 * Each CPU fills a batch of its own. A full one goes to the CPU's lock-less
 * pending list, and a worker on any CPU empties that. A batch that does not
 * fill stays where it is: there is no timer, only more frees on that CPU or
 * the end of the pool.
 */
#ifndef ZSMALLOC_DEFER_H
#define ZSMALLOC_DEFER_H

#include "model/zsmalloc/pool.h"

#define ZS_MAX_DEFER_BATCH	4096u

struct defer_batch {
	struct llist_node node;
	unsigned int count;
	unsigned long handles[];
};

/* Per CPU; only its CPU changes active, with preemption off. */
struct zs_defer {
	struct defer_batch *active;
	struct llist_head pending;
	struct work_struct drain_work;
	struct zs_pool *pool;
};

/* Set up pool->defer if the variant wants it. Without memory for it the pool works, but frees at once. */
void defer_create(struct zs_pool *pool);
/* Free all that waits, then the batches. Nobody may free objects any more. */
void defer_destroy(struct zs_pool *pool);

/* Queue @handle. False: the caller must free it, there is no memory for a batch. Does not sleep. */
bool defer_push(struct zs_pool *pool, unsigned long handle);

#endif
