/* SPDX-License-Identifier: GPL-3.0-or-later */
/* published.c - the published times of munmap() (see published.h). */
#include "reports/published.h"

#include <stdlib.h>

#include "reports/published_rows.h"
#include "scenarios/mem.h"

static unsigned number(const char *text)
{
	return text ? (unsigned)strtoul(text, NULL, 10) : 0;
}

static int add_cell(struct published_rows *r, void *arg)
{
	struct published_table *table = arg;
	const char *cpu = published_field(r, "cpu"), *variant = published_field(r, "variant");
	const char *ms = published_field(r, "munmap_ms"), *procs = published_field(r, "procs");
	const char *region = published_field(r, "region_mb");
	struct published_cell cell = { .procs = procs ? number(procs) : 1 };

	if (!region)
		region = published_field(r, "region_mb_each");
	if (!cpu || !variant || !ms || !region)
		return published_fault(r, "a field is missing; cpu, variant, region_mb and munmap_ms are expected");
	cell.region_mb = number(region);
	cell.us = published_thousandths(ms);
	if (cell.us <= 0 || !cell.procs || !cell.region_mb)
		return published_fault(r, "not a positive number in region_mb, procs or munmap_ms");
	cell.profile = scn_strdup(cpu);
	cell.variant = scn_strdup(variant);
	table->cells = scn_grow(table->cells, table->nr, sizeof(*table->cells));
	table->cells[table->nr++] = cell;
	return 0;
}

int published_load(const char *name, struct published_table *table, char *error, size_t error_bytes)
{
	*table = (struct published_table){ .name = name };
	return published_read(name, add_cell, table, error, error_bytes);
}

void published_free(struct published_table *table)
{
	for (size_t i = 0; i < table->nr; i++) {
		free(table->cells[i].profile);
		free(table->cells[i].variant);
	}
	free(table->cells);
	*table = (struct published_table){ .name = table->name };
}
