/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zsmalloc.h - for a tree that comes without its include/linux/zsmalloc.h.
 * What a tree has goes first: its own header is found before this one.
 */
#ifndef _ZS_MALLOC_H_
#define _ZS_MALLOC_H_

#include <linux/types.h>

struct zs_pool;
struct scatterlist;

struct zs_pool_stats {
	atomic_long_t pages_compacted;
};

#ifdef TREE_HAS_zs_map_object
enum zs_mapmode { ZS_MM_RW, ZS_MM_RO, ZS_MM_WO };
#endif

struct zs_pool *zs_create_pool(const char *name);
void zs_destroy_pool(struct zs_pool *pool);
void zs_free(struct zs_pool *pool, unsigned long handle);
unsigned long zs_get_total_pages(struct zs_pool *pool);
unsigned long zs_compact(struct zs_pool *pool);
size_t zs_huge_class_size(struct zs_pool *pool);
unsigned int zs_lookup_class_index(struct zs_pool *pool, unsigned int size);
void zs_pool_stats(struct zs_pool *pool, struct zs_pool_stats *stats);

#endif
