/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pool.h - the pool, its size classes and the numbers that shape both.
 *
 * Lock order: page lock -> pool->lock -> class->lock -> zspage->lock.
 *
 * The fields up to zs_pool.defer have the order, and so the cache lines, of
 * the kernel's structs; which fields share a line decides who disturbs whom.
 * What the kernel decides when it is compiled (the axes of a variant, the
 * chain limit) is run-time configuration here and has a line of its own,
 * which nobody writes after the pool was created.
 */
#ifndef ZSMALLOC_POOL_H
#define ZSMALLOC_POOL_H

#include "model/kernel/kernel.h"
#include "model/zsmalloc/zsmalloc.h"

#define ZS_HANDLE_SIZE		(sizeof(unsigned long))

#define ZS_MIN_CHAIN_SIZE	4
#define ZS_MAX_CHAIN_SIZE	16

#define CLASS_BITS		8
#define ZS_MIN_ALLOC_SIZE	32u
#define ZS_MAX_ALLOC_SIZE	((unsigned)PAGE_SIZE)
#define ZS_SIZE_CLASS_DELTA	((unsigned)PAGE_SIZE >> CLASS_BITS)
#define ZS_SIZE_CLASSES \
	(DIV_ROUND_UP(ZS_MAX_ALLOC_SIZE - ZS_MIN_ALLOC_SIZE, ZS_SIZE_CLASS_DELTA) + 1)

/*
 * Zspages of a class are kept apart by how full they are: none in use, then
 * steps of ten per cent, then all in use.
 */
enum fullness_group {
	ZS_INUSE_RATIO_0,
	ZS_INUSE_RATIO_10,
	ZS_INUSE_RATIO_99 = 10,
	ZS_INUSE_RATIO_100,
	NR_FULLNESS_GROUPS,
};

/* The first statistics of a class count the zspages of each group. */
enum class_stat_type {
	ZS_OBJS_ALLOCATED = NR_FULLNESS_GROUPS,	/* objects that fit in all zspages */
	ZS_OBJS_INUSE,
	NR_CLASS_STATS,
};

struct size_class {
	spinlock_t lock;		/* all below, and every zspage of the class */
	struct list_head fullness_list[NR_FULLNESS_GROUPS];
	int size;			/* bytes of an object, header included */
	int objs_per_zspage;
	int pages_per_zspage;
	unsigned int index;		/* largest index of the pool's table that leads here */
	unsigned long stats[NR_CLASS_STATS];
};

_Static_assert(offsetof(struct size_class, fullness_list) == 8, "lists follow the lock");
_Static_assert(offsetof(struct size_class, size) == 200, "sizes on line 3");
_Static_assert(offsetof(struct size_class, index) == 212, "index on line 3");
_Static_assert(offsetof(struct size_class, stats) == 216, "statistics from line 3");
_Static_assert(sizeof(struct size_class) == 328, "in use count on line 5");

/* Read-only after creation. */
struct zs_config {
	enum axis_lookup lookup;
	enum axis_page_release page_release;
	enum axis_free free;
	enum axis_mapping mapping;
	enum axis_shrinker shrinker;
	unsigned int shrinker_ratio;	/* per cent */
	unsigned int defer_batch;	/* handles in a batch */
	unsigned int chain_size;	/* most pages in a zspage */
	unsigned int huge_class_size;	/* bytes: larger requests waste a page each */
	unsigned long obj_index_mask;	/* bits of an obj value that hold the index */
	unsigned long obj_class_mask;	/* bits that hold the class, 0 with LOOKUP_POOL_LOCK */
	struct zs_deferred_list *deferred_list;	/* NULL unless zs_deferred_list_create() made one */
} __attribute__((aligned(SMP_CACHE_BYTES)));

/* Written by observers only, which the machine does not see. */
struct zs_observed {
	unsigned long deferred;		/* handles that wait in batches */
	unsigned int compaction_hold;	/* the span for which compaction holds pool->lock */
	struct page_note **notes;	/* see observe.h */
} __attribute__((aligned(SMP_CACHE_BYTES)));

struct zs_pool_stats {
	atomic_long_t pages_compacted;
};

struct zs_defer;

struct zs_pool {
	const char *name;
	struct size_class *size_class[ZS_SIZE_CLASSES];
	atomic_long_t pages_allocated;
	struct zs_pool_stats stats;
	void *shrinker;			/* owned by whoever runs reclaim */
	struct work_struct free_work;	/* frees empty zspages whose pages were locked */
	rwlock_t lock;			/* a reader keeps objects from moving */
	atomic_t compaction_in_progress;
	unsigned int compact_cursor;	/* class at which the shrinker goes on, with budget-cursor */
	struct zs_defer *defer;		/* per CPU; NULL: zs_free() frees at once */

	struct zs_config config;
	struct zs_observed observed;
};

#if PAGE_SHIFT == 12
_Static_assert(ZS_SIZE_CLASSES == 255, "classes of 4 KiB pages");
_Static_assert(offsetof(struct zs_pool, size_class) == 8, "table follows the name");
_Static_assert(offsetof(struct zs_pool, pages_allocated) == 2048, "line 32");
_Static_assert(offsetof(struct zs_pool, stats) == 2056, "line 32");
_Static_assert(offsetof(struct zs_pool, shrinker) == 2064, "line 32");
_Static_assert(offsetof(struct zs_pool, free_work) == 2072, "line 32");
_Static_assert(offsetof(struct zs_pool, lock) == 2104, "on the line of pages_allocated");
_Static_assert(offsetof(struct zs_pool, compaction_in_progress) == 2112, "line 33");
_Static_assert(offsetof(struct zs_pool, compact_cursor) == 2116, "line 33");
_Static_assert(offsetof(struct zs_pool, defer) == 2120, "line 33");
_Static_assert(offsetof(struct zs_pool, config) == 2176, "configuration has its own line");
#endif

static inline void class_stat_add(struct size_class *class, int type, unsigned long count)
{
	class->stats[type] += count;
}

static inline void class_stat_sub(struct size_class *class, int type, unsigned long count)
{
	class->stats[type] -= count;
}

/* Readers of statistics take no lock; a stale figure does no harm. */
static inline unsigned long class_stat_read(struct size_class *class, int type)
{
	return READ_ONCE(class->stats[type]);
}

/*
 * Class for a request of @size bytes; the header is added to each, even to
 * those that end in the huge class, which has none.
 */
static inline struct size_class *lookup_size_class(struct zs_pool *pool, size_t size)
{
	unsigned int need = (unsigned int)size + ZS_HANDLE_SIZE;
	unsigned int index = 0;

	if (need > ZS_MIN_ALLOC_SIZE)
		index = DIV_ROUND_UP(need - ZS_MIN_ALLOC_SIZE, ZS_SIZE_CLASS_DELTA);
	return pool->size_class[min_t(unsigned int, ZS_SIZE_CLASSES - 1, index)];
}

/* The classes themselves, each once, from the largest size down. */
#define for_each_class_down(pool, class, i)					\
	for ((i) = ZS_SIZE_CLASSES - 1; (i) >= 0; (i)--)			\
		if (((class) = (pool)->size_class[i])->index != (unsigned int)(i)) \
			continue;						\
		else

#define for_each_class_up(pool, class, i)					\
	for ((i) = 0; (i) < (int)ZS_SIZE_CLASSES; (i)++)			\
		if (((class) = (pool)->size_class[i])->index != (unsigned int)(i)) \
			continue;						\
		else

#endif
