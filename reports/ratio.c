/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ratio.c - see ratio.h. */
#include "reports/ratio.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>

#include "scenarios/mem.h"

#define UPPER_TAIL 0.975		/* two-sided 95 % */

static const struct matrix_value *of_seed(const struct matrix_cell *cell, uint64_t seed)
{
	for (size_t i = 0; i < cell->nr; i++) {
		if (cell->values[i].seed == seed)
			return &cell->values[i];
	}
	return NULL;
}

/*
 * Logarithms of the ratios within seeds; returns how many seeds there are in
 * common. *@positive turns false if one of the values has no logarithm.
 */
static size_t log_ratios(const struct matrix_cell *baseline, const struct matrix_cell *cell, double *logs,
			 bool *positive)
{
	size_t nr = 0;

	*positive = true;
	for (size_t i = 0; i < cell->nr; i++) {
		const struct matrix_value *b = of_seed(baseline, cell->values[i].seed);
		const struct matrix_value *c = &cell->values[i];

		if (!b)
			continue;
		if (b->value <= 0 || c->value <= 0)
			*positive = false;
		else
			logs[nr] = log(decimal_double(c->value, c->decimals) /
				       decimal_double(b->value, b->decimals));
		nr++;
	}
	return nr;
}

/* Mean and interval in logarithms, where factors are sums; then back. */
static struct ratio estimate(const double *logs, size_t nr)
{
	double mean = gsl_stats_mean(logs, 1, nr);
	struct ratio r = { .test = RATIO_EXACT, .seeds = nr, .ratio = exp(mean) };
	double half;

	if (nr == 1)
		return r;
	half = gsl_cdf_tdist_Pinv(UPPER_TAIL, (double)nr - 1) * gsl_stats_sd_m(logs, 1, nr, mean) /
	       sqrt((double)nr);
	r.test = RATIO_PAIRED_T;
	r.low = exp(mean - half);
	r.high = exp(mean + half);
	return r;
}

struct ratio ratio_of(const struct matrix_cell *baseline, const struct matrix_cell *cell)
{
	double *logs = scn_zalloc(cell->nr, sizeof(*logs));
	bool positive;
	size_t nr = log_ratios(baseline, cell, logs, &positive);
	struct ratio r = { .test = RATIO_NONE, .seeds = nr };

	if (nr && positive)
		r = estimate(logs, nr);
	free(logs);
	return r;
}

const char *ratio_test_name(enum ratio_test test)
{
	switch (test) {
	case RATIO_EXACT:
		return "exact (one seed)";
	case RATIO_PAIRED_T:
		return "paired t on log ratios";
	case RATIO_NONE:
		break;
	}
	return "none (no common seed, or a value that is not positive)";
}
