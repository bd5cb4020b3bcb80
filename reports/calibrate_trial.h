/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * calibrate_trial.h - times of munmap() with profiles that exist for a moment
 * only: each is a file in a temporary directory, run as zsmsim run would.
 *
 * The runs are those of scenarios/munmap.json in everything but the profiles,
 * the variants and the size of the region, so that a time is the one that
 * zsmsim validate would print.
 */
#ifndef ZSMSIM_REPORTS_CALIBRATE_TRIAL_H
#define ZSMSIM_REPORTS_CALIBRATE_TRIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/db.h"

struct trials {
	unsigned jobs;			/* runs at once; set by the caller before trials_begin() */
	bool progress;			/* likewise: show a bar */
	const char *command;		/* likewise: what is being run, for the database */

	char *dir, *scenario;
	struct db db;
	char **files;			/* made in dir, to be removed */
	size_t nr_files;
};

/*
 * Make the directory. Returns 0, or 1 or 2 with one line in @error.
 * trials_end(), which removes it, must follow in either case.
 */
int trials_begin(struct trials *t, char *error, size_t error_bytes);
void trials_end(struct trials *t);

/* The name of a profile's file in the directory, kept by @t until its end; the caller writes the file. */
const char *trials_file(struct trials *t, const char *profile_name);

/*
 * Unmap @region_mb MiB in one process, for each of the @nr profile @files and
 * each of the @nr_variants @variants: @ps[file * nr_variants + variant] is
 * the time in picoseconds. Returns 0; or 1 or 2, with one line in @error or,
 * where the runner has said what happened, none (*@error is then 0).
 */
int trials_run(struct trials *t, const char *const *files, size_t nr, const char *const *variants,
	       size_t nr_variants, unsigned region_mb, int64_t *ps, char *error, size_t error_bytes);

#endif
