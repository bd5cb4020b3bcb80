/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * location.h - finding the bytes of an object and keeping them in place.
 *
 * An object lies in one page or spans two, which need not be neighbours. The
 * header never spans, so it is always in the first.
 */
#ifndef ZSMALLOC_LOCATION_H
#define ZSMALLOC_LOCATION_H

#include "model/zsmalloc/obj.h"

struct obj_location {
	struct zspage *zspage;
	struct size_class *class;
	struct page *page;		/* in which it starts */
	unsigned int offset;		/* of its first byte, header included */
	unsigned int header;		/* bytes of header: 0 in a huge zspage */
};

/* Where the object of @handle is. It must be pinned, or pool->lock held. */
static inline void locate_object(struct zs_pool *pool, unsigned long handle,
				 struct obj_location *loc)
{
	unsigned long obj = handle_to_obj(handle);

	loc->page = obj_to_page(obj);
	loc->zspage = get_zspage(loc->page);
	loc->class = zspage_class(pool, loc->zspage);
	loc->offset = obj_offset(loc->class, obj_to_index(pool, obj));
	loc->header = loc->zspage->huge ? 0 : ZS_HANDLE_SIZE;
}

/* Pin the object of @handle: it stays where it is until zspage_unlock_read(). Says where that is. */
static inline void pin_object(struct zs_pool *pool, unsigned long handle, struct obj_location *loc)
{
	/* While we read pool->lock nobody moves objects, so we know whose lock to take. */
	read_lock(&pool->lock);
	loc->zspage = get_zspage(obj_to_page(handle_to_obj(handle)));
	zspage_lock_read(&loc->zspage->zsl);
	read_unlock(&pool->lock);
	locate_object(pool, handle, loc);
}

/* Do @bytes from the start of the object leave its first page? */
static inline bool spans_pages(const struct obj_location *loc, size_t bytes)
{
	return loc->offset + bytes > PAGE_SIZE;
}

/* Copy @bytes that start in the object's first page out of / into its two pages. */
static inline void copy_from_pages(void *dst, const struct obj_location *loc, unsigned int offset,
				   size_t bytes)
{
	size_t first = PAGE_SIZE - offset;
	struct page *next = get_next_page(loc->page);
	char *addr;

	addr = kmap_local_page(loc->page);
	memcpy(dst, addr + offset, first);
	kunmap_local(addr);
	addr = kmap_local_page(next);
	memcpy((char *)dst + first, addr, bytes - first);
	kunmap_local(addr);
}

static inline void copy_to_pages(const struct obj_location *loc, unsigned int offset,
				 const void *src, size_t bytes)
{
	size_t first = PAGE_SIZE - offset;
	struct page *next = get_next_page(loc->page);
	char *addr;

	/* The header may be the last of its page; then nothing is left to copy there. */
	if (first) {
		addr = kmap_local_page(loc->page);
		memcpy(addr + offset, src, first);
		kunmap_local(addr);
	}
	addr = kmap_local_page(next);
	memcpy(addr, (const char *)src + first, bytes - first);
	kunmap_local(addr);
}

#endif
