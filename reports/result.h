/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * result.h - what one run leaves behind. All figures are integers: a metric's
 * value is value / 10^decimals in its unit, so that no rounding of floating
 * point can reach an output.
 */
#ifndef ZSMSIM_RESULT_H
#define ZSMSIM_RESULT_H

#include <stddef.h>
#include <stdint.h>

struct result_metric {			/* e.g. munmap_ms, ms, "p0", 12510000, 6 */
	char *metric;
	char *unit;
	char *stat;
	int64_t value;
	unsigned decimals;
};

struct result_sample {
	unsigned series;		/* index in result.series_names */
	uint64_t t_ns;			/* from the start of the measured phase */
	int64_t value;
};

struct result_series {
	char *name;
	char *unit;
};

struct result_cause {			/* time of one task by cause; adds up to its CPU time */
	char *task;
	char *cause;
	uint64_t ps;
};

struct result_lock {			/* one class of locks */
	char *lock;
	uint64_t acquisitions, contentions, bounces;
	uint64_t wait_ps, wait_max_ps, hold_ps, hold_max_ps;
};

struct result_lines {			/* one named group of cache lines */
	char *group;
	uint64_t transfers;		/* times a line came from, or was taken out of, another CPU's cache */
	uint64_t transfer_ps;
	uint64_t misses;		/* times a line came from beyond the private caches */
};

struct result_observation {		/* single values of one quantity */
	char *name;
	char *unit;
	int64_t *values;		/* in the order in which they came */
	size_t nr;
};

struct result {
	uint64_t trace_hash;
	uint64_t sim_ps;		/* simulated time of the measured phase */
	uint64_t accesses;		/* simulated accesses of the measured phase */
	uint64_t host_ns;		/* host time of the measured phase: never in CSV or DB exports that must be equal */
	char *fault;			/* report of an oracle, or NULL */
	char *mm_stat;			/* after the page-out */
	char *classes;			/* debugfs "classes" text after the page-out */

	struct result_metric *metrics;
	size_t nr_metrics;
	struct result_series *series;
	size_t nr_series;
	struct result_sample *samples;
	size_t nr_samples;
	struct result_cause *causes;
	size_t nr_causes;
	struct result_lock *locks;
	size_t nr_locks;
	struct result_lines *lines;
	size_t nr_lines;
	struct result_observation *observations;
	size_t nr_observations;
};

/* Add one row each; strings are copied. Memory exhaustion ends the program with a message. */
void result_add_metric(struct result *r, const char *metric, const char *unit, const char *stat,
		       int64_t value, unsigned decimals);
void result_add_series(struct result *r, const char *name, const char *unit);
void result_add_sample(struct result *r, unsigned series, uint64_t t_ns, int64_t value);
void result_add_cause(struct result *r, const char *task, const char *cause, uint64_t ps);
void result_add_lock(struct result *r, const struct result_lock *row);
void result_add_lines(struct result *r, const struct result_lines *row);
/*
 * Metrics of the @nr @values (nr > 0), each value / 10^decimals in @unit:
 * stats count, sum, mean, p50, p95, p99 (the smallest value that so many per
 * cent do not exceed) and max. They are stored one by one as well, in
 * @stored_unit as they are, if @nr is at most RESULT_OBSERVATIONS_MAX.
 */
#define RESULT_OBSERVATIONS_MAX 65536
void result_add_observations(struct result *r, const char *name, const char *unit, unsigned decimals,
			     const char *stored_unit, const int64_t *values, size_t nr);
void result_free(struct result *r);

/*
 * Send a result through a pipe and take it at the other end (a run executes in
 * a process of its own). Both return 0, or -1 when the pipe ended early.
 */
int result_send(int fd, const struct result *r);
int result_receive(int fd, struct result *r);

#endif
