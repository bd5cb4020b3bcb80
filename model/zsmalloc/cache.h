/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cache.h - the slab caches that all pools share: handles and zspages. */
#ifndef ZSMALLOC_CACHE_H
#define ZSMALLOC_CACHE_H

#include "model/zsmalloc/zspage.h"

extern struct kmem_cache *zs_handle_cachep;
extern struct kmem_cache *zs_zspage_cachep;

/* One more / one less pool uses the caches: the first makes them, the last destroys them. */
bool zs_caches_get(void);
void zs_caches_put(void);

/* Handles and zspages are touched by the CPU itself: neither highmem nor movable. 0 when memory is short. */
static inline unsigned long cache_alloc_handle(gfp_t gfp)
{
	return (unsigned long)kmem_cache_alloc(zs_handle_cachep,
					       gfp & ~(__GFP_HIGHMEM | __GFP_MOVABLE));
}

static inline void cache_free_handle(unsigned long handle)
{
	kmem_cache_free(zs_handle_cachep, (void *)handle);
}

static inline struct zspage *cache_alloc_zspage(gfp_t gfp)
{
	return kmem_cache_zalloc(zs_zspage_cachep, gfp & ~(__GFP_HIGHMEM | __GFP_MOVABLE));
}

static inline void cache_free_zspage(struct zspage *zspage)
{
	kmem_cache_free(zs_zspage_cachep, zspage);
}

#endif
