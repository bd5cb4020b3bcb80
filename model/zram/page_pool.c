/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * page_pool.c - see page_pool.h. Lock order: swap cluster -> page_pool->lock; slot
 * locks and page_pool->lock do not nest.
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
#include "model/zram/zram_deferred.h"
#include "model/zram/zram_slot.h"

#define POOL_PAGES	(unsigned)((256ul << 10) >> PAGE_SHIFT)
#define PAGE_SLOTS	(unsigned)(PAGE_SIZE / sizeof(u32))

struct slot_page {
	struct list_head list;		/* of the pool: with room for all, or full */
	u32 count;
	u32 *slots;			/* a page */
};

/* Per CPU; only its CPU uses it, with preemption off. */
struct slot_filler {
	struct slot_page *page;		/* stays full while no other is to be had */
};

struct page_pool {
	spinlock_t lock;		/* both lists */
	struct list_head empty, full;
	struct slot_filler __percpu *filler;
	u8 *marks;			/* by slot */
	struct zram *zram;
	struct work_struct drain_work ____cacheline_aligned;
} ____cacheline_aligned;

/* ---- pushing ---- */

/* An empty page for the full one, which is queued; NULL if there is none. */
static struct slot_page *exchange(struct page_pool *pool, struct slot_page *full)
{
	struct slot_page *page;

	spin_lock(&pool->lock);
	page = list_first_entry_or_null(&pool->empty, struct slot_page, list);
	if (page) {
		list_del(&page->list);
		list_add_tail(&full->list, &pool->full);
	}
	spin_unlock(&pool->lock);
	return page;
}

/* The full page goes to the worker, if there is another to fill. */
static bool queue_full(struct page_pool *pool, struct slot_filler *filler)
{
	struct slot_page *page = exchange(pool, filler->page);

	if (page)
		filler->page = page;
	return page;
}

/* Returns whether the slot waits now; *queued: a page was queued, so the worker must be told. */
static bool push(struct page_pool *pool, struct slot_filler *filler, u32 index, bool *queued)
{
	struct slot_page *page = filler->page;

	if (unlikely(page->count == PAGE_SLOTS)) {
		if (!queue_full(pool, filler))
			return false;
		*queued = true;
		page = filler->page;
	}
	WRITE_ONCE(pool->marks[index], 1);
	page->slots[page->count++] = index;
	hw_mute();
	zram_observe_waiting(pool->zram, index, 1);
	hw_unmute();
	if (unlikely(page->count == PAGE_SLOTS) && queue_full(pool, filler))
		*queued = true;
	return true;
}

/* As the swap code expects it of a device. */
static void free_now(struct zram *zram, u32 index)
{
	if (!slot_trylock(zram, index)) {
		atomic64_inc(&zram->stats.miss_free);
		return;
	}
	slot_free(zram, index);
	slot_unlock(zram, index);
}

void zram_slot_free_later(void *device, u32 index)
{
	struct zram *zram = device;
	struct page_pool *pool = zram->page_pool;
	bool queued = false, waits;

	zram_stats_notify_free(zram);
	waits = push(pool, get_cpu_ptr(pool->filler), index, &queued);
	put_cpu_ptr(pool->filler);
	if (queued)
		queue_work(system_dfl_wq, &pool->drain_work);
	if (!waits)
		free_now(zram, index);
}

/* ---- freeing ---- */

static void free_marked(struct page_pool *pool, u32 index)
{
	struct zram *zram = pool->zram;

	slot_lock(zram, index);
	if (READ_ONCE(pool->marks[index])) {
		WRITE_ONCE(pool->marks[index], 0);
		hw_mute();
		zram_observe_freed(zram, index, 1);
		hw_unmute();
		slot_free(zram, index);
	}
	slot_unlock(zram, index);
}

static void drain_page(struct page_pool *pool, struct slot_page *page)
{
	for (u32 i = 0; i < page->count; i++)
		free_marked(pool, page->slots[i]);
	page->count = 0;
}

static struct slot_page *take_full(struct page_pool *pool)
{
	struct slot_page *page;

	spin_lock(&pool->lock);
	page = list_first_entry_or_null(&pool->full, struct slot_page, list);
	if (page)
		list_del(&page->list);
	spin_unlock(&pool->lock);
	return page;
}

static void drain_full(struct page_pool *pool)
{
	struct slot_page *page;

	while ((page = take_full(pool))) {
		drain_page(pool, page);
		spin_lock(&pool->lock);
		list_add(&page->list, &pool->empty);
		spin_unlock(&pool->lock);
		cond_resched();
	}
}

static void drain_work_fn(struct work_struct *work)
{
	drain_full(container_of(work, struct page_pool, drain_work));
}

int zram_write_again(struct zram *zram, u32 index, const void *page)
{
	if (READ_ONCE(zram->page_pool->marks[index]))
		free_marked(zram->page_pool, index);
	return zram_write(zram, index, page);
}

/* ---- the pool ---- */

static struct slot_page *create_page(void)
{
	struct slot_page *page = kzalloc(sizeof(*page), GFP_KERNEL);

	BUG_ON(!page);
	page->slots = kmalloc(PAGE_SIZE, GFP_KERNEL);
	BUG_ON(!page->slots);
	hw_name_lines(page->slots, PAGE_SIZE, "waiting slots");
	return page;
}

static void destroy_page(struct slot_page *page)
{
	kfree(page->slots);
	kfree(page);
}

void zram_page_pool_create(struct zram *zram)
{
	struct page_pool *pool = kzalloc(sizeof(*pool), GFP_KERNEL);
	int cpu;

	BUG_ON(!pool);
	pool->zram = zram;
	pool->filler = alloc_percpu(struct slot_filler);
	pool->marks = vzalloc(zram->nr_slots);
	BUG_ON(!pool->filler || !pool->marks);
	spin_lock_init_named(&pool->lock, "page_pool->lock");
	hw_name_lines(pool->marks, DIV_ROUND_UP(zram->nr_slots, PAGE_SIZE) * PAGE_SIZE, "waiting marks");
	INIT_LIST_HEAD(&pool->empty);
	INIT_LIST_HEAD(&pool->full);
	INIT_WORK(&pool->drain_work, drain_work_fn);
	for (unsigned i = 0; i < POOL_PAGES; i++)
		list_add(&create_page()->list, &pool->empty);
	for_each_possible_cpu(cpu)
		per_cpu_ptr(pool->filler, cpu)->page = create_page();
	zram->page_pool = pool;
}

void zram_page_pool_flush(struct zram *zram)
{
	struct page_pool *pool = zram->page_pool;
	int cpu;

	cancel_work_sync(&pool->drain_work);
	drain_full(pool);
	for_each_possible_cpu(cpu)
		drain_page(pool, per_cpu_ptr(pool->filler, cpu)->page);
}

void zram_page_pool_destroy(struct zram *zram)
{
	struct page_pool *pool = zram->page_pool;
	struct slot_page *page, *next;
	int cpu;

	zram_page_pool_flush(zram);
	list_for_each_entry_safe(page, next, &pool->empty, list)
		destroy_page(page);
	for_each_possible_cpu(cpu)
		destroy_page(per_cpu_ptr(pool->filler, cpu)->page);
	free_percpu(pool->filler);
	vfree(pool->marks);
	kfree(pool);
	zram->page_pool = NULL;
}
