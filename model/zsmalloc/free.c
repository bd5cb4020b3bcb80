/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * free.c - zs_free(): find the class of an object that may move at any
 * moment, return the object, and with the last one of a zspage its pages.
 */
#include "model/zsmalloc/cache.h"
#include "model/zsmalloc/defer.h"
#include "model/zsmalloc/free.h"
#include "model/zsmalloc/fullness.h"
#include "model/zsmalloc/obj.h"
#include "model/zsmalloc/observe.h"
#include "model/zsmalloc/release.h"

/*
 * The object's place is its index times class->size. Where the zspage names the
 * class, that is known when the zspage's first word has come, and not before.
 */
static void derived_from_zspage(struct size_class *class, unsigned long obj, struct zspage *zspage)
{
	unsigned long word;

	observed(word = *(unsigned long *)zspage);
	hw_derived(class, word);
	hw_derived(page_address(obj_to_page(obj)), word);
}

/* A reader of pool->lock keeps the object where it is until its class is locked. */
static struct size_class *lock_class_pool_lock(struct zs_pool *pool, unsigned long handle,
					       unsigned long *obj, struct zspage **zspage)
{
	struct size_class *class;

	read_lock(&pool->lock);
	*obj = handle_to_obj(handle);
	*zspage = get_zspage(obj_to_page(*obj));
	class = zspage_class(pool, *zspage);
	derived_from_zspage(class, *obj, *zspage);
	spin_lock(&class->lock);
	read_unlock(&pool->lock);
	return class;
}

/* The class is the same wherever the object goes; where it is we learn under the class's lock. */
static struct size_class *lock_class_in_obj(struct zs_pool *pool, unsigned long handle,
					    unsigned long *obj, struct zspage **zspage)
{
	struct size_class *class;

	class = pool->size_class[obj_to_class_index(handle_to_obj(handle))];
	spin_lock(&class->lock);
	*obj = handle_to_obj(handle);
	*zspage = get_zspage(obj_to_page(*obj));
	return class;
}

/* Returns whether the pages of @zspage are left for the caller to free. */
static bool release_empty(struct zs_pool *pool, struct size_class *class, struct zspage *zspage)
{
	if (pool->config.page_release == PAGE_RELEASE_OUTSIDE_CLASS_LOCK)
		return detach_zspage(pool, class, zspage);
	free_zspage(pool, class, zspage);
	return false;
}

void zs_free_one(struct zs_pool *pool, unsigned long handle)
{
	struct size_class *class;
	struct zspage *zspage;
	unsigned long obj;
	bool detached = false;

	observed(observe_free_begin(pool, handle));
	if (pool->config.lookup == LOOKUP_CLASS_IN_OBJ)
		class = lock_class_in_obj(pool, handle, &obj, &zspage);
	else
		class = lock_class_pool_lock(pool, handle, &obj, &zspage);
	observed(observe_free(pool, class, handle, obj));

	class_stat_sub(class, ZS_OBJS_INUSE, 1);
	obj_free(pool, class, obj);
	if (fix_fullness_group(class, zspage) == ZS_INUSE_RATIO_0)
		detached = release_empty(pool, class, zspage);
	spin_unlock(&class->lock);

	if (detached)
		free_detached_zspage(pool, class, zspage);
	cache_free_handle(handle);
}

/* Free the object of @handle, now or in a batch; 0 and error values are ignored. Does not sleep. */
void zs_free(struct zs_pool *pool, unsigned long handle)
{
	if (!handle || IS_ERR_VALUE(handle))
		return;
	if (pool->config.free == FREE_DEFER_BATCH && defer_push(pool, handle))
		return;
	zs_free_one(pool, handle);
}
