/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unmap.c - the walk of munmap(): zap a table's entries under its lock, table after table. */
#include "model/kernel/kernel.h"
#include "model/mm/pte.h"
#include "model/swap/collect.h"
#include "model/swap/swap.h"

#define GATHER_PAGES 510u		/* a page-sized batch of the gather list */

/* What one walk has collected. */
struct zap {
	struct mm *mm;
	s64 anon, swap;			/* counters, folded into the mm once per table */
	struct page **pages;		/* cleared, to be freed after the TLB flush */
	unsigned nr_pages;
	bool collect;			/* swap slots are left to a thread, see swap/collect.h */
	struct swap_batch *batch;	/* of such slots */
};

/* How many entries from @pte on, @most at the most, are swap slots in sequence. */
static unsigned swap_pte_batch(const u64 *pte, unsigned most)
{
	u64 expected = READ_ONCE(*pte);
	unsigned nr = 1;

	while (nr < most) {
		expected += 1ull << PTE_SWAP_SHIFT;
		if (READ_ONCE(pte[nr]) != expected)
			break;
		nr++;
	}
	return nr;
}

static unsigned zap_swap(struct zap *zap, u64 *pte, unsigned most)
{
	u64 first = READ_ONCE(*pte);
	unsigned nr = swap_pte_batch(pte, most);

	zap->swap -= nr;
	if (unlikely(zap->collect))
		swap_collect(&zap->batch, pte_slot(first), nr);
	else
		swap_put_entries_direct(pte_slot(first), nr);
	for (unsigned i = 0; i < nr; i++)
		pte[i] = 0;
	return nr;
}

static void flush_gathered(struct zap *zap)
{
	if (!zap->nr_pages)
		return;
	hw_work(zap->mm->work_tlb_flush, 1);
	for (unsigned i = 0; i < zap->nr_pages; i++) {
		mod_zone_page_state(NR_ANON_PAGES, -1);
		put_page(zap->pages[i]);
		if (i % 512 == 511)
			cond_resched();
	}
	zap->nr_pages = 0;
}

/* Returns false when the gather list is full: flush and come again. */
static bool zap_present(struct zap *zap, u64 *pte)
{
	if (zap->nr_pages == GATHER_PAGES)
		return false;
	zap->pages[zap->nr_pages++] = pte_page(*pte);
	*pte = 0;
	zap->anon--;
	return true;
}

static void zap_table(struct zap *zap, struct page *table, unsigned nr)
{
	u64 *pte = page_address(table);
	unsigned i = 0;

	while (i < nr) {
		bool full = false;

		spin_lock(pte_lockptr(table));
		while (i < nr && !full) {
			u64 entry = READ_ONCE(pte[i]);

			if (!entry)
				i++;
			else if (pte_is_swap(entry))
				i += zap_swap(zap, &pte[i], nr - i);
			else if (zap_present(zap, &pte[i]))
				i++;
			else
				full = true;
		}
		zap->mm->anon_pages += zap->anon;
		zap->mm->swap_entries += zap->swap;
		zap->anon = zap->swap = 0;
		spin_unlock(pte_lockptr(table));
		if (full)
			flush_gathered(zap);
	}
}

static void free_tables(struct mm *mm)
{
	for (u64 i = 0; i < mm->nr_tables; i++) {
		mm->tables[i]->index = 0;
		mod_zone_page_state(NR_KERNEL_PAGES, -1);
		put_page(mm->tables[i]);
		mm->tables[i] = NULL;
	}
	mm->nr_tables = 0;
}

static void unmap(struct mm *mm, bool collect)
{
	struct zap zap = { .mm = mm, .collect = collect };
	u64 left = mm->nr_pages;

	zap.pages = kmalloc(GATHER_PAGES * sizeof(struct page *), GFP_KERNEL);
	BUG_ON(!zap.pages);
	for (u64 t = 0; t < mm->nr_tables; t++) {
		zap_table(&zap, mm->tables[t], (unsigned)min(left, (u64)PTRS_PER_TABLE));
		left -= min(left, (u64)PTRS_PER_TABLE);
		cond_resched();
	}
	flush_gathered(&zap);
	if (collect)
		swap_collect_end(&zap.batch);
	free_tables(mm);
	kfree(zap.pages);
	WARN_ON(mm->anon_pages || mm->swap_entries);
}

void mm_unmap(struct mm *mm)
{
	unmap(mm, false);
}

void mm_unmap_collect(struct mm *mm)
{
	unmap(mm, mm->swap_entries >= (s64)SWAP_COLLECT_THRESHOLD);
}
