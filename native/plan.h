/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan.h - from the runs of scenarios to those that the machine itself can make. */
#ifndef ZSMSIM_NATIVE_PLAN_H
#define ZSMSIM_NATIVE_PLAN_H

#include "native/host.h"
#include "scenarios/scenario.h"

#define NATIVE_PROFILE "host"

/* What became of a list. */
struct native_plan {
	size_t left_out;		/* of the runs: more processes than CPUs */
	unsigned most_procs;		/* of any run, those left out too */
	unsigned most_memory_mb;	/* of those that stayed */
};

/*
 * Turn @list into native runs on @host_cpus CPUs. All have the profile "host"
 * and as many CPUs as their scenario says and the host has; runs that differ
 * in nothing else become one. Each is made @repeat times, in turn, so that
 * what disturbs the host for a while meets all alike. Repetition i has the
 * seed of the run plus i times the span of the seeds: comparisons take seeds
 * for repetitions, and pair them.
 */
struct native_plan native_plan(struct run_list *list, unsigned host_cpus, unsigned repeat);

/* The text that stands in the place of a profile's: what machine it was, as JSON, newly allocated. */
char *native_profile_text(const struct host *host, const struct cpu_list *cpus);

#endif
