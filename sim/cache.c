/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cache.c - making and freeing tag arrays. */
#include "sim/cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static size_t cache_bytes(const struct cache *cache)
{
	return (size_t)cache->sets * cache->ways * sizeof(*cache->tags);
}

void cache_create(struct cache *cache, uint32_t lines, uint32_t ways)
{
	memset(cache, 0, sizeof(*cache));
	if (!lines || !ways)
		return;
	cache->ways = ways;
	cache->sets = lines / ways;
	if (!(cache->sets & (cache->sets - 1)))
		cache->mask = cache->sets - 1;
	cache->tags = mmap(NULL, cache_bytes(cache), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (cache->tags == MAP_FAILED) {
		fprintf(stderr, "zsmsim: out of memory for a cache of %u lines\n", lines);
		exit(1);
	}
	madvise(cache->tags, cache_bytes(cache), MADV_HUGEPAGE);
}

void cache_destroy(struct cache *cache)
{
	if (cache->tags)
		munmap(cache->tags, cache_bytes(cache));
	memset(cache, 0, sizeof(*cache));
}
