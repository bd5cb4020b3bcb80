/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mm.h - page descriptors: types, marks, statistics, folios.
 *
 * A folio of this memory is always one page, so both are the same descriptor.
 */
#ifndef KSHIM_LINUX_MM_H
#define KSHIM_LINUX_MM_H

#include <linux/kernel.h>
#include <linux/gfp.h>
#include <linux/pgtable.h>
#include "model/model.h"

/*
 * A frame number comes out of an object value, whose lower bits hold other
 * things; that the page is found through that load cannot be seen from outside.
 */
#define KSHIM_FRAME_SHIFT (BITS_PER_LONG - (MAX_POSSIBLE_PHYSMEM_BITS - PAGE_SHIFT))

static __always_inline struct page *kshim_pfn_to_page(unsigned long pfn)
{
	struct page *page = (pfn_to_page)(pfn);

	hw_derived_field(page, pfn, KSHIM_FRAME_SHIFT);
	hw_derived_field(page_address(page), pfn, KSHIM_FRAME_SHIFT);
	return page;
}
#define pfn_to_page(pfn)	kshim_pfn_to_page(pfn)

#define page_private(page)		((page)->private)
#define set_page_private(page, value)	((page)->private = (value))

extern struct zone *zone;
#define page_zone(page)			((void)(page), zone)
#define page_to_nid(page)		((void)(page), 0)

/* NR_ZSPAGES is also a curve of every result. */
#define kshim_mod_state(page, item, delta) do {			\
	(void)(page);						\
	mod_zone_page_state(item, delta);			\
	if ((item) == NR_ZSPAGES)				\
		hw_gauge_add(GAUGE_ZSPAGE_PAGES, delta);	\
} while (0)
#define inc_zone_page_state(page, item)	kshim_mod_state(page, item, 1)
#define dec_zone_page_state(page, item)	kshim_mod_state(page, item, -1)
#define inc_node_page_state(page, item)	inc_zone_page_state(page, item)
#define dec_node_page_state(page, item)	dec_zone_page_state(page, item)

#define KSHIM_TYPE_NONE			(~0u)
#define PageZsmalloc(page)		((page)->page_type >> 24 == PGTY_zsmalloc)
#define __SetPageZsmalloc(page)		((void)((page)->page_type = PGTY_zsmalloc << 24))
#define __ClearPageZsmalloc(page)	((void)((page)->page_type = KSHIM_TYPE_NONE))
#define page_mapcount_reset(page)	((void)((page)->page_type = KSHIM_TYPE_NONE))

/* ---- folios ---- */

struct folio { struct page page; };

#define page_folio(p)		((struct folio *)(p))
#define folio_page(folio, n)	((struct page *)(folio))
#define folio_lock(folio)	lock_page(&(folio)->page)
#define folio_trylock(folio)	trylock_page(&(folio)->page)
#define folio_unlock(folio)	unlock_page(&(folio)->page)
#define folio_wait_locked(folio) wait_on_page_locked(&(folio)->page)
#define folio_test_locked(folio) PageLocked(&(folio)->page)
#define folio_get(folio)	get_page(&(folio)->page)
#define folio_put(folio)	put_page(&(folio)->page)
#define compound_head(page)	(page)

#endif
