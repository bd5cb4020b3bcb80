/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cache.c - the slab caches that all pools share: handles and zspages. */
#include "model/zsmalloc/cache.h"

struct kmem_cache *zs_handle_cachep;
struct kmem_cache *zs_zspage_cachep;
static unsigned int cache_users;

bool zs_caches_get(void)
{
	if (cache_users++)
		return true;
	zs_handle_cachep = kmem_cache_create("zs_handle", ZS_HANDLE_SIZE, 0);
	zs_zspage_cachep = kmem_cache_create("zspage", sizeof(struct zspage), 0);
	if (zs_handle_cachep && zs_zspage_cachep)
		return true;
	zs_caches_put();
	return false;
}

static void destroy_cache(struct kmem_cache **cache)
{
	if (*cache)
		kmem_cache_destroy(*cache);
	*cache = NULL;
}

/* Destroying a cache with objects in it is a fault, so a lost handle shows here. */
void zs_caches_put(void)
{
	if (--cache_users)
		return;
	destroy_cache(&zs_handle_cachep);
	destroy_cache(&zs_zspage_cachep);
}
