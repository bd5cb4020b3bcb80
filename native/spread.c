/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spread.c - see spread.h. */
#include "native/spread.h"

#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double quantile(const double *sorted, size_t nr, double share)
{
	double at = share * (double)(nr - 1);
	size_t below = (size_t)at;

	if (below + 1 >= nr)
		return sorted[nr - 1];
	return sorted[below] + (at - (double)below) * (sorted[below + 1] - sorted[below]);
}

struct spread spread_of(double *samples, size_t nr)
{
	qsort(samples, nr, sizeof(*samples), by_value);
	return (struct spread){ quantile(samples, nr, 0.1), quantile(samples, nr, 0.5), quantile(samples, nr, 0.9), nr };
}

double spread_relative(const struct spread *s)
{
	return s->value != 0 ? (s->high - s->low) / s->value : 0;
}
