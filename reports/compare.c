/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare.c - see compare.h. */
#include "reports/compare.h"

#include <stdlib.h>
#include <string.h>

#include "reports/csv.h"
#include "reports/matrix.h"
#include "reports/ratio.h"
#include "scenarios/mem.h"
#include "scenarios/nearest.h"

#define PLACES 3

struct words {
	char **at;			/* NULL at the end, once complete */
	size_t nr;
};

struct comparison {
	struct db *db;
	const struct compare_options *options;
	FILE *out;
	struct csv csv;			/* in use if csv.stream is set */
	char *metric;			/* without the stat */
	bool baseline_seen;
	bool test_seen[RATIO_PAIRED_T + 1];
	size_t most_seeds;
	char *error;
	size_t error_bytes;
};

/* ---- lists of words from the database ---- */

static void bind_texts(sqlite3_stmt *stmt, const char *a, const char *b, const char *c)
{
	const char *const texts[] = { a, b, c };

	for (int i = 0; i < 3 && texts[i]; i++)
		sqlite3_bind_text(stmt, i + 1, texts[i], -1, SQLITE_STATIC);
}

/* The first column of what @sql gives for parameter @a (NULL: none). */
static int load_words(struct db *db, const char *sql, const char *a, struct words *out)
{
	sqlite3_stmt *stmt = db_prepare(db, sql);
	bool row;
	int status = 1;

	if (!stmt)
		return 1;
	bind_texts(stmt, a, NULL, NULL);
	while ((status = db_step(db, stmt, &row)) == 0) {
		out->at = scn_grow(out->at, out->nr, sizeof(*out->at));
		out->at[out->nr] = row ? scn_strdup((const char *)sqlite3_column_text(stmt, 0)) : NULL;
		if (!row)
			break;
		out->nr++;
	}
	sqlite3_finalize(stmt);
	return status;
}

static void free_words(struct words *words)
{
	for (size_t i = 0; i < words->nr; i++)
		free(words->at[i]);
	free(words->at);
}

static int system_error(struct comparison *c)
{
	snprintf(c->error, c->error_bytes, "%s", db_error(c->db));
	return 1;
}

/* ---- one table ---- */

/*
 * All runs of one scenario for one stat of the metric, in the order of their
 * numbers, which is that of the scenario: so rows and columns are in the order
 * that `run` prints.
 */
static int load_matrix(struct comparison *c, const char *scenario, const char *stat, struct matrix *m,
		       char **unit)
{
	sqlite3_stmt *stmt = db_prepare(c->db,
		"SELECT profile, params, variant, seed, value, decimals, unit"
		" FROM current_run JOIN metric USING (run_id)"
		" WHERE scenario = ? AND metric = ? AND stat = ? ORDER BY run_id, ord");
	bool row;
	int status = 1;

	*unit = NULL;
	if (!stmt)
		return system_error(c);
	bind_texts(stmt, scenario, c->metric, stat);
	while ((status = db_step(c->db, stmt, &row)) == 0 && row) {
		struct matrix_cell *cell = matrix_cell(m, (const char *)sqlite3_column_text(stmt, 0),
						       (const char *)sqlite3_column_text(stmt, 1),
						       (const char *)sqlite3_column_text(stmt, 2));

		matrix_cell_add(cell, (uint64_t)sqlite3_column_int64(stmt, 3), sqlite3_column_int64(stmt, 4),
				sqlite3_column_int(stmt, 5));
		if (!*unit)
			*unit = scn_strdup((const char *)sqlite3_column_text(stmt, 6));
	}
	sqlite3_finalize(stmt);
	return status ? system_error(c) : 0;
}

static void add_columns(const struct matrix *m, size_t baseline, struct grid *g)
{
	matrix_label_columns(m, g);
	for (size_t v = 0; v < m->nr_variants; v++) {
		grid_column(g, m->variants[v], "value", false);
		if (v == baseline)
			continue;
		grid_column(g, m->variants[v], "ratio", false);
		if (matrix_seeds(m) > 1)
			grid_column(g, m->variants[v], "95 % interval", false);
	}
}

/* The cells of the ratio's columns; an interval only where several seeds gave one. */
static void add_ratio(struct grid *g, const struct ratio *r, bool intervals)
{
	char text[64] = "-";

	if (r->test != RATIO_NONE)
		snprintf(text, sizeof(text), "%.3f", r->ratio);
	grid_cell(g, text);
	if (!intervals)
		return;
	snprintf(text, sizeof(text), r->test == RATIO_EXACT ? "exact" : "-");
	if (r->test == RATIO_PAIRED_T)
		snprintf(text, sizeof(text), "%.3f .. %.3f", r->low, r->high);
	grid_cell(g, text);
}

/* Six digits: more would be noise of the logarithm. */
static void csv_ratio(struct csv *csv, double value, bool there)
{
	char text[32];

	snprintf(text, sizeof(text), "%.6f", value);
	csv_text(csv, there ? text : NULL);
}

/* A row of --csv: one cell of the table, with all that labels it. */
static void csv_row(struct comparison *c, const char *const label[], const struct matrix *m, size_t row,
		    size_t variant, size_t baseline, const struct ratio *r)
{
	const struct matrix_cell *cell = matrix_at(m, row, variant);

	if (!c->csv.stream || cell->nr == 0)
		return;
	csv_text(&c->csv, label[0]);
	csv_text(&c->csv, m->rows[row].profile);
	csv_text(&c->csv, m->rows[row].params);
	csv_text(&c->csv, c->metric);
	csv_text(&c->csv, label[1]);
	csv_text(&c->csv, label[2]);
	csv_text(&c->csv, m->variants[variant]);
	csv_text(&c->csv, m->variants[baseline]);
	csv_int(&c->csv, (int64_t)cell->nr);
	csv_text(&c->csv, matrix_text(cell, DECIMALS_MAX).text);
	csv_ratio(&c->csv, r->ratio, r->test != RATIO_NONE);
	csv_ratio(&c->csv, r->low, r->test == RATIO_PAIRED_T);
	csv_ratio(&c->csv, r->high, r->test == RATIO_PAIRED_T);
	csv_text(&c->csv, ratio_test_name(r->test));
	csv_end_line(&c->csv);
}

static void add_row(struct comparison *c, const char *const label[], const struct matrix *m, size_t row,
		    size_t baseline, struct grid *g)
{
	matrix_label_cells(m, row, g);
	for (size_t v = 0; v < m->nr_variants; v++) {
		const struct matrix_cell *cell = matrix_at(m, row, v);
		struct ratio r = ratio_of(matrix_at(m, row, baseline), cell);

		grid_cell(g, matrix_text(cell, PLACES).text);
		csv_row(c, label, m, row, v, baseline, &r);
		if (v == baseline)
			continue;
		add_ratio(g, &r, matrix_seeds(m) > 1);
		c->test_seen[r.test] |= cell->nr > 0;
		if (r.seeds > c->most_seeds)
			c->most_seeds = r.seeds;
	}
}

/* @label: scenario, unit, stat. */
static void print_matrix(struct comparison *c, const char *const label[], const struct matrix *m,
			 size_t baseline)
{
	struct grid g = { 0 };

	fprintf(c->out, "%s: %s (%s) in %s, and its ratio to %s\n\n", label[0], c->metric, label[2], label[1],
		m->variants[baseline]);
	add_columns(m, baseline, &g);
	for (size_t r = 0; r < m->nr_rows; r++)
		add_row(c, label, m, r, baseline, &g);
	grid_print(&g, c->out);
	putc('\n', c->out);
	grid_free(&g);
}

static int compare_stat(struct comparison *c, const char *scenario, const char *stat)
{
	struct matrix m = { 0 };
	char *unit;
	int status = load_matrix(c, scenario, stat, &m, &unit);
	const char *const label[] = { scenario, unit, stat };
	size_t baseline = matrix_baseline(&m, c->options->baseline);

	/* A scenario without the wanted baseline is passed over; another may have it. */
	if (status == 0 && baseline < m.nr_variants) {
		c->baseline_seen = true;
		print_matrix(c, label, &m, baseline);
	}
	matrix_free(&m);
	free(unit);
	return status;
}

/* ---- which tables ---- */

static bool has_word(const struct words *words, const char *word)
{
	for (size_t i = 0; i < words->nr; i++) {
		if (!strcmp(words->at[i], word))
			return true;
	}
	return false;
}

/* The one stat that stands for the metric, or NULL: all of them. */
static const char *main_stat(const struct words *stats)
{
	static const char *const preferred[] = { "mean", "value", "total" };

	for (size_t i = 0; i < sizeof(preferred) / sizeof(*preferred); i++) {
		if (has_word(stats, preferred[i]))
			return preferred[i];
	}
	return NULL;
}

/* The error line for @word, which is not among @known. */
static int unknown(struct comparison *c, const char *what, const char *word, const struct words *known)
{
	if (known->nr == 0)
		snprintf(c->error, c->error_bytes,
			 "zsmsim: %s: no finished run in it; make one with zsmsim run", c->db->file);
	else
		snprintf(c->error, c->error_bytes, "zsmsim: %s: no %s \"%s\" in it; the nearest is \"%s\"",
			 c->db->file, what, word,
			 nearest_word(word, (const char *const *)known->at));
	return 2;
}

static int unknown_metric(struct comparison *c)
{
	struct words known = { 0 };
	int status = load_words(c->db,
		"SELECT DISTINCT metric FROM metric WHERE run_id IN (SELECT run_id FROM current_run)"
		" ORDER BY metric", NULL, &known);

	status = status ? system_error(c) : unknown(c, "metric", c->metric, &known);
	free_words(&known);
	return status;
}

static int unknown_baseline(struct comparison *c)
{
	struct words known = { 0 };
	int status = load_words(c->db, "SELECT DISTINCT variant FROM current_run ORDER BY variant", NULL,
				&known);

	status = status ? system_error(c) : unknown(c, "variant", c->options->baseline, &known);
	free_words(&known);
	return status;
}

static int compare_scenario(struct comparison *c, const char *scenario, const struct words *stats,
			    const char *wanted)
{
	const char *only = wanted ? wanted : main_stat(stats);
	int status = 0;

	for (size_t i = 0; status == 0 && i < stats->nr; i++) {
		if (!only || !strcmp(only, stats->at[i]))
			status = compare_stat(c, scenario, stats->at[i]);
	}
	return status;
}

static int compare_scenarios(struct comparison *c, const struct words *stats, const char *wanted)
{
	struct words scenarios = { 0 };
	int status = load_words(c->db, "SELECT scenario FROM current_run GROUP BY scenario ORDER BY min(run_id)",
				NULL, &scenarios) ? system_error(c) : 0;

	for (size_t i = 0; status == 0 && i < scenarios.nr; i++)
		status = compare_scenario(c, scenarios.at[i], stats, wanted);
	free_words(&scenarios);
	return status;
}

/* What was tested, and that the runs were comparable. */
static int print_notes(struct comparison *c)
{
	struct words builds = { 0 };
	int status = load_words(c->db, "SELECT DISTINCT build_id FROM current_run", NULL, &builds);

	if (c->test_seen[RATIO_EXACT])
		fputs("exact (one seed): the same input gives the same figure, so there is no interval\n",
		      c->out);
	if (c->test_seen[RATIO_PAIRED_T])
		fprintf(c->out, "value: mean over seeds; ratio: geometric mean over seeds; 95 %% interval: paired t on"
			" log ratios (%zu seeds)\n", c->most_seeds);
	if (builds.nr > 1)
		fprintf(c->out, "note: these runs are of %zu builds of the simulated software\n", builds.nr);
	free_words(&builds);
	return status ? system_error(c) : 0;
}

/* Check the names first, so that nothing is printed before an error. */
static int compare_metric(struct comparison *c, const char *wanted)
{
	struct words stats = { 0 };
	int status = load_words(c->db,
		"SELECT stat FROM current_run JOIN metric USING (run_id) WHERE metric = ?"
		" GROUP BY stat ORDER BY min(run_id), min(ord)", c->metric, &stats) ? system_error(c) : 0;

	if (status == 0 && stats.nr == 0)
		status = unknown_metric(c);
	else if (status == 0 && wanted && !has_word(&stats, wanted))
		status = unknown(c, "stat", wanted, &stats);
	if (status == 0)
		status = compare_scenarios(c, &stats, wanted);
	if (status == 0 && !c->baseline_seen)
		status = unknown_baseline(c);
	free_words(&stats);
	return status ? status : print_notes(c);
}

/* Probe first: a place that cannot be is the user's error, a failure later the system's. */
static int open_csv(struct comparison *c)
{
	static const char *const header[] = { "scenario", "profile", "params", "metric", "unit", "stat",
					      "variant", "baseline", "seeds", "value", "ratio", "low", "high",
					      "test" };
	int status = csv_probe(c->options->csv, c->error, c->error_bytes);

	if (status == 0)
		status = csv_open(&c->csv, c->options->csv, c->error, c->error_bytes);
	if (status == 0)
		csv_header(&c->csv, header, sizeof(header) / sizeof(*header));
	return status;
}

int compare_print(struct db *db, const struct compare_options *options, FILE *out, char *error,
		  size_t error_bytes)
{
	struct comparison c = { .db = db, .options = options, .out = out, .error = error,
				.error_bytes = error_bytes };
	size_t nr = strcspn(options->metric, "/");
	const char *wanted = options->metric[nr] ? options->metric + nr + 1 : NULL;
	int status = options->csv ? open_csv(&c) : 0;

	if (status)
		return status;
	c.metric = scn_printf("%.*s", (int)nr, options->metric);
	status = compare_metric(&c, wanted);
	free(c.metric);
	if (c.csv.stream && status)
		csv_discard(&c.csv);
	else if (c.csv.stream)
		status = csv_commit(&c.csv, error, error_bytes);
	return status;
}

int compare_list_metrics(struct db *db, FILE *out)
{
	sqlite3_stmt *stmt = db_prepare(db,
		"SELECT metric, unit, group_concat(stat, ', ') FROM"
		" (SELECT metric, unit, stat FROM current_run JOIN metric USING (run_id)"
		" GROUP BY metric, unit, stat ORDER BY metric, unit, min(ord))"
		" GROUP BY metric, unit ORDER BY metric, unit");
	bool row;
	int status = 1;

	if (!stmt)
		return 1;
	while ((status = db_step(db, stmt, &row)) == 0 && row)
		fprintf(out, "%-22s %-12s %s\n", (const char *)sqlite3_column_text(stmt, 0),
			(const char *)sqlite3_column_text(stmt, 1), (const char *)sqlite3_column_text(stmt, 2));
	sqlite3_finalize(stmt);
	return status;
}
