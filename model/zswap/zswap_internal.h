/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zswap_internal.h - entries, trees and LRUs, laid out as those of 6.12. */
#ifndef ZSWAP_ZSWAP_INTERNAL_H
#define ZSWAP_ZSWAP_INTERNAL_H

#include "model/kernel/kernel.h"
#include "model/zswap/zswap.h"

#define TREE_SLOTS	16384u		/* 64 MB of swap in pages of 4 KiB */

struct zswap_lru {
	struct zswap *zswap;
	struct mem_cgroup *memcg;
	spinlock_t lock ____cacheline_aligned;
	unsigned long nr_items;
	struct list_head list;		/* oldest first */
};

struct zswap_entry {
	u64 slot;
	u32 length;			/* 0: filled with one word */
	bool referenced;
	struct zswap *pool;
	union {
		unsigned long handle;
		unsigned long value;
	};
	union {
		struct zswap_lru *owner;	/* whose list it is on, */
		struct mem_cgroup *memcg;	/* and once off it, who pays: the list may go before the entry */
	};
	struct list_head lru;
};
_Static_assert(sizeof(struct zswap_entry) == 56, "as large as the kernel's");

/* A region's tree on a line of its own. */
struct zswap_tree {
	struct xarray xa;
} ____cacheline_aligned;

struct zswap {
	struct zs_pool *mem_pool;
	struct zswap_tree *trees;
	struct kmem_cache *entry_cache, *node_cache;
	long __percpu *refs;		/* entries hold the pool: counted per CPU */
	u8 *buffer[HW_MAX_CPUS];	/* where an object that spans pages is put together */
	zswap_write_fn write;
	void *device;
	u32 nr_slots;
	unsigned long max_pages, accept_pages;
	unsigned work_compress, work_decompress;
	struct zram_observer *observer;
	enum axis_free free;
	struct defer_pages *deferred;	/* entries that wait to be freed; NULL: none does */
	bool full;
	atomic_long_t stored_pages ____cacheline_aligned;
	atomic_long_t same_filled_pages, stored, written_back, rejected;
};

static inline struct zswap_tree *zswap_tree(struct zswap *zswap, u32 slot)
{
	return &zswap->trees[slot / TREE_SLOTS];
}

/* lru.c: the young end; off the list. */
void zswap_lru_add(struct zswap_lru *lru, struct zswap_entry *entry);
void zswap_lru_del(struct zswap_lru *lru, struct zswap_entry *entry);
/*
 * The slot of an entry that may go, NULL when @lru has none or the look ends.
 * Entries that are spared go to the young end and count against @looks.
 */
struct zswap_entry *zswap_lru_oldest(struct zswap_lru *lru, unsigned long *looks, u32 *slot);

/*
 * entry.c: an entry that is in no tree any more, off its list, its memory and
 * its charge given back; with FREE_DEFER_PAGE_POOL all but the first later.
 */
void zswap_entry_free(struct zswap *zswap, struct zswap_entry *entry);
/* What was left for later, now. */
void zswap_entry_release(void *zswap, u64 entry);
/* The page that @entry holds. */
void zswap_decompress(struct zswap *zswap, const struct zswap_entry *entry, void *page);

#endif
