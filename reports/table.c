/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table.c - see table.h. */
#include "reports/table.h"

#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "reports/kind_tables.h"
#include "scenarios/mem.h"

/* The one value that the statement gives for the run goes into @cell; no row, no value. */
static int add_value(struct db *db, const struct planned *run, const struct shown_figure *figure,
		     struct matrix_cell *cell)
{
	sqlite3_stmt *stmt = db_prepare(db, figure->stat ?
		"SELECT fault IS NOT NULL, value, decimals FROM run LEFT JOIN metric USING (run_id)"
		" WHERE run_id = ? AND (fault IS NOT NULL OR (metric = ? AND stat = ?)) LIMIT 1" :
		"SELECT fault IS NOT NULL, (SELECT max(value) FROM series JOIN sample USING (run_id, series)"
		" WHERE run_id = run.run_id AND name = ?2), 0 FROM run WHERE run_id = ?1");
	bool row = false;
	int status = 1;

	if (stmt) {
		sqlite3_bind_int64(stmt, 1, run->run_id);
		sqlite3_bind_text(stmt, 2, figure->metric, -1, SQLITE_STATIC);
		if (figure->stat)
			sqlite3_bind_text(stmt, 3, figure->stat, -1, SQLITE_STATIC);
		status = db_step(db, stmt, &row);
	}
	if (row && sqlite3_column_int(stmt, 0))
		cell->fault = true;
	else if (row && sqlite3_column_type(stmt, 1) != SQLITE_NULL)
		matrix_cell_add(cell, run->spec->seed, sqlite3_column_int64(stmt, 1),
				sqlite3_column_int(stmt, 2));
	sqlite3_finalize(stmt);
	return status;
}

static size_t nr_figures(const struct shown_table *t)
{
	size_t nr = 0;

	while (t->kind->figures[nr].metric)
		nr++;
	return nr;
}

static bool is_shown(const struct shown_table *t, const struct shown_figure *f)
{
	return t->asks || !f->for_question;
}

/* Each matrix gets a cell for each run, made or not, so that their rows and columns agree. */
static int add_run(struct db *db, const struct planned *run, struct shown_table *t)
{
	const struct run_spec *s = run->spec;
	int status = 0;

	for (size_t i = 0; status == 0 && i < nr_figures(t); i++)
		status = add_value(db, run, &t->kind->figures[i],
				   matrix_cell(&t->figures[i], s->profile, s->params, s->variant));
	return status;
}

static void add_columns(const struct shown_table *t, struct grid *g)
{
	const struct matrix *m = &t->figures[0];

	matrix_label_columns(m, g);
	for (size_t v = 0; v < m->nr_variants; v++) {
		for (const struct shown_figure *f = t->kind->figures; f->metric; f++) {
			if (!is_shown(t, f))
				continue;
			grid_column(g, m->variants[v], f->heading, false);
			if (f->speedup && v != t->baseline)
				grid_column(g, m->variants[v], "speedup", false);
		}
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

static void add_row(const struct shown_table *t, size_t row, struct grid *g)
{
	matrix_label_cells(&t->figures[0], row, g);
	for (size_t v = 0; v < t->figures[0].nr_variants; v++) {
		for (size_t i = 0; i < nr_figures(t); i++) {
			const struct shown_figure *f = &t->kind->figures[i];
			const struct matrix_cell *cell = matrix_at(&t->figures[i], row, v);

			if (!is_shown(t, f))
				continue;
			grid_cell(g, matrix_text(cell, f->places).text);
			if (f->speedup && v != t->baseline)
				add_speedup(g, matrix_at(&t->figures[i], row, t->baseline), cell);
		}
	}
}

/* The scenario's question and its answer, where it asks one and every run has an answer. */
static void print_answer(struct shown_table *t, const struct run_spec *spec, FILE *out)
{
	cJSON *root = cJSON_Parse(spec->scenario_text);
	const char *question = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, "question"));

	t->asks = question;
	if (question) {
		t->kind->answer(t, out);
		fprintf(out, "(%s)\n\n", question);
	}
	cJSON_Delete(root);
}

static void print_title(const struct shown_table *t, FILE *out)
{
	size_t seeds = matrix_seeds(&t->figures[0]);

	fprintf(out, "%s: ", t->scenario);
	fprintf(out, t->kind->title, t->figures[0].variants[t->baseline]);
	if (seeds > 1)
		fprintf(out, "; means over %zu seeds", seeds);
	fputs("\n\n", out);
}

static void print_figures(struct shown_table *t, const struct run_spec *spec, FILE *out)
{
	struct grid g = { 0 };

	t->baseline = matrix_baseline(&t->figures[0], NULL);
	print_answer(t, spec, out);
	print_title(t, out);
	add_columns(t, &g);
	for (size_t r = 0; r < t->figures[0].nr_rows; r++)
		add_row(t, r, &g);
	grid_print(&g, out);
	grid_free(&g);
}

/* Runs of one scenario and one kind share a table. */
static bool same_table(const struct run_spec *a, const struct run_spec *b)
{
	return !strcmp(a->scenario, b->scenario) && a->kind == b->kind;
}

int table_print(struct db *db, const struct plan *plan, FILE *out)
{
	size_t end;
	int status = 0;

	for (size_t from = 0; status == 0 && from < plan->nr; from = end) {
		const struct run_spec *spec = plan->at[from].spec;
		struct shown_table t = { .kind = kind_table(spec->kind), .scenario = spec->scenario };

		for (end = from; end < plan->nr && same_table(spec, plan->at[end].spec); end++)
			status = status ? status : add_run(db, &plan->at[end], &t);
		if (status == 0 && from)
			putc('\n', out);
		if (status == 0)
			print_figures(&t, spec, out);
		for (size_t i = 0; i < SHOWN_MAX; i++)
			matrix_free(&t.figures[i]);
	}
	return status;
}
