/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zspage.h - a chain of pages that objects of one class are packed into.
 *
 * Page descriptors are overloaded while a page belongs to a zspage:
 *   private	the zspage
 *   index	the next page of the chain; for a huge zspage handle | 1 instead
 *   page_type	PGTY_zsmalloc in the top 8 bits, below it the offset of the
 *		first object that starts in the page
 *   mapping	marks the page movable
 *   PG_private	the first page
 */
#ifndef ZSMALLOC_ZSPAGE_H
#define ZSMALLOC_ZSPAGE_H

#include "model/zsmalloc/pool.h"
#include "model/zsmalloc/zspage_lock.h"

#define ZSPAGE_MAGIC	0x58u

struct zspage {
	struct {
		unsigned int huge : 1;
		unsigned int fullness : 4;
		unsigned int class : CLASS_BITS + 1;
		unsigned int magic : 8;
	};
	unsigned int inuse;		/* objects */
	unsigned int freeobj;		/* index of the first free object */
	struct page *first_page;
	struct list_head list;		/* in a fullness list */
	struct zs_pool *pool;
	struct zspage_lock zsl;
};

_Static_assert(offsetof(struct zspage, inuse) == 4, "as in the kernel");
_Static_assert(offsetof(struct zspage, freeobj) == 8, "as in the kernel");
_Static_assert(offsetof(struct zspage, first_page) == 16, "as in the kernel");
_Static_assert(offsetof(struct zspage, list) == 24, "as in the kernel");
_Static_assert(offsetof(struct zspage, pool) == 40, "as in the kernel");
_Static_assert(offsetof(struct zspage, zsl) == 48, "as in the kernel");
_Static_assert(sizeof(struct zspage) == 56, "73 in a 4 KiB slab");

#define PAGE_TYPE_SHIFT		24
#define FIRST_OBJ_MASK		((1u << PAGE_TYPE_SHIFT) - 1)
#define PAGE_TYPE_NONE		(~0u)
/* Value of page.mapping: movable, without a pointer to code in it that would differ from run to run. */
#define ZS_MAPPING_MOVABLE	((void *)2ul)

static inline void set_page_zsmalloc(struct page *page)
{
	page->page_type = PGTY_zsmalloc << PAGE_TYPE_SHIFT;
}

static inline bool page_is_zsmalloc(const struct page *page)
{
	return page->page_type >> PAGE_TYPE_SHIFT == PGTY_zsmalloc;
}

static inline unsigned int get_first_obj_offset(struct page *page)
{
	return page->page_type & FIRST_OBJ_MASK;
}

static inline void set_first_obj_offset(struct page *page, unsigned int offset)
{
	page->page_type = (page->page_type & ~FIRST_OBJ_MASK) | offset;
}

static inline struct zspage *get_zspage(struct page *page)
{
	struct zspage *zspage = (struct zspage *)page->private;

	BUG_ON(zspage->magic != ZSPAGE_MAGIC);
	return zspage;
}

/* NULL after the last. The index of a huge page is its handle, so the chain must not be followed there. */
static inline struct page *get_next_page(struct page *page)
{
	if (unlikely(get_zspage(page)->huge))
		return NULL;
	return (struct page *)page->index;
}

static inline struct size_class *zspage_class(struct zs_pool *pool, struct zspage *zspage)
{
	return pool->size_class[zspage->class];
}

static inline bool zspage_full(struct size_class *class, struct zspage *zspage)
{
	return zspage->inuse == (unsigned int)class->objs_per_zspage;
}

static inline bool zspage_empty(struct zspage *zspage)
{
	return zspage->inuse == 0;
}

/* A new zspage with all objects free, on no list. NULL when memory is short, with nothing left behind. */
struct zspage *alloc_zspage(struct zs_pool *pool, struct size_class *class, gfp_t gfp);

/* Link the pages of @zspage in the order of @pages and point each at it. */
void create_page_chain(struct size_class *class, struct zspage *zspage, struct page *pages[]);

/* Mark all pages movable. The pages must be unlocked, as fresh ones are. */
void set_zspage_movable(struct zspage *zspage);

/* Lock all pages, or none: false if one of them is locked by another. Never waits. */
bool trylock_zspage(struct zspage *zspage);

/* Lock all pages of a zspage that is on no list; sleeps until it has them. */
void lock_zspage(struct zspage *zspage);

/* Take a page out of zsmalloc's hands: its descriptor forgets zspage, chain, type and movability. */
void reset_page(struct page *page);

/* Unlock and give back all pages, which are locked, and the zspage. */
void release_zspage(struct zspage *zspage);

#endif
