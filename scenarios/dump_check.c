/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dump_check.c - can the rows of a dump be? And what they leave unsaid: the
 * chain limit of the machine, the shape of zspages, the zspages in no column.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/dump.h"
#include "scenarios/mem.h"

#define CHAIN_MIN 4
#define CHAIN_DEFAULT 8
#define LARGE_PAGE_STEP 64u	/* between the sizes of classes where pages have 16 KiB */

struct checking {
	struct dump *dump;
	char *error;
	size_t error_bytes;
};

#define FAULT(c, line, ...) dump_fault((c)->dump, line, (c)->error, (c)->error_bytes, __VA_ARGS__)

/* ---- index and size ---- */

static int name_check(const struct checking *c, const struct dump_row *row, const struct dump_row *before)
{
	if (row->index >= DUMP_CLASSES)
		return FAULT(c, row->line, "class %u; 0 to %d are possible", row->index, DUMP_CLASSES - 1);
	if (before && row->index <= before->index)
		return FAULT(c, row->line, "class %u after class %u; expected ascending classes", row->index, before->index);
	if (row->size == dump_class_size(row->index))
		return 0;
	if (row->index && row->size == dump_class_size(0) + LARGE_PAGE_STEP * row->index)
		return FAULT(c, row->line, "class %u of %u bytes is that of a machine with pages of 16 KiB; give a dump of one with pages of 4 KiB",
			     row->index, row->size);
	return FAULT(c, row->line, "class %u of %u bytes; that class has %u", row->index, row->size,
		     dump_class_size(row->index));
}

/* ---- the chain limit ---- */

/* A row without figures of pages only says that the class is there. */
static bool row_fits(const struct dump *d, const struct dump_row *row, unsigned chain, bool percent_rule)
{
	unsigned pages = dump_chain_pages(row->size, chain, percent_rule), objs = pages * DUMP_PAGE / row->size;

	if (!dump_class_exists(row->index, chain, percent_rule))
		return false;
	if (d->has_pages)
		return row->pages == pages;
	return row->allocated % objs == 0 && row->allocated / objs * pages == row->pages_used;
}

static size_t rows_that_fit(const struct dump *d, unsigned chain, bool percent_rule)
{
	size_t nr = 0;

	for (size_t i = 0; i < d->nr_rows; i++)
		nr += row_fits(d, &d->rows[i], chain, percent_rule);
	return nr;
}

/* The limit that fits most rows, so that one damaged row is found out by the others. */
static void find_chain(struct dump *d)
{
	size_t most;

	d->chain = CHAIN_DEFAULT;
	most = rows_that_fit(d, d->chain, false);
	for (int rule = 0; rule < 2; rule++) {
		for (unsigned chain = CHAIN_MIN; chain <= DUMP_CHAIN_MAX; chain++) {
			size_t nr = rows_that_fit(d, chain, rule);

			if (nr <= most)
				continue;
			most = nr;
			d->chain = chain;
			d->percent_rule = rule;
		}
	}
}

static int shape_check(const struct checking *c, struct dump_row *row)
{
	const struct dump *d = c->dump;
	unsigned pages = dump_chain_pages(row->size, d->chain, d->percent_rule);

	if (!dump_class_exists(row->index, d->chain, d->percent_rule))
		return FAULT(c, row->line, "class %u does not exist at a chain limit of %u, which the other rows fit; leave the row out",
			     row->index, d->chain);
	if (d->has_pages && row->pages != pages)
		return FAULT(c, row->line, "pages_per_zspage of class %u is %u; at a chain limit of %u, which the other rows fit, it is %u",
			     row->index, row->pages, d->chain, pages);
	row->pages = pages;
	row->objs = pages * DUMP_PAGE / row->size;
	return 0;
}

/* ---- the figures of a row ---- */

static int objects_check(const struct checking *c, struct dump_row *row)
{
	uint64_t zspages = row->allocated / row->objs;
	uint64_t freeable = (row->allocated - row->used) / row->objs * row->pages;

	if (row->used > row->allocated)
		return FAULT(c, row->line, "obj_used %" PRIu64 " is more than obj_allocated %" PRIu64 "; at most that many can be",
			     row->used, row->allocated);
	if (row->allocated % row->objs)
		return FAULT(c, row->line, "obj_allocated %" PRIu64 " is no multiple of the objects of a zspage; class %u has %u",
			     row->allocated, row->index, row->objs);
	if (row->pages_used % row->pages)
		return FAULT(c, row->line, "pages_used %" PRIu64 " is no multiple of pages_per_zspage; class %u has %u", row->pages_used,
			     row->index, row->pages);
	if (row->pages_used != zspages * row->pages)
		return FAULT(c, row->line, "pages_used is %" PRIu64 "; obj_allocated %" PRIu64 " makes it %" PRIu64,
			     row->pages_used, row->allocated, zspages * row->pages);
	if (!c->dump->has_freeable)
		row->freeable = freeable;
	if (row->freeable != freeable)
		return FAULT(c, row->line, "freeable is %" PRIu64 "; obj_allocated and obj_used make it %" PRIu64, row->freeable,
			     freeable);
	return 0;
}

static int groups_check(const struct checking *c, struct dump_row *row)
{
	uint64_t zspages = row->allocated / row->objs, listed = 0;
	unsigned least, most;

	for (unsigned g = 0; g < DUMP_GROUPS; g++) {
		if (row->zspages[g] && !dump_group_range(c->dump, row->objs, g, &least, &most))
			return FAULT(c, row->line, "%" PRIu64 " zspages in group %u, but no number of %u objects is in it; expected 0",
				     row->zspages[g], g + 1, row->objs);
		listed += row->zspages[g];
	}
	if (listed > zspages)
		return FAULT(c, row->line, "%" PRIu64 " zspages of %u objects in the groups; obj_allocated %" PRIu64 " makes it %" PRIu64,
			     listed, row->objs, row->allocated, zspages);
	if (c->dump->old_groups)
		row->zspages[DUMP_FULL] = zspages - listed;
	else
		row->empty = zspages - listed;
	return 0;
}

/* The fewest and most objects that zspages of these groups can hold. */
static void bounds(const struct dump *d, const struct dump_row *row, uint64_t *fewest, uint64_t *most)
{
	*fewest = *most = 0;
	for (unsigned g = 0; g < DUMP_GROUPS; g++) {
		unsigned low = 0, high = 0;

		if (!row->zspages[g] || !dump_group_range(d, row->objs, g, &low, &high))
			continue;
		*fewest += row->zspages[g] * low;
		*most += row->zspages[g] * high;
	}
}

static int used_check(const struct checking *c, struct dump_row *row)
{
	uint64_t fewest, most;

	bounds(c->dump, row, &fewest, &most);
	/* In old layouts neither full nor empty zspages have a column. */
	while (c->dump->old_groups && row->used < fewest && row->zspages[DUMP_FULL]) {
		uint64_t nr = (fewest - row->used + row->objs - 1) / row->objs;

		nr = nr < row->zspages[DUMP_FULL] ? nr : row->zspages[DUMP_FULL];
		row->zspages[DUMP_FULL] -= nr;
		row->empty += nr;
		bounds(c->dump, row, &fewest, &most);
	}
	if (row->used >= fewest && row->used <= most)
		return 0;
	return FAULT(c, row->line, "obj_used is %" PRIu64 "; zspages in these groups hold %" PRIu64 " to %" PRIu64, row->used, fewest,
		     most);
}

static int figures_check(const struct checking *c, struct dump_row *row)
{
	return objects_check(c, row) || groups_check(c, row) || used_check(c, row) ? 2 : 0;
}

static void warn_of_empty(struct dump *d)
{
	uint64_t empty = 0;

	for (size_t i = 0; i < d->nr_rows; i++)
		empty += d->rows[i].empty;
	if (empty)
		dump_warn(d, "%" PRIu64 " zspages are in no group: empty ones that wait to be freed, which are left out", empty);
}

int dump_check(struct dump *dump, char *error, size_t error_bytes)
{
	const struct checking c = { dump, error, error_bytes };

	for (size_t i = 0; i < dump->nr_rows; i++) {
		if (name_check(&c, &dump->rows[i], i ? &dump->rows[i - 1] : NULL))
			return 2;
	}
	find_chain(dump);
	for (size_t i = 0; i < dump->nr_rows; i++) {
		if (shape_check(&c, &dump->rows[i]) || figures_check(&c, &dump->rows[i]))
			return 2;
	}
	warn_of_empty(dump);
	return 0;
}

/* ---- mm_stat ---- */

enum { ORIG_SIZE, COMPR_SIZE, MEM_USED, MEM_LIMIT, MEM_USED_MAX, MM_STAT_MIN = 7, MM_STAT_MAX = 9 };

static char *mm_stat_contradiction(struct dump *dump, const uint64_t *v)
{
	uint64_t bytes = dump->total.pages_used * DUMP_PAGE;

	if (v[MEM_USED] % DUMP_PAGE)
		return scn_printf("mem_used_total %" PRIu64 " is no multiple of %u, the bytes of a page", v[MEM_USED], DUMP_PAGE);
	if (v[COMPR_SIZE] > v[MEM_USED])
		return scn_printf("compr_data_size %" PRIu64 " does not fit mem_used_total %" PRIu64 "; at most that much can be",
				  v[COMPR_SIZE], v[MEM_USED]);
	if (v[MEM_USED] > v[MEM_USED_MAX])
		return scn_printf("mem_used_total %" PRIu64 " is more than mem_used_max %" PRIu64 "; at most that much can be",
				  v[MEM_USED], v[MEM_USED_MAX]);
	if (v[MEM_USED] != bytes)
		dump_warn(dump, "mm_stat has %" PRIu64 " pages, the classes have %" PRIu64 ", so they were read at different times",
			  v[MEM_USED] / DUMP_PAGE, dump->total.pages_used);
	return NULL;
}

char *dump_mm_stat_fault(struct dump *dump, const char *line)
{
	uint64_t value[MM_STAT_MAX + 1];
	size_t nr = 0;
	char *end;

	for (const char *p = line + strspn(line, " \t\n"); *p; p = end + strspn(end, " \t\n")) {
		if (nr > MM_STAT_MAX || strspn(p, "0123456789") == 0)
			break;
		value[nr++] = strtoull(p, &end, 10);
		if (!strchr(" \t\n", *end))
			return scn_printf("\"%.40s\" is no whole number; mm_stat is %d to %d of them", p, MM_STAT_MIN, MM_STAT_MAX);
	}
	if (nr < MM_STAT_MIN || nr > MM_STAT_MAX)
		return scn_printf("%zu numbers; the line of mm_stat has %d to %d and nothing else", nr, MM_STAT_MIN, MM_STAT_MAX);
	return mm_stat_contradiction(dump, value);
}
