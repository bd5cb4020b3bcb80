/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * calibrate.h - fits one or two figures of a profile to the one row that its
 * CPU may be calibrated to, prints what came out and writes the profile.
 */
#ifndef ZSMSIM_REPORTS_CALIBRATE_H
#define ZSMSIM_REPORTS_CALIBRATE_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/calibrate_fit.h"

struct calibrate_options {
	const char *profile;		/* a name or a file */
	const char *cpu;		/* whose row to use; NULL: that of the profile's name */
	const char *rows;		/* file */
	const char *output;		/* profile to write; NULL: none */
	const char *figures[FIT_FIGURES_MAX];
	unsigned nr_figures;
	double spread_percent;		/* standard deviation of the time besides its printed precision */
	bool beyond;			/* figures may leave low..high */
	const char *command;		/* as it was given, for the database */
};

/*
 * Do it. Prints to standard output; errors are one line on standard error.
 * Returns 0; 1 if a run or the output failed; 2 if an input is wrong.
 */
int calibrate(const struct calibrate_options *options);

#endif
