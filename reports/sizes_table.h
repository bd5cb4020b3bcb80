/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sizes_table.h - sizes of compressed pages as tables: what they come to, and the classes that hold them. */
#ifndef ZSMSIM_REPORTS_SIZES_TABLE_H
#define ZSMSIM_REPORTS_SIZES_TABLE_H

#include <stdint.h>
#include <stdio.h>

/* Pages that became so many bytes, 1 .. 4096, the latter for those that did not become smaller. */
struct sizes_table {
	const char *source, *algo;	/* of what, and how compressed: for the first line */
	uint64_t pages, one_word;	/* all, and those that take no object */
	const uint64_t *count;		/* by bytes, 4097 elements */
	unsigned chain;			/* most pages in a zspage, 4 .. 16 */
};

/*
 * The sums, quantiles of the size, and for each class its objects and the pages
 * that they take if every zspage but the last of each class is full. Pages too
 * large for every class but the last are stored whole, as zram does.
 */
void sizes_table_print(const struct sizes_table *t, FILE *out);

#endif
