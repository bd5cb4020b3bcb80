/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kind_tables.h - what the result table of each kind of workload shows, and
 * how it answers its scenario's question in words.
 */
#ifndef ZSMSIM_REPORTS_KIND_TABLES_H
#define ZSMSIM_REPORTS_KIND_TABLES_H

#include <stdio.h>

#include "model/model.h"
#include "reports/matrix.h"

#define SHOWN_MAX 12

/* One figure of a run; each variant has a column of it. */
struct shown_figure {
	const char *metric, *stat;	/* as in the metric table; metric NULL ends the list, stat NULL: the largest sample of that series */
	const char *heading;
	unsigned places;
	bool speedup;			/* another column: how many times as fast as the baseline */
	bool for_question;		/* a column only where the scenario asks one */
};

/* The figures of all runs of one scenario; rows and variants are the same in all matrices. */
struct shown_table {
	const struct kind_table *kind;
	const char *scenario;
	size_t baseline;		/* among the variants */
	bool asks;			/* the scenario has a question */
	struct matrix figures[SHOWN_MAX];
};

struct kind_table {
	const char *title;		/* what the columns are; %s is the baseline's name */
	struct shown_figure figures[SHOWN_MAX + 1];
	/*
	 * Writes one line: the answer to the question that this kind of workload is
	 * for, from the figures and nothing else. Every run went well.
	 */
	void (*answer)(const struct shown_table *t, FILE *out);
};

const struct kind_table *kind_table(enum model_workload kind);

/* Mean over seeds of figure @figure as a number; false if there is none. For answers. */
bool shown_value(const struct shown_table *t, size_t figure, size_t row, size_t variant, double *value);

#endif
