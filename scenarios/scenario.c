/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scenario.c - the order in which a scenario is loaded (see scenario.h). */
#include "scenarios/scenario.h"

#include <string.h>

#include "scenarios/loader.h"
#include "scenarios/overrides.h"
#include "sim/profile.h"

static int apply_sets(struct loader *ld, const char *const *sets, size_t nr_sets)
{
	/* Something to hang them into; what else the file is, shape_check() says. */
	if (!cJSON_IsObject(ld->src.root))
		return source_fault(&ld->src, ld->src.root, "%s where a scenario belongs; write an object { }",
				    kind_name(ld->src.root));
	for (size_t i = 0; i < nr_sets; i++) {
		if (override_apply(&ld->src, sets[i]))
			return 2;
	}
	return 0;
}

/* Results are told apart by the scenario's name, so two files cannot share one. */
static int unique_check(struct loader *ld, const struct run_list *list)
{
	const cJSON *name = cJSON_GetObjectItemCaseSensitive(ld->src.root, "name");

	for (size_t i = 0; i < list->nr; i++) {
		if (!strcmp(list->runs[i].scenario, name->valuestring))
			return source_fault(&ld->src, name,
					    "\"%s\" is also the name of an earlier file; give each its own",
					    quote(name->valuestring).text);
	}
	return 0;
}

/* A scenario without "runs" is one block itself. */
static int expand(struct loader *ld)
{
	const cJSON *runs = cJSON_GetObjectItemCaseSensitive(ld->src.root, "runs"), *block;

	if (!runs)
		return block_expand(ld, ld->src.root);
	cJSON_ArrayForEach(block, runs) {
		if (block_expand(ld, block))
			return 2;
	}
	return 0;
}

static int load(struct loader *ld, const char *const *sets, size_t nr_sets, struct run_list *out)
{
	if (apply_sets(ld, sets, nr_sets) || shape_check(ld) || unique_check(ld, out) || expand(ld))
		return 2;
	return plan_finish(ld, out);
}

int scenario_load(const char *file, const char *const *sets, size_t nr_sets, bool seed_given,
		  uint64_t seed, struct run_list *out, char *error, size_t error_bytes)
{
	struct loader ld = { .seed_given = seed_given, .seed = seed };
	int status = source_open(&ld.src, file, error, error_bytes);

	if (status == 0)
		status = variants_load(&ld.variants, error, error_bytes);
	if (status == 0) {
		ld.profiles = profile_names();
		status = load(&ld, sets, nr_sets, out);
		profile_names_free(ld.profiles);
	}
	plan_free(&ld);
	variants_free(&ld.variants);
	source_close(&ld.src);
	return status;
}
