/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * grid.h - a table of text for a terminal or a mail. Columns stand in groups,
 * each with a heading over it; columns without a group label the rows. A
 * table that is too wide is printed as several, each with the labels.
 */
#ifndef ZSMSIM_REPORTS_GRID_H
#define ZSMSIM_REPORTS_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define GRID_WIDTH 100			/* characters of a line, unless one group alone needs more */

struct grid_column {
	char *group;			/* NULL: a label */
	char *heading;
	bool left;			/* aligned; numbers stand at the right */
	size_t width;
};

/* Begin with all zero. */
struct grid {
	struct grid_column *columns;
	size_t nr_columns;
	char **cells;			/* row by row */
	size_t nr_cells;
};

/* Columns come before cells, labels before groups, the columns of a group together. */
void grid_column(struct grid *g, const char *group, const char *heading, bool left);

/* The next cell, row by row. Texts are copied. */
void grid_cell(struct grid *g, const char *text);

/* Print; every row must be full. */
void grid_print(struct grid *g, FILE *out);
void grid_free(struct grid *g);

#endif
