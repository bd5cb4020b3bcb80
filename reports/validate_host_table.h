/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * validate_host_table.h - what the machine took and what the simulator says it
 * takes, side by side.
 *
 * A run in which the system took a CPU away measured something else than the
 * software. So medians and ratios are judged over the runs without preemption
 * where enough of a cell's are left, and the table says how many were.
 */
#ifndef ZSMSIM_REPORTS_VALIDATE_HOST_TABLE_H
#define ZSMSIM_REPORTS_VALIDATE_HOST_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "native/spread.h"
#include "reports/csv.h"
#include "reports/db.h"
#include "reports/plan.h"

struct host_sample {			/* one real run */
	uint64_t seed;			/* of the repetition */
	double ms;			/* munmap_ms, mean over its processes */
	bool preempted;
};

struct host_cell {			/* processes x variant */
	unsigned procs;
	const char *variant;		/* of the plan */
	struct host_sample *samples;
	size_t nr;
	double simulated_ms;		/* 0: no run */

	/* Set by host_table_load(). */
	struct spread all;
	size_t quiet;			/* samples without preemption */
	struct spread judged;		/* of those, or of all if they are too few */
};

/* How one cell stands to another: variants at one number of processes, or one variant at two. */
struct host_ratio {
	const struct host_cell *cell, *to;
	struct spread measured;		/* of the ratios within repetitions */
	double simulated;
};

/* Begin with all zero. */
struct host_table {
	struct host_cell *cells;
	size_t nr;
	struct host_ratio *ratios;
	size_t nr_ratios;
	size_t runs, preempted;		/* real runs, all cells together */
};

/* Collect the results of both plans from @db. Returns 0, or 1 (db_error()). The plans must live as long as @t. */
int host_table_load(struct host_table *t, struct db *db, const struct plan *real, const struct plan *simulated);
void host_table_free(struct host_table *t);

/* The times, the ratios, and what was asked beside what was reached. */
void host_table_print(const struct host_table *t, unsigned region_mb, FILE *out);

/* Widest 10th to 90th percentile of any cell, relative to its median. */
double host_table_widest(const struct host_table *t);

/* A line for each time and each ratio, with a header. */
void host_table_csv(const struct host_table *t, struct csv *csv);

#endif
