/* SPDX-License-Identifier: GPL-3.0-or-later */
/* result.c - rows of a result as they come in (see result.h). */
#include "reports/result.h"

#include <stdlib.h>
#include <string.h>

#include "scenarios/mem.h"

/* Make room in r->array, and point at the new element. */
#define APPEND(r, array)								\
	((r)->array = scn_grow((r)->array, (r)->nr_##array, sizeof(*(r)->array)),	\
	 &(r)->array[(r)->nr_##array++])

void result_add_metric(struct result *r, const char *metric, const char *unit, const char *stat,
		       int64_t value, unsigned decimals)
{
	*APPEND(r, metrics) = (struct result_metric){
		scn_strdup(metric), scn_strdup(unit), scn_strdup(stat), value, decimals
	};
}

void result_add_series(struct result *r, const char *name, const char *unit)
{
	*APPEND(r, series) = (struct result_series){ scn_strdup(name), scn_strdup(unit) };
}

void result_add_sample(struct result *r, unsigned series, uint64_t t_ns, int64_t value)
{
	*APPEND(r, samples) = (struct result_sample){ series, t_ns, value };
}

void result_add_cause(struct result *r, const char *task, const char *cause, uint64_t ps)
{
	*APPEND(r, causes) = (struct result_cause){ scn_strdup(task), scn_strdup(cause), ps };
}

void result_add_lock(struct result *r, const struct result_lock *row)
{
	struct result_lock *lock = APPEND(r, locks);

	*lock = *row;
	lock->lock = scn_strdup(row->lock);
}

void result_add_lines(struct result *r, const struct result_lines *row)
{
	struct result_lines *lines = APPEND(r, lines);

	*lines = *row;
	lines->group = scn_strdup(row->group);
}

static int compare_values(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

static int64_t *sorted_values(const int64_t *values, size_t nr)
{
	int64_t *sorted = scn_zalloc(nr, sizeof(*sorted));

	memcpy(sorted, values, nr * sizeof(*sorted));
	qsort(sorted, nr, sizeof(*sorted), compare_values);
	return sorted;
}

static void keep_values(struct result *r, const char *name, const char *unit, const int64_t *values, size_t nr)
{
	struct result_observation *o;

	if (nr > RESULT_OBSERVATIONS_MAX)
		return;
	o = APPEND(r, observations);
	*o = (struct result_observation){ scn_strdup(name), scn_strdup(unit), scn_zalloc(nr, sizeof(*o->values)), nr };
	memcpy(o->values, values, nr * sizeof(*o->values));
}

void result_add_observations(struct result *r, const char *name, const char *unit, unsigned decimals,
			     const char *stored_unit, const int64_t *values, size_t nr)
{
	static const struct {
		const char *stat;
		unsigned percent;
	} quantiles[] = { { "p50", 50 }, { "p95", 95 }, { "p99", 99 }, { "max", 100 } };
	int64_t *sorted = sorted_values(values, nr), sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += values[i];
	result_add_metric(r, name, "count", "count", (int64_t)nr, 0);
	result_add_metric(r, name, unit, "sum", sum, decimals);
	result_add_metric(r, name, unit, "mean", (sum + (int64_t)nr / 2) / (int64_t)nr, decimals);
	for (size_t q = 0; q < sizeof(quantiles) / sizeof(*quantiles); q++)
		result_add_metric(r, name, unit, quantiles[q].stat, sorted[(nr * quantiles[q].percent + 99) / 100 - 1],
				  decimals);
	free(sorted);
	keep_values(r, name, stored_unit, values, nr);
}

static void free_observations(struct result *r)
{
	for (size_t i = 0; i < r->nr_observations; i++) {
		free(r->observations[i].name);
		free(r->observations[i].unit);
		free(r->observations[i].values);
	}
	free(r->observations);
}

static void free_metrics(struct result *r)
{
	for (size_t i = 0; i < r->nr_metrics; i++) {
		free(r->metrics[i].metric);
		free(r->metrics[i].unit);
		free(r->metrics[i].stat);
	}
	free(r->metrics);
}

static void free_series(struct result *r)
{
	for (size_t i = 0; i < r->nr_series; i++) {
		free(r->series[i].name);
		free(r->series[i].unit);
	}
	free(r->series);
	free(r->samples);
}

static void free_bookings(struct result *r)
{
	for (size_t i = 0; i < r->nr_causes; i++) {
		free(r->causes[i].task);
		free(r->causes[i].cause);
	}
	for (size_t i = 0; i < r->nr_locks; i++)
		free(r->locks[i].lock);
	for (size_t i = 0; i < r->nr_lines; i++)
		free(r->lines[i].group);
	free(r->causes);
	free(r->locks);
	free(r->lines);
}

void result_free(struct result *r)
{
	free(r->fault);
	free(r->mm_stat);
	free(r->classes);
	free_metrics(r);
	free_series(r);
	free_bookings(r);
	free_observations(r);
	*r = (struct result){ 0 };
}
