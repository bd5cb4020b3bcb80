/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scenario.h - from scenario files to runs. scenarios/schema.json and
 * scenarios/README.md describe the files.
 */
#ifndef ZSMSIM_SCENARIOS_SCENARIO_H
#define ZSMSIM_SCENARIOS_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenarios/contents.h"
#include "scenarios/distribution.h"
#include "scenarios/field_pool.h"
#include "scenarios/kernel_variant.h"
#include "scenarios/run_spec.h"

/* Runs in the order in which they are shown, and all they point to. Begin with all zero. */
struct run_list {
	struct run_spec *runs;
	size_t nr;
	char **texts;			/* scenario texts, one per file, shared by its runs */
	size_t nr_texts;
	struct kernel_modules kernels;	/* likewise the modules that runs name */
	struct field_pools pools;	/* and the dumps */
	struct distributions distributions;	/* and the sizes */
	struct contents_list contents;	/* and the files */
};

/*
 * Append to @out the runs of scenario @file, with each of the @nr_sets
 * assignments @sets ("PATH=VALUE", as in --set) applied in order, and with
 * @seed in the place of the file's seeds if @seed_given.
 *
 * Returns 0; or 2, @out as it was, and in @error one line (without newline)
 * of the form "zsmsim: FILE:LINE:COLUMN: $.path: what is wrong; what would
 * be right", where an assignment's "--set PATH" stands for FILE:LINE:COLUMN.
 * A file whose "name" is already that of runs in @out is refused, since
 * results are told apart by it. 1024 bytes are enough for every line of
 * ordinary length; longer ones are cut.
 */
int scenario_load(const char *file, const char *const *sets, size_t nr_sets, bool seed_given,
		  uint64_t seed, struct run_list *out, char *error, size_t error_bytes);

/* Free everything in @list and empty it. */
void run_list_free(struct run_list *list);

/* What `zsmsim list` shows of a scenario or variant. */
struct scenario_entry {
	char *name;
	char *description;		/* "" if it has none */
	char *origin;			/* of a scenario its file, of a variant its source */
};

struct scenario_listing {
	struct scenario_entry *entries;
	size_t nr;
};

/*
 * The scenarios that come with the program, sorted by file name, and the
 * named variants in the order of data/variants.json. Both fill @out and
 * return 0; or return 2 with @error as above. Free @out in either case.
 */
int scenario_list(struct scenario_listing *out, char *error, size_t error_bytes);
int scenario_variants(struct scenario_listing *out, char *error, size_t error_bytes);
void scenario_listing_free(struct scenario_listing *listing);

#endif
