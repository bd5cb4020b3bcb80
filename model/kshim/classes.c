/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * classes.c - the counters of a pool in the columns of the debugfs file
 * "classes" of 6.12, for trees that were built without CONFIG_ZSMALLOC_STAT.
 * A tree with fewer groups (6.1) fills as many columns as it has.
 */
#include "model/kernel/kernel.h"
#include "model/kshim/check.h"
#include "model/zsmalloc/view.h"

#define COLUMNS 11			/* groups that have a column: all but the first */

/* Text that grows in a buffer; what does not fit is cut off. */
struct text {
	char *buf;
	size_t bytes;
	size_t used;
};

#define put_text(text, ...)						\
	((text)->used += scnprintf((text)->buf + (text)->used,		\
				   (text)->bytes - (text)->used, __VA_ARGS__))

struct class_row {
	unsigned long zspages[COLUMNS];
	unsigned long allocated, inuse, pages_used, freeable;
};

static void read_row(struct zs_pool *pool, unsigned i, const struct zs_class_view *class, struct class_row *row)
{
	hw_zero(row, sizeof(*row));
	for (unsigned group = 1; group < class->nr_groups && group <= COLUMNS; group++)
		row->zspages[group - 1] = zs_view_stat(pool, i, group);
	row->allocated = zs_view_stat(pool, i, class->nr_groups);
	row->inuse = zs_view_stat(pool, i, class->nr_groups + 1);
	row->pages_used = row->allocated / class->objs_per_zspage * class->pages_per_zspage;
	row->freeable = (row->allocated - row->inuse) / class->objs_per_zspage * class->pages_per_zspage;
}

static void add_row(struct class_row *total, const struct class_row *row)
{
	for (unsigned c = 0; c < COLUMNS; c++)
		total->zspages[c] += row->zspages[c];
	total->allocated += row->allocated;
	total->inuse += row->inuse;
	total->pages_used += row->pages_used;
	total->freeable += row->freeable;
}

static void put_columns(struct text *text, const struct class_row *row)
{
	for (unsigned c = 0; c < COLUMNS; c++)
		put_text(text, "%9lu ", row->zspages[c]);
	put_text(text, "%13lu %10lu %10lu ", row->allocated, row->inuse, row->pages_used);
}

size_t kshim_classes_text(struct zs_pool *pool, char *buf, size_t bytes)
{
	struct text text = { .buf = buf, .bytes = bytes };
	struct class_row row, total;
	struct zs_class_view class;

	hw_zero(&total, sizeof(total));
	put_text(&text, " %5s %5s %9s %9s %9s %9s %9s %9s %9s %9s %9s %9s %9s %13s %10s %10s %16s %8s\n",
		 "class", "size", "10%", "20%", "30%", "40%", "50%", "60%", "70%", "80%", "90%",
		 "99%", "100%", "obj_allocated", "obj_used", "pages_used", "pages_per_zspage", "freeable");
	for (unsigned i = 0; i < zs_view_nr_indices(pool); i++) {
		if (!zs_view_class(pool, i, &class))
			continue;
		read_row(pool, i, &class, &row);
		put_text(&text, " %5u %5u ", i, class.size);
		put_columns(&text, &row);
		put_text(&text, "%16u %8lu\n", class.pages_per_zspage, row.freeable);
		add_row(&total, &row);
	}
	put_text(&text, "\n %5s %5s ", "Total", "");
	put_columns(&text, &total);
	put_text(&text, "%16s %8lu\n", "", total.freeable);
	return text.used;
}
