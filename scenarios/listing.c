/* SPDX-License-Identifier: GPL-3.0-or-later */
/* listing.c - what scenarios and variants there are, for `zsmsim list`. */
#include "scenarios/scenario.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/json_text.h"
#include "scenarios/mem.h"
#include "scenarios/variants.h"
#include "sim/datapath.h"

static void add_entry(struct scenario_listing *out, const char *name, const char *description,
		      const char *origin)
{
	out->entries = scn_grow(out->entries, out->nr, sizeof(*out->entries));
	out->entries[out->nr++] = (struct scenario_entry){
		scn_strdup(name), scn_strdup(description), scn_strdup(origin)
	};
}

int scenario_variants(struct scenario_listing *out, char *error, size_t error_bytes)
{
	struct variant_set set;
	int status = variants_load(&set, error, error_bytes);

	memset(out, 0, sizeof(*out));
	for (size_t i = 0; status == 0 && i < set.nr; i++)
		add_entry(out, set.at[i].name, set.at[i].description, set.at[i].source);
	variants_free(&set);
	return status;
}

static const char *text_of(const cJSON *object, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	return cJSON_IsString(item) ? item->valuestring : "";
}

/* Name and description only: listing must not fail for what running would refuse. */
static int list_file(struct scenario_listing *out, const char *file, char *error, size_t error_bytes)
{
	struct json_text doc;
	int status = json_text_read(&doc, file, error, error_bytes);

	if (status == 0)
		add_entry(out, text_of(doc.root, "name"), text_of(doc.root, "description"), file);
	json_text_close(&doc);
	return status;
}

/* The schema lies beside the scenarios and is none. */
static int is_scenario(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return dot && !strcmp(dot, ".json") && strcmp(entry->d_name, "schema.json");
}

/* By bytes: the locale must not change the order. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

int scenario_list(struct scenario_listing *out, char *error, size_t error_bytes)
{
	/* Wherever data/ is, in a source tree or installed, scenarios/ is beside it. */
	char *directory = datapath("../scenarios"), *file;
	struct dirent **names = NULL;
	int nr = directory ? scandir(directory, &names, is_scenario, by_name) : -1;
	int status = nr < 0 ? 2 : 0;

	memset(out, 0, sizeof(*out));
	if (nr < 0)
		snprintf(error, error_bytes,
			 "zsmsim: scenarios:1:1: $: the directory is not beside data/; install it or set ZSMSIM_DATA");
	for (int i = 0; i < nr; i++) {
		file = scn_printf("%s/%s", directory, names[i]->d_name);
		if (status == 0)
			status = list_file(out, file, error, error_bytes);
		free(file);
		free(names[i]);
	}
	free(names);
	free(directory);
	return status;
}

void scenario_listing_free(struct scenario_listing *listing)
{
	for (size_t i = 0; i < listing->nr; i++) {
		free(listing->entries[i].name);
		free(listing->entries[i].description);
		free(listing->entries[i].origin);
	}
	free(listing->entries);
	memset(listing, 0, sizeof(*listing));
}
