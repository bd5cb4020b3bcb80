/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hostprofile.h - from measurements of this machine to a profile of its CPU. */
#ifndef ZSMSIM_NATIVE_HOSTPROFILE_H
#define ZSMSIM_NATIVE_HOSTPROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include <cjson/cJSON.h>

#include "native/host.h"

struct hostprofile_options {
	const char *name;		/* of the profile */
	const struct cpu_list *cpus;	/* the first is measured alone; lines move between all */
	bool quick;			/* fewer samples */
	/*
	 * Not what a kernel here would pay for a context switch, an interrupt and
	 * the like, but what native runs pay: they do without. For comparing the
	 * two; see native/run.h.
	 */
	bool as_native;
	/* Called before each of @of steps begins, and after the last. */
	void (*progress)(void *arg, size_t step, size_t of);
	void *arg;
};

struct hostprofile {
	cJSON *root;			/* as data/profiles/schema.json has it */
	size_t measured, estimated;	/* figures that were, and that another profile lent */
	char nearest[64];		/* that profile's name */
	double clock_step_ns;
	double lost_percent;		/* of a spinning thread's time, to others */
	double median_spread;		/* of the measured figures: (90th - 10th percentile) / median */
	double worst_spread;
	char worst[64];			/* the figure that has it */
};

/*
 * Measure, which takes up to two minutes and moves the calling thread to the
 * first CPU. Returns 0; or -1 and one line in @error.
 */
int hostprofile_measure(struct hostprofile *out, const struct hostprofile_options *options, char *error,
			size_t error_bytes);
void hostprofile_free(struct hostprofile *p);

#endif
