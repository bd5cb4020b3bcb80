/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stat.c - the text of the debugfs file "classes".
 *
 * Group 0 has no column, so zspages that wait for the worker show only in
 * obj_allocated.
 */
#include "model/zsmalloc/compact.h"

/* One row: the statistics of a class, or their sum. */
struct class_row {
	unsigned long stats[NR_CLASS_STATS];
	unsigned long pages_used;
	unsigned long freeable;
};

/* Text that grows in a buffer; what does not fit is cut off. */
struct text {
	char *buf;
	size_t bytes;
	size_t used;
};

#define put_text(text, ...)						\
	((text)->used += scnprintf((text)->buf + (text)->used,		\
				   (text)->bytes - (text)->used, __VA_ARGS__))

static void read_row(struct size_class *class, struct class_row *row)
{
	spin_lock(&class->lock);
	for (int type = 0; type < NR_CLASS_STATS; type++)
		row->stats[type] = class_stat_read(class, type);
	row->freeable = zs_can_compact(class);
	spin_unlock(&class->lock);
	row->pages_used = row->stats[ZS_OBJS_ALLOCATED] / class->objs_per_zspage *
			  class->pages_per_zspage;
}

static void add_row(struct class_row *total, const struct class_row *row)
{
	for (int type = 0; type < NR_CLASS_STATS; type++)
		total->stats[type] += row->stats[type];
	total->pages_used += row->pages_used;
	total->freeable += row->freeable;
}

static void put_header(struct text *text)
{
	put_text(text, " %5s %5s %9s %9s %9s %9s %9s %9s %9s %9s %9s %9s %9s %13s %10s %10s %16s %8s\n",
		 "class", "size", "10%", "20%", "30%", "40%", "50%", "60%", "70%", "80%", "90%",
		 "99%", "100%", "obj_allocated", "obj_used", "pages_used", "pages_per_zspage",
		 "freeable");
}

static void put_columns(struct text *text, const struct class_row *row)
{
	for (int group = ZS_INUSE_RATIO_10; group < NR_FULLNESS_GROUPS; group++)
		put_text(text, "%9lu ", row->stats[group]);
	put_text(text, "%13lu %10lu %10lu ", row->stats[ZS_OBJS_ALLOCATED],
		 row->stats[ZS_OBJS_INUSE], row->pages_used);
}

/* Write the text to @buf, ended by a zero byte. Returns its length, less than @bytes. */
size_t zs_classes_show(struct zs_pool *pool, char *buf, size_t bytes)
{
	struct text text = { .buf = buf, .bytes = bytes };
	struct class_row row, total;
	struct size_class *class;
	int i;

	hw_zero(&total, sizeof(total));
	put_header(&text);
	for_each_class_up(pool, class, i) {
		read_row(class, &row);
		put_text(&text, " %5d %5d ", i, class->size);
		put_columns(&text, &row);
		put_text(&text, "%16d %8lu\n", class->pages_per_zspage, row.freeable);
		add_row(&total, &row);
	}
	put_text(&text, "\n %5s %5s ", "Total", "");
	put_columns(&text, &total);
	put_text(&text, "%16s %8lu\n", "", total.freeable);
	return text.used;
}
