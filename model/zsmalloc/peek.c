/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * peek.c - for workloads that make a pool and look into it. Apart from free.c
 * and last in the module: other code there would move all that is measured.
 */
#include "model/zsmalloc/free.h"
#include "model/zsmalloc/obj.h"

void zs_free_at_once(struct zs_pool *pool, unsigned long handle)
{
	zs_free_one(pool, handle);
}

/* Header and objects are multiples of 8 bytes, so the word is whole in one page: the object's first or, after a header at its end, the next. */
bool zs_peek(struct zs_pool *pool, unsigned long handle, u64 *word)
{
	unsigned long obj = *(unsigned long *)handle;
	struct page *page = obj_to_page(obj);
	struct zspage *zspage = get_zspage(page);
	unsigned int offset = obj_offset(zspage_class(pool, zspage), obj_to_index(pool, obj));

	if (!zspage->huge)
		offset += ZS_HANDLE_SIZE;
	if (offset == PAGE_SIZE) {
		page = get_next_page(page);
		offset = 0;
	}
	*word = *(u64 *)((char *)page_address(page) + offset);
	return true;
}
