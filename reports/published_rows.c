/* SPDX-License-Identifier: GPL-3.0-or-later */
/* published_rows.c - see published_rows.h. */
#include "reports/published_rows.h"

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

struct published_rows {
	FILE *f;
	char *path, *text;
	size_t room;
	unsigned number;		/* of the line, from 1 */
	struct line header, line;
	char *error;
	size_t error_bytes;
};

int published_fault(struct published_rows *r, const char *what)
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

const char *published_field(const struct published_rows *r, const char *column)
{
	for (size_t i = 0; i < r->header.nr && i < r->line.nr; i++)
		if (!strcmp(r->header.field[i], column))
			return r->line.field[i];
	return NULL;
}

int64_t published_thousandths(const char *text)
{
	char *end;
	int64_t value = strtoll(text, &end, 10) * 1000, unit = 100;

	if (*end == '.')
		for (end++; *end >= '0' && *end <= '9' && unit; end++, unit /= 10)
			value += (*end - '0') * unit;
	return *end ? -1 : value;
}

static int read_lines(struct published_rows *r, int (*row)(struct published_rows *r, void *arg), void *arg)
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
		status = row(r, arg);
	}
	if (status == 0 && r->number < 2)
		status = published_fault(r, "no cells in this table");
	free(header);
	return status;
}

int published_read(const char *name, int (*row)(struct published_rows *r, void *arg), void *arg, char *error,
		   size_t error_bytes)
{
	char *relative = scn_printf("published/%s.csv", name);
	struct published_rows r = { .path = datapath(relative), .error = error, .error_bytes = error_bytes };
	int status;

	r.f = r.path ? fopen(r.path, "re") : NULL;
	if (r.f) {
		status = read_lines(&r, row, arg);
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
