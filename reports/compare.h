/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare.h - `zsmsim compare`: the variants in a database side by side. */
#ifndef ZSMSIM_REPORTS_COMPARE_H
#define ZSMSIM_REPORTS_COMPARE_H

#include <stdio.h>

#include "reports/db.h"

struct compare_options {
	const char *metric;		/* "munmap_ms" or, with the stat, "munmap_ms/max" */
	const char *baseline;		/* NULL: "base" if it is there, else the first variant */
	const char *csv;		/* also write this file, or NULL */
};

/*
 * Print a table per scenario in @db. A metric without a stat is its mean, or
 * its value, or its total, whichever it has; else each of its stats. Returns
 * 0; 2 for a metric or baseline that is not in @db; or 1 for a failure of the
 * system. Then the line to print is in @error.
 */
int compare_print(struct db *db, const struct compare_options *options, FILE *out, char *error,
		  size_t error_bytes);

/* Print the metrics in @db with their units and stats, one line each. Returns 0 or 1. */
int compare_list_metrics(struct db *db, FILE *out);

#endif
