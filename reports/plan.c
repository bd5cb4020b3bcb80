/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan.c - see plan.h. */
#include "reports/plan.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "reports/build_info.h"
#include "scenarios/experiment.h"
#include "scenarios/mem.h"
#include "scenarios/variants.h"
#include "sim/profile.h"

/* A profile as a run names it: by its name or its file. */
struct named_profile {
	const char *name;
	struct profile *profile;
};

/* Texts of profiles by name, each read once. */
struct profile_texts {
	struct named_profile *at;
	size_t nr;
	const char *host;		/* of native runs: stands for each */
};

/* The text of profile @name as the loader read it, or NULL with @error. */
static const char *text_of(struct profile_texts *texts, const char *name, char *error,
			   size_t error_bytes)
{
	struct profile *profile;
	char line[1024];

	if (texts->host)
		return texts->host;
	for (size_t i = 0; i < texts->nr; i++) {
		if (!strcmp(texts->at[i].name, name))
			return texts->at[i].profile->text;
	}
	profile = profile_load(name, line, sizeof(line));
	if (!profile) {
		snprintf(error, error_bytes, "zsmsim: %s", line);
		return NULL;
	}
	texts->at = scn_grow(texts->at, texts->nr, sizeof(*texts->at));
	texts->at[texts->nr++] = (struct named_profile){ name, profile };
	return profile->text;
}

static void free_texts(struct profile_texts *texts)
{
	for (size_t i = 0; i < texts->nr; i++)
		profile_free(texts->at[i].profile);
	free(texts->at);
}

/* Replace *@text by itself and more. */
static void append(char **text, const char *separator, const char *more)
{
	char *longer = scn_printf("%s%s%s", *text, separator, more);

	free(*text);
	*text = longer;
}

static char *clusters_json(const struct run_spec *spec)
{
	char *json = scn_strdup("[");

	for (unsigned i = 0; i < spec->nr_clusters; i++) {
		/* It may be the name of a file, and so anything. */
		cJSON *name = cJSON_CreateString(spec->clusters[i].profile);
		char *quoted = cJSON_PrintUnformatted(name);
		char *one = scn_printf("{\"profile\":%s,\"cpus\":%u}", quoted, spec->clusters[i].cpus);

		append(&json, i ? "," : "", one);
		free(one);
		cJSON_free(quoted);
		cJSON_Delete(name);
	}
	append(&json, "]", "");
	return json;
}

static bool used_before(const struct run_spec *spec, unsigned cluster)
{
	for (unsigned i = 0; i < cluster; i++) {
		if (!strcmp(spec->clusters[i].profile, spec->clusters[cluster].profile))
			return true;
	}
	return false;
}

/* NULL with @error if a profile cannot be loaded. */
static char *profiles_json(const struct run_spec *spec, struct profile_texts *texts, char *error,
			   size_t error_bytes)
{
	char *json = scn_strdup("[");

	for (unsigned i = 0; i < spec->nr_clusters; i++) {
		const char *text;

		if (used_before(spec, i))
			continue;
		text = text_of(texts, spec->clusters[i].profile, error, error_bytes);
		if (!text) {
			free(json);
			return NULL;
		}
		append(&json, i ? "," : "", text);
	}
	append(&json, "]", "");
	return json;
}

/* Whatever can change a figure or a label has to be in here. */
static void set_identity(struct planned *run)
{
	const struct run_spec *s = run->spec;
	const char *build = s->kernel ? s->kernel_info->id : build_model_id();
	char *variant = variant_identity(s);
	char *settings = run_settings(s);
	char *text = scn_printf("%s\n%s\n%s\n%s\n%s %d\n%s\n%s\n%s",
				s->scenario, s->params, variant, run->clusters, settings,
				(int)s->break_what, build_version(), build, run->profile_text);
	XXH128_hash_t hash = XXH3_128bits(text, strlen(text));

	snprintf(run->identity, sizeof(run->identity), "%016" PRIx64 "%016" PRIx64,
		 (uint64_t)hash.high64, (uint64_t)hash.low64);
	free(settings);
	free(variant);
	free(text);
}

static int plan_run(struct planned *run, struct profile_texts *texts, char *error,
		    size_t error_bytes)
{
	run->clusters = clusters_json(run->spec);
	run->profile_text = profiles_json(run->spec, texts, error, error_bytes);
	if (!run->profile_text)
		return 2;
	if (run->spec->kernel)
		run->kernel_compiler = elf_comment(run->spec->kernel);
	set_identity(run);
	return 0;
}

int plan_create(struct plan *plan, const struct run_list *list, char *const *files,
		const size_t *nr_before, size_t nr_files, char *error, size_t error_bytes)
{
	struct profile_texts texts = { 0 };
	size_t file = 0;
	int status = 0;

	*plan = (struct plan){ .at = scn_zalloc(list->nr, sizeof(*plan->at)), .nr = list->nr };
	for (size_t i = 0; status == 0 && i < list->nr; i++) {
		while (file + 1 < nr_files && nr_before[file + 1] <= i)
			file++;
		plan->at[i].spec = &list->runs[i];
		plan->at[i].file = files[file];
		status = plan_run(&plan->at[i], &texts, error, error_bytes);
	}
	free_texts(&texts);
	return status;
}

void plan_create_native(struct plan *plan, const struct run_list *list, char *const *file, const char *host)
{
	struct profile_texts texts = { .host = host };

	*plan = (struct plan){ .at = scn_zalloc(list->nr, sizeof(*plan->at)), .nr = list->nr, .native = true };
	for (size_t i = 0; i < list->nr; i++) {
		plan->at[i].spec = &list->runs[i];
		plan->at[i].file = *file;
		plan_run(&plan->at[i], &texts, NULL, 0);
	}
}

void plan_destroy(struct plan *plan)
{
	for (size_t i = 0; i < plan->nr; i++) {
		free(plan->at[i].clusters);
		free(plan->at[i].profile_text);
		free(plan->at[i].kernel_compiler);
	}
	free(plan->at);
	*plan = (struct plan){ 0 };
}

bool plan_needs_own_model(const struct plan *plan)
{
	for (size_t i = 0; i < plan->nr; i++) {
		if (!plan->at[i].spec->kernel)
			return true;
	}
	return false;
}

char *planned_label(const struct planned *run)
{
	const struct run_spec *s = run->spec;

	return scn_printf("%s %s %s seed %" PRIu64 " %s", s->scenario, s->variant, s->profile, s->seed,
			  s->params);
}
