/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * observations.h - single values that the software shows its observer: how
 * long something took on a task (a span), how much of something there was, or
 * only the sum. Kept in the measured phase; none of it costs simulated time.
 * The calls that the software makes are in hw.h.
 */
#ifndef ZSMSIM_OBSERVATIONS_H
#define ZSMSIM_OBSERVATIONS_H

#include <stddef.h>
#include <stdint.h>

#define MAX_OBSERVATIONS	64

enum observation_kind { OBSERVE_VALUES, OBSERVE_SPANS, OBSERVE_SUM };

struct observation {
	const char *name, *unit;	/* spans: "ps" */
	enum observation_kind kind;
	int64_t *values;		/* in the order in which they came; NULL for sums */
	size_t nr;			/* of values, or of terms of the sum */
	int64_t sum;
};

/* All that were named, in order of naming; *nr of them. */
const struct observation *observations(unsigned *nr);
/* The measured phase begins (what came before is forgotten) or ends. */
void observations_start(void);
void observations_stop(void);
void observations_destroy(void);

#endif
