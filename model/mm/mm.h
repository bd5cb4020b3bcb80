/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mm.h - a process's anonymous memory: page tables of real entries, filling,
 * paging out in address order, unmapping.
 *
 * An entry is 0 (nothing), frame << PAGE_SHIFT | 1 (a page) or
 * slot << 2 | 2 (a swap slot).
 */
#ifndef MM_MM_H
#define MM_MM_H

#include "model/kernel/types.h"

#define PTRS_PER_TABLE	(PAGE_SIZE / 8)

struct page;

struct mm {
	u64 nr_pages;			/* of the region */
	u64 nr_tables;
	struct page **tables;		/* one page of entries each */
	s64 anon_pages, swap_entries;	/* the process's counters */
	int cpu;			/* whose swap clusters its pages go to */
	unsigned work_tlb_flush;
};

/* The bytes that the process has written to page @index of its region. */
typedef const void *(*mm_pattern_fn)(u64 index);
/* Stores page bytes in swap slot @slot. */
typedef int (*mm_swap_out_fn)(u32 slot, const void *page);

/*
 * A process with one anonymous region of @region_bytes, whole pages, and empty
 * page tables for it; it swaps to the clusters of @cpu. Lack of memory is a
 * fault, here and below.
 */
void mm_init(struct mm *mm, u64 region_bytes, int cpu);
/* After mm_unmap(): what is left of the process goes. */
void mm_destroy(struct mm *mm);
/* Touch every page of the region. */
void mm_fill(struct mm *mm);
/*
 * Page all of it out, a table's worth at a time, in address order. A page's
 * bytes depend on its index alone and nobody reads them but the page-out, so
 * they come from @pattern instead of from the page itself: the same bytes reach
 * the device, without filling all of the region in the host's memory first.
 */
void mm_page_out(struct mm *mm, mm_pattern_fn pattern, mm_swap_out_fn swap_out);
/* munmap() of the whole region, resident pages and swapped ones, tables included. */
void mm_unmap(struct mm *mm);
/* The same, but a thread frees the swap slots, later, where they are many; see model/swap/collect.h. */
void mm_unmap_collect(struct mm *mm);

#endif
