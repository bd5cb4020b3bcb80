/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repeated.h - rounds with 1, 2, ... processes, many times in turn. */
#ifndef ZSMSIM_REALKERNEL_REPEATED_H
#define ZSMSIM_REALKERNEL_REPEATED_H

#include <stdbool.h>
#include <stddef.h>

#include "native/spread.h"
#include "realkernel/round.h"

struct repeated_options {
	unsigned procs_max;		/* 1 .. PROCESSES_MAX and cpus->nr */
	unsigned repeat;		/* at least 1 */
	const struct cpu_list *cpus;
	size_t region_bytes, sweep_bytes;	/* see struct round_options */
	void (*progress)(void *arg);	/* after each round */
	void *arg;
};

/* Of the rounds with one number of processes. */
struct repeated {
	struct spread mean_ns;		/* of munmap(), over the processes of a round */
	struct spread ratio;		/* to the round with one process of the same turn */
	struct spread transfer_ns;	/* of a line between the first two CPUs just before; 0: one process */
	double apart_ns_max;		/* between the first and the last to begin, of any round */
	long preemptions;		/* of all rounds together */
	char mm_stat[MM_STAT_BYTES];	/* after the page-out */
	bool varied;			/* mm_stat was not the same in all rounds */
};

/*
 * Add a device, make options->repeat turns of a round each with 1, 2, ...
 * procs_max processes, and remove the device, also when SIGINT, SIGTERM or
 * SIGHUP comes; out[i] is of i + 1 processes. Returns 0; or -1 and one line in
 * @error (ROUND_ERROR_BYTES) if something failed, was interrupted or could not
 * be removed.
 */
int repeated_make(const struct repeated_options *options, struct repeated *out, char *error);

#endif
