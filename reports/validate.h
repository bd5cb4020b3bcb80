/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * validate.h - published cells beside what the simulator says of them.
 *
 * A cell is "calibrated" if its row was used to set a figure of its CPU's
 * profile, and may be judged by nobody; all others are predictions. The rule
 * which rows may be used: data/published/README.md.
 */
#ifndef ZSMSIM_REPORTS_VALIDATE_H
#define ZSMSIM_REPORTS_VALIDATE_H

#include <stdbool.h>
#include <stdio.h>

#include "reports/csv.h"
#include "reports/db.h"
#include "reports/published.h"

struct judged_cell {
	const struct published_cell *cell;
	bool simulated;			/* there is a run */
	bool calibrated;
	int64_t ps;			/* simulated: mean over the processes */
};

struct judged_table {
	const struct published_table *table;
	struct judged_cell *cells;
};

/* Look up the runs of @table's cells in @db. Returns 0, or 1 (see db_error()). Free @judged in either case. */
int validate_judge(struct db *db, const struct published_table *table, struct judged_table *judged);
void validate_free(struct judged_table *judged);

/*
 * Print each cell, then what there is to say of the table: absolute errors of
 * times and of speed-ups over base, and whether variants stand in the same order.
 */
void validate_print(const struct judged_table *judged, FILE *out);

/* One line per cell; the header is validate_csv_header(). */
void validate_csv(const struct judged_table *judged, struct csv *csv);
void validate_csv_header(struct csv *csv);

#endif
