/* SPDX-License-Identifier: GPL-3.0-or-later */
/* observations.c - see observations.h. */
#include "sim/observations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/observe.h"

static struct observation table[MAX_OBSERVATIONS];
static unsigned nr_named;
static bool measuring;

/* When each task began each of its spans; UINT64_MAX: it is in none. */
static uint64_t (*begun)[MAX_OBSERVATIONS];

static unsigned name_it(const char *name, const char *unit, enum observation_kind kind)
{
	for (unsigned i = 0; i < nr_named; i++)
		if (!strcmp(table[i].name, name))
			return i;
	if (nr_named == MAX_OBSERVATIONS)
		hw_fault("observation '%s'; at most %d can be named", name, MAX_OBSERVATIONS);
	table[nr_named] = (struct observation){ .name = name, .unit = unit, .kind = kind };
	return nr_named++;
}

unsigned hw_observation(const char *name, const char *unit)
{
	return name_it(name, unit, OBSERVE_VALUES);
}

unsigned hw_span(const char *name)
{
	return name_it(name, "ps", OBSERVE_SPANS);
}

unsigned hw_counter(const char *name, const char *unit)
{
	return name_it(name, unit, OBSERVE_SUM);
}

static void add(struct observation *o, int64_t value)
{
	if (o->kind != OBSERVE_SUM) {
		if (!(o->nr & (o->nr - 1))) {
			o->values = realloc(o->values, (o->nr ? o->nr * 2 : 1) * sizeof(*o->values));
			if (!o->values) {
				fprintf(stderr, "zsmsim: out of memory for observations\n");
				exit(1);
			}
		}
		o->values[o->nr] = value;
	}
	o->nr++;
	o->sum += value;
}

void hw_observe(unsigned id, int64_t value)
{
	if (measuring)
		add(&table[id], value);
}

/* Memory for all tasks at once: most runs have no spans and few have many tasks. */
static uint64_t *begun_by(unsigned task)
{
	if (!begun) {
		begun = malloc(MAX_TASKS * sizeof(*begun));
		if (!begun)
			abort();
		memset(begun, 0xff, MAX_TASKS * sizeof(*begun));
	}
	return begun[task];
}

void hw_span_begin(unsigned id)
{
	if (measuring)
		begun_by(cur->task)[id] = cur->clock;
}

void hw_span_end(unsigned id)
{
	uint64_t *from;

	if (!measuring)
		return;
	from = &begun_by(cur->task)[id];
	if (*from != UINT64_MAX)
		add(&table[id], (int64_t)(cur->clock - *from));
	*from = UINT64_MAX;
}

const struct observation *observations(unsigned *nr)
{
	*nr = nr_named;
	return table;
}

void observations_start(void)
{
	measuring = true;
}

void observations_stop(void)
{
	measuring = false;
}

void observations_destroy(void)
{
	for (unsigned i = 0; i < nr_named; i++)
		free(table[i].values);
	memset(table, 0, sizeof(table));
	nr_named = 0;
	free(begun);
	begun = NULL;
	measuring = false;
}
