/* SPDX-License-Identifier: GPL-3.0-or-later */
/* defer.c - batches of handles that a worker frees later. */
#include "model/zsmalloc/defer.h"
#include "model/zsmalloc/free.h"
#include "model/zsmalloc/observe.h"

static struct defer_batch *alloc_batch(struct zs_pool *pool)
{
	size_t bytes = offsetof(struct defer_batch, handles) +
		       pool->config.defer_batch * sizeof(unsigned long);
	struct defer_batch *batch = kmalloc(bytes, GFP_NOWAIT | __GFP_NOWARN);

	if (batch)
		batch->count = 0;
	return batch;
}

/*
 * This CPU's record with a batch to fill in it and preemption off, or NULL
 * with preemption on. Allocating needs preemption, so the task may come back
 * on another CPU or find that a batch was installed meanwhile: then the new
 * one is left in *spare.
 */
static struct zs_defer *get_defer(struct zs_pool *pool, struct defer_batch **spare)
{
	struct zs_defer *defer = get_cpu_ptr(pool->defer);

	*spare = NULL;
	if (likely(defer->active))
		return defer;
	put_cpu_ptr(pool->defer);
	*spare = alloc_batch(pool);
	if (!*spare)
		return NULL;
	defer = get_cpu_ptr(pool->defer);
	if (!defer->active) {
		defer->active = *spare;
		*spare = NULL;
	}
	return defer;
}

/* Returns whether the batch is full now and was made pending. */
static bool add_handle(struct zs_pool *pool, struct zs_defer *defer, unsigned long handle)
{
	struct defer_batch *batch = defer->active;

	batch->handles[batch->count++] = handle;
	observed(observe_queued(pool, handle));
	if (batch->count < pool->config.defer_batch)
		return false;
	llist_add(&batch->node, &defer->pending);
	defer->active = NULL;
	return true;
}

bool defer_push(struct zs_pool *pool, unsigned long handle)
{
	struct defer_batch *spare;
	struct zs_defer *defer;
	bool full;

	if (!pool->defer)
		return false;
	defer = get_defer(pool, &spare);
	if (!defer)
		return false;
	full = add_handle(pool, defer, handle);
	put_cpu_ptr(pool->defer);
	if (unlikely(spare))
		kfree(spare);
	/* The work is that of the record, even if the task runs elsewhere by now. */
	if (full)
		queue_work(system_dfl_wq, &defer->drain_work);
	return true;
}

static void drain_batch(struct zs_pool *pool, struct defer_batch *batch)
{
	for (unsigned int i = 0; i < batch->count; i++) {
		zs_free_one(pool, batch->handles[i]);
		observed(observe_drained(pool));
	}
	kfree(batch);
}

/* Batches that become pending meanwhile queue the work again, so once is enough. */
static void drain_pending(struct zs_defer *defer)
{
	struct llist_node *node = llist_del_all(&defer->pending);

	while (node) {
		struct defer_batch *batch = llist_entry(node, struct defer_batch, node);

		node = node->next;
		drain_batch(defer->pool, batch);
		cond_resched();
	}
}

static void drain_work_fn(struct work_struct *work)
{
	drain_pending(container_of(work, struct zs_defer, drain_work));
}

void defer_create(struct zs_pool *pool)
{
	int cpu;

	if (pool->config.free != FREE_DEFER_BATCH)
		return;
	pool->defer = alloc_percpu(struct zs_defer);
	if (!pool->defer)
		return;
	for_each_possible_cpu(cpu) {
		struct zs_defer *defer = per_cpu_ptr(pool->defer, cpu);

		defer->active = NULL;
		init_llist_head(&defer->pending);
		INIT_WORK(&defer->drain_work, drain_work_fn);
		defer->pool = pool;
	}
}

void defer_destroy(struct zs_pool *pool)
{
	int cpu;

	if (!pool->defer)
		return;
	for_each_possible_cpu(cpu) {
		struct zs_defer *defer = per_cpu_ptr(pool->defer, cpu);

		cancel_work_sync(&defer->drain_work);
		if (defer->active)
			llist_add(&defer->active->node, &defer->pending);
		defer->active = NULL;
		drain_pending(defer);
	}
	free_percpu(pool->defer);
	pool->defer = NULL;
}

unsigned long zs_deferred_objects(struct zs_pool *pool)
{
	return pool->observed.deferred;
}
