/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cache.c - making and freeing tag arrays. */
#include "sim/cache.h"

#include <stdio.h>
#include <stdlib.h>

void cache_create(struct cache *cache, uint32_t lines, uint32_t ways)
{
	memset(cache, 0, sizeof(*cache));
	if (!lines || !ways)
		return;
	cache->ways = ways;
	cache->sets = lines / ways;
	if (!(cache->sets & (cache->sets - 1)))
		cache->mask = cache->sets - 1;
	cache->tags = calloc((size_t)cache->sets * ways, sizeof(*cache->tags));
	if (!cache->tags) {
		fprintf(stderr, "zsmsim: out of memory for a cache of %u lines\n", lines);
		exit(1);
	}
}

void cache_destroy(struct cache *cache)
{
	free(cache->tags);
	memset(cache, 0, sizeof(*cache));
}
