/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay.c - from a run back to a command line (see replay.h).
 *
 * A run that came from a sweep is singled out by setting each swept value to
 * the one it had. Whether a block names its CPUs by profile or by cluster
 * list, a run does not say; so both ways are tried on the scenario loader and
 * the first that gives exactly this run is taken.
 */
#include "reports/replay.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/params.h"
#include "reports/shell.h"
#include "scenarios/axes.h"
#include "scenarios/breaks.h"
#include "scenarios/fields.h"
#include "scenarios/mem.h"
#include "scenarios/variants.h"

struct sets {
	char **at;
	size_t nr;
};

/* @set is taken over. */
static void add(struct sets *sets, char *set)
{
	sets->at = scn_grow(sets->at, sets->nr, sizeof(*sets->at));
	sets->at[sets->nr++] = set;
}

static void free_sets(struct sets *sets)
{
	for (size_t i = 0; i < sets->nr; i++)
		free(sets->at[i]);
	free(sets->at);
	*sets = (struct sets){ 0 };
}

/* Is it in data/variants.json, so that its name alone says what it is? */
static bool known_variant(const char *name)
{
	struct scenario_listing variants;
	char error[256];
	bool known = false;

	scenario_variants(&variants, error, sizeof(error));
	for (size_t i = 0; i < variants.nr; i++)
		known |= !strcmp(variants.entries[i].name, name);
	scenario_listing_free(&variants);
	return known;
}

/* Characters of a path that mean nothing to --set, neither JSON nor a comma. */
#define PLAIN_PATH "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-/"

/* Does the path of the module say all, as a plain word? */
static bool path_says_all(const struct run_spec *spec)
{
	cJSON *item = cJSON_CreateString(spec->kernel);
	char *name = kernel_variant_name(item);
	bool all = is_kernel_variant(item) && !strcmp(name, spec->variant) &&
		   spec->axes.zram_stats == ZRAM_STATS_SHARED_ATOMIC &&
		   strspn(spec->kernel, PLAIN_PATH) == strlen(spec->kernel);

	free(name);
	cJSON_Delete(item);
	return all;
}

static void add_kernel(struct sets *sets, const struct run_spec *spec)
{
	cJSON *item;
	char *text;

	if (path_says_all(spec)) {
		add(sets, scn_printf("variants=%s", spec->kernel));
		return;
	}
	item = cJSON_CreateObject();
	cJSON_AddStringToObject(item, "kernel", spec->kernel);
	cJSON_AddStringToObject(item, "name", spec->variant);
	if (spec->axes.zram_stats != ZRAM_STATS_SHARED_ATOMIC)
		cJSON_AddStringToObject(item, "zram_stats", zram_stats_word(&spec->axes));
	text = cJSON_PrintUnformatted(item);
	add(sets, scn_printf("variants=[%s]", text));
	cJSON_free(text);
	cJSON_Delete(item);
}

/* A variant that the scenario makes in place has to be made again. */
static void add_variant(struct sets *sets, const struct run_spec *spec)
{
	if (spec->kernel)
		add_kernel(sets, spec);
	else if (known_variant(spec->variant))
		add(sets, scn_printf("variants=%s", spec->variant));
	else
		add(sets, scn_printf("variants=[%s]", spec->variant_text));
}

/* A cluster list can say everything, but the loader takes it only where a block has no profiles. */
static void add_hardware(struct sets *sets, const struct planned *run, bool by_clusters)
{
	if (by_clusters)
		add(sets, scn_printf("machine.clusters=%s", run->clusters));
	else
		add(sets, scn_printf("profiles=%s", run->spec->clusters[0].profile));
}

/* As JSON: a file may be called anything. */
static void add_pool(struct sets *sets, const struct field_pool *pool)
{
	cJSON *name = cJSON_CreateString(pool->given);
	char *quoted = cJSON_PrintUnformatted(name);

	add(sets, scn_printf("pool.classes=%s", quoted));
	cJSON_free(quoted);
	cJSON_Delete(name);
}

/* What differs between the runs of a scenario is in their params, so no other field needs setting. */
static void add_fields(struct sets *sets, const struct run_spec *spec, bool by_clusters)
{
	for (int i = 0; i < NR_FIELDS; i++) {
		const struct field_info *info = &field_info[i];
		uint64_t value = run_field(spec, i);
		const char *word = field_word(i, value);
		char *path;
		size_t nr;

		if (!params_find(spec->params, info->key, &nr) || (by_clusters && i == FIELD_CPUS))
			continue;
		path = scn_printf("%s%s%s", info->section ? info->section : "", info->section ? "." : "", info->key);
		add(sets, word ? scn_printf("%s=%s", path, word) : scn_printf("%s=%" PRIu64, path, value));
		free(path);
	}
	if (spec->pool)
		add_pool(sets, spec->pool);
	if (spec->break_what != BREAK_NOTHING)
		add(sets, scn_printf("break=%s", break_name(spec->break_what)));
}

/* Do the last sets say anew what @set says? They say "variants" for both ways to write it. */
static bool superseded(const char *set, const struct sets *last)
{
	size_t path = strcspn(set, "=");

	if (!strncmp(set, "variant=", strlen("variant=")))
		return true;
	for (size_t i = 0; i < last->nr; i++) {
		if (strcspn(last->at[i], "=") == path && !strncmp(last->at[i], set, path))
			return true;
	}
	return false;
}

/* What the user set, without what is about to be said more exactly, then what singles out the run. */
static struct sets sets_of(const struct plan *plan, const struct planned *run, bool by_clusters)
{
	struct sets sets = { 0 }, last = { 0 };

	add_variant(&last, run->spec);
	add_hardware(&last, run, by_clusters);
	add_fields(&last, run->spec, by_clusters);
	for (size_t i = 0; i < plan->nr_sets; i++) {
		/* --seed is given anyway, and replaces every other seed. */
		if (!superseded(plan->sets[i], &last) && strncmp(plan->sets[i], "seed=", 5))
			add(&sets, scn_strdup(plan->sets[i]));
	}
	for (size_t i = 0; i < last.nr; i++)
		add(&sets, last.at[i]);
	free(last.at);
	return sets;
}

static bool same_variant(const struct run_spec *a, const struct run_spec *b)
{
	char *x = variant_identity(a), *y = variant_identity(b);
	bool same = !strcmp(x, y);

	free(x);
	free(y);
	return same;
}

/* The labels may differ (a value that is set is shown); what is run may not. */
static bool same_run(const struct run_spec *a, const struct run_spec *b)
{
	if (!same_variant(a, b) || a->nr_clusters != b->nr_clusters ||
	    a->break_what != b->break_what)
		return false;
	for (unsigned i = 0; i < a->nr_clusters; i++) {
		if (strcmp(a->clusters[i].profile, b->clusters[i].profile) ||
		    a->clusters[i].cpus != b->clusters[i].cpus)
			return false;
	}
	return a->kind == b->kind && run_same_fields(a, b, NR_FIELDS);
}

/* Ask the loader itself: does the scenario with these sets give this run and nothing else? */
static bool selects(const struct sets *sets, const struct planned *run)
{
	struct run_list list = { 0 };
	char error[256];
	bool right;

	right = scenario_load(run->file, (const char *const *)sets->at, sets->nr, true, run->spec->seed,
			      &list, error, sizeof(error)) == 0 &&
		list.nr == 1 && same_run(&list.runs[0], run->spec);
	run_list_free(&list);
	return right;
}

static char *command_line(const struct planned *run, const struct sets *sets)
{
	char *file = shell_word(run->file);
	char *line = scn_printf("zsmsim run %s --seed %" PRIu64, file, run->spec->seed);

	free(file);
	for (size_t i = 0; i < sets->nr; i++) {
		char *word = shell_word(sets->at[i]);
		char *longer = scn_printf("%s --set %s", line, word);

		free(word);
		free(line);
		line = longer;
	}
	return line;
}

char *replay_command(const struct plan *plan, const struct planned *run)
{
	struct sets by_profile, by_clusters;
	bool clusters;
	char *line;

	if (plan->native)
		return scn_strdup(plan->argv);
	by_profile = sets_of(plan, run, false);
	by_clusters = sets_of(plan, run, true);
	clusters = !selects(&by_profile, run) && selects(&by_clusters, run);
	line = command_line(run, clusters ? &by_clusters : &by_profile);
	free_sets(&by_profile);
	free_sets(&by_clusters);
	return line;
}
