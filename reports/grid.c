/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grid.c - see grid.h. */
#include "reports/grid.h"

#include <stdlib.h>
#include <string.h>

#include "scenarios/mem.h"

#define GAP_LABEL 2			/* blanks before a label, within a group, between groups */
#define GAP_COLUMN 1
#define GAP_GROUP 2

void grid_column(struct grid *g, const char *group, const char *heading, bool left)
{
	g->columns = scn_grow(g->columns, g->nr_columns, sizeof(*g->columns));
	g->columns[g->nr_columns++] = (struct grid_column){
		scn_strdup(group), scn_strdup(heading), left, strlen(heading)
	};
}

void grid_cell(struct grid *g, const char *text)
{
	struct grid_column *column = &g->columns[g->nr_cells % g->nr_columns];
	size_t width = strlen(text);

	if (column->width < width)
		column->width = width;
	g->cells = scn_grow(g->cells, g->nr_cells, sizeof(*g->cells));
	g->cells[g->nr_cells++] = scn_strdup(text);
}

void grid_free(struct grid *g)
{
	for (size_t i = 0; i < g->nr_columns; i++) {
		free(g->columns[i].group);
		free(g->columns[i].heading);
	}
	for (size_t i = 0; i < g->nr_cells; i++)
		free(g->cells[i]);
	free(g->columns);
	free(g->cells);
	*g = (struct grid){ 0 };
}

static size_t count_labels(const struct grid *g)
{
	size_t nr = 0;

	while (nr < g->nr_columns && !g->columns[nr].group)
		nr++;
	return nr;
}

/* First column after the group that begins at @from. */
static size_t group_end(const struct grid *g, size_t from)
{
	size_t end = from + 1;

	while (end < g->nr_columns && !strcmp(g->columns[end].group, g->columns[from].group))
		end++;
	return end;
}

/* Width of columns [from, end) and the gaps between them. */
static size_t span(const struct grid *g, size_t from, size_t end, size_t gap)
{
	size_t width = 0;

	for (size_t i = from; i < end; i++)
		width += g->columns[i].width + (i > from ? gap : 0);
	return width;
}

/* Widen the first column of each group whose heading is longer than the group. */
static void fit_headings(struct grid *g)
{
	size_t end;

	for (size_t from = count_labels(g); from < g->nr_columns; from = end) {
		size_t heading = strlen(g->columns[from].group), width;

		end = group_end(g, from);
		width = span(g, from, end, GAP_COLUMN);
		if (heading > width)
			g->columns[from].width += heading - width;
	}
}

/* A line being printed: blanks are held back, so that none stand at its end. */
struct line {
	FILE *out;
	size_t blanks;
};

/* One field of @width; blanks that would end the line are dropped by end_line(). */
static void put(struct line *line, const char *text, size_t width, bool left)
{
	size_t nr = strlen(text);
	size_t pad = width > nr ? width - nr : 0;

	line->blanks += left ? 0 : pad;
	if (nr) {
		fprintf(line->out, "%*s%s", (int)line->blanks, "", text);
		line->blanks = 0;
	}
	line->blanks += left ? pad : 0;
}

static void end_line(struct line *line)
{
	putc('\n', line->out);
	line->blanks = 0;
}

/* One line of labels and the groups in [from, end); @cells NULL: the columns' headings. */
static void print_line(const struct grid *g, FILE *out, size_t labels, size_t from, size_t end,
		       char *const *cells)
{
	struct line line = { out, 0 };

	for (size_t i = 0; i < end; i == labels - 1 ? i = from : i++) {
		const struct grid_column *column = &g->columns[i];

		if (i < labels)
			line.blanks += i ? GAP_LABEL : 0;
		else if (strcmp(column->group, g->columns[i - 1].group ? g->columns[i - 1].group : ""))
			line.blanks += GAP_GROUP;
		else
			line.blanks += GAP_COLUMN;
		put(&line, cells ? cells[i] : column->heading, column->width, column->left);
	}
	end_line(&line);
}

/* The headings of the groups, each ending where its last column ends. */
static void print_groups_line(const struct grid *g, FILE *out, size_t labels, size_t from, size_t end)
{
	struct line line = { out, span(g, 0, labels, GAP_LABEL) };
	size_t next;

	for (size_t i = from; i < end; i = next) {
		next = group_end(g, i);
		line.blanks += GAP_GROUP;
		put(&line, g->columns[i].group, span(g, i, next, GAP_COLUMN), false);
	}
	end_line(&line);
}

/* A table with labels and the groups in [from, end). */
static void print_part(const struct grid *g, FILE *out, size_t labels, size_t from, size_t end)
{
	print_groups_line(g, out, labels, from, end);
	print_line(g, out, labels, from, end, NULL);
	for (size_t row = 0; row + g->nr_columns <= g->nr_cells; row += g->nr_columns)
		print_line(g, out, labels, from, end, &g->cells[row]);
}

void grid_print(struct grid *g, FILE *out)
{
	size_t labels = count_labels(g), from, end;

	fit_headings(g);
	for (from = labels; from < g->nr_columns; from = end) {
		size_t width = span(g, 0, labels, GAP_LABEL);

		/* As many groups as fit, one at least. */
		for (end = from; end < g->nr_columns;) {
			size_t next = group_end(g, end);

			width += GAP_GROUP + span(g, end, next, GAP_COLUMN);
			if (width > GRID_WIDTH && end > from)
				break;
			end = next;
		}
		if (from > labels)
			putc('\n', out);
		print_part(g, out, labels, from, end);
	}
}
