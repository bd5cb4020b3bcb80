/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * calibrate_fit.h - the arithmetic of a calibration: which values of one or
 * two figures make a simulated time equal a measured one, and how sure that
 * is. What is simulated, the caller knows.
 *
 * One time determines one figure: that is a root, found with Brent's method.
 * For two figures it determines a line of pairs only. What chooses among them
 * is what is known already, the sourced values and how far sources differ:
 * the least sum of squares of (simulated - measured) and (figure - sourced),
 * each in its own standard deviation, is found with a simplex.
 */
#ifndef ZSMSIM_REPORTS_CALIBRATE_FIT_H
#define ZSMSIM_REPORTS_CALIBRATE_FIT_H

#include <stdbool.h>

#define FIT_FIGURES_MAX 2
#define FIT_FLAT_PART 0.1		/* of a time's deviation: a time that changes by less does not depend */

struct fit_figure {
	double sourced;			/* where the search begins */
	double width;			/* of two figures: standard deviation of the sourced value, more than 0 */
	double low, high;		/* the search stays within; low < high */

	double fitted;			/* the result */
	double deviation;		/* its standard deviation */
	double slope;			/* change of the time, ms, per unit of the figure, at the result */
	bool at_end;			/* it lies at low or high: the time would want it further out */
};

struct fit {
	struct fit_figure figures[FIT_FIGURES_MAX];
	unsigned nr;			/* 1 or 2 */
	double measured_ms, deviation_ms;	/* both more than 0 */
	/* Set *@ms for @values of the figures. Returns 0, or the status to end with. */
	int (*simulate)(void *arg, const double *values, double *ms);
	void *arg;

	double fitted_ms;		/* the time at the result */
	double correlation;		/* of the deviations of two figures, -1 .. 1 */
	int status;			/* of simulate(), for inner use */
};

/* What fit_run() returns besides 0 and the statuses of simulate(), which are positive. */
enum {
	FIT_FLAT = -1,			/* the time does not depend on the figures */
	FIT_LOST = -2,			/* no result in as many steps as are sensible */
};

/* Results are rounded to four digits, so that they read well; fitted_ms is for the rounded ones. */
int fit_run(struct fit *f);

#endif
