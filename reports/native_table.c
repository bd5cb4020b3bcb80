/* SPDX-License-Identifier: GPL-3.0-or-later */
/* native_table.c - see native_table.h. */
#include "reports/native_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "native/spread.h"
#include "reports/decimal.h"
#include "reports/matrix.h"
#include "scenarios/mem.h"

#define PAGES_PER_MB	256
#define NOISY		0.10		/* (90th - 10th percentile) / median */

struct table {
	struct matrix times;
	unsigned *region_mb;		/* by row */
	int64_t page_faults, preemptions;
	double worst_spread;
};

static int query(struct db *db, int64_t run_id, const char *metric, const char *stat, int64_t *value,
		 unsigned *decimals, bool *found)
{
	sqlite3_stmt *stmt = db_prepare(db,
		"SELECT value, decimals FROM run JOIN metric USING (run_id)"
		" WHERE run_id = ? AND metric = ? AND stat = ? AND fault IS NULL");
	int status = 1;

	*found = false;
	if (!stmt)
		return 1;
	sqlite3_bind_int64(stmt, 1, run_id);
	sqlite3_bind_text(stmt, 2, metric, -1, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 3, stat, -1, SQLITE_STATIC);
	status = db_step(db, stmt, found);
	if (*found) {
		*value = sqlite3_column_int64(stmt, 0);
		*decimals = (unsigned)sqlite3_column_int(stmt, 1);
	}
	sqlite3_finalize(stmt);
	return status;
}

static int add_count(struct db *db, int64_t run_id, const char *metric, int64_t *sum)
{
	unsigned decimals;
	int64_t value;
	bool found;
	int status = query(db, run_id, metric, "total", &value, &decimals, &found);

	if (status == 0 && found)
		*sum += value;
	return status;
}

static int add_run(struct db *db, const struct planned *run, struct table *t)
{
	const struct run_spec *s = run->spec;
	size_t rows = t->times.nr_rows;
	struct matrix_cell *cell = matrix_cell(&t->times, s->profile, s->params, s->variant);
	unsigned decimals;
	int64_t value;
	bool found;

	if (t->times.nr_rows > rows) {
		t->region_mb = scn_grow(t->region_mb, rows, sizeof(*t->region_mb));
		t->region_mb[rows] = s->region_mb;
	}
	if (query(db, run->run_id, "munmap_ms", "mean", &value, &decimals, &found))
		return 1;
	if (found)
		matrix_cell_add(cell, s->seed, value, decimals);
	else
		cell->fault = true;
	return add_count(db, run->run_id, "page_faults", &t->page_faults) ||
	       add_count(db, run->run_id, "preemptions", &t->preemptions);
}

/* ---- statistics of cells ---- */

static double number(const struct matrix_value *v)
{
	return decimal_double(v->value, v->decimals);
}

static bool cell_spread(const struct matrix_cell *cell, struct spread *out)
{
	double *samples = scn_zalloc(cell->nr, sizeof(*samples));

	for (size_t i = 0; i < cell->nr; i++)
		samples[i] = number(&cell->values[i]);
	if (cell->nr)
		*out = spread_of(samples, cell->nr);
	free(samples);
	return cell->nr;
}

static const struct matrix_value *same_seed(const struct matrix_cell *cell, uint64_t seed)
{
	for (size_t i = 0; i < cell->nr; i++) {
		if (cell->values[i].seed == seed)
			return &cell->values[i];
	}
	return NULL;
}

/* Of the ratios within repetitions, so that what slowed the machine for a while is in both. */
static bool ratio_spread(const struct matrix_cell *base, const struct matrix_cell *cell, struct spread *out)
{
	double *samples = scn_zalloc(cell->nr, sizeof(*samples));
	size_t nr = 0;

	for (size_t i = 0; i < cell->nr; i++) {
		const struct matrix_value *b = same_seed(base, cell->values[i].seed);

		if (b && b->value > 0)
			samples[nr++] = number(&cell->values[i]) / number(b);
	}
	if (nr)
		*out = spread_of(samples, nr);
	free(samples);
	return nr;
}

/* ---- the table ---- */

static void add_columns(const struct matrix *m, size_t baseline, struct grid *g)
{
	matrix_label_columns(m, g);
	for (size_t v = 0; v < m->nr_variants; v++) {
		grid_column(g, m->variants[v], "median", false);
		grid_column(g, m->variants[v], "10 .. 90 %", false);
		grid_column(g, m->variants[v], "ns/page", false);
		if (v != baseline)
			grid_column(g, m->variants[v], "ratio", false);
	}
}

static void add_text(struct grid *g, bool known, const char *format, double a, double b)
{
	char text[64] = "-";

	if (known)
		snprintf(text, sizeof(text), format, a, b);
	grid_cell(g, text);
}

static void add_cell(struct table *t, size_t row, size_t v, size_t baseline, struct grid *g)
{
	const struct matrix_cell *cell = matrix_at(&t->times, row, v);
	struct spread ms = { 0 }, ratio = { 0 };
	bool known = cell_spread(cell, &ms);

	if (cell->fault && !known)
		grid_cell(g, "fault");
	else
		add_text(g, known, "%.3f", ms.value, 0);
	add_text(g, known, "%.2f .. %.2f", ms.low, ms.high);
	add_text(g, known, "%.0f", ms.value * 1e6 / (PAGES_PER_MB * (double)t->region_mb[row]), 0);
	if (spread_relative(&ms) > t->worst_spread)
		t->worst_spread = spread_relative(&ms);
	if (v == baseline)
		return;
	known = ratio_spread(matrix_at(&t->times, row, baseline), cell, &ratio);
	add_text(g, known, "%.3f", ratio.value, 0);
}

static void print_disturbance(const struct table *t, FILE *out)
{
	fprintf(out, "\nSpread (10 to 90 %%) up to %.0f %% of the median%s; %" PRId64 " page faults and %" PRId64
		" preemptions in all runs.\n", t->worst_spread * 100,
		t->worst_spread > NOISY ? ": a noisy machine, so judge by ratios" : "", t->page_faults,
		t->preemptions);
}

static void print_scenario(struct table *t, const char *scenario, FILE *out)
{
	size_t baseline = matrix_baseline(&t->times, NULL);
	struct grid g = { 0 };

	fprintf(out, "%s, measured: munmap_ms (mean over processes), medians of %zu repetition%s; ratio to %s within"
		" repetitions\n\n", scenario, matrix_seeds(&t->times), matrix_seeds(&t->times) == 1 ? "" : "s",
		t->times.variants[baseline]);
	add_columns(&t->times, baseline, &g);
	for (size_t r = 0; r < t->times.nr_rows; r++) {
		matrix_label_cells(&t->times, r, &g);
		for (size_t v = 0; v < t->times.nr_variants; v++)
			add_cell(t, r, v, baseline, &g);
	}
	grid_print(&g, out);
	grid_free(&g);
	print_disturbance(t, out);
}

int native_table_print(struct db *db, const struct plan *plan, FILE *out)
{
	struct table t = { 0 };
	int status = 0;

	for (size_t i = 0; status == 0 && i < plan->nr; i++)
		status = add_run(db, &plan->at[i], &t);
	if (status == 0 && plan->nr)
		print_scenario(&t, plan->at[0].spec->scenario, out);
	matrix_free(&t.times);
	free(t.region_mb);
	return status;
}
