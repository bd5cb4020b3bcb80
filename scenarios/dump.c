/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dump.c - from the text of a dump to its rows. Whether they can be, is
 * dump_check.c's business.
 */
#include "scenarios/dump.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "scenarios/mem.h"

#define LINE_BYTES 1024
#define WORDS_MAX 32
#define NUMBER_MAX UINT64_C(1000000000000)	/* sums and products of these fit */

struct reader {
	struct dump *dump;
	unsigned line;
	char *words[WORDS_MAX + 1];	/* of the line, NULL at the end */
	unsigned nr_words;
	bool has_header, has_total;
	struct dump_row total;		/* as the file gives it */
	char *error;
	size_t error_bytes;
};

int dump_fault(const struct dump *dump, unsigned line, char *error, size_t error_bytes, const char *format, ...)
{
	va_list args;
	int used = line ? snprintf(error, error_bytes, "zsmsim: %s:%u: ", dump->file, line) :
			  snprintf(error, error_bytes, "zsmsim: %s: ", dump->file);

	va_start(args, format);
	if (used >= 0 && (size_t)used < error_bytes)
		vsnprintf(error + used, error_bytes - used, format, args);
	va_end(args);
	return 2;
}

void dump_warn(struct dump *dump, const char *format, ...)
{
	size_t used = strlen(dump->warning);
	va_list args;

	if (used && used + 2 < sizeof(dump->warning)) {
		memcpy(dump->warning + used, "; ", 3);
		used += 2;
	}
	va_start(args, format);
	vsnprintf(dump->warning + used, sizeof(dump->warning) - used, format, args);
	va_end(args);
}

#define FAULT(r, ...) dump_fault((r)->dump, (r)->line, (r)->error, (r)->error_bytes, __VA_ARGS__)

/* Cut @text into words in place; false if there are too many. */
static bool split(struct reader *r, char *text)
{
	char *rest = NULL;

	r->nr_words = 0;
	for (char *word = strtok_r(text, " \t\r\n", &rest); word; word = strtok_r(NULL, " \t\r\n", &rest)) {
		if (r->nr_words == WORDS_MAX)
			return false;
		r->words[r->nr_words++] = word;
	}
	r->words[r->nr_words] = NULL;
	return true;
}

/* ---- the header ---- */

/* Is the *@at-th word @column? Then go on to the next. */
static bool take(const struct reader *r, unsigned *at, const char *column)
{
	if (*at >= r->nr_words || strcmp(r->words[*at], column))
		return false;
	(*at)++;
	return true;
}

static int must_take(struct reader *r, unsigned *at, const char *const *columns)
{
	for (; *columns; columns++) {
		if (take(r, at, *columns))
			continue;
		if (*at >= r->nr_words)
			return FAULT(r, "the header ends where the column %s belongs; give a whole dump of debugfs 'classes'",
				     *columns);
		return FAULT(r, "%.40s in the header where the column %s belongs; give a whole dump of debugfs 'classes'",
			     r->words[*at], *columns);
	}
	return 0;
}

static int read_header(struct reader *r)
{
	static const char *const first[] = { "class", "size", NULL };
	static const char *const groups[] = { "10%", "20%", "30%", "40%", "50%", "60%", "70%", "80%", "90%",
					      "99%", "100%", NULL };
	static const char *const old_groups[] = { "almost_full", "almost_empty", NULL };
	static const char *const objects[] = { "obj_allocated", "obj_used", "pages_used", NULL };
	struct dump *d = r->dump;
	unsigned at = 0;

	if (must_take(r, &at, first))
		return 2;
	d->has_huge = take(r, &at, "huge");
	d->old_groups = d->has_huge || (at < r->nr_words && !strncmp(r->words[at], "almost_", 7));
	if (must_take(r, &at, d->old_groups ? old_groups : groups) || must_take(r, &at, objects))
		return 2;
	d->has_pages = take(r, &at, "pages_per_zspage");
	d->has_freeable = take(r, &at, "freeable");
	if (at < r->nr_words)
		return FAULT(r, "%.40s: unknown column; known after pages_used: pages_per_zspage, freeable", r->words[at]);
	r->has_header = true;
	return 0;
}

/* ---- the rows ---- */

static int read_number(struct reader *r, unsigned *at, uint64_t *out)
{
	const char *word = r->words[(*at)++];
	uint64_t value = 0;

	for (const char *c = word; *c; c++) {
		if (!isdigit((unsigned char)*c))
			return FAULT(r, "%.40s is not a whole number; a dump has nothing else in its rows", word);
		value = value * 10 + (uint64_t)(*c - '0');
		if (value > NUMBER_MAX)
			return FAULT(r, "%.40s is more than a pool can have; at most %" PRIu64, word, NUMBER_MAX);
	}
	*out = value;
	return 0;
}

static int read_small(struct reader *r, unsigned *at, unsigned *out)
{
	uint64_t value;

	if (read_number(r, at, &value))
		return 2;
	*out = value > UINT32_MAX ? UINT32_MAX : (unsigned)value;
	return 0;
}

/* Zspages of each group that has a column, then objects and pages. */
static int read_figures(struct reader *r, unsigned *at, struct dump_row *row)
{
	unsigned groups = r->dump->old_groups ? DUMP_FULL : DUMP_GROUPS;

	for (unsigned g = 0; g < groups; g++) {
		if (read_number(r, at, &row->zspages[g]))
			return 2;
	}
	return read_number(r, at, &row->allocated) || read_number(r, at, &row->used) ||
	       read_number(r, at, &row->pages_used) ? 2 : 0;
}

/* Words of a row but those that only some have. */
static unsigned nr_figures(const struct dump *d)
{
	return (d->old_groups ? DUMP_FULL : DUMP_GROUPS) + 3 + d->has_freeable;
}

static int read_total(struct reader *r)
{
	unsigned at = 1, wanted = 1 + nr_figures(r->dump);

	if (r->nr_words != wanted)
		return FAULT(r, "a Total of %u figures; the header makes it %u", r->nr_words - 1, wanted - 1);
	r->total.line = r->line;
	r->has_total = true;
	if (read_figures(r, &at, &r->total))
		return 2;
	return r->dump->has_freeable ? read_number(r, &at, &r->total.freeable) : 0;
}

static int read_row(struct reader *r)
{
	struct dump *d = r->dump;
	unsigned at = 0, wanted = 2 + nr_figures(d) + d->has_pages;
	bool huge = d->has_huge && r->nr_words > 2 && !strcmp(r->words[2], "Y");
	struct dump_row *row = &d->rows[d->nr_rows];

	if (r->nr_words != wanted + huge)
		return FAULT(r, "a row of %u figures; the header makes it %u", r->nr_words - huge, wanted);
	if (d->nr_rows == DUMP_CLASSES)
		return FAULT(r, "a row too many; a pool has at most %d classes", DUMP_CLASSES);
	row->line = r->line;
	if (read_small(r, &at, &row->index) || read_small(r, &at, &row->size))
		return 2;
	at += huge;
	if (read_figures(r, &at, row) || (d->has_pages && read_small(r, &at, &row->pages)) ||
	    (d->has_freeable && read_number(r, &at, &row->freeable)))
		return 2;
	d->nr_rows++;
	return 0;
}

static int read_line(struct reader *r, char *text)
{
	r->line++;
	if (*text == '#')
		return 0;
	if (strlen(text) == LINE_BYTES - 1 || !split(r, text))
		return FAULT(r, "a line too long for a dump; give what debugfs 'classes' prints");
	if (!r->nr_words)
		return 0;
	if (!r->has_header)
		return read_header(r);
	if (r->has_total)
		return FAULT(r, "%.40s after the Total, which is the last row; give one dump alone", r->words[0]);
	return strcmp(r->words[0], "Total") ? read_row(r) : read_total(r);
}

/* ---- the sums ---- */

static void add_row(struct dump_row *total, const struct dump_row *row)
{
	for (unsigned g = 0; g < DUMP_GROUPS; g++)
		total->zspages[g] += row->zspages[g];
	total->empty += row->empty;
	total->allocated += row->allocated;
	total->used += row->used;
	total->pages_used += row->pages_used;
	total->freeable += row->freeable;
}

static int sum_check(struct reader *r, const char *column, uint64_t given, uint64_t sum)
{
	if (given == sum)
		return 0;
	r->line = r->total.line;
	return FAULT(r, "the Total of %s is %" PRIu64 ", but the rows add up to %" PRIu64 "; give a whole dump", column,
		     given, sum);
}

static int totals_check(struct reader *r)
{
	struct dump *d = r->dump;
	const struct dump_row *sum = &d->total;
	unsigned groups = d->old_groups ? DUMP_FULL : DUMP_GROUPS;
	char column[32];

	for (size_t i = 0; i < d->nr_rows; i++)
		add_row(&d->total, &d->rows[i]);
	if (!r->has_total) {
		dump_warn(d, "there is no Total, so the end may be missing");
		return 0;
	}
	for (unsigned g = 0; g < groups; g++) {
		if (groups == DUMP_GROUPS)
			snprintf(column, sizeof(column), "%u%%", g == 9 ? 99 : 10 * (g < 9 ? g + 1 : g));
		else
			snprintf(column, sizeof(column), "%s", g == DUMP_ALMOST_FULL ? "almost_full" : "almost_empty");
		if (sum_check(r, column, r->total.zspages[g], sum->zspages[g]))
			return 2;
	}
	if (sum_check(r, "obj_allocated", r->total.allocated, sum->allocated) ||
	    sum_check(r, "obj_used", r->total.used, sum->used) ||
	    sum_check(r, "pages_used", r->total.pages_used, sum->pages_used))
		return 2;
	return d->has_freeable ? sum_check(r, "freeable", r->total.freeable, sum->freeable) : 0;
}

/* ---- the whole ---- */

/* All that decides what is made of it; not its layout, comments or name. */
static uint64_t hash_of(const struct dump *d)
{
	XXH64_state_t *state = XXH64_createState();
	uint64_t hash;

	if (!state)
		abort();
	XXH64_reset(state, d->old_groups);
	for (size_t i = 0; i < d->nr_rows; i++) {
		const struct dump_row *row = &d->rows[i];
		uint64_t key[] = { row->index, row->pages, row->used, row->allocated };

		XXH64_update(state, key, sizeof(key));
		XXH64_update(state, row->zspages, sizeof(row->zspages));
	}
	hash = XXH64_digest(state);
	XXH64_freeState(state);
	return hash;
}

static int read_lines(struct reader *r, FILE *in)
{
	char text[LINE_BYTES];

	while (fgets(text, sizeof(text), in)) {
		if (read_line(r, text))
			return 2;
	}
	r->line = 0;
	if (ferror(in))
		return FAULT(r, "%s; name a file with what debugfs 'classes' printed", strerror(errno));
	if (!r->has_header)
		return FAULT(r, "empty; expected what debugfs 'classes' prints, the header first");
	if (!r->dump->nr_rows)
		return FAULT(r, "a header and no rows; expected what debugfs 'classes' prints");
	return dump_check(r->dump, r->error, r->error_bytes) ? 2 : totals_check(r);
}

int dump_read(const char *file, struct dump **out, char *error, size_t error_bytes)
{
	struct dump *dump = scn_zalloc(1, sizeof(*dump));
	struct reader reader = { .dump = dump, .error = error, .error_bytes = error_bytes };
	FILE *in = fopen(file, "r");
	int status;

	dump->file = scn_strdup(file);
	if (in) {
		status = read_lines(&reader, in);
		fclose(in);
	} else {
		status = dump_fault(dump, 0, error, error_bytes, "%s; name a file with what debugfs 'classes' printed",
				    strerror(errno));
	}
	if (status) {
		dump_free(dump);
		return status;
	}
	dump->hash = hash_of(dump);
	*out = dump;
	return 0;
}

void dump_free(struct dump *dump)
{
	if (dump)
		free(dump->file);
	free(dump);
}
