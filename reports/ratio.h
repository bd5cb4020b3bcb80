/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ratio.h - how a variant stands to the baseline. Both saw the same workload
 * for each seed, so the ratio is taken within seeds; over seeds it is the
 * geometric mean, with a 95 % interval of Student's t on the logarithms.
 * With one seed the figures are exact and there is nothing to estimate.
 */
#ifndef ZSMSIM_REPORTS_RATIO_H
#define ZSMSIM_REPORTS_RATIO_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/matrix.h"

enum ratio_test {
	RATIO_NONE,			/* no seed in common, or a value that is not positive */
	RATIO_EXACT,			/* one seed */
	RATIO_PAIRED_T,
};

struct ratio {
	enum ratio_test test;
	size_t seeds;			/* that both have */
	double ratio;			/* cell / baseline; not of RATIO_NONE */
	double low, high;		/* of RATIO_PAIRED_T only */
};

struct ratio ratio_of(const struct matrix_cell *baseline, const struct matrix_cell *cell);

/* The test in words: "exact (one seed)". */
const char *ratio_test_name(enum ratio_test test);

#endif
