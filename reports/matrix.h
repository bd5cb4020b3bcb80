/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * matrix.h - one metric of one scenario: a row for each profile and point of
 * the parameter space, a column for each variant, in each cell the values of
 * all seeds. Rows and columns keep the order in which they first came.
 */
#ifndef ZSMSIM_REPORTS_MATRIX_H
#define ZSMSIM_REPORTS_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/decimal.h"
#include "reports/grid.h"

struct matrix_value {
	uint64_t seed;
	int64_t value;
	unsigned decimals;
};

struct matrix_cell {
	struct matrix_value *values;
	size_t nr;
	bool fault;			/* a run of this cell ended in a fault */
};

struct matrix_row {
	char *profile, *params;
	struct matrix_cell *cells;	/* by variant; fewer than variants if the last are empty */
	size_t nr_cells;
};

/* Begin with all zero. */
struct matrix {
	char **variants;
	size_t nr_variants;
	struct matrix_row *rows;
	size_t nr_rows;
};

/* The cell, made if it is not there; valid until the next call. */
struct matrix_cell *matrix_cell(struct matrix *m, const char *profile, const char *params,
				const char *variant);
void matrix_cell_add(struct matrix_cell *cell, uint64_t seed, int64_t value, unsigned decimals);

/* The cell in row @row of variant @variant; never NULL, perhaps empty. */
const struct matrix_cell *matrix_at(const struct matrix *m, size_t row, size_t variant);

/* Index of variant @name, or nr_variants. */
size_t matrix_variant(const struct matrix *m, const char *name);

/*
 * The variant to compare with: @wanted if not NULL (nr_variants if it is not
 * there), else "base", else the first.
 */
size_t matrix_baseline(const struct matrix *m, const char *wanted);

/* Mean over seeds, to the last decimal; false if the cell is empty. */
bool matrix_mean(const struct matrix_cell *cell, int64_t *value, unsigned *decimals);

/* The mean at @places, or "fault", or "-". */
struct decimal matrix_text(const struct matrix_cell *cell, unsigned places);

/* Most seeds in a cell. */
size_t matrix_seeds(const struct matrix *m);

/* The label columns of a grid: the profile and each key of params; and their cells in @row. */
void matrix_label_columns(const struct matrix *m, struct grid *g);
void matrix_label_cells(const struct matrix *m, size_t row, struct grid *g);

void matrix_free(struct matrix *m);

#endif
