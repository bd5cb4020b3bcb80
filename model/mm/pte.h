/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pte.h - page table entries and the lock of a table, which lies in the table's descriptor. */
#ifndef MM_PTE_H
#define MM_PTE_H

#include "model/kernel/page.h"
#include "model/kernel/spinlock.h"
#include "model/mm/mm.h"

#define PTE_PRESENT	1ull
#define PTE_SWAP	2ull
#define PTE_SWAP_SHIFT	2

static inline u64 pte_of_page(const struct page *page)
{
	return page_to_pfn(page) << PAGE_SHIFT | PTE_PRESENT;
}

static inline struct page *pte_page(u64 pte)
{
	return pfn_to_page(pte >> PAGE_SHIFT);
}

static inline u64 pte_of_slot(u32 slot)
{
	return (u64)slot << PTE_SWAP_SHIFT | PTE_SWAP;
}

static inline bool pte_is_swap(u64 pte)
{
	return (pte & 3) == PTE_SWAP;
}

static inline u32 pte_slot(u64 pte)
{
	return (u32)(pte >> PTE_SWAP_SHIFT);
}

static inline spinlock_t *pte_lockptr(struct page *table)
{
	return (spinlock_t *)&table->index;
}

static inline u64 *mm_pte(struct mm *mm, u64 index)
{
	return (u64 *)page_address(mm->tables[index / PTRS_PER_TABLE]) + index % PTRS_PER_TABLE;
}

#endif
