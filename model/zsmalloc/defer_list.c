/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * defer_list.c - zs_free_deferred(): one array of handles per pool that a worker
 * empties, the second version of the deferral patches (April 2026).
 *
 * Known of it: room for 128 MiB of pages, a lock that is only tried, freeing
 * at once where that fails or the array is full, work queued when it is half
 * full. How its worker takes handles out is not; here it takes some from the end
 * at each hold of the lock, few enough that those who only try seldom fail.
 *
 * Up to half an array of handles waits for as long as nobody frees more: nothing
 * else queues the work.
 */
#include "model/zsmalloc/free.h"
#include "model/zsmalloc/observe.h"

#define LIST_HANDLES	(unsigned)((128ul << 20) >> PAGE_SHIFT)
#define LIST_TAKEN	64u		/* out of the array in one hold of its lock */

struct zs_deferred_list {
	spinlock_t lock;		/* count and handles */
	unsigned int count;
	struct work_struct drain_work;
	struct zs_pool *pool;
	unsigned long taken[LIST_TAKEN];	/* only the one who drains */
	unsigned long handles[LIST_HANDLES] ____cacheline_aligned;
};

/* Queue @handle. False: somebody has the lock, or there is no room. */
static bool list_push(struct zs_pool *pool, unsigned long handle)
{
	struct zs_deferred_list *list = pool->config.deferred_list;
	bool room, half_full;

	if (!spin_trylock(&list->lock))
		return false;
	room = list->count < LIST_HANDLES;
	if (room) {
		list->handles[list->count++] = handle;
		observed(observe_queued(pool, handle));
	}
	half_full = list->count == LIST_HANDLES / 2;
	spin_unlock(&list->lock);
	if (half_full)
		queue_work(system_dfl_wq, &list->drain_work);
	return room;
}

/* Free the object of @handle, now or when the worker comes to it; 0 and error values are ignored. */
void zs_free_deferred(struct zs_pool *pool, unsigned long handle)
{
	if (!handle || IS_ERR_VALUE(handle))
		return;
	if (!list_push(pool, handle))
		zs_free_one(pool, handle);
}

static unsigned int take_some(struct zs_deferred_list *list)
{
	unsigned int nr;

	spin_lock(&list->lock);
	nr = min(list->count, LIST_TAKEN);
	for (unsigned int i = 0; i < nr; i++)
		list->taken[i] = list->handles[--list->count];
	spin_unlock(&list->lock);
	return nr;
}

/* Until nothing is left, also of what comes meanwhile. */
static void drain_list(struct zs_deferred_list *list)
{
	unsigned int nr;

	while ((nr = take_some(list))) {
		for (unsigned int i = 0; i < nr; i++) {
			zs_free_one(list->pool, list->taken[i]);
			observed(observe_drained(list->pool));
		}
		cond_resched();
	}
}

static void drain_list_work(struct work_struct *work)
{
	drain_list(container_of(work, struct zs_deferred_list, drain_work));
}

bool zs_deferred_list_create(struct zs_pool *pool)
{
	struct zs_deferred_list *list = vzalloc(sizeof(*list));

	if (!list)
		return false;
	spin_lock_init_named(&list->lock, "deferred list->lock");
	INIT_WORK(&list->drain_work, drain_list_work);
	list->pool = pool;
	hw_name_lines(list, offsetof(struct zs_deferred_list, handles), "deferred list");
	hw_name_lines(list->handles, sizeof(list->handles), "deferred handles");
	pool->config.deferred_list = list;
	return true;
}

void zs_deferred_list_flush(struct zs_pool *pool)
{
	cancel_work_sync(&pool->config.deferred_list->drain_work);
	drain_list(pool->config.deferred_list);
}

void zs_deferred_list_destroy(struct zs_pool *pool)
{
	zs_deferred_list_flush(pool);
	vfree(pool->config.deferred_list);
	pool->config.deferred_list = NULL;
}

/* ---- for users that let their own names of objects wait, instead of handles ---- */

void zs_observe_waiting(struct zs_pool *pool, unsigned long handle)
{
	observe_queued(pool, handle);
}

void zs_observe_freed(struct zs_pool *pool)
{
	observe_drained(pool);
}
