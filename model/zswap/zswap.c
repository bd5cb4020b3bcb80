/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zswap.c - store, load, invalidate, writeback. */
#include "model/zswap/zswap.h"

#include "model/mm/memcg.h"
#include "model/zram/observer.h"
#include "model/swap/defer_pages.h"
#include "model/zsmalloc/zsmalloc.h"
#include "model/zswap/zswap_internal.h"

/* ---- store ---- */

/* After the limit was reached, room is what is below nine tenths of it. */
static bool pool_full(struct zswap *zswap)
{
	unsigned long pages = zs_get_total_pages(zswap->mem_pool);

	if (pages >= zswap->max_pages)
		WRITE_ONCE(zswap->full, true);
	else if (READ_ONCE(zswap->full) && pages <= zswap->accept_pages)
		WRITE_ONCE(zswap->full, false);
	return READ_ONCE(zswap->full);
}

static bool one_word(const void *page, unsigned long *value)
{
	const unsigned long *p = page;
	size_t last = PAGE_SIZE / sizeof(*p) - 1;

	if (p[0] != p[last])
		return false;
	for (size_t i = 1; i < last; i++)
		if (p[i] != p[0])
			return false;
	*value = p[0];
	return true;
}

/* The object for @page: 0 and @entry's length and handle, or why it cannot be. */
static int compress(struct zswap *zswap, struct zswap_entry *entry, const void *page)
{
	unsigned long handle;
	const u8 *data;
	size_t len;

	hw_mute();
	data = zram_observer_compress(zswap->observer, page, &len);
	hw_unmute();
	hw_work(zswap->work_compress, 1);
	if (len >= PAGE_SIZE)
		return -ENOSPC;
	handle = zs_malloc(zswap->mem_pool, len, GFP_NOWAIT | __GFP_NOWARN | __GFP_HIGHMEM | __GFP_MOVABLE);
	if (IS_ERR_VALUE(handle))
		return (int)handle;
	zs_obj_write(zswap->mem_pool, handle, data, len);
	entry->handle = handle;
	entry->length = (u32)len;
	(*get_cpu_ptr(zswap->refs))++;
	put_cpu_ptr(zswap->refs);
	hw_mute();
	zram_observer_stored(zswap->observer, (u32)entry->slot, data, len);
	hw_unmute();
	return 0;
}

/* An entry that is in no tree and on no list yet: back with all it has. */
static void drop_new(struct zswap *zswap, struct zswap_entry *entry)
{
	if (entry->length) {
		zs_free(zswap->mem_pool, entry->handle);
		(*get_cpu_ptr(zswap->refs))--;
		put_cpu_ptr(zswap->refs);
	}
	kmem_cache_free(zswap->entry_cache, entry);
}

static int fill_entry(struct zswap *zswap, struct zswap_entry *entry, const void *page)
{
	if (one_word(page, &entry->value)) {
		entry->length = 0;
		return 0;
	}
	return compress(zswap, entry, page);
}

/* Into the tree, charged and on the list; what the slot held before goes. */
static int insert_entry(struct zswap *zswap, struct zswap_entry *entry)
{
	struct zswap_entry *old = xa_store(&zswap_tree(zswap, (u32)entry->slot)->xa, zswap->node_cache, entry->slot, entry,
					   GFP_KERNEL);

	if (IS_ERR(old))
		return (int)PTR_ERR(old);
	if (old)
		zswap_entry_free(zswap, old);
	obj_cgroup_charge_zswap(entry->owner->memcg, entry->length);
	if (!entry->length)
		atomic_long_inc(&zswap->same_filled_pages);
	zswap_lru_add(entry->owner, entry);
	atomic_long_inc(&zswap->stored_pages);
	atomic_long_inc(&zswap->stored);
	return 0;
}

/* The slot's old content must not outlive a store that failed: the device has the newer page. */
static int reject(struct zswap *zswap, u32 slot, int error)
{
	atomic_long_inc(&zswap->rejected);
	zswap_invalidate(zswap, slot);
	return error;
}

int zswap_store(struct zswap *zswap, struct zswap_lru *lru, u32 slot, const void *page)
{
	struct zswap_entry *entry;
	int error;

	if (pool_full(zswap))
		return reject(zswap, slot, -ENOSPC);
	entry = kmem_cache_zalloc(zswap->entry_cache, GFP_KERNEL);
	if (!entry)
		return reject(zswap, slot, -ENOMEM);
	entry->slot = slot;
	entry->pool = zswap;
	entry->owner = lru;
	entry->referenced = true;
	error = fill_entry(zswap, entry, page);
	if (!error)
		error = insert_entry(zswap, entry);
	if (!error)
		return 0;
	drop_new(zswap, entry);
	return reject(zswap, slot, error);
}

/* ---- load, invalidate ---- */

bool zswap_load(struct zswap *zswap, u32 slot, void *page, bool exclusive)
{
	struct xarray *xa = &zswap_tree(zswap, slot)->xa;
	struct zswap_entry *entry = exclusive ? xa_erase(xa, zswap->node_cache, slot) : xa_load(xa, slot);

	if (!entry)
		return false;
	zswap_decompress(zswap, entry, page);
	if (exclusive)
		zswap_entry_free(zswap, entry);
	else
		WRITE_ONCE(entry->referenced, true);
	return true;
}

void zswap_invalidate(struct zswap *zswap, u32 slot)
{
	struct xarray *xa = &zswap_tree(zswap, slot)->xa;
	struct zswap_entry *entry;

	if (xa_empty(xa))
		return;
	entry = xa_erase(xa, zswap->node_cache, slot);
	if (entry)
		zswap_entry_free(zswap, entry);
}

/* ---- writeback ---- */

unsigned long zswap_writeback(struct zswap *zswap, struct zswap_lru *lru, unsigned long nr)
{
	unsigned long looks = zswap_lru_count(lru) + nr, gone = 0;
	struct page *page = alloc_page(GFP_KERNEL);
	struct zswap_entry *entry;
	u32 slot;

	if (!page)
		return 0;
	while (gone < nr && (entry = zswap_lru_oldest(lru, &looks, &slot))) {
		/* It may have been freed since it was found: then the tree does not have it. */
		if (!xa_erase_entry(&zswap_tree(zswap, slot)->xa, zswap->node_cache, slot, entry))
			continue;
		zswap_decompress(zswap, entry, page_address(page));
		zswap->write(zswap->device, slot, page_address(page));
		zswap_entry_free(zswap, entry);
		atomic_long_inc(&zswap->written_back);
		gone++;
		cond_resched();
	}
	put_page(page);
	return gone;
}

/* ---- the whole ---- */

static u32 nr_trees(const struct zswap *zswap)
{
	return DIV_ROUND_UP(zswap->nr_slots, TREE_SLOTS);
}

static void create_trees(struct zswap *zswap)
{
	size_t bytes = nr_trees(zswap) * sizeof(*zswap->trees);

	zswap->trees = vzalloc(bytes);
	BUG_ON(!zswap->trees);
	for (u32 i = 0; i < nr_trees(zswap); i++)
		xa_init(&zswap->trees[i].xa, "zswap tree");
	hw_name_lines(zswap->trees, DIV_ROUND_UP(bytes, PAGE_SIZE) * PAGE_SIZE, "zswap trees");
}

static void create_deferral(struct zswap *zswap, enum axis_free free)
{
	zswap->free = free;
	if (free == FREE_DEFER_PAGE_POOL)
		zswap->deferred = defer_pages_create(sizeof(u64), zswap_entry_release, zswap);
	else if (free == FREE_DEFER_GLOBAL_LIST)
		BUG_ON(!zs_deferred_list_create(zswap->mem_pool));
}

struct zswap *zswap_create(u32 slots, const struct model_variant *variant, unsigned chain_size, unsigned max_pool_percent,
			   zswap_write_fn write, void *device)
{
	struct zswap *zswap = vzalloc(sizeof(*zswap));

	BUG_ON(!zswap);
	zswap->nr_slots = slots;
	zswap->write = write;
	zswap->device = device;
	zswap->max_pages = managed_pages() * max_pool_percent / 100;
	zswap->accept_pages = zswap->max_pages * 90 / 100;
	zswap->entry_cache = kmem_cache_create("zswap_entry", sizeof(struct zswap_entry), 0);
	zswap->node_cache = kmem_cache_create("radix_tree_node", XA_NODE_BYTES, 0);
	zswap->refs = alloc_percpu(long);
	zswap->mem_pool = zs_create_pool("zswap", variant, chain_size);
	zswap->observer = zram_observer_create(slots);
	BUG_ON(!zswap->entry_cache || !zswap->node_cache || !zswap->refs || !zswap->mem_pool || !zswap->observer);
	for (unsigned cpu = 0; cpu < num_possible_cpus(); cpu++) {
		zswap->buffer[cpu] = kmalloc(2 * PAGE_SIZE, GFP_KERNEL);
		BUG_ON(!zswap->buffer[cpu]);
	}
	zswap->work_compress = hw_work_name("compress_page");
	zswap->work_decompress = hw_work_name("decompress_page");
	hw_name_lines(&zswap->stored_pages, SMP_CACHE_BYTES, "zswap counters");
	create_trees(zswap);
	create_deferral(zswap, variant->free);
	return zswap;
}

void zswap_use_contents(struct zswap *zswap, const struct model_contents *contents)
{
	zram_observer_use(zswap->observer, contents);
}

void zswap_flush(struct zswap *zswap)
{
	if (zswap->deferred)
		defer_pages_flush(zswap->deferred);
	if (zswap->free == FREE_DEFER_GLOBAL_LIST)
		zs_deferred_list_flush(zswap->mem_pool);
}

static void no_entries(struct zswap *zswap)
{
	long refs = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		refs += *per_cpu_ptr(zswap->refs, cpu);
	for (u32 i = 0; i < nr_trees(zswap); i++)
		if (!xa_empty(&zswap->trees[i].xa))
			hw_fault("zswap goes with entries in the tree of slots %u and on", i * TREE_SLOTS);
	if (refs || atomic_long_read(&zswap->stored_pages) || atomic_long_read(&zswap->same_filled_pages))
		hw_fault("zswap goes with %ld pages counted, %ld of one word, and %ld holds on the pool",
			 (long)atomic_long_read(&zswap->stored_pages), (long)atomic_long_read(&zswap->same_filled_pages), refs);
}

void zswap_destroy(struct zswap *zswap)
{
	if (zswap->deferred)
		defer_pages_destroy(zswap->deferred);
	if (zswap->free == FREE_DEFER_GLOBAL_LIST)
		zs_deferred_list_destroy(zswap->mem_pool);
	no_entries(zswap);
	zs_destroy_pool(zswap->mem_pool);
	for (unsigned cpu = 0; cpu < num_possible_cpus(); cpu++)
		kfree(zswap->buffer[cpu]);
	kmem_cache_destroy(zswap->entry_cache);
	kmem_cache_destroy(zswap->node_cache);
	free_percpu(zswap->refs);
	vfree(zswap->trees);
	zram_observer_destroy(zswap->observer);
	vfree(zswap);
}

struct zs_pool *zswap_pool(struct zswap *zswap)
{
	return zswap->mem_pool;
}

void zswap_count(struct zswap *zswap, struct zswap_counts *out)
{
	out->stored = (u64)atomic_long_read(&zswap->stored);
	out->stored_pages = (u64)atomic_long_read(&zswap->stored_pages);
	out->same_filled_pages = (u64)atomic_long_read(&zswap->same_filled_pages);
	out->written_back = (u64)atomic_long_read(&zswap->written_back);
	out->rejected = (u64)atomic_long_read(&zswap->rejected);
}

/* ---- check ---- */

struct found {
	struct zswap *zswap;
	long pages, same;
};

static void check_entry(void *arg, u64 index, void *ptr)
{
	struct found *found = arg;
	struct zswap_entry *entry = ptr;
	struct zs_pool *pool = found->zswap->mem_pool;
	void *mem;

	if (entry->slot != index)
		hw_fault("the tree has the entry of slot %lu at %lu", (unsigned long)entry->slot, (unsigned long)index);
	found->pages++;
	if (!entry->length) {
		found->same++;
		return;
	}
	mem = zs_obj_read_begin(pool, entry->handle, entry->length, found->zswap->buffer[smp_processor_id()]);
	zram_observer_check(found->zswap->observer, (u32)index, mem, entry->length);
	zs_obj_read_end(pool, entry->handle, entry->length, mem);
}

void zswap_check_contents(struct zswap *zswap)
{
	struct found found = { .zswap = zswap };

	for (u32 i = 0; i < nr_trees(zswap); i++)
		xa_for_all(&zswap->trees[i].xa, check_entry, &found);
	/* entries that wait are counted and in no tree */
	if (zswap->deferred)
		return;
	if (found.pages != atomic_long_read(&zswap->stored_pages) ||
	    found.same != atomic_long_read(&zswap->same_filled_pages))
		hw_fault("the trees hold %ld pages, %ld of one word; the counters say %ld and %ld", found.pages, found.same,
			 (long)atomic_long_read(&zswap->stored_pages), (long)atomic_long_read(&zswap->same_filled_pages));
}
