/* SPDX-License-Identifier: GPL-3.0-or-later */
/* published.c - reading the tables of data/published (see published.h). */
#include "reports/published.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/mem.h"
#include "sim/datapath.h"

#define COLUMNS_MAX 16

/* These files are ours: no field is quoted. */
struct line {
	char *field[COLUMNS_MAX];
	size_t nr;
};

struct reader {
	FILE *f;
	char *path, *text;
	size_t room;
	unsigned number;		/* of the line, from 1 */
	struct line header, line;
	char *error;
	size_t error_bytes;
};

static int fault(struct reader *r, const char *what)
{
	snprintf(r->error, r->error_bytes, "zsmsim: %s:%u: %s", r->path, r->number, what);
	return 2;
}

static void split(char *text, struct line *line)
{
	line->nr = 0;
	text[strcspn(text, "\r\n")] = 0;
	for (char *field = strsep(&text, ","); field && line->nr < COLUMNS_MAX; field = strsep(&text, ","))
		line->field[line->nr++] = field;
}

static const char *field(const struct reader *r, const char *column)
{
	for (size_t i = 0; i < r->header.nr && i < r->line.nr; i++)
		if (!strcmp(r->header.field[i], column))
			return r->line.field[i];
	return NULL;
}

static unsigned number(const char *text)
{
	return text ? (unsigned)strtoul(text, NULL, 10) : 0;
}

/* "13.81" to 13810, without passing through binary fractions. */
static int64_t thousandths(const char *text)
{
	char *end;
	int64_t value = strtoll(text, &end, 10) * 1000, unit = 100;

	if (*end == '.')
		for (end++; *end >= '0' && *end <= '9' && unit; end++, unit /= 10)
			value += (*end - '0') * unit;
	return *end ? -1 : value;
}

static int add_cell(struct reader *r, struct published_table *table)
{
	const char *cpu = field(r, "cpu"), *variant = field(r, "variant"), *ms = field(r, "munmap_ms");
	const char *region = field(r, "region_mb") ? field(r, "region_mb") : field(r, "region_mb_each");
	const char *procs = field(r, "procs");
	struct published_cell cell = { .procs = procs ? number(procs) : 1, .region_mb = number(region) };

	if (!cpu || !variant || !ms || !region)
		return fault(r, "a field is missing; cpu, variant, region_mb and munmap_ms are expected");
	cell.us = thousandths(ms);
	if (cell.us <= 0 || !cell.procs || !cell.region_mb)
		return fault(r, "not a positive number in region_mb, procs or munmap_ms");
	cell.profile = scn_strdup(cpu);
	cell.variant = scn_strdup(variant);
	table->cells = scn_grow(table->cells, table->nr, sizeof(*table->cells));
	table->cells[table->nr++] = cell;
	return 0;
}

static int read_lines(struct reader *r, struct published_table *table)
{
	char *header = NULL;
	int status = 0;

	while (status == 0 && getline(&r->text, &r->room, r->f) > 0) {
		r->number++;
		if (r->number == 1) {
			header = scn_strdup(r->text);
			split(header, &r->header);
			continue;
		}
		split(r->text, &r->line);
		status = add_cell(r, table);
	}
	if (status == 0 && !table->nr)
		status = fault(r, "no cells in this table");
	free(header);
	return status;
}

int published_load(const char *name, struct published_table *table, char *error, size_t error_bytes)
{
	char *relative = scn_printf("published/%s.csv", name);
	struct reader r = { .path = datapath(relative), .error = error, .error_bytes = error_bytes };
	int status;

	*table = (struct published_table){ .name = name };
	r.f = r.path ? fopen(r.path, "re") : NULL;
	if (r.f) {
		status = read_lines(&r, table);
		fclose(r.f);
	} else {
		snprintf(error, error_bytes, "zsmsim: data/%s: cannot be read: %s; ZSMSIM_DATA names the directory of the data",
			 relative, strerror(r.path ? errno : ENOENT));
		status = 2;
	}
	free(r.text);
	free(r.path);
	free(relative);
	return status;
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
