/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zsmalloc.h - the allocator of compressed pages: what its users call.
 *
 * A handle is the address of an 8-byte slot that holds the object's present
 * place. Sizes are bytes, 1 .. PAGE_SIZE. Errors travel in the handle
 * (IS_ERR_VALUE): -EINVAL for size 0, -ENOSPC for too large, -ENOMEM.
 */
#ifndef ZSMALLOC_ZSMALLOC_H
#define ZSMALLOC_ZSMALLOC_H

#include "model/kernel/types.h"
#include "model/model.h"

struct zs_pool;
struct page;

/* @chain_size: most pages of a zspage, 4 .. 16. NULL when memory is short. */
struct zs_pool *zs_create_pool(const char *name, const struct model_variant *variant, unsigned chain_size);
/* All objects must be freed; what is left is a fault. Drains deferred frees first. */
void zs_destroy_pool(struct zs_pool *pool);

unsigned long zs_malloc(struct zs_pool *pool, size_t size, gfp_t gfp);
void zs_free(struct zs_pool *pool, unsigned long handle);
/* The same of a valid handle, now, even where the variant would let it wait: for those who prepare a pool. */
void zs_free_at_once(struct zs_pool *pool, unsigned long handle);


/*
 * For users who say themselves which frees may wait (FREE_DEFER_GLOBAL_LIST):
 * zs_free_deferred() of a pool with a list, which its user makes after the pool,
 * flushes (all that waits is freed when it returns; may sleep) and destroys before
 * the pool. False when memory is short. Nobody frees while a list is destroyed.
 */
void zs_free_deferred(struct zs_pool *pool, unsigned long handle);
bool zs_deferred_list_create(struct zs_pool *pool);
void zs_deferred_list_flush(struct zs_pool *pool);
void zs_deferred_list_destroy(struct zs_pool *pool);

/*
 * Observers, to be called muted: the user will free @handle later, in a way of
 * its own; and: it is about to free one of these.
 */
void zs_observe_waiting(struct zs_pool *pool, unsigned long handle);
void zs_observe_freed(struct zs_pool *pool);

/* Read an object of @len bytes: returns its bytes in place, or a copy in @local when it spans two pages. */
void *zs_obj_read_begin(struct zs_pool *pool, unsigned long handle, size_t len, void *local);
void zs_obj_read_end(struct zs_pool *pool, unsigned long handle, size_t len, void *mem);
void zs_obj_write(struct zs_pool *pool, unsigned long handle, const void *src, size_t len);

/* Replace the object's first @len bytes as a user does who maps it for reading and writing. */
void zs_obj_modify(struct zs_pool *pool, unsigned long handle, const void *src, size_t len);

/* The older interface: one object mapped per CPU at a time, copies through a per-CPU buffer. */
enum zs_mapmode { ZS_MM_RW, ZS_MM_RO, ZS_MM_WO };
void *zs_map_object(struct zs_pool *pool, unsigned long handle, enum zs_mapmode mode);
void zs_unmap_object(struct zs_pool *pool, unsigned long handle);

unsigned long zs_get_total_pages(struct zs_pool *pool);		/* pages */
unsigned long zs_compact(struct zs_pool *pool);			/* pages freed */
unsigned long zs_pages_compacted(struct zs_pool *pool);
size_t zs_huge_class_size(struct zs_pool *pool);
unsigned int zs_lookup_class_index(struct zs_pool *pool, unsigned int size);

/*
 * The shrinker's two halves, as axis shrinker has them: pages that might be
 * freed; and freeing some, to which the answer is how many or SHRINK_STOP.
 */
#define SHRINK_STOP (~0ul)
unsigned long zs_shrinker_count(struct zs_pool *pool);
unsigned long zs_shrinker_scan(struct zs_pool *pool, unsigned long nr_to_scan);

/* Page migration: move one zspage page that is locked and isolated to @newpage. 0 or -EAGAIN. */
int zs_page_migrate(struct page *newpage, struct page *page);

/*
 * The first word of the object of @handle, for observers: no lock is taken, so
 * nobody may move objects meanwhile. False where that cannot be had.
 */
bool zs_peek(struct zs_pool *pool, unsigned long handle, u64 *word);

/* Text of the debugfs file "classes"; returns the bytes written. */
size_t zs_classes_show(struct zs_pool *pool, char *buf, size_t bytes);
/* Objects that wait in batches, all CPUs. */
unsigned long zs_deferred_objects(struct zs_pool *pool);
/* Walk everything and fault if lists, counters or free lists contradict each other. Functional mode only. */
void zs_check_pool(struct zs_pool *pool);

#endif
