/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * page.h - page descriptors (one 64-byte line each) and the page allocator.
 *
 * Overlays: lru links buddy and per-CPU free lists while the page is free;
 * zsmalloc uses index as next page or handle and private as its zspage.
 * Descriptors are an array at the start of simulated memory, so a frame
 * number and a descriptor are a subtraction apart.
 */
#ifndef KERNEL_PAGE_H
#define KERNEL_PAGE_H

#include "model/kernel/atomic.h"
#include "model/kernel/list.h"
#include "model/kernel/bug.h"

#define GFP_NOWAIT	0x01u
#define GFP_NOIO	0x02u
#define GFP_KERNEL	0x04u
#define __GFP_HIGHMEM	0x10u
#define __GFP_MOVABLE	0x20u
#define __GFP_NOWARN	0x40u
#define __GFP_ZERO	0x80u
#define __GFP_SKIP_ZERO	0x100u	/* the caller overwrites the whole page */

enum page_flag_bit { PG_locked, PG_waiters, PG_private, PG_slab, PG_buddy };

struct page {
	u32 flags;			/* @0 */
	u32 order;			/* @4: of a free block while PG_buddy */
	struct list_head lru;		/* @8 */
	void *mapping;			/* @24: movable operations */
	union {
		unsigned long index;	/* @32 */
		unsigned long __folio_index;	/* newer kernels' name for the same word */
	};
	unsigned long private;		/* @40 */
	u32 page_type;			/* @48: type in the top 8 bits, 24 bits for the owner */
	atomic_t _refcount;		/* @52 */
	unsigned long memcg_data;	/* @56 */
};
_Static_assert(sizeof(struct page) == 64, "one line per descriptor");

#define PGTY_zsmalloc	0xf6u

extern struct page *mem_map;		/* constant after boot */
extern unsigned long mem_pages;

static __always_inline unsigned long page_to_pfn(const struct page *page)
{
	return (unsigned long)(page - mem_map);
}

static __always_inline struct page *pfn_to_page(unsigned long pfn)
{
	return mem_map + pfn;
}

static __always_inline void *page_address(const struct page *page)
{
	return (char *)HW_MEM_BASE + (page_to_pfn(page) << PAGE_SHIFT);
}

static __always_inline struct page *virt_to_page(const void *addr)
{
	return mem_map + (((unsigned long)addr - HW_MEM_BASE) >> PAGE_SHIFT);
}

#define kmap_local_page(page)	page_address(page)
#define kunmap_local(addr)	do { (void)(addr); } while (0)

/* The page lock. trylock never waits; lock_page sleeps until it is free. */
bool trylock_page(struct page *page);
void lock_page(struct page *page);
void unlock_page(struct page *page);
bool PageLocked(struct page *page);
void wait_on_page_locked(struct page *page);

static inline void SetPagePrivate(struct page *page)
{
	set_bit32(PG_private, &page->flags);
}

static inline void ClearPagePrivate(struct page *page)
{
	clear_bit32(PG_private, &page->flags);
}

static inline bool PagePrivate(struct page *page)
{
	return test_bit32(PG_private, &page->flags);
}

static inline void get_page(struct page *page)
{
	atomic_inc(&page->_refcount);
}

/*
 * One page, reference count 1, or NULL when there is none. All of its bytes
 * are zero if __GFP_ZERO (the reference kernel clears each page: its
 * INIT_ON_ALLOC). alloc_pages_boot() never fails and is for start-up.
 */
struct page *alloc_page(gfp_t gfp);
struct page *alloc_pages(gfp_t gfp, unsigned order);
void __free_pages(struct page *page, unsigned order);
/* Drop a reference; the last one gives the page back. */
void put_page(struct page *page);
#define __free_page(page) put_page(page)

void *alloc_boot(size_t bytes, size_t align, const char *name);
/* Start-up: first the descriptors and alloc_boot(), later, with locks, the free lists. */
void page_alloc_early(u64 memory_bytes);
void page_alloc_init(void);
/* Contiguous zeroed pages of a part of memory set aside for large tables; never given back. NULL when used up. */
void *alloc_table(size_t bytes);

/* Per-CPU page lists give everything back to the buddy lists. */
void drain_all_pages(void);
/* Pages now in the buddy lists / on per-CPU lists, counted by walking. */
unsigned long count_buddy_pages(void);
unsigned long count_pcp_pages(void);
/* Pages that the allocator manages (memory less what boot took). */
unsigned long managed_pages(void);

/* Number of zspage pages in the zone, as the kernel's NR_ZSPAGES: per-CPU deltas. */
enum zone_stat { NR_FREE_PAGES, NR_ZSPAGES, NR_ANON_PAGES, NR_SLAB_PAGES, NR_KERNEL_PAGES, NR_ZONE_STATS };
void mod_zone_page_state(enum zone_stat item, long delta);
/* Exact value: global plus all per-CPU deltas. */
long zone_page_state(enum zone_stat item);

#endif
