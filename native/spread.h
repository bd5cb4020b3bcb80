/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spread.h - what repetitions of a measurement amount to: median and 10th to 90th percentile. */
#ifndef ZSMSIM_NATIVE_SPREAD_H
#define ZSMSIM_NATIVE_SPREAD_H

#include <stddef.h>

struct spread {
	double low, value, high;	/* 10th percentile, median, 90th percentile */
	size_t nr;
};

/*
 * Of the @nr samples, at least 1, which are sorted in place. A percentile
 * between two samples is interpolated; the ends of few samples are their
 * least and greatest.
 */
struct spread spread_of(double *samples, size_t nr);

/* (high - low) / value; 0 if value is 0. */
double spread_relative(const struct spread *s);

#endif
