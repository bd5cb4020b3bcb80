/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool.c - creating and destroying pools, and what they say about themselves. */
#include "model/zsmalloc/cache.h"
#include "model/zsmalloc/defer.h"
#include "model/zsmalloc/map.h"
#include "model/zsmalloc/obj.h"
#include "model/zsmalloc/observe.h"
#include "model/zsmalloc/release.h"
#include "model/zsmalloc/size_class.h"

static void init_config(struct zs_config *config, const struct model_variant *variant,
			unsigned int chain_size)
{
	config->lookup = variant->lookup;
	config->page_release = variant->page_release;
	config->free = variant->free;
	config->mapping = variant->mapping;
	config->shrinker = variant->shrinker;
	config->shrinker_ratio = variant->shrinker_ratio;
	config->defer_batch = variant->defer_batch;
	config->chain_size = chain_size;
	config->obj_index_mask = (1ul << OBJ_PFN_SHIFT) - 1;
	if (variant->lookup == LOOKUP_CLASS_IN_OBJ) {
		config->obj_index_mask = (1ul << OBJ_CLASS_SHIFT) - 1;
		config->obj_class_mask = OBJ_CLASS_MASK;
	}
}

static void check_arguments(const struct model_variant *variant, unsigned int chain_size)
{
	BUG_ON(chain_size < ZS_MIN_CHAIN_SIZE || chain_size > ZS_MAX_CHAIN_SIZE);
	BUG_ON(variant->free == FREE_DEFER_BATCH &&
	       (!variant->defer_batch || variant->defer_batch > ZS_MAX_DEFER_BATCH));
}

/* Which field disturbs which is easier to see when reports tell these apart. */
static void name_pool_lines(struct zs_pool *pool)
{
	const char *base = (const char *)pool;
	size_t lock_line = offsetof(struct zs_pool, pages_allocated) & ~(HW_LINE_SIZE - 1ul);

	hw_name_lines(base, lock_line, "zs_pool class table");
	hw_name_lines(base + lock_line, HW_LINE_SIZE, "pool->lock");
	hw_name_lines(base + lock_line + HW_LINE_SIZE, HW_LINE_SIZE, "zs_pool state");
	hw_name_lines(&pool->config, sizeof(pool->config), "zs_pool config");
}

static const char *copy_name(const char *name)
{
	size_t bytes = 1;
	char *copy;

	for (const char *c = name; *c; c++)
		bytes++;
	copy = kmalloc(bytes, GFP_KERNEL);
	if (copy)
		memcpy(copy, name, bytes);
	return copy;
}

/* What a pool owns besides its classes. */
static bool create_parts(struct zs_pool *pool, const char *name)
{
	bool noted;

	pool->name = copy_name(name);
	if (!pool->name)
		return false;
	observed(noted = observe_create(pool));
	return noted && create_size_classes(pool);
}

static void free_parts(struct zs_pool *pool)
{
	destroy_size_classes(pool);
	observed(observe_destroy(pool));
	if (pool->name)
		kfree(pool->name);
	kfree(pool);
}

struct zs_pool *zs_create_pool(const char *name, const struct model_variant *variant,
			       unsigned int chain_size)
{
	struct zs_pool *pool;

	check_arguments(variant, chain_size);
	if (!zs_caches_get())
		return NULL;
	if (!map_areas_get())
		goto out_caches;
	pool = kzalloc(sizeof(*pool), GFP_KERNEL);
	if (!pool)
		goto out_areas;
	name_pool_lines(pool);
	init_config(&pool->config, variant, chain_size);
	__rwlock_init(&pool->lock, "pool->lock");
	atomic_set(&pool->compaction_in_progress, 0);
	pool->compact_cursor = ZS_SIZE_CLASSES - 1;
	init_deferred_free(pool);
	if (!create_parts(pool, name))
		goto out_pool;
	defer_create(pool);
	return pool;
out_pool:
	free_parts(pool);
out_areas:
	map_areas_put();
out_caches:
	zs_caches_put();
	return NULL;
}

/* What waits in batches goes first: it may leave empty zspages to the worker. */
void zs_destroy_pool(struct zs_pool *pool)
{
	defer_destroy(pool);
	flush_deferred_free(pool);
	free_parts(pool);
	map_areas_put();
	zs_caches_put();
}

unsigned long zs_get_total_pages(struct zs_pool *pool)
{
	return atomic_long_read(&pool->pages_allocated);
}

/* Requests of this many bytes or more get a page each. */
size_t zs_huge_class_size(struct zs_pool *pool)
{
	return pool->config.huge_class_size;
}

unsigned int zs_lookup_class_index(struct zs_pool *pool, unsigned int size)
{
	return lookup_size_class(pool, size)->index;
}
