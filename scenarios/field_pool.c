/* SPDX-License-Identifier: GPL-3.0-or-later */
/* field_pool.c - see field_pool.h. */
#include "scenarios/field_pool.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/file_name.h"
#include "scenarios/mem.h"

#define SUFFIX ".txt"

static void free_pool(struct field_pool *pool)
{
	dump_free(pool->dump);
	free(pool->given);
	free(pool->name);
	free(pool);
}

static struct field_pool *find(const struct field_pools *pools, const char *given)
{
	for (size_t i = 0; i < pools->nr; i++) {
		if (!strcmp(pools->at[i]->given, given))
			return pools->at[i];
	}
	return NULL;
}

static void add(struct field_pools *pools, struct field_pool *pool)
{
	pools->at = scn_grow(pools->at, pools->nr, sizeof(*pools->at));
	pools->at[pools->nr++] = pool;
}

/* Results are told apart by the name, so it means one dump. */
static int name_check(struct source *src, const struct field_pools *pools, const cJSON *item,
		      const struct field_pool *pool)
{
	for (size_t i = 0; i < pools->nr; i++) {
		const struct field_pool *other = pools->at[i];

		if (!strcmp(other->name, pool->name) && other->dump->hash != pool->dump->hash)
			return source_fault(src, item, "another dump than \"%s\", of the same name; rename one of the files",
					    quote(other->given).text);
	}
	return 0;
}

static struct field_pool *read_pool(struct source *src, struct field_pools *pools, const cJSON *item)
{
	const char *given = item->valuestring;
	char *path = source_find_file(src, given);
	struct field_pool *pool;

	if (!path) {
		source_fault(src, item, "no such file; name one with what debugfs 'classes' printed, or write one with 'zsmsim dump'");
		return NULL;
	}
	pool = scn_zalloc(1, sizeof(*pool));
	pool->given = scn_strdup(given);
	pool->name = word_of_file(given, SUFFIX);
	if (dump_read(path, &pool->dump, src->error, src->error_bytes) || name_check(src, pools, item, pool)) {
		free_pool(pool);
		pool = NULL;
	}
	free(path);
	if (pool)
		add(pools, pool);
	return pool;
}

const struct field_pool *field_pool_read(struct source *src, struct field_pools *pools, const cJSON *classes,
					 const cJSON *mm_stat)
{
	struct field_pool *pool = find(pools, classes->valuestring);
	char *fault;

	if (!pool)
		pool = read_pool(src, pools, classes);
	if (!pool || !mm_stat)
		return pool;
	fault = dump_mm_stat_fault(pool->dump, mm_stat->valuestring);
	if (!fault)
		return pool;
	source_fault(src, mm_stat, "%s", fault);
	free(fault);
	return NULL;
}

void field_pools_move(struct field_pools *to, struct field_pools *from)
{
	for (size_t i = 0; i < from->nr; i++)
		add(to, from->at[i]);
	free(from->at);
	*from = (struct field_pools){ 0 };
}

void field_pools_free(struct field_pools *pools)
{
	for (size_t i = 0; i < pools->nr; i++)
		free_pool(pools->at[i]);
	free(pools->at);
	*pools = (struct field_pools){ 0 };
}

char *field_pool_text(const struct field_pool *pool)
{
	return scn_printf("%s:%016" PRIx64, pool->name, pool->dump->hash);
}
