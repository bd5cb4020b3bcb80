/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cache.h - tag arrays with true least-recently-used replacement. The ways of
 * a set are kept in order of use, so the usual hit is one comparison.
 */
#ifndef ZSMSIM_CACHE_H
#define ZSMSIM_CACHE_H

#include <string.h>

#include "sim/machine.h"

/* @lines capacity in lines; 0 makes a cache that holds nothing. */
void cache_create(struct cache *cache, uint32_t lines, uint32_t ways);
void cache_destroy(struct cache *cache);

static inline uint32_t *cache_set(const struct cache *cache, uint32_t line)
{
	uint32_t set = cache->mask ? line & cache->mask : line % cache->sets;

	return cache->tags + (size_t)set * cache->ways;
}

static inline void tags_to_front(uint32_t *tags, uint32_t way)
{
	uint32_t tag = tags[way];

	for (; way > 0; way--)
		tags[way] = tags[way - 1];
	tags[0] = tag;
}

/* Way that holds @line with any permission, or -1. */
static inline int tags_find(const uint32_t *tags, uint32_t ways, uint32_t line)
{
	for (uint32_t w = 0; w < ways; w++)
		if (tags[w] - (line << 2) - 1 < 2)
			return (int)w;
	return -1;
}

/* Put @tag first; returns the tag that fell out (0: none). */
static inline uint32_t tags_insert(uint32_t *tags, uint32_t ways, uint32_t tag)
{
	uint32_t out = tags[ways - 1];

	for (uint32_t w = ways - 1; w > 0; w--)
		tags[w] = tags[w - 1];
	tags[0] = tag;
	return out;
}

/* Take @line out; its way becomes the next to be used. */
static inline void tags_remove(uint32_t *tags, uint32_t ways, uint32_t line)
{
	int way = tags_find(tags, ways, line);

	if (way < 0)
		return;
	for (uint32_t w = (uint32_t)way; w + 1 < ways; w++)
		tags[w] = tags[w + 1];
	tags[ways - 1] = 0;
}

static inline void tags_set_permission(uint32_t *tags, uint32_t ways, uint32_t line, enum permission perm)
{
	int way = tags_find(tags, ways, line);

	if (way >= 0)
		tags[way] = TAG(line, perm);
}

#endif
