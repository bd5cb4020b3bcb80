/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zram.c - the device: slots and their locks, write, read, free. */
#include "model/zram/zram_slot.h"

/* ---- free ---- */

void zram_slot_free_notify(void *device, u32 index)
{
	struct zram *zram = device;

	zram_stats_notify_free(zram);
	if (!slot_trylock(zram, index)) {
		atomic64_inc(&zram->stats.miss_free);
		return;
	}
	slot_free(zram, index);
	slot_unlock(zram, index);
}

void zram_discard(struct zram *zram, u32 index)
{
	slot_lock(zram, index);
	slot_free(zram, index);
	slot_unlock(zram, index);
	zram_stats_notify_free(zram);
}

/* ---- write ---- */

static bool page_same_filled(const void *page, unsigned long *element)
{
	const unsigned long *p = page;
	size_t last = PAGE_SIZE / sizeof(*p) - 1;

	if (p[0] != p[last])
		return false;
	for (size_t i = 1; i < last; i++)
		if (p[i] != p[0])
			return false;
	*element = p[0];
	return true;
}

static void write_same(struct zram *zram, u32 index, unsigned long element)
{
	struct zram_delta d = { .pages_stored = 1, .same_pages = 1 };

	slot_lock(zram, index);
	slot_free(zram, index);
	slot_set_flag(zram, index, ZRAM_SAME);
	zram->table[index].handle = element;
	slot_unlock(zram, index);
	zram_stats_add(zram, d);
}

void zram_raise_max_used(struct zram *zram)
{
	s64 pages = (s64)zs_get_total_pages(zram->mem_pool);
	s64 old = atomic_long_read(&zram->stats.max_used_pages);

	while (pages > old)
		if (atomic_long_try_cmpxchg(&zram->stats.max_used_pages, &old, pages))
			break;
}

/* Store @len bytes at @data, PAGE_SIZE of them if the page did not compress. */
static int write_object(struct zram *zram, u32 index, const void *data, size_t len)
{
	bool huge = len == PAGE_SIZE;
	struct zram_delta d = { .pages_stored = 1, .huge_pages = huge, .compr_data_size = (int)len };
	unsigned long handle = zs_malloc(zram->mem_pool, len, GFP_NOIO | __GFP_NOWARN | __GFP_HIGHMEM | __GFP_MOVABLE);

	if (IS_ERR_VALUE(handle)) {
		atomic64_inc(&zram->stats.failed_writes);
		return (int)handle;
	}
	zram_raise_max_used(zram);
	zs_obj_write(zram->mem_pool, handle, data, len);
	slot_lock(zram, index);
	slot_free(zram, index);
	if (huge) {
		slot_set_flag(zram, index, ZRAM_HUGE);
		atomic64_inc(&zram->stats.huge_pages_since);
	}
	zram->table[index].handle = handle;
	slot_set_size(zram, index, (u32)len);
	slot_unlock(zram, index);
	zram_stats_add(zram, d);
	hw_mute();
	zram_observer_stored(zram->observer, index, data, len);
	hw_unmute();
	return 0;
}

int zram_write(struct zram *zram, u32 index, const void *page)
{
	unsigned long element;
	const u8 *data;
	size_t len;

	if (page_same_filled(page, &element)) {
		write_same(zram, index, element);
		return 0;
	}
	hw_mute();
	data = zram_observer_compress(zram->observer, page, &len);
	hw_unmute();
	hw_work(zram->work_compress, 1);
	if (len >= zram->huge_class_size)
		return write_object(zram, index, page, PAGE_SIZE);
	return write_object(zram, index, data, len);
}

/* ---- read ---- */

/* Where an object that spans pages is put together: one per CPU, and nobody sleeps while it is in use. */
static u8 local_copy[HW_MAX_CPUS][PAGE_SIZE];

void zram_read_object(struct zram *zram, u32 index, void *page)
{
	unsigned long handle = zram->table[index].handle;
	size_t len = slot_size(zram, index);
	void *mem = zs_obj_read_begin(zram->mem_pool, handle, len, local_copy[smp_processor_id()]);

	hw_mute();
	zram_observer_check(zram->observer, index, mem, len);
	hw_unmute();
	if (len == PAGE_SIZE) {
		copy_page(page, mem);
	} else {
		hw_mute();
		zram_observer_decompress(zram->observer, index, mem, len, page);
		hw_unmute();
		hw_work(zram->work_decompress, 1);
	}
	zs_obj_read_end(zram->mem_pool, handle, len, mem);
}

/* A slot that is used is not idle, and not one to be written back. It is locked. */
static void slot_accessed(struct zram *zram, u32 index)
{
	slot_clear_flag(zram, index, ZRAM_IDLE);
	slot_clear_flag(zram, index, ZRAM_PP_SLOT);
}

static void read_same(unsigned long element, unsigned long *page)
{
	for (size_t i = 0; i < PAGE_SIZE / sizeof(*page); i++)
		page[i] = element;
}

/* A page that was written back is fetched with the slot unlocked: its block stays until the slot is freed. */
int zram_read(struct zram *zram, u32 index, void *page)
{
	u32 block = 0;

	slot_lock(zram, index);
	if (slot_flag(zram, index, ZRAM_WB))
		block = (u32)zram->table[index].handle;
	else if (zram->table[index].handle && !slot_flag(zram, index, ZRAM_SAME))
		zram_read_object(zram, index, page);
	else
		read_same(zram->table[index].handle, page);
	slot_accessed(zram, index);
	slot_unlock(zram, index);
	if (block)
		zram_backing_read(zram, block, page);
	return 0;
}

/* ---- the device ---- */

struct zram *zram_create(u64 disksize, const struct model_variant *variant, unsigned chain_size)
{
	struct zram *zram = vzalloc(sizeof(*zram));
	size_t table_bytes = (disksize >> PAGE_SHIFT) * sizeof(struct zram_table_entry);

	BUG_ON(!zram);
	zram->nr_slots = (u32)(disksize >> PAGE_SHIFT);
	zram->disksize = disksize;
	zram->percpu = variant->zram_stats == ZRAM_STATS_PERCPU;
	zram->table = vzalloc(table_bytes);
	zram->cpu_stats = alloc_percpu(struct zram_cpu_stats);
	zram->mem_pool = zs_create_pool("zram0", variant, chain_size);
	zram->observer = zram_observer_create(zram->nr_slots);
	BUG_ON(!zram->table || !zram->cpu_stats || !zram->mem_pool || !zram->observer);
	zram->huge_class_size = zs_huge_class_size(zram->mem_pool);
	zram->slot_class = hw_lock_class("zram slot");
	zram->work_compress = hw_work_name("compress_page");
	zram->work_decompress = hw_work_name("decompress_page");
	hw_name_lines(zram->table, DIV_ROUND_UP(table_bytes, PAGE_SIZE) * PAGE_SIZE, "zram table");
	hw_name_lines((char *)zram + 64, 64, "zram stats A");
	hw_name_lines((char *)zram + 128, 64, "zram stats B");
	return zram;
}

/* Slots that a missed notification left behind go now. */
void zram_destroy(struct zram *zram)
{
	for (u32 i = 0; i < zram->nr_slots; i++)
		if (zram->table[i].handle || slot_flag(zram, i, ZRAM_SAME))
			slot_free(zram, i);
	zram_backing_destroy(zram);
	zs_destroy_pool(zram->mem_pool);
	free_percpu(zram->cpu_stats);
	zram_observer_destroy(zram->observer);
	vfree(zram->table);
	vfree(zram);
}

void zram_use_contents(struct zram *zram, const struct model_contents *contents)
{
	zram_observer_use(zram->observer, contents);
}

struct zs_pool *zram_pool(struct zram *zram)
{
	return zram->mem_pool;
}

unsigned long zram_slot_handle(struct zram *zram, u32 index)
{
	return zram->table[index].handle;
}

static void check_object(struct zram *zram, u32 index, size_t len)
{
	unsigned long handle = zram->table[index].handle;
	void *mem = zs_obj_read_begin(zram->mem_pool, handle, len, local_copy[smp_processor_id()]);

	zram_observer_check(zram->observer, index, mem, len);
	zs_obj_read_end(zram->mem_pool, handle, len, mem);
}

void zram_check_contents(struct zram *zram)
{
	s64 pages = 0, bytes = 0, same = 0, huge = 0;

	for (u32 i = 0; i < zram->nr_slots; i++) {
		size_t len = slot_size(zram, i);

		if (slot_flag(zram, i, ZRAM_SAME)) {
			same++;
		} else if (slot_flag(zram, i, ZRAM_WB)) {
			pages++;
		} else if (zram->table[i].handle) {
			check_object(zram, i, len);
			pages++;
			bytes += (s64)len;
			huge += slot_flag(zram, i, ZRAM_HUGE);
		}
	}
	if (pages + same != zram_stat(zram, pages_stored) || bytes != zram_stat(zram, compr_data_size) ||
	    same != zram_stat(zram, same_pages) || huge != zram_stat(zram, huge_pages))
		hw_fault("the slots hold %ld pages, %ld bytes, %ld same, %ld huge; the counters say otherwise",
			 (long)(pages + same), (long)bytes, (long)same, (long)huge);
}
