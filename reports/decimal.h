/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decimal.h - figures that are integers over a power of ten, as text. */
#ifndef ZSMSIM_REPORTS_DECIMAL_H
#define ZSMSIM_REPORTS_DECIMAL_H

#include <stdint.h>

#define DECIMALS_MAX 18			/* 10^18 fits an int64_t */

/* A number as text; returned by value, so that several fit in one printf(). */
struct decimal {
	char text[32];
};

/* value / 10^decimals exactly, with all @decimals digits behind the point. */
struct decimal decimal_exact(int64_t value, unsigned decimals);

/*
 * The same rounded to @places digits behind the point, halves away from zero;
 * exactly as it is if it has no more than that.
 */
struct decimal decimal_round(int64_t value, unsigned decimals, unsigned places);

/* For statistics only: as floating point. */
double decimal_double(int64_t value, unsigned decimals);

#endif
