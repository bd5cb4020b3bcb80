/* SPDX-License-Identifier: GPL-3.0-or-later */
/* round.h - the test once, by one or more processes at a time, on a device that is new each time. */
#ifndef ZSMSIM_REALKERNEL_ROUND_H
#define ZSMSIM_REALKERNEL_ROUND_H

#include <stddef.h>

#include "native/host.h"
#include "realkernel/keeper.h"
#include "realkernel/process.h"

#define MM_STAT_BYTES	128
#define ROUND_ERROR_BYTES 320

struct round_options {
	unsigned procs;			/* 1 .. PROCESSES_MAX; process i runs on cpus->at[i] */
	const struct cpu_list *cpus;
	size_t region_bytes;		/* of each; a multiple of the page size */
	size_t sweep_bytes;		/* see struct process_options */
};

struct round {
	double mean_ns;			/* of munmap(), over the processes */
	double apart_ns;		/* between the first and the last to begin */
	double transfer_ns;		/* of a line between the first two CPUs, just before; 0: one process */
	long preemptions;		/* of all processes together */
	char mm_stat[MM_STAT_BYTES];	/* after the page-out */
};

/*
 * Make a round with the keeper's device, which is off before and after.
 * Processes page out one after the other, as in the simulator, and unmap all
 * at once. Returns 0; or -1 and one line in @error (ROUND_ERROR_BYTES), which is
 * empty if a process was killed or a signal interrupted this one.
 */
int round_make(struct keeper *k, const struct round_options *options, struct round *out, char *error);

#endif
