/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zswap.h - a compressed cache in front of a swap device: a page that goes to
 * a swap slot is kept in memory if it compresses and there is room, and goes to
 * the device behind otherwise, or later.
 *
 * Slots are those of the swap device, 0 .. slots - 1. For each region of
 * 16384 slots there is a tree of entries with a lock of its own. Lock order:
 * swap cluster, tree, list of an LRU, zsmalloc's.
 */
#ifndef ZSWAP_ZSWAP_H
#define ZSWAP_ZSWAP_H

#include "model/kernel/types.h"
#include "model/model.h"

struct mem_cgroup;
struct zs_pool;
struct zswap;

/* Writes the PAGE_SIZE bytes at @page to slot @slot of the device behind; may sleep. */
typedef void (*zswap_write_fn)(void *device, u32 slot, const void *page);

/* Of all CPUs. */
struct zswap_counts {
	u64 stored;			/* pages stored since the start */
	u64 stored_pages;		/* in it now */
	u64 same_filled_pages;		/* of these, pages of one word */
	u64 written_back;
	u64 rejected;			/* no room, or the page would not have become smaller */
};

/*
 * In front of a device of @slots slots. It takes at most @max_pool_percent
 * (1 .. 100) of all memory; after it was full it takes pages again below 90 %
 * of that. Lack of memory is a fault.
 */
struct zswap *zswap_create(u32 slots, const struct model_variant *variant, unsigned chain_size, unsigned max_pool_percent,
			   zswap_write_fn write, void *device);
/* Pages of @contents, which stays, will be stored: what they become is in it. Before the first of them. */
void zswap_use_contents(struct zswap *zswap, const struct model_contents *contents);
/* Free all that a scheme of axis `free` lets wait above zs_free(). Nobody frees meanwhile; may sleep. */
void zswap_flush(struct zswap *zswap);
/* No entry may be left: a fault. Drains deferred frees first. */
void zswap_destroy(struct zswap *zswap);

/*
 * An LRU of its own, with its lock, for the pages of one memory control group;
 * @memcg pays for them.
 */
struct zswap_lru *zswap_lru_create(struct zswap *zswap, struct mem_cgroup *memcg);
/* Entries that are still on it are a fault. */
void zswap_lru_destroy(struct zswap_lru *lru);
unsigned long zswap_lru_count(const struct zswap_lru *lru);

/*
 * Keep the PAGE_SIZE bytes at @page as slot @slot, at the young end of @lru.
 * What the slot held before goes. Returns 0; -ENOSPC: the page must go to the
 * device; -ENOMEM: likewise.
 */
int zswap_store(struct zswap *zswap, struct zswap_lru *lru, u32 slot, const void *page);
/*
 * Fetch slot @slot into the PAGE_SIZE bytes at @page. @exclusive: the entry
 * goes, since the page in memory is newer from now on. Returns false when the
 * slot is not in here. An object that is not what was stored is a fault.
 */
bool zswap_load(struct zswap *zswap, u32 slot, void *page, bool exclusive);
/* Nobody needs slot @slot any more. Called under the cluster's lock: never sleeps. */
void zswap_invalidate(struct zswap *zswap, u32 slot);
/*
 * Write up to @nr of the oldest entries of @lru to the device and let them go.
 * An entry that was loaded since it came, or since the last look, is spared
 * once. Returns how many went.
 */
unsigned long zswap_writeback(struct zswap *zswap, struct zswap_lru *lru, unsigned long nr);

struct zs_pool *zswap_pool(struct zswap *zswap);
void zswap_count(struct zswap *zswap, struct zswap_counts *out);

/* Compare all that is stored with what was written, and the counters with the entries. Functional mode. */
void zswap_check_contents(struct zswap *zswap);

#endif
