/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validate_host_table.c - collecting and comparing; printing is in validate_host_print.c. */
#include "reports/validate_host_table.h"

#include <stdlib.h>
#include <string.h>

#include "reports/decimal.h"
#include "scenarios/mem.h"

#define BASELINE "base"
#define ENOUGH(quiet, nr) ((quiet) && 4 * (quiet) >= (nr))

/* ---- from the database ---- */

/* *@value stays as it is if the run has no such row, as after a fault. */
static int query(struct db *db, int64_t run_id, const char *metric, const char *stat, double *value)
{
	sqlite3_stmt *stmt = db_prepare(db,
		"SELECT value, decimals FROM run JOIN metric USING (run_id)"
		" WHERE run_id = ? AND metric = ? AND stat = ? AND fault IS NULL");
	bool found = false;
	int status;

	if (!stmt)
		return 1;
	sqlite3_bind_int64(stmt, 1, run_id);
	sqlite3_bind_text(stmt, 2, metric, -1, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 3, stat, -1, SQLITE_STATIC);
	status = db_step(db, stmt, &found);
	if (found)
		*value = decimal_double(sqlite3_column_int64(stmt, 0), (unsigned)sqlite3_column_int(stmt, 1));
	sqlite3_finalize(stmt);
	return status;
}

static struct host_cell *cell_of(struct host_table *t, const struct run_spec *spec)
{
	for (size_t i = 0; i < t->nr; i++) {
		if (t->cells[i].procs == spec->procs && !strcmp(t->cells[i].variant, spec->variant))
			return &t->cells[i];
	}
	t->cells = scn_grow(t->cells, t->nr, sizeof(*t->cells));
	t->cells[t->nr] = (struct host_cell){ .procs = spec->procs, .variant = spec->variant };
	return &t->cells[t->nr++];
}

static int add_real(struct host_table *t, struct db *db, const struct planned *run)
{
	struct host_cell *cell = cell_of(t, run->spec);
	struct host_sample sample = { .seed = run->spec->seed };
	double preemptions = 0;

	if (query(db, run->run_id, "munmap_ms", "mean", &sample.ms) ||
	    query(db, run->run_id, "preemptions", "total", &preemptions))
		return 1;
	if (sample.ms <= 0)
		return 0;
	sample.preempted = preemptions > 0;
	cell->samples = scn_grow(cell->samples, cell->nr, sizeof(*cell->samples));
	cell->samples[cell->nr++] = sample;
	t->runs++;
	t->preempted += sample.preempted;
	return 0;
}

static int add_simulated(struct host_table *t, struct db *db, const struct planned *run)
{
	return query(db, run->run_id, "munmap_ms", "mean", &cell_of(t, run->spec)->simulated_ms);
}

/* ---- statistics ---- */

static struct spread spread_or_none(double *values, size_t nr)
{
	return nr ? spread_of(values, nr) : (struct spread){ 0 };
}

static void judge(struct host_cell *cell)
{
	double *all = scn_zalloc(cell->nr, sizeof(*all)), *quiet = scn_zalloc(cell->nr, sizeof(*quiet));

	cell->quiet = 0;
	for (size_t i = 0; i < cell->nr; i++) {
		all[i] = cell->samples[i].ms;
		if (!cell->samples[i].preempted)
			quiet[cell->quiet++] = all[i];
	}
	cell->all = spread_or_none(all, cell->nr);
	cell->judged = ENOUGH(cell->quiet, cell->nr) ? spread_or_none(quiet, cell->quiet) : cell->all;
	free(all);
	free(quiet);
}

static const struct host_sample *same_seed(const struct host_cell *cell, uint64_t seed)
{
	for (size_t i = 0; i < cell->nr; i++) {
		if (cell->samples[i].seed == seed)
			return &cell->samples[i];
	}
	return NULL;
}

/* Within repetitions, so that what slowed the machine for a while is in both. */
static struct spread ratios_within(const struct host_cell *cell, const struct host_cell *to)
{
	double *all = scn_zalloc(cell->nr, sizeof(*all)), *quiet = scn_zalloc(cell->nr, sizeof(*quiet));
	size_t nr = 0, nr_quiet = 0;
	struct spread s;

	for (size_t i = 0; i < cell->nr; i++) {
		const struct host_sample *a = &cell->samples[i], *b = same_seed(to, a->seed);

		if (!b)
			continue;
		all[nr++] = a->ms / b->ms;
		if (!a->preempted && !b->preempted)
			quiet[nr_quiet++] = a->ms / b->ms;
	}
	s = ENOUGH(nr_quiet, nr) ? spread_or_none(quiet, nr_quiet) : spread_or_none(all, nr);
	free(all);
	free(quiet);
	return s;
}

static void add_ratio(struct host_table *t, const struct host_cell *cell, const struct host_cell *to)
{
	struct host_ratio ratio = { .cell = cell, .to = to, .measured = ratios_within(cell, to) };

	if (to->simulated_ms > 0)
		ratio.simulated = cell->simulated_ms / to->simulated_ms;
	t->ratios = scn_grow(t->ratios, t->nr_ratios, sizeof(*t->ratios));
	t->ratios[t->nr_ratios++] = ratio;
}

static const struct host_cell *find(const struct host_table *t, unsigned procs, const char *variant)
{
	for (size_t i = 0; i < t->nr; i++) {
		if (t->cells[i].procs == procs && !strcmp(t->cells[i].variant, variant))
			return &t->cells[i];
	}
	return NULL;
}

/* First variants to the baseline, then more processes to one. */
static void compare(struct host_table *t)
{
	for (size_t i = 0; i < t->nr; i++) {
		const struct host_cell *cell = &t->cells[i], *base = find(t, cell->procs, BASELINE);

		if (base && base != cell)
			add_ratio(t, cell, base);
	}
	for (size_t i = 0; i < t->nr; i++) {
		const struct host_cell *cell = &t->cells[i], *one = find(t, 1, cell->variant);

		if (one && one != cell)
			add_ratio(t, cell, one);
	}
}

/* Cells by processes; variants keep the order in which they came. */
static void sort_cells(struct host_table *t)
{
	for (size_t i = 1; i < t->nr; i++) {
		struct host_cell moving = t->cells[i];
		size_t at = i;

		while (at && t->cells[at - 1].procs > moving.procs) {
			t->cells[at] = t->cells[at - 1];
			at--;
		}
		t->cells[at] = moving;
	}
}

int host_table_load(struct host_table *t, struct db *db, const struct plan *real, const struct plan *simulated)
{
	int status = 0;

	for (size_t i = 0; status == 0 && i < real->nr; i++)
		status = add_real(t, db, &real->at[i]);
	for (size_t i = 0; status == 0 && i < simulated->nr; i++)
		status = add_simulated(t, db, &simulated->at[i]);
	if (status)
		return status;
	sort_cells(t);
	for (size_t i = 0; i < t->nr; i++)
		judge(&t->cells[i]);
	compare(t);
	return 0;
}

void host_table_free(struct host_table *t)
{
	for (size_t i = 0; i < t->nr; i++)
		free(t->cells[i].samples);
	free(t->cells);
	free(t->ratios);
	*t = (struct host_table){ 0 };
}

double host_table_widest(const struct host_table *t)
{
	double widest = 0;

	for (size_t i = 0; i < t->nr; i++) {
		double relative = spread_relative(&t->cells[i].all);

		widest = relative > widest ? relative : widest;
	}
	return widest;
}
