/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * validate_modes.h - what else 'zsmsim validate' can be held against: the
 * machine it runs on, a real kernel on it, and its own profiles' uncertainty.
 */
#ifndef ZSMSIM_REPORTS_VALIDATE_MODES_H
#define ZSMSIM_REPORTS_VALIDATE_MODES_H

#include <stdbool.h>

struct validate_options {
	const char *csv;		/* also write one line per figure there; NULL: do not */
	const char *profile;		/* of --sensitivity; NULL: all that have published cells */
	unsigned jobs;			/* simulated runs at once */
	unsigned repeat;		/* real repetitions; at least 20 unless the user says less */
	bool quiet;			/* no progress bar */
};

/* Each prints to standard output and returns the program's exit status; errors are one line on standard error. */
int validate_host(const struct validate_options *options);
int validate_kernel(const struct validate_options *options);
int validate_sensitivity(const struct validate_options *options);

#endif
