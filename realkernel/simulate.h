/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulate.h - the same test in the simulator, by the host's profile. */
#ifndef ZSMSIM_REALKERNEL_SIMULATE_H
#define ZSMSIM_REALKERNEL_SIMULATE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#include "realkernel/round.h"

struct simulate_options {
	const cJSON *profile;		/* as hostprofile_measure() makes it */
	const char *variant;		/* of data/variants.json */
	unsigned chain_size;		/* most pages in a zspage */
	unsigned cpus;			/* of the simulated machine */
	unsigned procs_max;		/* runs are made with 1 .. so many processes, at most PROCESSES_MAX */
	unsigned region_mb;		/* of each process */
	unsigned jobs;			/* runs at once */
	bool progress;			/* show a bar if standard error is a terminal */
};

struct simulated {
	double mean_ns;			/* of munmap(), over the processes */
	char mm_stat[MM_STAT_BYTES];	/* after the page-out, without newline */
};

/*
 * Make the runs; out[i] is that with i + 1 processes. Works in a directory of
 * its own under TMPDIR, which it removes. Returns 0; or an exit status, with
 * one line in @error, empty if it was said on standard error already.
 */
int simulate_rounds(const struct simulate_options *options, struct simulated *out, char *error, size_t error_bytes);

#endif
