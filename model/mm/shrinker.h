/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shrinker.h - who can give memory back, and how reclaim asks: count() says
 * how many pages there might be, scan() is asked for a batch of them at a time.
 */
#ifndef MM_SHRINKER_H
#define MM_SHRINKER_H

#include "model/kernel/atomic.h"
#include "model/kernel/list.h"
#include "model/kernel/types.h"

#define SHRINK_STOP (~0ul)		/* of scan(): no progress, ask no more in this round; as in zsmalloc.h */
#define SHRINK_EMPTY	(~0ul - 1)	/* of count(): there is nothing at all */

#define DEFAULT_SEEKS	2		/* what an object costs to make again, in disk seeks */
#define SHRINK_BATCH	128		/* pages of one scan() unless the shrinker says otherwise */
#define DEF_PRIORITY	12		/* reclaim begins with 1/4096 of what there is */

struct shrink_control {
	unsigned long nr_to_scan;	/* what reclaim wants looked at */
	unsigned long nr_scanned;	/* what was; nr_to_scan unless scan() says otherwise */
};

struct shrinker {
	unsigned long (*count)(struct shrinker *shrinker, struct shrink_control *sc);
	unsigned long (*scan)(struct shrinker *shrinker, struct shrink_control *sc);
	unsigned int seeks;
	unsigned long batch;		/* 0: SHRINK_BATCH */
	atomic_long_t nr_deferred;	/* work that earlier rounds were too small for */
	void *private_data;
	struct list_head list;
};

/* From here on reclaim asks @shrinker / no longer does. Its fields but list and nr_deferred are the caller's. */
void register_shrinker(struct shrinker *shrinker);
void unregister_shrinker(struct shrinker *shrinker);

/* One round of one shrinker; the lower @priority (12 .. 0) the more. Returns what scan() said was freed. */
unsigned long do_shrink_slab(struct shrinker *shrinker, int priority);
/* The same for all that are registered, in order of registration. */
unsigned long shrink_slab(int priority);

#endif
