/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * axes.c - one table of the axes, from which come reading, checking,
 * printing and the lists in messages (see axes.h).
 */
#include "scenarios/axes.h"

#include <stdlib.h>
#include <string.h>

#include "scenarios/mem.h"
#include "scenarios/nearest.h"
#include "scenarios/variants.h"

const struct field_info defer_batch_info = {
	.key = "defer_batch", .unit = "handles", .least = 1, .most = DEFER_BATCH_MAX, .fallback = DEFER_BATCH_DEFAULT
};

static const struct field_info shrinker_ratio_info = {
	.key = "shrinker_ratio", .unit = "per cent", .least = 1, .most = 100, .fallback = SHRINKER_RATIO_DEFAULT
};

#define AXIS_VALUES_MAX 6

struct axis {
	const char *key;
	const char *values[AXIS_VALUES_MAX];	/* by enum value */
	const char *later[AXIS_VALUES_MAX];	/* named in the design, not built yet */
};

enum { AXIS_LOOKUP, AXIS_PAGE_RELEASE, AXIS_FREE, AXIS_ZRAM_STATS, AXIS_MAPPING, AXIS_SHRINKER, NR_AXES };

static const struct axis axes_table[NR_AXES] = {
	[AXIS_LOOKUP] = { "lookup", {
		[LOOKUP_POOL_LOCK] = "pool-lock",
		[LOOKUP_CLASS_IN_OBJ] = "class-in-obj",
	}, { NULL } },
	[AXIS_PAGE_RELEASE] = { "page_release", {
		[PAGE_RELEASE_UNDER_CLASS_LOCK] = "under-class-lock",
		[PAGE_RELEASE_OUTSIDE_CLASS_LOCK] = "outside-class-lock",
	}, { NULL } },
	[AXIS_FREE] = { "free", {
		[FREE_SYNC] = "sync",
		[FREE_DEFER_BATCH] = "defer-batch",
		[FREE_DEFER_PAGE_POOL] = "defer-page-pool",
		[FREE_DEFER_GLOBAL_LIST] = "defer-global-list",
		[FREE_DEFER_MM_THREAD] = "defer-mm-thread",
	}, { NULL } },
	[AXIS_ZRAM_STATS] = { "zram_stats", {
		[ZRAM_STATS_SHARED_ATOMIC] = "shared-atomic",
		[ZRAM_STATS_PERCPU] = "percpu",
	}, { NULL } },
	[AXIS_MAPPING] = { "mapping", {
		[MAPPING_DIRECT] = "direct",
		[MAPPING_PERCPU_COPY] = "percpu-copy",
	}, { NULL } },
	[AXIS_SHRINKER] = { "shrinker", {
		[SHRINKER_FULL_POOL] = "full-pool",
		[SHRINKER_BUDGET_CURSOR] = "budget-cursor",
		[SHRINKER_RATIO_SKIP] = "ratio-skip",
		[SHRINKER_OFF] = "off",
	}, { NULL } },
};

static const char *const known_keys[] = {
	"name", "from", "lookup", "page_release", "free", "defer_batch", "zram_stats", "mapping",
	"shrinker", "shrinker_ratio", NULL
};

static int value_check(struct source *src, const cJSON *item, const struct axis *axis)
{
	char *known = join_words(axis->values);
	const char *value = item->valuestring;

	if (!cJSON_IsString(item))
		source_fault(src, item, "%s where a word belongs; known: %s", kind_name(item), known);
	else if (word_index(axis->later, value) >= 0)
		source_fault(src, item, "\"%s\" comes with a later version; known now: %s", value, known);
	else if (word_index(axis->values, value) < 0)
		source_fault(src, item, "unknown value \"%s\" of axis %s; known: %s", quote(value).text,
			     axis->key, known);
	else
		value = NULL;
	free(known);
	return value || !cJSON_IsString(item) ? 2 : 0;
}

static int ratio_check(struct source *src, const cJSON *item)
{
	if (cJSON_IsObject(item))
		return source_fault(src, item, "a sweep of shrinker_ratio; write a variant for each number");
	return number_check(src, item, &shrinker_ratio_info);
}

int axis_check(struct source *src, const cJSON *item)
{
	for (int i = 0; i < NR_AXES; i++) {
		if (!strcmp(item->string, axes_table[i].key))
			return value_check(src, item, &axes_table[i]);
	}
	if (!strcmp(item->string, "defer_batch"))
		return number_check(src, item, &defer_batch_info);
	if (!strcmp(item->string, "shrinker_ratio"))
		return ratio_check(src, item);
	return source_key_fault(src, item, "unknown key; the nearest known key is \"%s\"",
				nearest_word(item->string, known_keys));
}

/* The axis's new value, or @old where @object does not name it. */
static int axis_value(const cJSON *object, int axis, int old)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, axes_table[axis].key);

	return item ? word_index(axes_table[axis].values, item->valuestring) : old;
}

void axes_apply(const cJSON *object, struct model_variant *axes)
{
	const cJSON *batch = cJSON_GetObjectItemCaseSensitive(object, "defer_batch");
	const cJSON *ratio = cJSON_GetObjectItemCaseSensitive(object, "shrinker_ratio");

	axes->lookup = axis_value(object, AXIS_LOOKUP, axes->lookup);
	axes->page_release = axis_value(object, AXIS_PAGE_RELEASE, axes->page_release);
	axes->free = axis_value(object, AXIS_FREE, axes->free);
	axes->zram_stats = axis_value(object, AXIS_ZRAM_STATS, axes->zram_stats);
	axes->mapping = axis_value(object, AXIS_MAPPING, axes->mapping);
	axes->shrinker = axis_value(object, AXIS_SHRINKER, axes->shrinker);
	if (cJSON_IsNumber(batch))
		axes->defer_batch = batch->valuedouble;
	if (cJSON_IsNumber(ratio))
		axes->shrinker_ratio = ratio->valuedouble;
}

const char *zram_stats_word(const struct model_variant *axes)
{
	return axes_table[AXIS_ZRAM_STATS].values[axes->zram_stats];
}

char *variant_text(const char *name, const struct model_variant *axes)
{
	const char *lookup = axes_table[AXIS_LOOKUP].values[axes->lookup];
	const char *release = axes_table[AXIS_PAGE_RELEASE].values[axes->page_release];
	const char *free_axis = axes_table[AXIS_FREE].values[axes->free];
	const char *stats = zram_stats_word(axes);
	char *batch = axes->free == FREE_DEFER_BATCH ?
		scn_printf(",\"defer_batch\":%u", axes->defer_batch) : scn_strdup("");
	const char *mapping = axes_table[AXIS_MAPPING].values[axes->mapping];
	const char *shrinker = axes_table[AXIS_SHRINKER].values[axes->shrinker];
	char *ratio = axes->shrinker == SHRINKER_RATIO_SKIP ?
		scn_printf(",\"shrinker_ratio\":%u", axes->shrinker_ratio) : scn_strdup("");
	char *text = scn_printf("{\"name\":\"%s\",\"lookup\":\"%s\",\"page_release\":\"%s\","
				"\"free\":\"%s\"%s,\"zram_stats\":\"%s\",\"mapping\":\"%s\",\"shrinker\":\"%s\"%s}",
				name, lookup, release, free_axis, batch, stats, mapping, shrinker, ratio);

	free(ratio);
	free(batch);
	return text;
}
