/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pcp.c - per-CPU page lists: single pages come from and go to a list of the
 * CPU's own; only when it is empty or long does the zone lock come in, for a
 * batch at a time.
 */
#include "model/kernel/kernel.h"
#include "model/kernel/page_alloc.h"
#include "model/model.h"

#define BATCH_SCALE_MAX	5

static int zone_batch(unsigned long managed)
{
	unsigned long x = max(min(managed >> 10, 256ul) / 4, 1ul);

	return (int)(1ul << ilog2(x + x / 2)) - 1;
}

void pcp_init(void)
{
	int batch = max(zone_batch(zone->managed_pages), 1);
	int cpus = (int)num_possible_cpus(), cpu;

	zone->pcp = alloc_percpu(struct per_cpu_pages);
	BUG_ON(!zone->pcp);
	for_each_possible_cpu(cpu) {
		struct per_cpu_pages *pcp = per_cpu_ptr(zone->pcp, cpu);

		spin_lock_init_named(&pcp->lock, "pcp->lock");
		INIT_LIST_HEAD(&pcp->list);
		pcp->batch = batch;
		pcp->high_min = max((int)zone->watermark[WMARK_LOW] / cpus, 4 * batch);
		pcp->high_max = max((int)(zone->managed_pages / 8) / cpus, 4 * batch);
		pcp->high_max = max(pcp->high_max, pcp->high_min);
		pcp->high = pcp->high_min;
	}
}

/* @nr pages from the tail of the list, the longest unused, to the buddy lists in one hold of the zone lock. */
static void free_bulk(struct per_cpu_pages *pcp, int nr)
{
	nr = min(nr, pcp->count);
	pcp->count -= nr;
	hw_gauge_add(GAUGE_PCP_PAGES, -nr);
	spin_lock(&zone->lock);
	while (nr--) {
		struct page *page = list_last_entry(&pcp->list, struct page, lru);

		list_del(&page->lru);
		buddy_free(page, 0);
	}
	spin_unlock(&zone->lock);
}

/* The limit floats: up while frees come in a row, and not below the share of the low mark. */
static int floating_high(struct per_cpu_pages *pcp)
{
	int needed = pcp->free_count + pcp->batch;

	if (pcp->count >= pcp->high && pcp->high < needed)
		pcp->high = clamp(needed, pcp->high_min, pcp->high_max);
	return pcp->high;
}

void pcp_free(struct page *page)
{
	struct per_cpu_pages *pcp;
	int high;

	preempt_disable();
	pcp = this_cpu_ptr(zone->pcp);
	if (unlikely(!spin_trylock(&pcp->lock))) {
		preempt_enable();
		spin_lock(&zone->lock);
		buddy_free(page, 0);
		spin_unlock(&zone->lock);
		return;
	}
	list_add(&page->lru, &pcp->list);
	pcp->count++;
	hw_gauge_add(GAUGE_PCP_PAGES, 1);
	pcp->alloc_factor >>= 1;
	if (pcp->free_count < pcp->batch << BATCH_SCALE_MAX)
		pcp->free_count++;
	high = floating_high(pcp);
	if (pcp->count >= high)
		free_bulk(pcp, clamp(pcp->free_count, pcp->batch, max(high - pcp->batch, pcp->batch)));
	spin_unlock(&pcp->lock);
	preempt_enable();
}

/* Take a batch from the buddy lists, larger ones when allocations come in a row. */
static void refill(struct per_cpu_pages *pcp)
{
	int nr = min(pcp->batch << pcp->alloc_factor, max(pcp->high - pcp->count - pcp->batch, pcp->batch));
	int got = 0;

	if (pcp->alloc_factor < BATCH_SCALE_MAX)
		pcp->alloc_factor++;
	spin_lock(&zone->lock);
	while (got < nr) {
		struct page *page = buddy_alloc(0);

		if (!page)
			break;
		list_add_tail(&page->lru, &pcp->list);
		got++;
	}
	spin_unlock(&zone->lock);
	pcp->count += got;
	hw_gauge_add(GAUGE_PCP_PAGES, got);
}

struct page *pcp_alloc(void)
{
	struct per_cpu_pages *pcp;
	struct page *page = NULL;

	preempt_disable();
	pcp = this_cpu_ptr(zone->pcp);
	spin_lock(&pcp->lock);
	pcp->free_count >>= 1;
	if (list_empty(&pcp->list))
		refill(pcp);
	if (!list_empty(&pcp->list)) {
		page = list_first_entry(&pcp->list, struct page, lru);
		list_del(&page->lru);
		pcp->count--;
		hw_gauge_add(GAUGE_PCP_PAGES, -1);
	}
	spin_unlock(&pcp->lock);
	preempt_enable();
	return page;
}

void drain_all_pages(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct per_cpu_pages *pcp = per_cpu_ptr(zone->pcp, cpu);

		spin_lock(&pcp->lock);
		if (pcp->count)
			free_bulk(pcp, pcp->count);
		spin_unlock(&pcp->lock);
	}
}

unsigned long count_pcp_pages(void)
{
	unsigned long sum = 0;
	struct page *page;
	int cpu;

	for_each_possible_cpu(cpu)
		list_for_each_entry(page, &per_cpu_ptr(zone->pcp, cpu)->list, lru)
			sum++;
	return sum;
}
