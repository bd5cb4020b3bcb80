/* SPDX-License-Identifier: GPL-3.0-or-later */
/* observe.c - marks, gauges, samples and the time of tasks. */
#include "sim/observe.h"
#include "sim/observations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct gauge gauges[MAX_GAUGES];
static unsigned nr_gauges;
static struct mark *marks;
static size_t nr_marks;
static struct sample *samples;
static size_t nr_samples;
static uint64_t sample_ps;
static bool measuring;
static struct task_stats *tasks[MAX_TASKS];

/* Each fall of the watched gauge: value and time, for percentiles afterwards. */
struct fall {
	int64_t value;
	uint64_t ps;
};
static int watched = -1;
static struct fall *falls;
static size_t nr_falls;

/* Grow @array to hold one more than @nr elements of @bytes. */
static void *grown(void *array, size_t nr, size_t bytes)
{
	if (nr & (nr - 1))
		return array;
	array = realloc(array, (nr ? nr * 2 : 1) * bytes);
	if (!array) {
		fprintf(stderr, "zsmsim: out of memory for observations\n");
		exit(1);
	}
	return array;
}

void observe_create(unsigned gauges_used, uint64_t every_ps)
{
	nr_gauges = gauges_used;
	sample_ps = every_ps;
}

void observe_destroy(void)
{
	free(marks);
	free(samples);
	free(falls);
	for (unsigned i = 0; i < MAX_TASKS; i++)
		free(tasks[i]);
	marks = NULL;
	samples = NULL;
	falls = NULL;
	nr_marks = nr_samples = nr_falls = 0;
	memset(tasks, 0, sizeof(tasks));
	memset(gauges, 0, sizeof(gauges));
	watched = -1;
	measuring = false;
	observations_destroy();
}

void observe_start(void)
{
	for (unsigned i = 0; i < nr_gauges; i++)
		gauges[i].at_start = gauges[i].value;
	nr_falls = 0;
	measuring = true;
	observations_start();
}

/* ---- marks ---- */

void hw_mark(const char *name, unsigned index)
{
	if (!measuring)
		return;
	trace(cur->clock ^ index);
	marks = grown(marks, nr_marks, sizeof(*marks));
	marks[nr_marks++] = (struct mark){ name, index, cur->clock };
}

const struct mark *observe_marks(size_t *nr)
{
	*nr = nr_marks;
	return marks;
}

/* ---- gauges ---- */

void hw_gauge_add(unsigned gauge, int64_t delta)
{
	struct gauge *g = &gauges[gauge];

	g->value += delta;
	if (!measuring)
		return;
	g->changed_ps = cur->clock;
	if ((int)gauge == watched && delta < 0) {
		falls = grown(falls, nr_falls, sizeof(*falls));
		falls[nr_falls++] = (struct fall){ g->value, cur->clock };
	}
}

void observe_watch_fall(unsigned g)
{
	watched = (int)g;
}

uint64_t observe_fall_ps(unsigned g, unsigned permille)
{
	int64_t lowest = gauges[g].at_start, target;

	for (size_t i = 0; i < nr_falls; i++)
		if (falls[i].value < lowest)
			lowest = falls[i].value;
	target = gauges[g].at_start - ((gauges[g].at_start - lowest) * (int64_t)permille + 999) / 1000;
	for (size_t i = 0; i < nr_falls; i++)
		if (falls[i].value <= target)
			return falls[i].ps;
	return UINT64_MAX;
}

const struct gauge *observe_gauge(unsigned g)
{
	return &gauges[g];
}

uint64_t observe_sample(uint64_t now)
{
	struct sample *s;

	samples = grown(samples, nr_samples, sizeof(*samples));
	s = &samples[nr_samples++];
	s->ps = now;
	for (unsigned i = 0; i < nr_gauges; i++)
		s->value[i] = gauges[i].value;
	return now + sample_ps;
}

const struct sample *observe_samples(size_t *nr)
{
	*nr = nr_samples;
	return samples;
}

/* ---- tasks ---- */

static struct task_stats *task_get(unsigned task)
{
	if (task >= MAX_TASKS)
		hw_fault("task number %u; at most %d are observed", task, MAX_TASKS - 1);
	if (!tasks[task]) {
		tasks[task] = calloc(1, sizeof(**tasks));
		if (!tasks[task])
			abort();
		tasks[task]->name = task ? "task" : "idle";
	}
	return tasks[task];
}

const struct task_stats *observe_task(unsigned task)
{
	return task < MAX_TASKS ? tasks[task] : NULL;
}

/* What @c has spent since the last call goes to the task it runs. */
static void flush_task(struct cpu *c)
{
	struct task_stats *t = task_get(c->task);

	for (unsigned i = 0; i < NR_CAUSES; i++) {
		t->cause[i] += c->booked[i] - c->flushed[i];
		c->flushed[i] = c->booked[i];
	}
}

void hw_task(unsigned task)
{
	if (measuring)
		flush_task(cur);
	cur->task = task;
}

void hw_task_name(unsigned task, const char *name)
{
	task_get(task)->name = name;
}

void observe_end(void)
{
	uint64_t latest = 0;

	for (unsigned i = 0; i < nr_cpus; i++) {
		flush_task(&cpus[i]);
		if (cpus[i].clock > latest)
			latest = cpus[i].clock;
	}
	measuring = false;
	observations_stop();
	if (sample_ps)
		observe_sample(latest);
}
