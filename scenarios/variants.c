/* SPDX-License-Identifier: GPL-3.0-or-later */
/* variants.c - reading and writing of variants (see variants.h). */
#include "scenarios/variants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/axes.h"
#include "scenarios/fields.h"
#include "scenarios/mem.h"
#include "scenarios/nearest.h"
#include "scenarios/words.h"
#include "sim/datapath.h"

static const struct variant *variant_find(const struct variant_set *set, const char *name)
{
	for (size_t i = 0; i < set->nr; i++) {
		if (!strcmp(set->at[i].name, name))
			return &set->at[i];
	}
	return NULL;
}

static int known_check(struct source *src, const struct variant_set *set, const cJSON *item)
{
	const char *name = item->valuestring;
	char *known;

	if (variant_find(set, name))
		return 0;
	known = join_words((const char *const *)set->names);
	source_fault(src, item, "unknown variant \"%s\"; known: %s", quote(name).text, known);
	free(known);
	return 2;
}

static const cJSON *member(const cJSON *object, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* The variant that @object starts from. */
static const struct variant *origin(const struct variant_set *set, const cJSON *object)
{
	const cJSON *from = member(object, "from");

	return variant_find(set, from ? from->valuestring : "base");
}

static int key_check(struct source *src, const struct variant_set *set, const cJSON *item)
{
	if (!strcmp(item->string, "name"))
		return name_check(src, item, WORD_VARIANT);
	if (!strcmp(item->string, "from"))
		return cJSON_IsString(item) ? known_check(src, set, item) :
			source_fault(src, item, "%s where a variant's name belongs; write it as a \"string\"",
				     kind_name(item));
	return axis_check(src, item);
}

static int object_check(struct source *src, const struct variant_set *set, const cJSON *object)
{
	const cJSON *item, *name = member(object, "name"), *batch = member(object, "defer_batch");
	struct model_variant axes;

	cJSON_ArrayForEach(item, object) {
		if (key_check(src, set, item))
			return 2;
	}
	if (!name)
		return source_fault(src, object, "a variant without \"name\"; give it one");
	if (variant_find(set, name->valuestring))
		return source_fault(src, name, "\"%s\" is a named variant already; choose another name",
				    quote(name->valuestring).text);
	if (!origin(set, object))
		return source_fault(src, object, "no variant \"base\" to start from; name one with \"from\"");
	axes = origin(set, object)->axes;
	axes_apply(object, &axes);
	if (batch && axes.free != FREE_DEFER_BATCH)
		return source_key_fault(src, batch,
					"defer_batch without a batch; add \"free\": \"defer-batch\" or leave it out");
	if (member(object, "shrinker_ratio") && axes.shrinker != SHRINKER_RATIO_SKIP)
		return source_key_fault(src, member(object, "shrinker_ratio"),
					"shrinker_ratio without its shrinker; add \"shrinker\": \"ratio-skip\" or leave it out");
	return 0;
}

int variant_check(struct source *src, struct variant_set *set, const cJSON *item)
{
	if (is_kernel_variant(item))
		return kernel_variant_check(src, &set->kernels, (const char *const *)set->names, item);
	if (cJSON_IsString(item))
		return known_check(src, set, item);
	if (cJSON_IsObject(item))
		return object_check(src, set, item);
	return source_fault(src, item,
			    "%s where a variant belongs; expected a name, a module \"FILE.so\" or {\"name\": ..., axes}",
			    kind_name(item));
}

static void add_choice(struct variant_choices *out, const char *name,
		       const struct model_variant *axes, bool batch_shown)
{
	out->at = scn_grow(out->at, out->nr, sizeof(*out->at));
	out->at[out->nr++] = (struct variant_choice){
		.name = scn_strdup(name), .axes = *axes, .batch_shown = batch_shown
	};
}

static void add_kernel_choice(struct variant_choices *out, const struct variant_set *set, const cJSON *item)
{
	struct model_variant axes = kernel_variant_axes(item);
	char *name = kernel_variant_name(item);

	add_choice(out, name, &axes, false);
	out->at[out->nr - 1].kernel = kernel_variant_module(&set->kernels, item);
	free(name);
}

void variant_expand(const struct source *src, const struct variant_set *set, const cJSON *item,
		    struct variant_choices *out)
{
	const cJSON *batch = member(item, "defer_batch");
	struct model_variant axes;
	struct choices choices;

	if (is_kernel_variant(item)) {
		add_kernel_choice(out, set, item);
		return;
	}
	if (cJSON_IsString(item)) {
		add_choice(out, item->valuestring, &variant_find(set, item->valuestring)->axes, false);
		return;
	}
	axes = origin(set, item)->axes;
	axes_apply(item, &axes);
	if (!batch) {
		add_choice(out, member(item, "name")->valuestring, &axes, false);
		return;
	}
	choices = number_choices(src, batch, &defer_batch_info);
	for (size_t i = 0; i < choices.nr; i++) {
		axes.defer_batch = choices.at[i].value;
		add_choice(out, member(item, "name")->valuestring, &axes, choices.shown);
	}
	free(choices.at);
}

void variant_choices_free(struct variant_choices *choices)
{
	for (size_t i = 0; i < choices->nr; i++)
		free(choices->at[i].name);
	free(choices->at);
	memset(choices, 0, sizeof(*choices));
}

char *variant_identity(const struct run_spec *spec)
{
	if (!spec->kernel)
		return scn_strdup(spec->variant_text);
	return scn_printf("%s %s %s", spec->variant, spec->kernel_info->id, zram_stats_word(&spec->axes));
}

/* A member of an entry of data/variants.json: text or an axis. */
static int entry_key_check(struct source *src, const cJSON *item)
{
	if (!strcmp(item->string, "name"))
		return name_check(src, item, WORD_VARIANT);
	if (!strcmp(item->string, "description") || !strcmp(item->string, "source"))
		return text_check(src, item);
	if (!strcmp(item->string, "defer_batch") && cJSON_IsObject(item))
		return source_fault(src, item, "a sweep in a named variant; write one number");
	return axis_check(src, item);
}

static int entry_check(struct source *src, const struct variant_set *set, const cJSON *entry)
{
	static const char *const required[] = { "name", "description", "source", "lookup",
						"page_release", "free", "zram_stats" };
	const cJSON *item;

	if (!cJSON_IsObject(entry))
		return source_fault(src, entry, "%s where a variant belongs; write an object",
				    kind_name(entry));
	cJSON_ArrayForEach(item, entry) {
		if (entry_key_check(src, item))
			return 2;
	}
	for (size_t i = 0; i < sizeof(required) / sizeof(*required); i++) {
		if (!member(entry, required[i]))
			return source_fault(src, entry, "\"%s\" is missing; a named variant states every axis",
					    required[i]);
	}
	item = member(entry, "name");
	if (variant_find(set, item->valuestring))
		return source_fault(src, item, "this name is taken; choose another");
	return 0;
}

static void add_entry(struct variant_set *set, const cJSON *entry)
{
	struct variant *variant;

	set->at = scn_grow(set->at, set->nr, sizeof(*set->at));
	variant = &set->at[set->nr++];
	memset(variant, 0, sizeof(*variant));
	variant->name = scn_strdup(member(entry, "name")->valuestring);
	variant->description = scn_strdup(member(entry, "description")->valuestring);
	variant->source = scn_strdup(member(entry, "source")->valuestring);
	variant->axes.defer_batch = DEFER_BATCH_DEFAULT;
	variant->axes.shrinker_ratio = SHRINKER_RATIO_DEFAULT;
	axes_apply(entry, &variant->axes);
}

static int read_entries(struct source *src, struct variant_set *set)
{
	const cJSON *list = member(src->root, "variants"), *entry;

	if (!cJSON_IsArray(list) || !list->child)
		return source_fault(src, src->root, "no list \"variants\"; write {\"variants\": [...]}");
	cJSON_ArrayForEach(entry, list) {
		if (entry_check(src, set, entry))
			return 2;
		add_entry(set, entry);
	}
	return 0;
}

static void list_names(struct variant_set *set)
{
	set->names = scn_zalloc(set->nr + 1, sizeof(*set->names));
	for (size_t i = 0; i < set->nr; i++)
		set->names[i] = set->at[i].name;
}

int variants_load(struct variant_set *set, char *error, size_t error_bytes)
{
	char *file = datapath("variants.json");
	struct source src;
	int status;

	memset(set, 0, sizeof(*set));
	/* A file that is nowhere is reported under its name, as one that cannot be opened. */
	status = source_open(&src, file ? file : "data/variants.json", error, error_bytes);
	if (status == 0)
		status = read_entries(&src, set);
	list_names(set);
	source_close(&src);
	free(file);
	return status;
}

void variants_free(struct variant_set *set)
{
	for (size_t i = 0; i < set->nr; i++) {
		free(set->at[i].name);
		free(set->at[i].description);
		free(set->at[i].source);
	}
	free(set->at);
	free(set->names);
	kernel_modules_free(&set->kernels);
	memset(set, 0, sizeof(*set));
}
