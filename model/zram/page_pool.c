/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * page_pool.c - see page_pool.h.
 *
 * A swap slot is free for others as soon as its owner let it go, so a slot
 * whose number waits in a page may hold somebody else's page when the worker gets
 * there. What the patches did about it is not known here. This is safe:
 *
 *  - a mark for each slot, a byte, says that what it holds is to be freed. It is
 *    set under the cluster's lock, before anybody can have the slot again;
 *  - whoever writes the slot again (zram_write_again()) frees what is marked
 *    and clears the mark first; nobody reads a slot that nobody has written;
 *  - the worker frees a slot only if it finds the mark, and clears it. Both do so
 *    with the slot locked. A number left over from an earlier life of the slot
 *    finds no mark, or that of a later life, and what that marks is to be freed too.
 */
#include "model/zram/page_pool.h"
#include "model/kernel/kernel.h"
#include "model/zram/zram_deferred.h"
#include "model/zram/zram_slot.h"
#include "model/swap/defer_pages.h"

struct page_pool {
	struct defer_pages *pages;
	u8 *marks;			/* by slot */
};

/* The slot is locked. Without its mark somebody has freed what it held. */
static void free_if_marked(struct zram *zram, u32 index)
{
	u8 *mark = &zram->page_pool->marks[index];

	if (!READ_ONCE(*mark))
		return;
	WRITE_ONCE(*mark, 0);
	hw_mute();
	zram_observe_freed(zram, index, 1);
	hw_unmute();
	slot_free(zram, index);
}

/* As the swap code expects it of a device. Missed, the mark stays for whoever comes to the slot next. */
static void free_now(struct zram *zram, u32 index)
{
	if (!slot_trylock(zram, index)) {
		atomic64_inc(&zram->stats.miss_free);
		return;
	}
	free_if_marked(zram, index);
	slot_unlock(zram, index);
}

void zram_slot_free_later(void *device, u32 index)
{
	struct zram *zram = device;

	zram_stats_notify_free(zram);
	hw_mute();
	zram_observe_waiting(zram, index, 1);
	hw_unmute();
	WRITE_ONCE(zram->page_pool->marks[index], 1);
	if (!defer_pages_push(zram->page_pool->pages, index))
		free_now(zram, index);
}

static void free_marked(void *device, u64 index)
{
	struct zram *zram = device;

	slot_lock(zram, (u32)index);
	free_if_marked(zram, (u32)index);
	slot_unlock(zram, (u32)index);
}

int zram_write_again(struct zram *zram, u32 index, const void *page)
{
	if (READ_ONCE(zram->page_pool->marks[index]))
		free_marked(zram, index);
	return zram_write(zram, index, page);
}

void zram_page_pool_create(struct zram *zram)
{
	struct page_pool *pool = kzalloc(sizeof(*pool), GFP_KERNEL);

	BUG_ON(!pool);
	pool->marks = vzalloc(zram->nr_slots);
	BUG_ON(!pool->marks);
	hw_name_lines(pool->marks, DIV_ROUND_UP(zram->nr_slots, PAGE_SIZE) * PAGE_SIZE, "waiting marks");
	pool->pages = defer_pages_create(sizeof(u32), free_marked, zram);
	zram->page_pool = pool;
}

void zram_page_pool_flush(struct zram *zram)
{
	defer_pages_flush(zram->page_pool->pages);
}

void zram_page_pool_destroy(struct zram *zram)
{
	struct page_pool *pool = zram->page_pool;

	defer_pages_destroy(pool->pages);
	vfree(pool->marks);
	kfree(pool);
	zram->page_pool = NULL;
}
