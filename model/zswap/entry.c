/* SPDX-License-Identifier: GPL-3.0-or-later */
/* entry.c - what an entry holds: its object, its place on the LRU, its charge. */
#include "model/mm/memcg.h"
#include "model/zram/observer.h"
#include "model/swap/defer_pages.h"
#include "model/zsmalloc/zsmalloc.h"
#include "model/zswap/zswap_internal.h"

/* The list of FREE_DEFER_GLOBAL_LIST is the pool's. */
static void free_object(struct zswap *zswap, unsigned long handle)
{
	if (zswap->free == FREE_DEFER_GLOBAL_LIST)
		zs_free_deferred(zswap->mem_pool, handle);
	else
		zs_free(zswap->mem_pool, handle);
}

static void release(struct zswap *zswap, struct zswap_entry *entry)
{
	u32 length = entry->length;

	if (length) {
		free_object(zswap, entry->handle);
		(*get_cpu_ptr(zswap->refs))--;
		put_cpu_ptr(zswap->refs);
	} else {
		atomic_long_dec(&zswap->same_filled_pages);
	}
	obj_cgroup_uncharge_zswap(entry->memcg, length);
	kmem_cache_free(zswap->entry_cache, entry);
	atomic_long_dec(&zswap->stored_pages);
}

static void observe_waiting(struct zswap *zswap, const struct zswap_entry *entry)
{
	if (entry->length)
		zs_observe_waiting(zswap->mem_pool, entry->handle);
	else
		hw_gauge_add(GAUGE_DEFERRED_OBJECTS, 1);
}

static void observe_freed(struct zswap *zswap, const struct zswap_entry *entry)
{
	if (entry->length)
		zs_observe_freed(zswap->mem_pool);
	else
		hw_gauge_add(GAUGE_DEFERRED_OBJECTS, -1);
}

void zswap_entry_release(void *owner, u64 number)
{
	struct zswap_entry *entry = (struct zswap_entry *)number;

	hw_mute();
	observe_freed(owner, entry);
	hw_unmute();
	release(owner, entry);
}

/*
 * Nobody can find an entry that waits: it is in no tree and on no list. The
 * patches left it on the LRU, which reviewers objected to: what becomes of it
 * when its group goes? Here the list is left at once, and only the group's
 * bill is paid late.
 */
void zswap_entry_free(struct zswap *zswap, struct zswap_entry *entry)
{
	zswap_lru_del(entry->owner, entry);
	entry->memcg = entry->owner->memcg;
	if (likely(!zswap->deferred)) {
		release(zswap, entry);
		return;
	}
	hw_mute();
	observe_waiting(zswap, entry);
	hw_unmute();
	if (!defer_pages_push(zswap->deferred, (u64)entry))
		zswap_entry_release(zswap, (u64)entry);
}

static void fill_page(unsigned long value, void *page)
{
	unsigned long *p = page;

	for (size_t i = 0; i < PAGE_SIZE / sizeof(*p); i++)
		p[i] = value;
}

void zswap_decompress(struct zswap *zswap, const struct zswap_entry *entry, void *page)
{
	size_t len = entry->length;
	void *mem;

	if (!len) {
		fill_page(entry->value, page);
		return;
	}
	mem = zs_obj_read_begin(zswap->mem_pool, entry->handle, len, zswap->buffer[smp_processor_id()]);
	hw_mute();
	zram_observer_decompress(zswap->observer, (u32)entry->slot, mem, len, page);
	hw_unmute();
	hw_work(zswap->work_decompress, 1);
	zs_obj_read_end(zswap->mem_pool, entry->handle, len, mem);
}
