/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fields.c - see fields.h. */
#include "scenarios/fields.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/mem.h"
#include "scenarios/nearest.h"

static const char *const kind_words[] = {
	[WORKLOAD_MUNMAP] = "munmap", [WORKLOAD_MAPPING] = "mapping", [WORKLOAD_FIELD_POOL] = "field-pool",
	[WORKLOAD_COMPACTION] = "compaction", NULL
};
static const char *const kind_later[] = { NULL };
static const char *const user_words[] = { [USER_ZRAM] = "zram", [USER_ZSWAP] = "zswap", NULL };
static const char *const user_later[] = { NULL };
/* As sizes/algo.h has them; the first is zram's default. */
static const char *const algo_words[] = { "lzo-rle", "lzo", "lz4", "zstd", NULL };
static const char *const algo_later[] = { NULL };

const struct field_info field_info[NR_FIELDS] = {
#define FIELD(id, section, key, unit, least, most, fallback, kinds) \
	[FIELD_##id] = { section, key, unit, least, most, fallback, kinds, NULL, NULL },
#define WORD(id, section, key, words, later, fallback, kinds) \
	[FIELD_##id] = { section, key, "", 0, 0, fallback, kinds, words, later },
	SCENARIO_NUMBERS(FIELD)
	SCENARIO_WORDS(WORD)
#undef WORD
#undef FIELD
};

bool field_of_kind(enum field field, enum model_workload kind)
{
	return field_info[field].kinds == KIND_ANY || field_info[field].kinds & 1u << kind;
}

const char *field_word(enum field field, uint64_t value)
{
	return field_info[field].words ? field_info[field].words[value] : NULL;
}

const char *kind_name(const cJSON *item)
{
	if (cJSON_IsObject(item))
		return "an object";
	if (cJSON_IsArray(item))
		return "a list";
	if (cJSON_IsString(item))
		return "a string";
	if (cJSON_IsNumber(item))
		return "a number";
	return cJSON_IsBool(item) ? "true or false" : "null";
}

void number_wanted(const struct field_info *info, char *out, size_t bytes)
{
	const char *of = *info->unit ? " of " : "";

	if (info->words) {
		snprintf(out, bytes, "expected a word");
		return;
	}
	/* The one page size now has a sentence of its own: people will ask for 16. */
	if (!strcmp(info->key, "page_kb"))
		snprintf(out, bytes, "4 (KiB) is right, 16 comes later");
	else
		snprintf(out, bytes, "expected a whole number%s%s from %" PRIu64 " to %" PRIu64, of,
			 info->unit, info->least, info->most);
}

static int word_check(struct source *src, const cJSON *item, const struct field_info *info)
{
	char *known = join_words(info->words);
	int status = 0;

	if (!cJSON_IsString(item))
		status = source_fault(src, item, "%s where a word belongs; known: %s", kind_name(item), known);
	else if (word_index(info->later, item->valuestring) >= 0)
		status = source_fault(src, item, "\"%s\" comes with a later version; known now: %s",
				      item->valuestring, known);
	else if (word_index(info->words, item->valuestring) < 0)
		status = source_fault(src, item, "unknown %s \"%s\"; known: %s", info->key,
				      quote(item->valuestring).text, known);
	free(known);
	return status;
}

static int one_number_check(struct source *src, const cJSON *item, const struct field_info *info)
{
	double value = item->valuedouble;
	char wanted[128];

	if (info->words)
		return word_check(src, item, info);
	number_wanted(info, wanted, sizeof(wanted));
	if (!cJSON_IsNumber(item))
		return source_fault(src, item, "%s where a number belongs; %s", kind_name(item), wanted);
	if (value < 0)
		return source_fault(src, item, "%.15g is negative; %s", value, wanted);
	if (value != floor(value))
		return source_fault(src, item, "%.15g is not a whole number; %s", value, wanted);
	if (value < info->least || value > info->most)
		return source_fault(src, item, "%.16g is out of range; %s", value, wanted);
	return 0;
}

/* The same value twice would be the same run twice. */
static int repeated_check(struct source *src, const cJSON *list)
{
	const cJSON *item, *other;

	cJSON_ArrayForEach(item, list) {
		for (other = list->child; other != item; other = other->next) {
			if (!cJSON_Compare(item, other, true))
				continue;
			if (cJSON_IsString(item))
				return source_fault(src, item, "\"%s\" is in the sweep already; leave it out",
						    item->valuestring);
			return source_fault(src, item, "%.16g is in the sweep already; leave it out",
					    item->valuedouble);
		}
	}
	return 0;
}

static int sweep_check(struct source *src, const cJSON *item, const struct field_info *info)
{
	const cJSON *list, *element;
	char wanted[128];

	number_wanted(info, wanted, sizeof(wanted));
	cJSON_ArrayForEach(element, item) {
		if (strcmp(element->string, "sweep"))
			return source_key_fault(src, element, "unknown key; the nearest known key is \"sweep\"");
	}
	list = cJSON_GetObjectItemCaseSensitive(item, "sweep");
	if (!list)
		return source_fault(src, item, "an object without \"sweep\"; %s or {\"sweep\": [...]}", wanted);
	if (!cJSON_IsArray(list))
		return source_fault(src, list, "%s where a list belongs; write the values in [ ]",
				    kind_name(list));
	if (cJSON_GetArraySize(list) < 1 || cJSON_GetArraySize(list) > SWEEP_MAX)
		return source_fault(src, list, "a sweep of %d values; 1 to %d are possible",
				    cJSON_GetArraySize(list), SWEEP_MAX);
	cJSON_ArrayForEach(element, list) {
		if (one_number_check(src, element, info))
			return 2;
	}
	return repeated_check(src, list);
}

int number_check(struct source *src, const cJSON *item, const struct field_info *info)
{
	if (cJSON_IsObject(item))
		return sweep_check(src, item, info);
	return one_number_check(src, item, info);
}

static uint64_t value_of(const cJSON *item, const struct field_info *info)
{
	return info->words ? (uint64_t)word_index(info->words, item->valuestring) : (uint64_t)item->valuedouble;
}

struct choices number_choices(const struct source *src, const cJSON *item,
			      const struct field_info *info)
{
	const cJSON *list = cJSON_GetObjectItemCaseSensitive(item, "sweep"), *element;
	struct choices out = { .shown = list || source_is_set(src, item) };

	if (!list) {
		out.at = scn_zalloc(1, sizeof(*out.at));
		out.at[0].value = item ? value_of(item, info) : info->fallback;
		out.at[0].item = item;
		out.nr = 1;
		return out;
	}
	out.at = scn_zalloc(cJSON_GetArraySize(list), sizeof(*out.at));
	cJSON_ArrayForEach(element, list) {
		out.at[out.nr].value = value_of(element, info);
		out.at[out.nr++].item = element;
	}
	return out;
}
