/* SPDX-License-Identifier: GPL-3.0-or-later */
/* entry.c - what an entry holds: its object, its place on the LRU, its charge. */
#include "model/mm/memcg.h"
#include "model/zram/lzorle.h"
#include "model/zram/observer.h"
#include "model/zsmalloc/zsmalloc.h"
#include "model/zswap/zswap_internal.h"

void zswap_entry_free(struct zswap *zswap, struct zswap_entry *entry)
{
	struct mem_cgroup *memcg = entry->owner->memcg;
	u32 length = entry->length;

	zswap_lru_del(entry->owner, entry);
	if (length) {
		zs_free(zswap->mem_pool, entry->handle);
		(*get_cpu_ptr(zswap->refs))--;
		put_cpu_ptr(zswap->refs);
	} else {
		atomic_long_dec(&zswap->same_filled_pages);
	}
	obj_cgroup_uncharge_zswap(memcg, length);
	kmem_cache_free(zswap->entry_cache, entry);
	atomic_long_dec(&zswap->stored_pages);
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
	zram_observer_check(zswap->observer, (u32)entry->slot, mem, len);
	if (lzo_decompress(mem, len, page, PAGE_SIZE) != (long)PAGE_SIZE)
		hw_fault("zswap slot %u does not decompress to a page", (u32)entry->slot);
	hw_unmute();
	hw_work(zswap->work_decompress, 1);
	zs_obj_read_end(zswap->mem_pool, entry->handle, len, mem);
}
