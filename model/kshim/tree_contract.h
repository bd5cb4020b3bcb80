/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tree_contract.h - part of tree.c: the contract of model/zsmalloc/zsmalloc.h
 * where the tree's functions have other arguments, and tree.h.
 */
#include "model/kshim/tree.h"

int tree_init(void)
{
	return kshim_module_init();
}

#if TREE_PARAMS_zs_create_pool > 1
/* The further arguments say to whom memory is accounted: to nobody here. */
struct zs_pool *tree_create_pool(const char *name)
{
	return tree_file_create_pool(name, 0, 0, 0);
}
#endif

#if TREE_PARAMS_zs_malloc > 3
#undef zs_malloc
unsigned long zs_malloc(struct zs_pool *pool, size_t size, gfp_t gfp)
{
	return tree_file_malloc(pool, size, gfp, NUMA_NO_NODE);
}
#endif

#undef zs_obj_read_begin
#undef zs_obj_read_end
#ifdef TREE_HAS_zs_obj_read_begin
void *zs_obj_read_begin(struct zs_pool *pool, unsigned long handle, size_t len, void *local)
{
#if TREE_PARAMS_zs_obj_read_begin > 3
	return tree_file_read_begin(pool, handle, len, local);
#else
	(void)len;
	return tree_file_read_begin(pool, handle, local);
#endif
}

void zs_obj_read_end(struct zs_pool *pool, unsigned long handle, size_t len, void *mem)
{
#if TREE_PARAMS_zs_obj_read_end > 3
	tree_file_read_end(pool, handle, len, mem);
#else
	(void)len;
	tree_file_read_end(pool, handle, mem);
#endif
}
#elif defined(TREE_HAS_zs_obj_read_sg_begin)
/* The reader gets the pieces; one that is whole is read in place. */
void *zs_obj_read_begin(struct zs_pool *pool, unsigned long handle, size_t len, void *local)
{
	struct scatterlist sg[2], *piece;
	size_t done = 0;

	zs_obj_read_sg_begin(pool, handle, sg, len);
	if (sg[0].length >= len)
		return (char *)page_address(sg_page(&sg[0])) + sg[0].offset;
	for (piece = sg; piece && done < len; piece = sg_next(piece)) {
		memcpy((char *)local + done, (char *)page_address(sg_page(piece)) + piece->offset, piece->length);
		done += piece->length;
	}
	return local;
}

void zs_obj_read_end(struct zs_pool *pool, unsigned long handle, size_t len, void *mem)
{
	(void)len;
	(void)mem;
	zs_obj_read_sg_end(pool, handle);
}
#endif

unsigned long tree_pages_compacted(struct zs_pool *pool)
{
	struct zs_pool_stats stats;

	zs_pool_stats(pool, &stats);
	return atomic_long_read(&stats.pages_compacted);
}

/* ---- reclaim ---- */

#ifdef TREE_FIELD_zs_pool_shrinker
/* Up to 6.6 the pool contains its shrinker, later it points to it. */
static struct shrinker *shrinker_of(struct zs_pool *pool)
{
	return _Generic(&pool->shrinker,
			struct shrinker *: (struct shrinker *)&pool->shrinker,
			struct shrinker **: *(struct shrinker **)&pool->shrinker);
}

unsigned long tree_shrinker_count(struct zs_pool *pool)
{
	struct shrink_control sc = { .gfp_mask = GFP_KERNEL };
	struct shrinker *shrinker = shrinker_of(pool);

	return shrinker->count_objects(shrinker, &sc);
}

unsigned long tree_shrinker_scan(struct zs_pool *pool, unsigned long nr_to_scan)
{
	struct shrink_control sc = { .gfp_mask = GFP_KERNEL, .nr_to_scan = nr_to_scan };
	struct shrinker *shrinker = shrinker_of(pool);

	return shrinker->scan_objects(shrinker, &sc);
}
#else
unsigned long tree_shrinker_count(struct zs_pool *pool)
{
	(void)pool;
	return 0;
}

unsigned long tree_shrinker_scan(struct zs_pool *pool, unsigned long nr_to_scan)
{
	(void)pool;
	(void)nr_to_scan;
	return SHRINK_STOP;
}
#endif

/* ---- page migration: what the memory manager does around the tree's operations ---- */

#ifdef CONFIG_COMPACTION
int tree_migrate(struct page *newpage, struct page *page)
{
	int error;

	if (!zsmalloc_mops.isolate_page(page, 0))
		return -EAGAIN;
	SetPageIsolated(page);
	error = zsmalloc_mops.migrate_page(newpage, page, MIGRATE_SYNC);
	if (error)
		zsmalloc_mops.putback_page(page);
	ClearPageIsolated(page);
	return error ? -EAGAIN : 0;
}
#else
int tree_migrate(struct page *newpage, struct page *page)
{
	(void)newpage;
	(void)page;
	return -EAGAIN;
}
#endif

/* ---- names for reports ---- */

static void name_span(const void *base, size_t from, size_t to, const char *name)
{
	from &= ~(HW_LINE_SIZE - 1ul);
	if (to > from)
		hw_name_lines((const char *)base + from, to - from, name);
}

static void name_class(struct size_class *class)
{
	size_t lists = offsetof(struct size_class, fullness_list);
	size_t stats = offsetof(struct size_class, stats);

	name_span(class, 0, sizeof(*class), "class stats");
	name_span(class, lists, stats & ~(HW_LINE_SIZE - 1ul), "class lists");
#ifdef TREE_FIELD_size_class_lock
	name_span(class, offsetof(struct size_class, lock), HW_LINE_SIZE, "class->lock");
#endif
}

#if defined(TREE_FIELD_zs_pool_migrate_lock)
#define TREE_POOL_LOCK migrate_lock
#elif defined(TREE_FIELD_zs_pool_lock)
#define TREE_POOL_LOCK lock
#endif

void tree_name_lines(struct zs_pool *pool)
{
	size_t table_end = offsetof(struct zs_pool, size_class) + sizeof(pool->size_class);

	name_span(pool, 0, table_end, "zs_pool class table");
	name_span(pool, table_end, sizeof(*pool), "zs_pool state");
#ifdef TREE_POOL_LOCK
	name_span(pool, offsetof(struct zs_pool, TREE_POOL_LOCK),
		  offsetof(struct zs_pool, TREE_POOL_LOCK) + 1, "pool->lock");
#endif
	for (size_t i = 0; i < ARRAY_SIZE(pool->size_class); i++)
		if (pool->size_class[i] && pool->size_class[i]->index == i)
			name_class(pool->size_class[i]);
}

unsigned tree_chain_size(void)
{
	return ZS_MAX_PAGES_PER_ZSPAGE;
}
