/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * malloc.c - zs_malloc(): a handle, an object from the fullest zspage that
 * has room, or else a new zspage.
 */
#include "model/zsmalloc/cache.h"
#include "model/zsmalloc/fullness.h"
#include "model/zsmalloc/obj.h"
#include "model/zsmalloc/observe.h"

/* Take an object of a zspage that is there already. False if none has room. */
static bool malloc_from_list(struct zs_pool *pool, struct size_class *class, unsigned long handle)
{
	struct zspage *zspage;

	spin_lock(&class->lock);
	zspage = find_get_zspage(class);
	if (likely(zspage)) {
		obj_malloc(pool, class, zspage, handle);
		observed(observe_malloc(pool, zspage));
		fix_fullness_group(class, zspage);
		class_stat_add(class, ZS_OBJS_INUSE, 1);
	}
	spin_unlock(&class->lock);
	return zspage;
}

/*
 * Take the first object of a new zspage. The lists are not looked at again
 * after the lock was dropped: two CPUs that race here each add a zspage.
 */
static bool malloc_from_new(struct zs_pool *pool, struct size_class *class, unsigned long handle,
			    gfp_t gfp)
{
	struct zspage *zspage = alloc_zspage(pool, class, gfp);

	if (!zspage)
		return false;
	spin_lock(&class->lock);
	obj_malloc(pool, class, zspage, handle);
	observed(observe_malloc(pool, zspage));
	insert_zspage(class, zspage, get_fullness_group(class, zspage));
	atomic_long_add(class->pages_per_zspage, &pool->pages_allocated);
	class_stat_add(class, ZS_OBJS_ALLOCATED, class->objs_per_zspage);
	class_stat_add(class, ZS_OBJS_INUSE, 1);
	/* From here on migration may take its pages, which are in use. */
	set_zspage_movable(zspage);
	spin_unlock(&class->lock);
	return true;
}

/*
 * Store @size bytes, 1 .. PAGE_SIZE. May sleep if @gfp allows it. Returns the
 * handle, or -EINVAL, -ENOSPC, -ENOMEM as an error value.
 */
unsigned long zs_malloc(struct zs_pool *pool, size_t size, gfp_t gfp)
{
	struct size_class *class;
	unsigned long handle;

	if (unlikely(!size))
		return (unsigned long)-EINVAL;
	if (unlikely(size > ZS_MAX_ALLOC_SIZE))
		return (unsigned long)-ENOSPC;
	handle = cache_alloc_handle(gfp);
	if (!handle)
		return (unsigned long)-ENOMEM;
	class = lookup_size_class(pool, size);
	if (likely(malloc_from_list(pool, class, handle)) ||
	    malloc_from_new(pool, class, handle, gfp))
		return handle;
	cache_free_handle(handle);
	return (unsigned long)-ENOMEM;
}
