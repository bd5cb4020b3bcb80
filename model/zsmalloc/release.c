/* SPDX-License-Identifier: GPL-3.0-or-later */
/* release.c - giving back the pages of zspages that have become empty. */
#include "model/zsmalloc/fullness.h"
#include "model/zsmalloc/release.h"

/* The patch that batches frees also moved this work to the unbound queue. */
static void kick_deferred_free(struct zs_pool *pool)
{
	if (pool->config.free == FREE_DEFER_BATCH)
		queue_work(system_dfl_wq, &pool->free_work);
	else
		schedule_work(&pool->free_work);
}

static void uncount_zspage(struct zs_pool *pool, struct size_class *class)
{
	class_stat_sub(class, ZS_OBJS_ALLOCATED, class->objs_per_zspage);
	atomic_long_sub(class->pages_per_zspage, &pool->pages_allocated);
}

void free_zspage(struct zs_pool *pool, struct size_class *class, struct zspage *zspage)
{
	if (!trylock_zspage(zspage)) {
		kick_deferred_free(pool);
		return;
	}
	remove_zspage(class, zspage);
	release_zspage(zspage);
	uncount_zspage(pool, class);
}

bool detach_zspage(struct zs_pool *pool, struct size_class *class, struct zspage *zspage)
{
	if (!trylock_zspage(zspage)) {
		kick_deferred_free(pool);
		return false;
	}
	remove_zspage(class, zspage);
	class_stat_sub(class, ZS_OBJS_ALLOCATED, class->objs_per_zspage);
	return true;
}

void free_detached_zspage(struct zs_pool *pool, struct size_class *class, struct zspage *zspage)
{
	release_zspage(zspage);
	atomic_long_sub(class->pages_per_zspage, &pool->pages_allocated);
}

/* Collect the empty zspages of all classes. From then on zs_malloc() cannot find them. */
static void take_empty_zspages(struct zs_pool *pool, struct list_head *empty)
{
	struct size_class *class;
	int i;

	for_each_class_up(pool, class, i) {
		spin_lock(&class->lock);
		list_splice_init(&class->fullness_list[ZS_INUSE_RATIO_0], empty);
		spin_unlock(&class->lock);
	}
}

static void async_free_zspage(struct work_struct *work)
{
	struct zs_pool *pool = container_of(work, struct zs_pool, free_work);
	struct zspage *zspage, *next;
	LIST_HEAD(empty);

	take_empty_zspages(pool, &empty);
	list_for_each_entry_safe(zspage, next, &empty, list) {
		struct size_class *class = zspage_class(pool, zspage);

		list_del(&zspage->list);
		lock_zspage(zspage);
		spin_lock(&class->lock);
		class_stat_sub(class, ZS_INUSE_RATIO_0, 1);
		release_zspage(zspage);
		uncount_zspage(pool, class);
		spin_unlock(&class->lock);
	}
}

void init_deferred_free(struct zs_pool *pool)
{
	INIT_WORK(&pool->free_work, async_free_zspage);
}

void flush_deferred_free(struct zs_pool *pool)
{
	flush_work(&pool->free_work);
}
