/* SPDX-License-Identifier: GPL-3.0-or-later */
/* defer_pages.c - see defer_pages.h. Lock order: the lock is innermost. */
#include "model/swap/defer_pages.h"

#include "model/kernel/kernel.h"

#define POOL_PAGES	(unsigned)((256ul << 10) >> PAGE_SHIFT)

struct defer_page {
	struct list_head list;		/* of the pool: with room for all, or full */
	u32 count;
	void *numbers;			/* a page */
};

/* Per CPU; only its CPU uses it, with preemption off. */
struct page_filler {
	struct defer_page *page;	/* stays full while no other is to be had */
};

struct defer_pages {
	spinlock_t lock;		/* both lists */
	struct list_head empty, full;
	struct page_filler __percpu *filler;
	u32 bytes, room;		/* of a number; numbers in a page */
	defer_free_fn free_one;
	void *owner;
	struct work_struct drain_work ____cacheline_aligned;
} ____cacheline_aligned;

/* ---- pushing ---- */

/* The full page goes to the worker, if there is another to fill. */
static bool exchange(struct defer_pages *pages, struct page_filler *filler)
{
	struct defer_page *page;

	spin_lock(&pages->lock);
	page = list_first_entry_or_null(&pages->empty, struct defer_page, list);
	if (page) {
		list_del(&page->list);
		list_add_tail(&filler->page->list, &pages->full);
		filler->page = page;
	}
	spin_unlock(&pages->lock);
	return page;
}

static void add_number(const struct defer_pages *pages, struct defer_page *page, u64 number)
{
	if (pages->bytes == sizeof(u32))
		((u32 *)page->numbers)[page->count++] = (u32)number;
	else
		((u64 *)page->numbers)[page->count++] = number;
}

static u64 number_at(const struct defer_pages *pages, const struct defer_page *page, u32 i)
{
	return pages->bytes == sizeof(u32) ? ((const u32 *)page->numbers)[i] : ((const u64 *)page->numbers)[i];
}

/* Returns whether the number waits now; *queued: a page was queued, so the worker must be told. */
static bool push(struct defer_pages *pages, struct page_filler *filler, u64 number, bool *queued)
{
	if (unlikely(filler->page->count == pages->room)) {
		if (!exchange(pages, filler))
			return false;
		*queued = true;
	}
	add_number(pages, filler->page, number);
	if (unlikely(filler->page->count == pages->room) && exchange(pages, filler))
		*queued = true;
	return true;
}

bool defer_pages_push(struct defer_pages *pages, u64 number)
{
	bool queued = false, waits;

	waits = push(pages, get_cpu_ptr(pages->filler), number, &queued);
	put_cpu_ptr(pages->filler);
	if (queued)
		queue_work(system_dfl_wq, &pages->drain_work);
	return waits;
}

/* ---- freeing ---- */

static void drain_page(struct defer_pages *pages, struct defer_page *page)
{
	for (u32 i = 0; i < page->count; i++)
		pages->free_one(pages->owner, number_at(pages, page, i));
	page->count = 0;
}

static struct defer_page *take_full(struct defer_pages *pages)
{
	struct defer_page *page;

	spin_lock(&pages->lock);
	page = list_first_entry_or_null(&pages->full, struct defer_page, list);
	if (page)
		list_del(&page->list);
	spin_unlock(&pages->lock);
	return page;
}

static void drain_full(struct defer_pages *pages)
{
	struct defer_page *page;

	while ((page = take_full(pages))) {
		drain_page(pages, page);
		spin_lock(&pages->lock);
		list_add(&page->list, &pages->empty);
		spin_unlock(&pages->lock);
		cond_resched();
	}
}

static void drain_work_fn(struct work_struct *work)
{
	drain_full(container_of(work, struct defer_pages, drain_work));
}

/* ---- the pool ---- */

static struct defer_page *create_page(void)
{
	struct defer_page *page = kzalloc(sizeof(*page), GFP_KERNEL);

	BUG_ON(!page);
	page->numbers = kmalloc(PAGE_SIZE, GFP_KERNEL);
	BUG_ON(!page->numbers);
	hw_name_lines(page->numbers, PAGE_SIZE, "waiting numbers");
	return page;
}

static void destroy_page(struct defer_page *page)
{
	kfree(page->numbers);
	kfree(page);
}

struct defer_pages *defer_pages_create(unsigned bytes, defer_free_fn free_one, void *owner)
{
	struct defer_pages *pages = kzalloc(sizeof(*pages), GFP_KERNEL);
	int cpu;

	BUG_ON(!pages);
	pages->filler = alloc_percpu(struct page_filler);
	BUG_ON(!pages->filler);
	pages->bytes = bytes;
	pages->room = (u32)(PAGE_SIZE / bytes);
	pages->free_one = free_one;
	pages->owner = owner;
	spin_lock_init_named(&pages->lock, "defer_pages->lock");
	INIT_LIST_HEAD(&pages->empty);
	INIT_LIST_HEAD(&pages->full);
	INIT_WORK(&pages->drain_work, drain_work_fn);
	for (unsigned i = 0; i < POOL_PAGES; i++)
		list_add(&create_page()->list, &pages->empty);
	for_each_possible_cpu(cpu)
		per_cpu_ptr(pages->filler, cpu)->page = create_page();
	return pages;
}

void defer_pages_flush(struct defer_pages *pages)
{
	int cpu;

	cancel_work_sync(&pages->drain_work);
	drain_full(pages);
	for_each_possible_cpu(cpu)
		drain_page(pages, per_cpu_ptr(pages->filler, cpu)->page);
}

void defer_pages_destroy(struct defer_pages *pages)
{
	struct defer_page *page, *next;
	int cpu;

	defer_pages_flush(pages);
	list_for_each_entry_safe(page, next, &pages->empty, list)
		destroy_page(page);
	for_each_possible_cpu(cpu)
		destroy_page(per_cpu_ptr(pages->filler, cpu)->page);
	free_percpu(pages->filler);
	kfree(pages);
}
