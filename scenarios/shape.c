/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shape.c - the part of the check that scenarios/schema.json can express
 * too, plus the names of profiles and variants. Keep the two in step:
 * tests/schema_agrees.py holds them against each other.
 */
#include "scenarios/loader.h"

#include <stdlib.h>
#include <string.h>

#include "scenarios/breaks.h"
#include "scenarios/nearest.h"
#include "scenarios/words.h"
#include "sim/profile.h"

typedef int (*member_check)(struct loader *ld, const cJSON *item);

struct rule {
	const char *key;
	member_check check;
};

#define KEYS_MAX 48

static int unknown_key(struct loader *ld, const cJSON *item, const struct rule *rules)
{
	const char *keys[KEYS_MAX + 1] = { NULL };

	for (size_t i = 0; i < KEYS_MAX && rules[i].key; i++)
		keys[i] = rules[i].key;
	return source_key_fault(&ld->src, item, "unknown key; the nearest known key is \"%s\"",
				nearest_word(item->string, keys));
}

/* Check each member of @object by its rule; @rules end with a NULL key. */
static int members_check(struct loader *ld, const cJSON *object, const struct rule *rules)
{
	const struct rule *rule;
	const cJSON *item;

	if (!cJSON_IsObject(object))
		return source_fault(&ld->src, object, "%s where an object belongs; write { }",
				    kind_name(object));
	cJSON_ArrayForEach(item, object) {
		for (rule = rules; rule->key && strcmp(rule->key, item->string); rule++)
			;
		if (!rule->key)
			return unknown_key(ld, item, rules);
		if (rule->check(ld, item))
			return 2;
	}
	return 0;
}

/* Is @list a list of 1 to @most entries that @check accepts? */
static int list_check(struct loader *ld, const cJSON *list, int most, member_check check)
{
	const cJSON *item;

	if (!cJSON_IsArray(list))
		return source_fault(&ld->src, list, "%s where a list belongs; write [ ]", kind_name(list));
	if (cJSON_GetArraySize(list) < 1 || cJSON_GetArraySize(list) > most)
		return source_fault(&ld->src, list, "a list of %d; 1 to %d entries are possible",
				    cJSON_GetArraySize(list), most);
	cJSON_ArrayForEach(item, list) {
		if (check(ld, item))
			return 2;
	}
	return 0;
}

/* No two entries of @list are the same; they may be of any kind. */
static int distinct_check(struct loader *ld, const cJSON *list)
{
	const cJSON *item, *other;

	cJSON_ArrayForEach(item, list) {
		for (other = list->child; other != item; other = other->next) {
			if (cJSON_Compare(item, other, true))
				return source_fault(&ld->src, item, "is in the list already; leave it out");
		}
	}
	return 0;
}

/* Results are told apart by a profile's name, so a file may not have that of another profile. */
static int profile_file_check(struct loader *ld, const cJSON *item)
{
	char error[512], *name = profile_short_name(item->valuestring);
	struct profile *profile = profile_load(item->valuestring, error, sizeof(error));
	int status = 0;

	for (char **known = ld->profiles; name && *known; known++) {
		if (!strcmp(*known, name))
			status = source_fault(&ld->src, item, "a file with the name of the profile \"%s\"; name it otherwise",
					      name);
	}
	if (!status && !profile)
		status = source_fault(&ld->src, item, "%s", error);
	profile_free(profile);
	free(name);
	return status;
}

static int profile_check(struct loader *ld, const cJSON *item)
{
	char *known;

	if (!cJSON_IsString(item))
		return source_fault(&ld->src, item, "%s where a profile's name belongs; write a \"string\"",
				    kind_name(item));
	if (profile_is_file(item->valuestring))
		return profile_file_check(ld, item);
	for (char **name = ld->profiles; *name; name++) {
		if (!strcmp(*name, item->valuestring))
			return 0;
	}
	known = join_words((const char *const *)ld->profiles);
	source_fault(&ld->src, item, "unknown profile \"%s\"; known: %s", quote(item->valuestring).text,
		     known);
	free(known);
	return 2;
}

static int profiles_check(struct loader *ld, const cJSON *item)
{
	return list_check(ld, item, LIST_MAX, profile_check) ? 2 : distinct_check(ld, item);
}

static int variant_entry_check(struct loader *ld, const cJSON *item)
{
	return variant_check(&ld->src, &ld->variants, item);
}

static int variants_list_check(struct loader *ld, const cJSON *item)
{
	return list_check(ld, item, LIST_MAX, variant_entry_check) ? 2 : distinct_check(ld, item);
}

/* A whole number that is a field: found by section and key. */
static int field_check(struct loader *ld, const cJSON *item)
{
	for (int i = 0; i < NR_FIELDS; i++) {
		if (!strcmp(field_info[i].key, item->string))
			return number_check(&ld->src, item, &field_info[i]);
	}
	return 0;
}

/* The CPUs of a cluster are a number; a sweep of them would be of the list. */
static int cluster_cpus_check(struct loader *ld, const cJSON *item)
{
	if (cJSON_IsObject(item))
		return source_fault(&ld->src, item, "a sweep inside a cluster; write one number of CPUs");
	return number_check(&ld->src, item, &field_info[FIELD_CPUS]);
}

static int cluster_check(struct loader *ld, const cJSON *item)
{
	static const struct rule rules[] = {
		{ "profile", profile_check }, { "cpus", cluster_cpus_check }, { NULL, NULL }
	};

	if (members_check(ld, item, rules))
		return 2;
	for (const struct rule *rule = rules; rule->key; rule++) {
		if (!cJSON_GetObjectItemCaseSensitive(item, rule->key))
			return source_fault(&ld->src, item,
					    "\"%s\" is missing; a cluster is {\"profile\": NAME, \"cpus\": N}",
					    rule->key);
	}
	return 0;
}

static int clusters_check(struct loader *ld, const cJSON *item)
{
	return list_check(ld, item, RUN_MAX_CLUSTERS, cluster_check);
}

static int machine_check(struct loader *ld, const cJSON *item)
{
	static const struct rule rules[] = {
		{ "cpus", field_check }, { "memory_mb", field_check }, { "page_kb", field_check },
		{ "clusters", clusters_check }, { NULL, NULL }
	};
	const cJSON *cpus;

	if (members_check(ld, item, rules))
		return 2;
	cpus = cJSON_GetObjectItemCaseSensitive(item, "cpus");
	if (cpus && cJSON_GetObjectItemCaseSensitive(item, "clusters"))
		return source_key_fault(&ld->src, cpus, "cpus beside clusters, which have their own; keep one");
	return 0;
}

/* The kind decides what the other keys mean, so there is one. */
static int kind_check(struct loader *ld, const cJSON *item)
{
	if (cJSON_IsObject(item))
		return source_fault(&ld->src, item, "a sweep of kinds; give each a block of its own in \"runs\"");
	return number_check(&ld->src, item, &field_info[FIELD_KIND]);
}

/* Keys that the kind stated beside them does not use would be silently without effect. */
static int kind_keys_check(struct loader *ld, const cJSON *workload)
{
	const cJSON *kind = cJSON_GetObjectItemCaseSensitive(workload, "kind"), *item;
	int value = kind ? word_index(field_info[FIELD_KIND].words, kind->valuestring) : 0;

	cJSON_ArrayForEach(item, workload) {
		if (kind && ((value != WORKLOAD_COMPACTION && !strcmp(item->string, "sizes")) ||
			     (value != WORKLOAD_MUNMAP && !strcmp(item->string, "contents"))))
			return source_key_fault(&ld->src, item, "a workload of kind \"%s\" has no %s; leave it out",
						kind->valuestring, item->string);
		for (enum field i = 0; kind && i < NR_FIELDS; i++) {
			if (!strcmp(field_info[i].key, item->string) && !field_of_kind(i, value))
				return source_key_fault(&ld->src, item, "a workload of kind \"%s\" has no %s; leave it out",
							kind->valuestring, item->string);
		}
	}
	return 0;
}

/* What is in the file, block.c looks at. */
static int sizes_file_check(struct loader *ld, const cJSON *item)
{
	if (text_check(&ld->src, item))
		return 2;
	return *item->valuestring ? 0 : source_fault(&ld->src, item, "an empty name; name a file that 'zsmsim sizes' wrote");
}

static int contents_file_check(struct loader *ld, const cJSON *item)
{
	if (text_check(&ld->src, item))
		return 2;
	return *item->valuestring ? 0 : source_fault(&ld->src, item, "an empty name; name a file");
}

static int workload_check(struct loader *ld, const cJSON *item)
{
	static const struct rule rules[] = {
		{ "kind", kind_check }, { "user", field_check }, { "algo", field_check },
		{ "contents", contents_file_check }, { "procs", field_check },
		{ "region_mb", field_check }, { "objects", field_check },
		{ "pool_mb", field_check }, { "object_bytes", field_check }, { "ageing_rounds", field_check },
		{ "ageing_percent", field_check }, { "passes", field_check }, { "goal_pages", field_check },
		{ "tasks", field_check }, { "burst", field_check }, { "manual_every", field_check },
		{ "worker_cpus", field_check },
		{ "sizes", sizes_file_check },
		{ NULL, NULL }
	};

	return members_check(ld, item, rules) ? 2 : kind_keys_check(ld, item);
}

/* What is in the file, block.c looks at. */
static int dump_file_check(struct loader *ld, const cJSON *item)
{
	if (text_check(&ld->src, item))
		return 2;
	return *item->valuestring ? 0 : source_fault(&ld->src, item, "an empty name; name a file with what debugfs 'classes' printed");
}

static int mm_stat_check(struct loader *ld, const cJSON *item)
{
	return text_check(&ld->src, item);
}

static int pool_check(struct loader *ld, const cJSON *item)
{
	static const struct rule rules[] = {
		{ "classes", dump_file_check }, { "mm_stat", mm_stat_check }, { NULL, NULL }
	};

	return members_check(ld, item, rules);
}

static int zsmalloc_check(struct loader *ld, const cJSON *item)
{
	static const struct rule rules[] = { { "chain_size", field_check }, { NULL, NULL } };

	return members_check(ld, item, rules);
}

static int break_key_check(struct loader *ld, const cJSON *item)
{
	return break_check(&ld->src, item);
}

#define BLOCK_RULES								\
	{ "profiles", profiles_check }, { "variants", variants_list_check },	\
	{ "variant", variant_entry_check },					\
	{ "machine", machine_check }, { "workload", workload_check },		\
	{ "zsmalloc", zsmalloc_check }, { "pool", pool_check }, { "sample_us", field_check },		\
	{ "jitter", field_check },							\
	{ "seed", field_check }, { "break", break_key_check }

/* profiles and clusters of one block would be two answers to one question. */
static int hardware_check(struct loader *ld, const cJSON *block)
{
	const cJSON *profiles = cJSON_GetObjectItemCaseSensitive(block, "profiles");
	const cJSON *machine = cJSON_GetObjectItemCaseSensitive(block, "machine");

	if (profiles && cJSON_GetObjectItemCaseSensitive(machine, "clusters"))
		return source_key_fault(&ld->src, profiles,
					"profiles beside machine.clusters, which have their own; keep one");
	return 0;
}

static int level_check(struct loader *ld, const cJSON *level)
{
	const cJSON *one = cJSON_GetObjectItemCaseSensitive(level, "variant");

	if (one && cJSON_GetObjectItemCaseSensitive(level, "variants"))
		return source_key_fault(&ld->src, one, "variant beside variants; keep one");
	return hardware_check(ld, level);
}

static int block_check(struct loader *ld, const cJSON *item)
{
	static const struct rule rules[] = { BLOCK_RULES, { NULL, NULL } };

	return members_check(ld, item, rules) ? 2 : level_check(ld, item);
}

static int runs_check(struct loader *ld, const cJSON *item)
{
	return list_check(ld, item, BLOCKS_MAX, block_check);
}

static int name_key_check(struct loader *ld, const cJSON *item)
{
	return name_check(&ld->src, item, WORD_SCENARIO);
}

static int text_key_check(struct loader *ld, const cJSON *item)
{
	return text_check(&ld->src, item);
}

int shape_check(struct loader *ld)
{
	static const struct rule rules[] = {
		{ "name", name_key_check }, { "description", text_key_check }, { "question", text_key_check }, { "runs", runs_check },
		BLOCK_RULES, { "$schema", text_key_check }, { NULL, NULL }
	};
	const cJSON *root = ld->src.root;

	if (members_check(ld, root, rules) || level_check(ld, root))
		return 2;
	if (!cJSON_GetObjectItemCaseSensitive(root, "name"))
		return source_fault(&ld->src, root, "\"name\" is missing; add \"name\": \"a-word\"");
	return 0;
}
