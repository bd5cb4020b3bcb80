/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * access.c - reading and writing objects in place.
 *
 * Variants with the older interface go through map.c instead, as users did
 * before there was this one: map, use, unmap.
 *
 * An object is pinned while it is read or written. A copy is made only when
 * the bytes in question lie in two pages; how many there are is the user's
 * word, so a short payload of a large class may still be read in place.
 */
#include "model/zsmalloc/location.h"
#include "model/zsmalloc/observe.h"

static void write_mapped(struct zs_pool *pool, unsigned long handle, const void *src, size_t len,
			 enum zs_mapmode mode)
{
	void *mem = zs_map_object(pool, handle, mode);

	BUG_ON(!mem);
	memcpy(mem, src, len);
	zs_unmap_object(pool, handle);
}

static inline bool uses_mapping(const struct zs_pool *pool)
{
	return unlikely(pool->config.mapping == MAPPING_PERCPU_COPY);
}

static noinline void check_length(const struct obj_location *loc, size_t len)
{
	BUG_ON(len + loc->header > (size_t)loc->class->size);
}

/*
 * Returns where the @len bytes of the object can be read until
 * zs_obj_read_end() with the same arguments: in place, or in @local, which
 * must have room for a page. The reader may sleep.
 */
void *zs_obj_read_begin(struct zs_pool *pool, unsigned long handle, size_t len, void *local)
{
	struct obj_location loc;
	char *addr = local;

	if (uses_mapping(pool))
		return zs_map_object(pool, handle, ZS_MM_RO);
	pin_object(pool, handle, &loc);
	observed(check_length(&loc, len));
	if (!spans_pages(&loc, loc.header + len))
		addr = (char *)kmap_local_page(loc.page) + loc.offset;
	else
		copy_from_pages(addr, &loc, loc.offset, loc.header + len);
	return addr + loc.header;
}

/* @mem: what zs_obj_read_begin() returned. */
void zs_obj_read_end(struct zs_pool *pool, unsigned long handle, size_t len, void *mem)
{
	struct obj_location loc;

	if (uses_mapping(pool)) {
		zs_unmap_object(pool, handle);
		return;
	}
	locate_object(pool, handle, &loc);
	if (!spans_pages(&loc, loc.header + len))
		kunmap_local(mem);
	zspage_unlock_read(&loc.zspage->zsl);
}

/* Store the @len bytes at @src as the object's first. */
void zs_obj_write(struct zs_pool *pool, unsigned long handle, const void *src, size_t len)
{
	struct obj_location loc;

	if (uses_mapping(pool)) {
		write_mapped(pool, handle, src, len, ZS_MM_WO);
		return;
	}
	pin_object(pool, handle, &loc);
	observed(check_length(&loc, len));
	if (!spans_pages(&loc, loc.header + len)) {
		char *addr = kmap_local_page(loc.page);

		memcpy(addr + loc.offset + loc.header, src, len);
		kunmap_local(addr);
	} else {
		copy_to_pages(&loc, loc.offset + loc.header, src, len);
	}
	zspage_unlock_read(&loc.zspage->zsl);
}

/* Writing in place leaves the other bytes as they are, so only a mapping has to read them. */
void zs_obj_modify(struct zs_pool *pool, unsigned long handle, const void *src, size_t len)
{
	if (uses_mapping(pool))
		write_mapped(pool, handle, src, len, ZS_MM_RW);
	else
		zs_obj_write(pool, handle, src, len);
}
