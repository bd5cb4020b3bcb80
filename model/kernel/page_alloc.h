/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page_alloc.h - inside the page allocator: the zone and the per-CPU lists. */
#ifndef KERNEL_PAGE_ALLOC_H
#define KERNEL_PAGE_ALLOC_H

#include "model/kernel/page.h"
#include "model/kernel/spinlock.h"

#define MAX_ORDER	10
#define NR_ORDERS	(MAX_ORDER + 1)

enum watermark { WMARK_MIN, WMARK_LOW, WMARK_HIGH, NR_WMARKS };

struct free_area {
	struct list_head list;
	unsigned long nr_free;
};

/* Single pages at hand for one CPU, see pcp.c. */
struct per_cpu_pages {
	spinlock_t lock;
	int count;			/* pages on the list */
	int high;			/* at this count a part goes back */
	int high_min, high_max;
	int batch;
	u8 alloc_factor;		/* batch << this are taken at once */
	int free_count;			/* pages freed in a row */
	struct list_head list;
	s32 stat_delta[NR_ZONE_STATS] ____cacheline_aligned;
} ____cacheline_aligned;

struct zone {
	unsigned long watermark[NR_WMARKS];
	unsigned long managed_pages;
	long stat_threshold;
	struct per_cpu_pages __percpu *pcp;
	spinlock_t lock ____cacheline_aligned;
	struct free_area free_area[NR_ORDERS];
	atomic_long_t stat[NR_ZONE_STATS] ____cacheline_aligned;
};

extern struct zone *zone;

/* zone->lock held. */
struct page *buddy_alloc(unsigned order);
void buddy_free(struct page *page, unsigned order);
void buddy_add_tail(struct page *page, unsigned order);

void pcp_init(void);
struct page *pcp_alloc(void);
void pcp_free(struct page *page);

#endif
