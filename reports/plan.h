/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plan.h - the runs of one command, each with all that its row in the
 * database says besides its results.
 */
#ifndef ZSMSIM_REPORTS_PLAN_H
#define ZSMSIM_REPORTS_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenarios/scenario.h"

/*
 * A run's identity is a hash over what decides its results and its label:
 * scenario name, variant, CPUs and the text of their profiles, memory,
 * workload, seed, and the build of the simulated software, which of a module
 * is its contents, wherever the file lies. Two runs with one
 * identity give the same bytes, so one that is in the database is not made
 * again. The scenario's other text is not in it: a new description makes no
 * new results.
 */
struct planned {
	const struct run_spec *spec;
	const char *file;		/* the scenario file, for replay */
	char identity[33];		/* 128 bits in hexadecimal */
	char *clusters;			/* JSON: [{"profile":"cortex-a55","cpus":8}] */
	char *kernel_compiler;		/* of a module that the run names, as its objects are signed; NULL: none */
	char *profile_text;		/* JSON: array of the profiles' files, in order of first use */
	int64_t run_id;			/* number in the database; set by db_plan() */
};

struct plan {
	struct planned *at;
	size_t nr;
	const char *argv;		/* the command line, for the database */
	char *const *sets;		/* its --set assignments, for replay */
	size_t nr_sets;
	bool native;			/* to replay a run is to give the command again */
};

/*
 * Make @plan of @list, which must live as long; the runs from nr_before[i] on
 * are those of files[i]. Returns 0; or 2 with one line in @error if a profile
 * cannot be loaded.
 */
int plan_create(struct plan *plan, const struct run_list *list, char *const *files,
		const size_t *nr_before, size_t nr_files, char *error, size_t error_bytes);
/*
 * The same for native runs of scenario *@file: @host, a JSON object, says what
 * machine they run on and stands in the place of their profiles, which are not
 * loaded. Cannot fail.
 */
void plan_create_native(struct plan *plan, const struct run_list *list, char *const *file, const char *host);
void plan_destroy(struct plan *plan);

/* Does a run of @plan need the project's own allocator, or do all bring a module? */
bool plan_needs_own_model(const struct plan *plan);

/* "munmap deferred cortex-a55 seed 1 procs=1;region_mb=64", newly allocated. */
char *planned_label(const struct planned *run);

#endif
