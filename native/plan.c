/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan.c - see plan.h. */
#include "native/plan.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "native/load.h"
#include "scenarios/mem.h"

/* ---- one specification ---- */

static struct run_spec copy_spec(const struct run_spec *from, uint64_t seed)
{
	struct run_spec spec = *from;

	spec.seed = seed;
	spec.scenario = scn_strdup(from->scenario);
	spec.variant = scn_strdup(from->variant);
	spec.profile = scn_strdup(NATIVE_PROFILE);
	spec.params = scn_strdup(from->params);
	spec.variant_text = scn_strdup(from->variant_text);
	spec.clusters[0].profile = scn_strdup(NATIVE_PROFILE);
	return spec;
}

static unsigned cpus_of(const struct run_spec *spec)
{
	unsigned cpus = 0;

	for (unsigned i = 0; i < spec->nr_clusters; i++)
		cpus += spec->clusters[i].cpus;
	return cpus;
}

/* Without the kinds of CPUs, and with the number of those that there are. */
static char *native_params(const char *params, unsigned cpus)
{
	char *rest = scn_strdup(params), *save = NULL, *text = scn_strdup("");

	for (char *word = strtok_r(rest, ";", &save); word; word = strtok_r(NULL, ";", &save)) {
		char *now, *longer;

		if (!strncmp(word, "clusters=", strlen("clusters=")))
			continue;
		now = strncmp(word, "cpus=", strlen("cpus=")) ? scn_strdup(word) : scn_printf("cpus=%u", cpus);
		longer = scn_printf("%s%s%s", text, *text ? ";" : "", now);
		free(text);
		free(now);
		text = longer;
	}
	free(rest);
	return text;
}

static void settle(struct run_spec *spec, unsigned host_cpus)
{
	unsigned cpus = cpus_of(spec);
	char *params;

	cpus = cpus < host_cpus ? cpus : host_cpus;
	params = native_params(spec->params, cpus);
	for (unsigned i = 1; i < spec->nr_clusters; i++)
		free(spec->clusters[i].profile);
	spec->nr_clusters = 1;
	spec->clusters[0].cpus = cpus;
	free(spec->params);
	spec->params = params;
}

/* ---- the list ---- */

static bool same_run(const struct run_spec *a, const struct run_spec *b)
{
	return a->seed == b->seed && a->clusters[0].cpus == b->clusters[0].cpus &&
	       !strcmp(a->scenario, b->scenario) && !strcmp(a->params, b->params) &&
	       !strcmp(a->variant_text, b->variant_text);
}

static void append(struct run_list *list, const struct run_spec *spec, uint64_t seed)
{
	list->runs = scn_grow(list->runs, list->nr, sizeof(*list->runs));
	list->runs[list->nr++] = copy_spec(spec, seed);
}

static void append_new(struct run_list *list, const struct run_spec *spec)
{
	for (size_t i = 0; i < list->nr; i++) {
		if (same_run(&list->runs[i], spec))
			return;
	}
	append(list, spec, spec->seed);
}

static uint64_t seed_span(const struct run_list *list)
{
	uint64_t least = UINT64_MAX, most = 0;

	for (size_t i = 0; i < list->nr; i++) {
		least = list->runs[i].seed < least ? list->runs[i].seed : least;
		most = list->runs[i].seed > most ? list->runs[i].seed : most;
	}
	return list->nr ? most - least + 1 : 1;
}

static void note(struct native_plan *plan, const struct run_spec *spec, unsigned host_cpus)
{
	plan->most_procs = spec->procs > plan->most_procs ? spec->procs : plan->most_procs;
	if (spec->procs > host_cpus)
		plan->left_out++;
	else if (spec->memory_mb > plan->most_memory_mb)
		plan->most_memory_mb = spec->memory_mb;
}

struct native_plan native_plan(struct run_list *list, unsigned host_cpus, unsigned repeat)
{
	struct run_list once = { 0 }, all = { 0 };
	struct native_plan plan = { 0 };
	uint64_t span;

	for (size_t i = 0; i < list->nr; i++) {
		note(&plan, &list->runs[i], host_cpus);
		settle(&list->runs[i], host_cpus);
		if (list->runs[i].procs <= host_cpus)
			append_new(&once, &list->runs[i]);
	}
	span = seed_span(&once);
	for (unsigned i = 0; i < repeat; i++) {
		for (size_t r = 0; r < once.nr; r++)
			append(&all, &once.runs[r], once.runs[r].seed + i * span);
	}
	run_list_free(&once);
	/* The scenarios' texts are shared: they go over as they are. */
	all.texts = list->texts;
	all.nr_texts = list->nr_texts;
	list->texts = NULL;
	list->nr_texts = 0;
	run_list_free(list);
	*list = all;
	return plan;
}

/* ---- the machine as a text ---- */

char *native_profile_text(const struct host *host, const struct cpu_list *cpus)
{
	cJSON *root = cJSON_CreateObject(), *list = cJSON_CreateIntArray(cpus->at, (int)cpus->nr);
	char *text;

	cJSON_AddStringToObject(root, "name", NATIVE_PROFILE);
	cJSON_AddStringToObject(root, "description", "measured natively, not simulated");
	cJSON_AddStringToObject(root, "soc", host->cpu);
	cJSON_AddStringToObject(root, "kernel", host->kernel);
	cJSON_AddItemToObject(root, "cpus", list);
	cJSON_AddStringToObject(root, "native_build", native_build_id());
	text = cJSON_PrintUnformatted(root);
	cJSON_Delete(root);
	if (!text)
		abort();
	return text;
}
