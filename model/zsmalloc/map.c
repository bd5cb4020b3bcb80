/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * map.c - the older way to an object: a mapping of all of it, through a
 * buffer of the CPU when it spans pages.
 *
 * Preemption is off from map to unmap, and a CPU maps one object at a time.
 * What is copied is the class's size, not the payload's, which this interface
 * does not know. The buffers are allocated when a CPU first maps something:
 * machines that only use access.c have as much memory as if this file were not
 * there.
 */
#include "model/zsmalloc/location.h"
#include "model/zsmalloc/map.h"

struct mapping_area {
	char *buf;			/* PAGE_SIZE bytes */
	enum zs_mapmode mode;
	bool busy;
};

static struct mapping_area *map_areas;	/* per CPU */
static unsigned int map_users;

bool map_areas_get(void)
{
	if (map_users++)
		return true;
	map_areas = alloc_percpu(struct mapping_area);
	if (map_areas)
		return true;
	map_users--;
	return false;
}

void map_areas_put(void)
{
	int cpu;

	if (--map_users)
		return;
	for_each_possible_cpu(cpu) {
		struct mapping_area *area = per_cpu_ptr(map_areas, cpu);

		if (area->buf)
			kfree(area->buf);
	}
	free_percpu(map_areas);
	map_areas = NULL;
}

/* This CPU's area with its buffer, preemption off; NULL when memory is short. */
static struct mapping_area *get_area(void)
{
	struct mapping_area *area = get_cpu_ptr(map_areas);
	char *buf;

	while (unlikely(!area->buf)) {
		put_cpu_ptr(map_areas);
		buf = kmalloc(PAGE_SIZE, GFP_KERNEL);
		if (!buf)
			return NULL;
		/* Allocating may have taken us to a CPU that has one. */
		area = get_cpu_ptr(map_areas);
		if (area->buf)
			kfree(buf);
		else
			area->buf = buf;
	}
	return area;
}

/*
 * Map the object of @handle for @mode until zs_unmap_object() on this CPU.
 * Returns its first byte; with ZS_MM_WO the old bytes may be missing. NULL
 * when there is no memory for this CPU's buffer.
 */
void *zs_map_object(struct zs_pool *pool, unsigned long handle, enum zs_mapmode mode)
{
	struct mapping_area *area = get_area();
	struct obj_location loc;
	char *addr;

	if (!area)
		return NULL;
	BUG_ON(area->busy);
	pin_object(pool, handle, &loc);
	area->busy = true;
	area->mode = mode;
	if (!spans_pages(&loc, loc.class->size)) {
		addr = (char *)kmap_local_page(loc.page) + loc.offset;
	} else {
		addr = area->buf;
		if (mode != ZS_MM_WO)
			copy_from_pages(addr, &loc, loc.offset, loc.class->size);
	}
	return addr + loc.header;
}

/* End the mapping; what was written to a mapping that was not read-only is in the object then. */
void zs_unmap_object(struct zs_pool *pool, unsigned long handle)
{
	struct mapping_area *area = this_cpu_ptr(map_areas);
	struct obj_location loc;

	BUG_ON(!area->busy);
	locate_object(pool, handle, &loc);
	/* The header is the allocator's: it is not written back. */
	if (spans_pages(&loc, loc.class->size) && area->mode != ZS_MM_RO)
		copy_to_pages(&loc, loc.offset + loc.header, area->buf + loc.header,
			      loc.class->size - loc.header);
	area->busy = false;
	put_cpu_ptr(map_areas);
	zspage_unlock_read(&loc.zspage->zsl);
}
