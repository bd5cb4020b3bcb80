/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * observe.h - what is written down while the machine runs: marks with their
 * times, gauges and their samples, time by task and cause. None of it costs
 * simulated time.
 */
#ifndef ZSMSIM_OBSERVE_H
#define ZSMSIM_OBSERVE_H

#include "sim/machine.h"

#define MAX_GAUGES	16
#define MAX_TASKS	1024

struct mark {
	const char *name;
	unsigned index;
	uint64_t ps;
};

struct sample {
	uint64_t ps;
	int64_t value[MAX_GAUGES];
};

struct gauge {
	int64_t value;
	int64_t at_start;		/* when the measured phase began */
	uint64_t changed_ps;		/* last change in the measured phase */
};

struct task_stats {
	const char *name;
	uint64_t cause[NR_CAUSES];
};

void observe_create(unsigned nr_gauges, uint64_t sample_ps);
void observe_destroy(void);
void observe_start(void);		/* the measured phase begins */
void observe_end(void);			/* give each CPU's last bookings to its task; take the last sample */

/*
 * Keep, for gauge @g, the first times at which it has fallen to
 * start - (start - floor) * permille / 1000, see observe_fall_ps().
 */
void observe_watch_fall(unsigned g);
/* Time (ps) at which gauge @g first had given back @permille of all that it gave back by the end; UINT64_MAX: never. */
uint64_t observe_fall_ps(unsigned g, unsigned permille);

const struct mark *observe_marks(size_t *nr);
const struct sample *observe_samples(size_t *nr);
const struct gauge *observe_gauge(unsigned g);
const struct task_stats *observe_task(unsigned task);	/* NULL: no such task */
uint64_t observe_sample(uint64_t now);

#endif
