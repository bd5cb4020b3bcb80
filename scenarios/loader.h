/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * loader.h - what the steps of loading one scenario hand to each other.
 *
 * shape.c checks every value that stands in the file, used or not; after it
 * the others take types and ranges for granted. block.c decides a block's
 * values and makes its runs; plan.c merges, labels and hands over the runs
 * of all blocks.
 */
#ifndef ZSMSIM_SCENARIOS_LOADER_H
#define ZSMSIM_SCENARIOS_LOADER_H

#include "scenarios/field_pool.h"
#include "scenarios/contents.h"
#include "scenarios/distribution.h"
#include "scenarios/fields.h"
#include "scenarios/scenario.h"
#include "scenarios/source.h"
#include "scenarios/variants.h"

#define BLOCKS_MAX 1024			/* entries in "runs" */
#define LIST_MAX 1024			/* entries in "profiles" and in "variants" */
#define RUNS_MAX 65536			/* runs of one scenario */

/* A run on its way: the specification and what its params must show. */
struct planned_run {
	struct run_spec spec;
	char *clusters;			/* "cortex-a55:4+cortex-a76:4" */
	bool batch_shown;
	const cJSON *variant_item;	/* where its variant stands, for messages */
};

struct loader {
	struct source src;
	struct variant_set variants;
	char **profiles;		/* names, NULL at the end */
	bool seed_given;		/* seed replaces that of the scenario */
	uint64_t seed;

	struct field_pools pools;
	struct distributions distributions;
	struct contents_list contents;
	struct planned_run *runs;
	size_t nr_runs;
	bool shown[NR_FIELDS];		/* swept or set in some block */
	bool clusters_shown;
};

/* Check keys, types, ranges and names in the whole tree. Returns 0, or 2 with the error written. */
int shape_check(struct loader *ld);

/*
 * Append the runs of @block, with the top level's values where it has none
 * of its own. Returns 0, or 2: a required value is missing, a run cannot
 * be (more processes than CPUs, a region that does not fit), or too many.
 */
int block_expand(struct loader *ld, const cJSON *block);

/*
 * Merge identical runs, label all with their params, and append them to
 * @list, which takes them over. Returns 0, or 2 if one variant name has two
 * meanings.
 */
int plan_finish(struct loader *ld, struct run_list *list);

/* Free planned runs that were not handed over. */
void plan_free(struct loader *ld);

#endif
