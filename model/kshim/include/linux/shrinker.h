/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shrinker.h - who can give memory back, and how it is asked. The shrinker of
 * a pool is found in the pool; what registers one does not list it anywhere.
 */
#ifndef KSHIM_LINUX_SHRINKER_H
#define KSHIM_LINUX_SHRINKER_H

#include <linux/slab.h>

struct shrink_control {
	gfp_t gfp_mask;
	int nid;
	unsigned long nr_to_scan;
	unsigned long nr_scanned;
	void *memcg;
};

#define SHRINK_STOP	(~0ul)
#define SHRINK_EMPTY	(~0ul - 1)
#define DEFAULT_SEEKS	2

/* In 6.1 it is a part of struct zs_pool, so its size decides what shares lines there: 64 bytes. */
struct shrinker {
	unsigned long (*count_objects)(struct shrinker *shrinker, struct shrink_control *sc);
	unsigned long (*scan_objects)(struct shrinker *shrinker, struct shrink_control *sc);
	long batch;
	int seeks;
	unsigned int flags;
	struct list_head list;
	int id;
	void *private_data;
	atomic_long_t *nr_deferred;
};

#define shrinker_alloc(flags, ...)	((struct shrinker *)kzalloc(sizeof(struct shrinker), GFP_KERNEL))
#define shrinker_register(shrinker)	do { (void)(shrinker); } while (0)
#define shrinker_free(shrinker)		do { if (shrinker) kfree(shrinker); } while (0)
#define register_shrinker(shrinker, ...) ((void)(shrinker), 0)
#define unregister_shrinker(shrinker)	do { (void)(shrinker); } while (0)

#endif
