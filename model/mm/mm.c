/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mm.c - filling a region and paging it out. */
#include "model/mm/mm.h"
#include "model/kernel/kernel.h"
#include "model/mm/pte.h"
#include "model/swap/swap.h"

void mm_init(struct mm *mm, u64 region_bytes, int cpu)
{
	mm->nr_pages = region_bytes >> PAGE_SHIFT;
	mm->nr_tables = DIV_ROUND_UP(mm->nr_pages, PTRS_PER_TABLE);
	mm->tables = vzalloc(mm->nr_tables * sizeof(*mm->tables));
	mm->cpu = cpu;
	mm->work_tlb_flush = hw_work_name("tlb_flush");
	BUG_ON(!mm->tables);
	for (u64 i = 0; i < mm->nr_tables; i++) {
		struct page *table = alloc_page(GFP_KERNEL | __GFP_ZERO);

		if (!table)
			hw_fault("out of simulated memory for page tables");
		mod_zone_page_state(NR_KERNEL_PAGES, 1);
		hw_name_lines(page_address(table), PAGE_SIZE, "pte table");
		spin_lock_init_named(pte_lockptr(table), "pte lock");
		mm->tables[i] = table;
	}
}

void mm_destroy(struct mm *mm)
{
	BUG_ON(mm->nr_tables);
	vfree(mm->tables);
}

void mm_fill(struct mm *mm)
{
	for (u64 i = 0; i < mm->nr_pages; i++) {
		struct page *page = alloc_page(GFP_KERNEL | __GFP_HIGHMEM | __GFP_MOVABLE | __GFP_SKIP_ZERO);

		if (!page)
			hw_fault("out of simulated memory while filling page %lu", (unsigned long)i);
		mod_zone_page_state(NR_ANON_PAGES, 1);
		mm->anon_pages++;
		WRITE_ONCE(*mm_pte(mm, i), pte_of_page(page));
	}
}

static void page_out_one(struct mm *mm, u64 index, mm_pattern_fn pattern, mm_swap_out_fn swap_out)
{
	u64 *pte = mm_pte(mm, index);
	struct page *page = pte_page(*pte);
	u32 slot = swap_alloc(mm->cpu);

	if (!slot)
		hw_fault("swap is full at page %lu", (unsigned long)index);
	if (swap_out(slot, pattern(index)))
		hw_fault("out of simulated memory while paging out page %lu", (unsigned long)index);
	WRITE_ONCE(*pte, pte_of_slot(slot));
	mm->anon_pages--;
	mm->swap_entries++;
	mod_zone_page_state(NR_ANON_PAGES, -1);
	put_page(page);
}

void mm_page_out(struct mm *mm, mm_pattern_fn pattern, mm_swap_out_fn swap_out)
{
	for (u64 i = 0; i < mm->nr_pages; i++)
		page_out_one(mm, i, pattern, swap_out);
}
