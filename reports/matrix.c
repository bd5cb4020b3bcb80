/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matrix.c - see matrix.h. */
#include "reports/matrix.h"

#include <stdlib.h>
#include <string.h>

#include "reports/params.h"
#include "scenarios/mem.h"

size_t matrix_variant(const struct matrix *m, const char *name)
{
	size_t i = 0;

	while (i < m->nr_variants && strcmp(m->variants[i], name))
		i++;
	return i;
}

size_t matrix_baseline(const struct matrix *m, const char *wanted)
{
	size_t found = matrix_variant(m, wanted ? wanted : "base");

	return wanted || found < m->nr_variants ? found : 0;
}

/* From the back: runs that are neighbours are mostly of one row. */
static struct matrix_row *find_row(struct matrix *m, const char *profile, const char *params)
{
	for (size_t i = m->nr_rows; i-- > 0;) {
		if (!strcmp(m->rows[i].params, params) && !strcmp(m->rows[i].profile, profile))
			return &m->rows[i];
	}
	m->rows = scn_grow(m->rows, m->nr_rows, sizeof(*m->rows));
	m->rows[m->nr_rows] = (struct matrix_row){ scn_strdup(profile), scn_strdup(params), NULL, 0 };
	return &m->rows[m->nr_rows++];
}

struct matrix_cell *matrix_cell(struct matrix *m, const char *profile, const char *params,
				const char *variant)
{
	struct matrix_row *row = find_row(m, profile, params);
	size_t at = matrix_variant(m, variant);

	if (at == m->nr_variants) {
		m->variants = scn_grow(m->variants, m->nr_variants, sizeof(*m->variants));
		m->variants[m->nr_variants++] = scn_strdup(variant);
	}
	while (row->nr_cells <= at) {
		row->cells = scn_grow(row->cells, row->nr_cells, sizeof(*row->cells));
		row->cells[row->nr_cells++] = (struct matrix_cell){ 0 };
	}
	return &row->cells[at];
}

void matrix_cell_add(struct matrix_cell *cell, uint64_t seed, int64_t value, unsigned decimals)
{
	cell->values = scn_grow(cell->values, cell->nr, sizeof(*cell->values));
	cell->values[cell->nr++] = (struct matrix_value){ seed, value, decimals };
}

const struct matrix_cell *matrix_at(const struct matrix *m, size_t row, size_t variant)
{
	static const struct matrix_cell empty;

	return variant < m->rows[row].nr_cells ? &m->rows[row].cells[variant] : &empty;
}

/* In integers, halves away from zero: a mean in floating point could differ between compilers. */
bool matrix_mean(const struct matrix_cell *cell, int64_t *value, unsigned *decimals)
{
	__int128 sum = 0, nr = (__int128)cell->nr;

	if (cell->nr == 0)
		return false;
	for (size_t i = 0; i < cell->nr; i++)
		sum += cell->values[i].value;
	*value = (int64_t)((sum + (sum < 0 ? -nr : nr) / 2) / nr);
	*decimals = cell->values[0].decimals;
	return true;
}

struct decimal matrix_text(const struct matrix_cell *cell, unsigned places)
{
	int64_t value;
	unsigned decimals;

	if (cell->fault)
		return (struct decimal){ "fault" };
	if (!matrix_mean(cell, &value, &decimals))
		return (struct decimal){ "-" };
	return decimal_round(value, decimals, places);
}

size_t matrix_seeds(const struct matrix *m)
{
	size_t most = 0;

	for (size_t r = 0; r < m->nr_rows; r++) {
		for (size_t v = 0; v < m->rows[r].nr_cells; v++) {
			if (m->rows[r].cells[v].nr > most)
				most = m->rows[r].cells[v].nr;
		}
	}
	return most;
}

/* ---- labels ---- */

/* "-" where a row does not have the key: variants of one scenario can differ in their params. */
static char *value_of(const char *params, const char *key)
{
	size_t nr;
	const char *value = params_find(params, key, &nr);

	return value ? scn_printf("%.*s", (int)nr, value) : scn_strdup("-");
}

/* The keys of all rows, each once, in the order in which they come. */
struct keys {
	char **at;
	size_t nr;
};

static void add_keys(struct keys *keys, const char *params)
{
	char *key;

	while ((key = params_next_key(&params))) {
		size_t i = 0;

		while (i < keys->nr && strcmp(keys->at[i], key))
			i++;
		if (i < keys->nr) {
			free(key);
			continue;
		}
		keys->at = scn_grow(keys->at, keys->nr, sizeof(*keys->at));
		keys->at[keys->nr++] = key;
	}
}

static void free_keys(struct keys *keys)
{
	for (size_t i = 0; i < keys->nr; i++)
		free(keys->at[i]);
	free(keys->at);
}

void matrix_label_columns(const struct matrix *m, struct grid *g)
{
	struct keys keys = { 0 };

	for (size_t r = 0; r < m->nr_rows; r++)
		add_keys(&keys, m->rows[r].params);
	grid_column(g, NULL, "profile", true);
	for (size_t i = 0; i < keys.nr; i++)
		grid_column(g, NULL, keys.at[i], false);
	free_keys(&keys);
}

void matrix_label_cells(const struct matrix *m, size_t row, struct grid *g)
{
	grid_cell(g, m->rows[row].profile);
	/* The columns after the profile's are named by their keys. */
	for (size_t i = 1; i < g->nr_columns && !g->columns[i].group; i++) {
		char *value = value_of(m->rows[row].params, g->columns[i].heading);

		grid_cell(g, value);
		free(value);
	}
}

void matrix_free(struct matrix *m)
{
	for (size_t r = 0; r < m->nr_rows; r++) {
		for (size_t v = 0; v < m->rows[r].nr_cells; v++)
			free(m->rows[r].cells[v].values);
		free(m->rows[r].cells);
		free(m->rows[r].profile);
		free(m->rows[r].params);
	}
	for (size_t v = 0; v < m->nr_variants; v++)
		free(m->variants[v]);
	free(m->variants);
	free(m->rows);
	*m = (struct matrix){ 0 };
}
