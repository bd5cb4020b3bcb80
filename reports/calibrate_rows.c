/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate_rows.c - reading rows, refusing those that the rule does not allow (see calibrate_rows.h). */
#include "reports/calibrate_rows.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/mem.h"

#define COLUMNS_MAX 16
#define DIGITS_MAX 9			/* of a whole number */
#define RULE "; only base, one process, 256 MB, one row per CPU may be used"

struct fields {
	char *at[COLUMNS_MAX];
	size_t nr;
};

struct reader {
	const char *file;
	unsigned line;
	struct fields header, fields;
	char *error;
	size_t error_bytes;
};

static int __attribute__((format(printf, 2, 3))) refuse(struct reader *r, const char *format, ...)
{
	char what[256];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	snprintf(r->error, r->error_bytes, "zsmsim: %s:%u: %s", r->file, r->line, what);
	return 2;
}

/* ---- one line ---- */

static void split(char *text, struct fields *fields)
{
	fields->nr = 0;
	text[strcspn(text, "\r\n")] = '\0';
	for (char *field = strsep(&text, ","); field; field = strsep(&text, ",")) {
		if (fields->nr < COLUMNS_MAX)
			fields->at[fields->nr] = field;
		fields->nr++;
	}
}

static const char *field(const struct reader *r, const char *column)
{
	for (size_t i = 0; i < r->header.nr; i++)
		if (!strcmp(r->header.at[i], column))
			return r->fields.at[i];
	return NULL;
}

static bool is_number(const char *text)
{
	size_t digits = strspn(text, "0123456789");

	return digits && digits <= DIGITS_MAX && !text[digits];
}

/* "13.81" to 13810; -1 if it is not such a number. At most three digits behind the point. */
static int64_t thousandths(const char *text)
{
	size_t digits = strspn(text, "0123456789");
	int64_t value, unit = 100;

	if (!digits || digits > DIGITS_MAX)
		return -1;
	value = strtoll(text, NULL, 10) * 1000;
	text += digits;
	if (*text == '.')
		for (text++; isdigit((unsigned char)*text) && unit; text++, unit /= 10)
			value += (*text - '0') * unit;
	return *text ? -1 : value;
}

static int check_rule(struct reader *r, const struct calibrate_rows *rows, const char *procs)
{
	const char *region = field(r, "region_mb") ? field(r, "region_mb") : field(r, "region_mb_each");
	const struct calibrate_row *other = calibrate_rows_of(rows, field(r, "cpu"));

	if (strcmp(field(r, "variant"), CALIBRATE_VARIANT))
		return refuse(r, "variant \"%.40s\"" RULE, field(r, "variant"));
	if (!is_number(region) || (procs && !is_number(procs)))
		return refuse(r, "\"%.40s\": not a whole number" RULE, is_number(region) ? procs : region);
	if (strtoul(region, NULL, 10) != CALIBRATE_REGION_MB)
		return refuse(r, "a region of %.40s MB" RULE, region);
	if (procs && strtoul(procs, NULL, 10) != 1)
		return refuse(r, "%.40s processes" RULE, procs);
	if (other)
		return refuse(r, "a second row of %.40s, after line %u" RULE, field(r, "cpu"), other->line);
	return 0;
}

static int add_row(struct reader *r, struct calibrate_rows *rows)
{
	struct calibrate_row row = { .line = r->line };
	const char *ms;

	if (r->fields.nr != r->header.nr)
		return refuse(r, "%zu fields; the header has %zu", r->fields.nr, r->header.nr);
	if (!*field(r, "cpu"))
		return refuse(r, "no CPU; the name of a profile is expected");
	if (check_rule(r, rows, field(r, "procs")))
		return 2;
	ms = field(r, "munmap_ms");
	row.us = thousandths(ms);
	if (row.us <= 0)
		return refuse(r, "munmap_ms \"%.40s\": a positive number like 56.06 is expected", ms);
	row.cpu = scn_strdup(field(r, "cpu"));
	rows->at = scn_grow(rows->at, rows->nr, sizeof(*rows->at));
	rows->at[rows->nr++] = row;
	return 0;
}

static int check_header(struct reader *r)
{
	static const char *const needed[] = { "cpu", "variant", "munmap_ms" };

	if (r->header.nr > COLUMNS_MAX)
		return refuse(r, "%zu columns; at most %d are expected", r->header.nr, COLUMNS_MAX);
	/* field() looks a header's column up by the row's; the header is its own row here. */
	r->fields = r->header;
	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++)
		if (!field(r, needed[i]))
			return refuse(r, "no column %s; the header of data/published/munmap-sizes.csv is expected",
				      needed[i]);
	if (!field(r, "region_mb") && !field(r, "region_mb_each"))
		return refuse(r, "no column region_mb; the header of data/published/munmap-sizes.csv is expected");
	return 0;
}

/* ---- the file ---- */

static int read_lines(struct reader *r, FILE *f, struct calibrate_rows *rows)
{
	char *text = NULL, *header = NULL;
	size_t room = 0;
	int status = 0;

	while (status == 0 && getline(&text, &room, f) > 0) {
		r->line++;
		if (!header) {
			header = scn_strdup(text);
			split(header, &r->header);
			status = check_header(r);
			continue;
		}
		split(text, &r->fields);
		status = add_row(r, rows);
	}
	if (status == 0 && ferror(f))
		status = refuse(r, "cannot be read: %s", strerror(errno));
	else if (status == 0 && !rows->nr)
		status = refuse(r, "no rows; a header and one row per CPU are expected");
	free(text);
	free(header);
	return status;
}

int calibrate_rows_load(const char *file, struct calibrate_rows *rows, char *error, size_t error_bytes)
{
	struct reader r = { .file = file, .error = error, .error_bytes = error_bytes };
	FILE *f = fopen(file, "re");
	int status;

	*rows = (struct calibrate_rows){ .file = file };
	if (!f) {
		snprintf(error, error_bytes, "zsmsim: %s: cannot be read: %s; name a file of rows", file,
			 strerror(errno));
		return 2;
	}
	status = read_lines(&r, f, rows);
	fclose(f);
	return status;
}

void calibrate_rows_free(struct calibrate_rows *rows)
{
	for (size_t i = 0; i < rows->nr; i++)
		free(rows->at[i].cpu);
	free(rows->at);
	*rows = (struct calibrate_rows){ 0 };
}

const struct calibrate_row *calibrate_rows_of(const struct calibrate_rows *rows, const char *cpu)
{
	for (size_t i = 0; i < rows->nr; i++)
		if (!strcmp(rows->at[i].cpu, cpu))
			return &rows->at[i];
	return NULL;
}
