/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * export.h - the results of a plan as CSV files: results.csv and series.csv,
 * whose shape never changes, and causes.csv, locks.csv, lines.csv.
 *
 * The run_id in them is the position in the plan, from 1, and not the number
 * in the database: so the files depend on the command alone, and not on what
 * the database held before. Runs that ended in a fault are left out: figures
 * from before a fault are no results.
 */
#ifndef ZSMSIM_REPORTS_EXPORT_H
#define ZSMSIM_REPORTS_EXPORT_H

#include <stdbool.h>

#include "reports/db.h"
#include "reports/plan.h"

/*
 * Make @directory if it is not there (its parent must be), set *@made if so,
 * and check that the files can be written. Returns 0, or 2 with one line in
 * @error.
 */
int export_probe(const char *directory, bool *made, char *error, size_t error_bytes);

/* Write all files. Returns 0, or 1 with one line in @error. */
int export_write(struct db *db, const struct plan *plan, const char *directory, char *error,
		 size_t error_bytes);

#endif
