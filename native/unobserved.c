/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * unobserved.c - stands in the place of model/zsmalloc/observe.c and
 * model/zram/observe_slots.c in native runs.
 *
 * The allocator's observers look at other CPUs' objects without their locks.
 * In the simulator nothing happens meanwhile; here they would race with the
 * code they watch, and their time would be measured.
 */
#include "model/zram/zram_deferred.h"
#include "model/zsmalloc/observe.h"

bool observe_create(struct zs_pool *pool)
{
	(void)pool;
	return true;
}

void observe_destroy(struct zs_pool *pool)
{
	(void)pool;
}

void observe_free_begin(struct zs_pool *pool, unsigned long handle)
{
	(void)pool;
	(void)handle;
}

void observe_free(struct zs_pool *pool, struct size_class *class, unsigned long handle, unsigned long obj)
{
	(void)pool;
	(void)class;
	(void)handle;
	(void)obj;
}

void observe_malloc(struct zs_pool *pool, struct zspage *zspage)
{
	(void)pool;
	(void)zspage;
}

void observe_queued(struct zs_pool *pool, unsigned long handle)
{
	(void)pool;
	(void)handle;
}

void observe_drained(struct zs_pool *pool)
{
	(void)pool;
}

void observe_obj_moved(struct zs_pool *pool, struct size_class *class, unsigned long from, unsigned long to)
{
	(void)pool;
	(void)class;
	(void)from;
	(void)to;
}

void observe_page_moved(struct zs_pool *pool, struct zspage *zspage, struct page *newpage, struct page *page)
{
	(void)pool;
	(void)zspage;
	(void)newpage;
	(void)page;
}

unsigned int observe_count_queued(struct zs_pool *pool, struct zspage *zspage)
{
	(void)pool;
	(void)zspage;
	return 0;
}

unsigned int observe_noted_queued(struct zs_pool *pool, struct zspage *zspage)
{
	(void)pool;
	(void)zspage;
	return 0;
}

void zram_observe_waiting(void *zram, u32 index, u32 nr)
{
	(void)zram;
	(void)index;
	(void)nr;
}

void zram_observe_freed(void *zram, u32 index, u32 nr)
{
	(void)zram;
	(void)index;
	(void)nr;
}
