/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * page_alloc.c - page descriptors, the zone's buddy lists and its counters.
 *
 * One zone, one migrate type. Lock order: pcp->lock, then zone->lock.
 * NR_FREE_PAGES counts the pages in the buddy lists only, as the kernel's.
 */
#include "model/kernel/kernel.h"
#include "model/kernel/page_alloc.h"
#include "model/model.h"

struct page *mem_map;
unsigned long mem_pages;
struct zone *zone;

static unsigned long boot_next;		/* byte offset of the next boot allocation */
static unsigned long table_next, table_end;
static unsigned long first_managed;	/* frame number */

/* ---- start-up ---- */

void *alloc_boot(size_t bytes, size_t align, const char *name)
{
	unsigned long at = (boot_next + align - 1) / align * align;

	BUG_ON(first_managed);
	BUG_ON(at + bytes > mem_pages << PAGE_SHIFT);
	boot_next = at + bytes;
	hw_name_lines((char *)HW_MEM_BASE + at, bytes, name);
	return (char *)HW_MEM_BASE + at;
}

void page_alloc_early(u64 memory_bytes)
{
	mem_pages = memory_bytes >> PAGE_SHIFT;
	mem_map = (struct page *)HW_MEM_BASE;
	alloc_boot(DIV_ROUND_UP(mem_pages * sizeof(struct page), PAGE_SIZE) * PAGE_SIZE, PAGE_SIZE,
		   "page descriptor");
	/* Descriptors are mapped with large pages, all memory besides page by page. */
	hw_map_blocks(mem_map, mem_pages * sizeof(struct page));
	hw_page_table(alloc_boot(DIV_ROUND_UP(mem_pages * 8, PAGE_SIZE) * PAGE_SIZE, PAGE_SIZE, "page table"));
	zone = alloc_boot(sizeof(*zone), SMP_CACHE_BYTES, "zone");
	hw_name_lines(&zone->lock, SMP_CACHE_BYTES, "zone->lock");
}

static unsigned long int_sqrt(unsigned long x)
{
	unsigned long r = 0;

	while ((r + 1) * (r + 1) <= x)
		r++;
	return r;
}

/* Watermarks as the kernel sets them, huge pages' wish included, for one populated zone. */
static void set_watermarks(unsigned long managed)
{
	unsigned long kb = managed << (PAGE_SHIFT - 10);
	unsigned long min_kb = clamp(int_sqrt(16 * kb), 128ul, 262144ul);
	unsigned long huge = min(512ul * (2 + 3 * 3), managed / 20);
	unsigned long min_pages = max(min_kb >> (PAGE_SHIFT - 10), huge);
	unsigned long step = max(min_pages / 4, managed / 1000);

	zone->watermark[WMARK_MIN] = min_pages;
	zone->watermark[WMARK_LOW] = min_pages + step;
	zone->watermark[WMARK_HIGH] = min_pages + 2 * step;
}

/* Table memory is a 32nd of the whole, at its end. */
static void set_aside_tables(void)
{
	table_end = mem_pages << PAGE_SHIFT;
	table_next = (mem_pages - mem_pages / 32) << PAGE_SHIFT;
	mem_pages -= mem_pages / 32;
}

void page_alloc_init(void)
{
	unsigned long pfn;

	set_aside_tables();
	spin_lock_init_named(&zone->lock, "zone->lock");
	for (int o = 0; o < NR_ORDERS; o++)
		INIT_LIST_HEAD(&zone->free_area[o].list);
	first_managed = DIV_ROUND_UP(boot_next, PAGE_SIZE);
	zone->managed_pages = mem_pages - first_managed;
	set_watermarks(zone->managed_pages);
	zone->stat_threshold = min(125, 2 * fls(num_possible_cpus()) * (1 + fls(zone->managed_pages >> 15)));
	pcp_init();
	for (pfn = first_managed; pfn < mem_pages;) {
		unsigned order = MAX_ORDER;

		while (pfn & ((1ul << order) - 1) || pfn + (1ul << order) > mem_pages)
			order--;
		buddy_add_tail(pfn_to_page(pfn), order);
		pfn += 1ul << order;
	}
}

void *alloc_table(size_t bytes)
{
	void *at = (char *)HW_MEM_BASE + table_next;

	bytes = DIV_ROUND_UP(bytes, PAGE_SIZE) * PAGE_SIZE;
	if (table_next + bytes > table_end)
		return NULL;
	table_next += bytes;
	return at;
}

unsigned long managed_pages(void)
{
	return zone->managed_pages;
}

/* ---- counters: per-CPU deltas folded into the zone at a threshold ---- */

void mod_zone_page_state(enum zone_stat item, long delta)
{
	struct per_cpu_pages *pcp;
	long x;

	preempt_disable();
	pcp = this_cpu_ptr(zone->pcp);
	x = pcp->stat_delta[item] + delta;
	if (unlikely(x > zone->stat_threshold || x < -zone->stat_threshold)) {
		atomic_long_add(x, &zone->stat[item]);
		x = 0;
	}
	pcp->stat_delta[item] = (s32)x;
	preempt_enable();
}

long zone_page_state(enum zone_stat item)
{
	long sum = atomic_long_read(&zone->stat[item]);
	int cpu;

	for_each_possible_cpu(cpu)
		sum += per_cpu_ptr(zone->pcp, cpu)->stat_delta[item];
	return sum;
}

/* ---- buddy lists; zone->lock held, or start-up ---- */

static void account_free(long pages)
{
	mod_zone_page_state(NR_FREE_PAGES, pages);
	hw_gauge_add(GAUGE_FREE_PAGES, pages);
}

static inline void set_buddy(struct page *page, unsigned order)
{
	page->order = order;
	page->flags |= 1u << PG_buddy;
}

static inline void buddy_remove(struct page *page, unsigned order)
{
	list_del(&page->lru);
	page->flags &= ~(1u << PG_buddy);
	zone->free_area[order].nr_free--;
}

void buddy_add_tail(struct page *page, unsigned order)
{
	set_buddy(page, order);
	list_add_tail(&page->lru, &zone->free_area[order].list);
	zone->free_area[order].nr_free++;
	account_free(1l << order);
}

static inline bool is_free_buddy(unsigned long pfn, unsigned order)
{
	struct page *page;

	if (pfn < first_managed || pfn + (1ul << order) > mem_pages)
		return false;
	page = pfn_to_page(pfn);
	return page->flags >> PG_buddy & 1 && page->order == order;
}

/* The block of the next order would be free too but for this one's buddy: keep it at hand for merging. */
static bool merge_likely(unsigned long pfn, unsigned order)
{
	unsigned long merged, higher;

	if (order >= MAX_ORDER - 1)
		return false;
	merged = pfn & ~(1ul << order);
	higher = merged ^ (1ul << (order + 1));
	return is_free_buddy(higher, order + 1);
}

void buddy_free(struct page *page, unsigned order)
{
	unsigned long pfn = page_to_pfn(page);
	unsigned given = order;

	while (order < MAX_ORDER) {
		unsigned long buddy = pfn ^ (1ul << order);

		if (!is_free_buddy(buddy, order))
			break;
		buddy_remove(pfn_to_page(buddy), order);
		pfn &= ~(1ul << order);
		order++;
	}
	page = pfn_to_page(pfn);
	set_buddy(page, order);
	if (merge_likely(pfn, order))
		list_add_tail(&page->lru, &zone->free_area[order].list);
	else
		list_add(&page->lru, &zone->free_area[order].list);
	zone->free_area[order].nr_free++;
	account_free(1l << given);
}

/* The smallest block that holds @order; the rest of it goes back. */
struct page *buddy_alloc(unsigned order)
{
	for (unsigned o = order; o < NR_ORDERS; o++) {
		struct free_area *area = &zone->free_area[o];
		struct page *page;

		if (list_empty(&area->list))
			continue;
		page = list_first_entry(&area->list, struct page, lru);
		buddy_remove(page, o);
		while (o > order) {
			struct page *half;

			o--;
			half = page + (1ul << o);
			set_buddy(half, o);
			list_add(&half->lru, &zone->free_area[o].list);
			zone->free_area[o].nr_free++;
		}
		account_free(-(1l << order));
		return page;
	}
	return NULL;
}

unsigned long count_buddy_pages(void)
{
	unsigned long sum = 0;
	struct page *page;

	for (int o = 0; o < NR_ORDERS; o++)
		list_for_each_entry(page, &zone->free_area[o].list, lru)
			sum += 1ul << o;
	return sum;
}

/* ---- the interface ---- */

static struct page *prepare_new(struct page *page, unsigned order, gfp_t gfp)
{
	WARN_ON(page->mapping || atomic_read(&page->_refcount));
	page->private = 0;
	atomic_set(&page->_refcount, 1);
	hw_unpoison(page_address(page), PAGE_SIZE << order);
	if (!(gfp & __GFP_SKIP_ZERO))
		for (unsigned i = 0; i < 1u << order; i++)
			clear_page((char *)page_address(page) + i * PAGE_SIZE);
	return page;
}

struct page *alloc_pages(gfp_t gfp, unsigned order)
{
	struct page *page;

	if (!order) {
		page = pcp_alloc();
	} else {
		spin_lock(&zone->lock);
		page = buddy_alloc(order);
		spin_unlock(&zone->lock);
	}
	return page ? prepare_new(page, order, gfp) : NULL;
}

struct page *alloc_page(gfp_t gfp)
{
	return alloc_pages(gfp, 0);
}

/* A page that is given back must be nobody's any more. */
static void check_freed(const struct page *page)
{
	u32 busy = 1u << PG_locked | 1u << PG_private | 1u << PG_slab | 1u << PG_buddy;

	if (unlikely(page->flags & busy || page->mapping || page->memcg_data))
		hw_fault("page %lu is freed while in use: flags 0x%x", page_to_pfn(page), page->flags);
}

void __free_pages(struct page *page, unsigned order)
{
	if (!atomic_dec_and_test(&page->_refcount))
		return;
	check_freed(page);
	hw_poison(page_address(page), PAGE_SIZE << order, HW_POISON_PAGE);
	if (!order) {
		pcp_free(page);
		return;
	}
	spin_lock(&zone->lock);
	buddy_free(page, order);
	spin_unlock(&zone->lock);
}

void put_page(struct page *page)
{
	__free_pages(page, 0);
}
