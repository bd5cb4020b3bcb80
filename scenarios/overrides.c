/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * overrides.c - see overrides.h.
 *
 * Each change is a text of its own, parsed like a file under the name
 * "--set PATH", whose root is then hung into the scenario's tree: errors
 * inside it find their way back without any extra bookkeeping.
 */
#include "scenarios/overrides.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/mem.h"

#define SET_STEPS_MAX 16

struct set_step {
	char *key;			/* member of an object, or NULL: */
	int index;			/* element of an array */
	size_t path_bytes;		/* of the path up to and with this step */
};

struct set {
	char *path;
	struct set_step steps[SET_STEPS_MAX];
	size_t nr_steps;
	char *value;			/* JSON text */
};

/* An error about the assignment itself, before there is a text for it. */
static int set_fault(struct source *src, const struct set *set, const char *message)
{
	char *prefix = scn_printf("$.%s", set->path);
	char *name = scn_printf("--set %s", set->path);
	struct json_text doc = { .name = name, .prefix = prefix, .text = NULL };

	json_text_fault(&doc, JSON_NO_MARK, false, message, src->error, src->error_bytes);
	free(prefix);
	free(name);
	return 2;
}

static bool key_char(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_-+$", c));
}

/* One ".key", "key" or "[3]" at @at; returns what follows, or NULL. */
static const char *parse_step(const char *at, bool first, struct set_step *step)
{
	const char *end;

	if (*at == '[') {
		char *after;
		long index = isdigit((unsigned char)at[1]) ? strtol(at + 1, &after, 10) : -1;

		if (index < 0 || index > 1000000 || *after != ']')
			return NULL;
		step->index = index;
		return after + 1;
	}
	if (!first && *at++ != '.')
		return NULL;
	for (end = at; key_char(*end); end++)
		;
	if (end == at)
		return NULL;
	step->key = strndup(at, end - at);
	return end;
}

static int parse_path(struct source *src, struct set *set)
{
	const char *at = set->path;

	while (*at) {
		struct set_step *step = &set->steps[set->nr_steps];

		if (set->nr_steps == SET_STEPS_MAX)
			return set_fault(src, set, "the path has too many steps; at most 16 are read");
		set->nr_steps++;
		at = parse_step(at, at == set->path, step);
		if (!at)
			return set_fault(src, set,
					 "not a path; write keys and indices such as workload.region_mb or runs[1].variants");
		step->path_bytes = at - set->path;
	}
	if (!set->nr_steps || !set->steps[0].key)
		return set_fault(src, set, "no path before \"=\"; write PATH=VALUE such as workload.region_mb=64");
	return 0;
}

/* profiles and variants hold lists, wherever they stand. */
static bool is_list_key(const struct set *set)
{
	const char *key = set->steps[set->nr_steps - 1].key;

	return key && (!strcmp(key, "profiles") || !strcmp(key, "variants"));
}

static char *print_and_delete(cJSON *item)
{
	char *printed = cJSON_PrintUnformatted(item);
	char *text = scn_strdup(printed);

	cJSON_free(printed);
	cJSON_Delete(item);
	return text;
}

static char *list_text(const char *words)
{
	cJSON *list = cJSON_CreateArray();

	for (;;) {
		size_t length = strcspn(words, ",");
		char *word = strndup(words, length);

		cJSON_AddItemToArray(list, cJSON_CreateString(word));
		free(word);
		if (!words[length])
			return print_and_delete(list);
		words += length + 1;
	}
}

/*
 * JSON text for @value. What is JSON but beyond a limit stays as it is and
 * fails later with the right message, and so does what can only have been
 * meant as JSON.
 */
static char *value_text(const struct set *set, const char *value)
{
	struct json_marks marks = { 0 };
	struct json_fault fault;
	bool json = json_scan(value, strlen(value), &marks, &fault) || !fault.syntax;

	free(marks.mark);
	if (json || *value == '{' || *value == '[' || *value == '"') {
		bool string = json && *value == '"';
		cJSON *item = string && is_list_key(set) ? cJSON_Parse(value) : NULL;
		char *text = item ? list_text(item->valuestring) : scn_strdup(value);

		cJSON_Delete(item);
		return text;
	}
	if (is_list_key(set))
		return list_text(value);
	return print_and_delete(cJSON_CreateString(value));
}

static cJSON *step_into(cJSON *at, const struct set_step *step)
{
	if (step->key)
		return cJSON_IsObject(at) ? cJSON_GetObjectItemCaseSensitive(at, step->key) : NULL;
	return cJSON_IsArray(at) ? cJSON_GetArrayItem(at, step->index) : NULL;
}

/* Nest @value in objects for the steps after @from. */
static char *wrap_value(const struct set *set, size_t from)
{
	char *text = scn_strdup(set->value);

	for (size_t i = set->nr_steps; i-- > from + 1;) {
		char *outer = scn_printf("{\"%s\":%s}", set->steps[i].key, text);

		free(text);
		text = outer;
	}
	return text;
}

/* Parse the value as seen from step @from; the source owns the text. */
static int parse_value(struct source *src, const struct set *set, size_t from, cJSON **root)
{
	struct json_text *doc = scn_zalloc(1, sizeof(*doc));
	char *text = wrap_value(set, from);
	int status;

	doc->name = scn_printf("--set %s", set->path);
	doc->prefix = scn_printf("$.%.*s", (int)set->steps[from].path_bytes, set->path);
	src->texts = scn_grow(src->texts, src->nr_texts, sizeof(*src->texts));
	src->texts[src->nr_texts++] = doc;
	status = json_text_parse(doc, text, strlen(text), src->error, src->error_bytes);
	*root = doc->root;
	if (status == 0)
		doc->root = NULL;	/* the scenario's tree owns it from here */
	return status;
}

/* "variant" is another way to write "variants": what stands in @at under the other name, or NULL. */
static cJSON *twin_of(cJSON *at, const struct set_step *step)
{
	if (step->key && !strcmp(step->key, "variants"))
		return cJSON_GetObjectItemCaseSensitive(at, "variant");
	if (step->key && !strcmp(step->key, "variant"))
		return cJSON_GetObjectItemCaseSensitive(at, "variants");
	return NULL;
}

static void drop(struct source *src, cJSON *at, cJSON *item)
{
	cJSON_DetachItemViaPointer(at, item);
	cJSON_AddItemToArray(src->dropped, item);
}

/* Put the value into @at, in the place of step @from. */
static int hang(struct source *src, const struct set *set, cJSON *at, size_t from)
{
	const struct set_step *step = &set->steps[from];
	cJSON *twin = from == set->nr_steps - 1 ? twin_of(at, step) : NULL;
	cJSON *old = step_into(at, step), *root;
	int status = parse_value(src, set, from, &root);

	if (status)
		return status;
	if (old)
		drop(src, at, old);
	if (twin)
		drop(src, at, twin);
	if (step->key)
		cJSON_AddItemToObject(at, step->key, root);
	else
		cJSON_InsertItemInArray(at, step->index, root);
	return 0;
}

/*
 * Follow the steps from @at as far as they lead. *@from becomes the step
 * whose value is to be set; false if it cannot be set there.
 */
static bool follow(const struct set *set, cJSON **at, size_t *from)
{
	for (*from = 0; *from < set->nr_steps - 1; ++*from) {
		cJSON *next = step_into(*at, &set->steps[*from]);

		if (!next)
			break;
		*at = next;
	}
	for (size_t i = *from; i < set->nr_steps; i++) {
		if (!set->steps[i].key && !(i == *from && step_into(*at, &set->steps[i])))
			return false;
	}
	return set->steps[*from].key ? cJSON_IsObject(*at) : true;
}

/* Replace the value in each block that has its own; how many had. */
static int apply_to_blocks(struct source *src, const struct set *set, size_t *nr)
{
	cJSON *runs = cJSON_GetObjectItemCaseSensitive(src->root, "runs"), *block;

	*nr = 0;
	if (!cJSON_IsArray(runs) || !strcmp(set->steps[0].key, "runs"))
		return 0;
	cJSON_ArrayForEach(block, runs) {
		cJSON *at = block;
		size_t from;

		if (!follow(set, &at, &from) || from != set->nr_steps - 1 ||
		    !(step_into(at, &set->steps[from]) || twin_of(at, &set->steps[from])))
			continue;
		if (hang(src, set, at, from))
			return 2;
		++*nr;
	}
	return 0;
}

static int apply(struct source *src, const struct set *set)
{
	cJSON *at = src->root;
	size_t from, nr;

	if (apply_to_blocks(src, set, &nr))
		return 2;
	if (follow(set, &at, &from))
		return hang(src, set, at, from);
	if (nr)
		return 0;
	return set_fault(src, set, "leads nowhere in this scenario; name keys of objects and elements that exist");
}

static void free_set(struct set *set)
{
	for (size_t i = 0; i < set->nr_steps; i++)
		free(set->steps[i].key);
	free(set->path);
	free(set->value);
}

int override_apply(struct source *src, const char *assignment)
{
	const char *equals = strchr(assignment, '=');
	struct set set = { 0 };
	int status;

	if (!strncmp(assignment, "$.", 2))
		assignment += 2;
	set.path = equals ? strndup(assignment, equals - assignment) : scn_strdup(assignment);
	if (!equals)
		status = set_fault(src, &set, "no \"=\"; write PATH=VALUE such as workload.region_mb=64");
	else
		status = parse_path(src, &set);
	if (status == 0) {
		set.value = value_text(&set, equals + 1);
		status = apply(src, &set);
	}
	free_set(&set);
	return status;
}
