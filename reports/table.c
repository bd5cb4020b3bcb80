/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table.c - see table.h. */
#include "reports/table.h"

#include <string.h>

#include "reports/matrix.h"

#define PLACES 3

/* The two figures that are shown, of one scenario; rows and columns are the same in both. */
struct figures {
	struct matrix munmap, complete;
};

/* The one value that @sql gives for the run goes into @cell; no row, no value. */
static int add_values(struct db *db, const struct planned *run, const char *sql, struct matrix_cell *cell)
{
	sqlite3_stmt *stmt = db_prepare(db, sql);
	bool row = false;
	int status = 1;

	if (stmt) {
		sqlite3_bind_int64(stmt, 1, run->run_id);
		status = db_step(db, stmt, &row);
	}
	if (row && sqlite3_column_int(stmt, 0))
		cell->fault = true;
	else if (row)
		matrix_cell_add(cell, run->spec->seed, sqlite3_column_int64(stmt, 1),
				sqlite3_column_int(stmt, 2));
	sqlite3_finalize(stmt);
	return status;
}

/* Both matrices get a cell for each run, made or not, so that their rows and columns agree. */
static int add_run(struct db *db, const struct planned *run, struct figures *f)
{
	static const char munmap[] =
		"SELECT fault IS NOT NULL, value, decimals FROM run LEFT JOIN metric USING (run_id)"
		" WHERE run_id = ? AND (fault IS NOT NULL OR (metric = 'munmap_ms' AND stat = 'mean')) LIMIT 1";
	static const char complete[] =
		"SELECT fault IS NOT NULL, value, decimals FROM run LEFT JOIN metric USING (run_id)"
		" WHERE run_id = ? AND (fault IS NOT NULL OR metric = 'free_complete_ms') LIMIT 1";
	const struct run_spec *s = run->spec;

	return add_values(db, run, munmap, matrix_cell(&f->munmap, s->profile, s->params, s->variant)) ||
	       add_values(db, run, complete, matrix_cell(&f->complete, s->profile, s->params, s->variant));
}

static void add_columns(const struct matrix *m, size_t baseline, struct grid *g)
{
	matrix_label_columns(m, g);
	for (size_t v = 0; v < m->nr_variants; v++) {
		grid_column(g, m->variants[v], "munmap", false);
		if (v != baseline)
			grid_column(g, m->variants[v], "speedup", false);
		grid_column(g, m->variants[v], "complete", false);
	}
}

/* How many times as fast: old time through new time, of the means. */
static void add_speedup(struct grid *g, const struct matrix_cell *base, const struct matrix_cell *cell)
{
	int64_t old_value, new_value;
	unsigned old_decimals, new_decimals;
	char text[32] = "-";

	if (!base->fault && !cell->fault && matrix_mean(base, &old_value, &old_decimals) &&
	    matrix_mean(cell, &new_value, &new_decimals) && new_value > 0)
		snprintf(text, sizeof(text), "%.2fx",
			 decimal_double(old_value, old_decimals) / decimal_double(new_value, new_decimals));
	grid_cell(g, text);
}

static void add_row(const struct figures *f, size_t row, size_t baseline, struct grid *g)
{
	matrix_label_cells(&f->munmap, row, g);
	for (size_t v = 0; v < f->munmap.nr_variants; v++) {
		const struct matrix_cell *cell = matrix_at(&f->munmap, row, v);

		grid_cell(g, matrix_text(cell, PLACES).text);
		if (v != baseline)
			add_speedup(g, matrix_at(&f->munmap, row, baseline), cell);
		grid_cell(g, matrix_text(matrix_at(&f->complete, row, v), PLACES).text);
	}
}

static void print_title(const struct matrix *m, const char *scenario, size_t baseline, FILE *out)
{
	size_t seeds = matrix_seeds(m);

	fprintf(out, "%s: munmap_ms (mean over processes), speed-up over %s, and free_complete_ms",
		scenario, m->variants[baseline]);
	if (seeds > 1)
		fprintf(out, "; means over %zu seeds", seeds);
	fputs("\n\n", out);
}

static void print_figures(const struct figures *f, const char *scenario, FILE *out)
{
	size_t baseline = matrix_baseline(&f->munmap, NULL);
	struct grid g = { 0 };

	print_title(&f->munmap, scenario, baseline, out);
	add_columns(&f->munmap, baseline, &g);
	for (size_t r = 0; r < f->munmap.nr_rows; r++)
		add_row(f, r, baseline, &g);
	grid_print(&g, out);
	grid_free(&g);
}

int table_print(struct db *db, const struct plan *plan, FILE *out)
{
	size_t end;
	int status = 0;

	for (size_t from = 0; status == 0 && from < plan->nr; from = end) {
		const char *scenario = plan->at[from].spec->scenario;
		struct figures f = { 0 };

		for (end = from; end < plan->nr && !strcmp(plan->at[end].spec->scenario, scenario); end++)
			status = status ? status : add_run(db, &plan->at[end], &f);
		if (status == 0 && from)
			putc('\n', out);
		if (status == 0)
			print_figures(&f, scenario, out);
		matrix_free(&f.munmap);
		matrix_free(&f.complete);
	}
	return status;
}
