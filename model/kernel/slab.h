/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slab.h - object caches after SLUB: a current slab per CPU, partial slabs
 * per CPU and per node, free objects linked through themselves.
 */
#ifndef KERNEL_SLAB_H
#define KERNEL_SLAB_H

#include "model/kernel/types.h"

struct kmem_cache;

void slab_init(void);
/* @size 8 .. PAGE_SIZE, multiple of 8. @name must stay. */
struct kmem_cache *kmem_cache_create(const char *name, size_t size, size_t align);
void kmem_cache_destroy(struct kmem_cache *cache);	/* a fault if objects are left */
void *kmem_cache_alloc(struct kmem_cache *cache, gfp_t gfp);
void *kmem_cache_zalloc(struct kmem_cache *cache, gfp_t gfp);
void kmem_cache_free(struct kmem_cache *cache, void *obj);
unsigned long kmem_cache_objects(struct kmem_cache *cache);	/* in use; exact when all is quiet */

/* Sizes up to 32 KiB; from the bucket caches 8 16 32 64 96 128 192 256 512 1k 2k 4k 8k, else whole pages. */
void *kmalloc(size_t bytes, gfp_t gfp);
void *kzalloc(size_t bytes, gfp_t gfp);
void kfree(const void *obj);
/* Large zeroed tables: physically contiguous memory that boot set aside or alloc_pages; page-granular. */
void *vzalloc(size_t bytes);
void vfree(const void *addr);

#endif
