/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * validate_sensitivity.h - which figures of a profile a result depends on:
 * each figure by itself at the low and at the high end of what sources say.
 *
 * The one-sided changes of all figures, up and down apart, are added as
 * squares: sources err independently. The two roots are the band of a result.
 */
#ifndef ZSMSIM_REPORTS_VALIDATE_SENSITIVITY_H
#define ZSMSIM_REPORTS_VALIDATE_SENSITIVITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/validate_modes.h"

#define SENSITIVITY_RESULTS_MAX 4

enum sensitivity_end { END_LOW, END_HIGH, NR_ENDS };

struct sensitivity_figure {
	char *name;			/* "ipc", "work.syscall" */
	char *unit;
	double value, at[NR_ENDS];
	bool tried[NR_ENDS];		/* false: the end is the value, or cannot be */
	char *why_not;			/* cannot be: one line; else NULL */
	int64_t ps[NR_ENDS][SENSITIVITY_RESULTS_MAX];
};

struct sensitivity {
	char *profile;
	size_t nr_results;
	int64_t ps[SENSITIVITY_RESULTS_MAX];	/* with all figures at their values; more than 0 */
	struct sensitivity_figure *figures;
	size_t nr;
};

struct sensitivity_band {
	int64_t down, up;		/* hundredths of a per cent of the result, neither negative */
};

/* Change of @ps against @base in hundredths of a per cent, to the nearest. */
int64_t sensitivity_change(int64_t base, int64_t ps);

/* The largest change of any result at any end, without its sign. */
int64_t sensitivity_largest(const struct sensitivity *s, const struct sensitivity_figure *figure);

/* Put the figures that matter most first; equal ones keep their order. */
void sensitivity_rank(struct sensitivity *s);

/*
 * The band of result number @result. If both ends of a figure change it the
 * same way, only the larger change counts.
 */
struct sensitivity_band sensitivity_band(const struct sensitivity *s, size_t result);

void sensitivity_free(struct sensitivity *s);

#endif
