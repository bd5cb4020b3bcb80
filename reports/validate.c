/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validate.c - judging and printing (see validate.h). */
#include "reports/validate.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "reports/decimal.h"
#include "reports/grid.h"
#include "scenarios/mem.h"
#include "sim/profile.h"

#define PS_PER_US 1000000
#define TIE_PERMILLE 20			/* times that differ by less stand in no order */

/* ---- looking up ---- */

/* Does the profile say that one of its figures was fitted? */
static bool has_fitted_figure(const char *profile)
{
	char error[512];
	struct profile *p = profile_load(profile, error, sizeof(error));
	cJSON *root = p ? cJSON_Parse(p->text) : NULL, *figure;
	bool found = false;

	cJSON_ArrayForEach(figure, cJSON_GetObjectItemCaseSensitive(root, "figures"))
		found |= cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(figure, "calibrated"));
	cJSON_Delete(root);
	profile_free(p);
	return found;
}

/* The rows that calibration may use; whether a profile did use them it says itself. */
static bool is_calibrated(const struct published_cell *cell)
{
	return cell->procs == 1 && cell->region_mb == 256 && !strcmp(cell->variant, "base") &&
	       has_fitted_figure(cell->profile);
}

static int look_up(struct db *db, struct judged_cell *cell)
{
	static const char sql[] =
		"SELECT value, decimals FROM current_run JOIN metric USING (run_id)"
		" WHERE profile = ? AND variant = ? AND procs = ? AND region_mb = ?"
		" AND metric = 'munmap_ms' AND stat = 'mean'";
	sqlite3_stmt *stmt = db_prepare(db, sql);
	int status;

	if (!stmt)
		return 1;
	sqlite3_bind_text(stmt, 1, cell->cell->profile, -1, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 2, cell->cell->variant, -1, SQLITE_STATIC);
	sqlite3_bind_int(stmt, 3, (int)cell->cell->procs);
	sqlite3_bind_int(stmt, 4, (int)cell->cell->region_mb);
	status = db_step(db, stmt, &cell->simulated);
	/* munmap_ms is kept to the picosecond */
	if (!status && cell->simulated)
		cell->ps = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return status;
}

int validate_judge(struct db *db, const struct published_table *table, struct judged_table *judged)
{
	int status = 0;

	judged->table = table;
	judged->cells = scn_zalloc(table->nr, sizeof(*judged->cells));
	for (size_t i = 0; status == 0 && i < table->nr; i++) {
		judged->cells[i].cell = &table->cells[i];
		judged->cells[i].calibrated = is_calibrated(&table->cells[i]);
		status = look_up(db, &judged->cells[i]);
	}
	return status;
}

void validate_free(struct judged_table *judged)
{
	free(judged->cells);
	judged->cells = NULL;
}

/* ---- errors: in thousandths, whole numbers, so that equal runs print equal digits ---- */

static int64_t permille(int64_t simulated, int64_t published)
{
	int64_t difference = (simulated - published) * 1000;

	return (difference + (difference < 0 ? -published : published) / 2) / published;
}

static int64_t time_error(const struct judged_cell *c)
{
	return permille(c->ps, c->cell->us * PS_PER_US);
}

static bool same_place(const struct published_cell *a, const struct published_cell *b)
{
	return a->procs == b->procs && a->region_mb == b->region_mb && !strcmp(a->profile, b->profile);
}

/* The cell of variant base that a speed-up is over; NULL for base itself. */
static const struct judged_cell *base_of(const struct judged_table *t, const struct judged_cell *c)
{
	if (!strcmp(c->cell->variant, "base"))
		return NULL;
	for (size_t i = 0; i < t->table->nr; i++)
		if (same_place(t->cells[i].cell, c->cell) && !strcmp(t->cells[i].cell->variant, "base"))
			return t->cells[i].simulated ? &t->cells[i] : NULL;
	return NULL;
}

/* Speed-up in millionths. */
static int64_t speedup(int64_t base, int64_t time)
{
	return (int64_t)((__int128)base * 1000000 / time);
}

static int64_t speedup_error(const struct judged_cell *base, const struct judged_cell *c)
{
	return permille(speedup(base->ps, c->ps), speedup(base->cell->us, c->cell->us));
}

/* ---- lists of absolute errors ---- */

struct errors {
	int64_t *at;
	size_t nr;
};

static void add_error(struct errors *e, int64_t error)
{
	e->at = scn_grow(e->at, e->nr, sizeof(*e->at));
	e->at[e->nr++] = llabs(error);
}

static int compare_errors(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* "18.7 % median, 46.6 % at most, 63 cells"; frees the list. */
static void print_errors(FILE *out, const char *what, struct errors *e)
{
	int64_t median;

	if (!e->nr)
		return;
	qsort(e->at, e->nr, sizeof(*e->at), compare_errors);
	median = e->nr % 2 ? e->at[e->nr / 2] : (e->at[e->nr / 2 - 1] + e->at[e->nr / 2] + 1) / 2;
	fprintf(out, "  %-28s absolute error: median %s %%, largest %s %% (%zu cells)\n", what,
		decimal_exact(median, 1).text, decimal_exact(e->at[e->nr - 1], 1).text, e->nr);
	free(e->at);
	*e = (struct errors){ 0 };
}

/* ---- order ---- */

/* -1, 0 or 1; 0 for what is nearly equal. */
static int order(int64_t a, int64_t b)
{
	int64_t difference = permille(a, b);

	return difference > TIE_PERMILLE ? 1 : difference < -TIE_PERMILLE ? -1 : 0;
}

static void print_order(const struct judged_table *t, FILE *out)
{
	size_t pairs = 0, agree = 0;

	for (size_t i = 0; i < t->table->nr; i++) {
		for (size_t k = i + 1; k < t->table->nr; k++) {
			const struct judged_cell *a = &t->cells[i], *b = &t->cells[k];
			int published = order(a->cell->us, b->cell->us);

			if (!a->simulated || !b->simulated || !same_place(a->cell, b->cell) || !published)
				continue;
			pairs++;
			agree += order(a->ps, b->ps) == published;
		}
	}
	if (pairs)
		fprintf(out, "  order of two variants at one place: %zu of %zu agree\n", agree, pairs);
}

/* ---- printing ---- */

static char *signed_percent(int64_t error)
{
	return scn_printf("%s%s", error > 0 ? "+" : "", decimal_exact(error, 1).text);
}

static void print_cell(const struct judged_table *t, const struct judged_cell *c, struct grid *g)
{
	const struct judged_cell *base = base_of(t, c);
	char *procs = scn_printf("%u", c->cell->procs), *region = scn_printf("%u", c->cell->region_mb);
	char *error = c->simulated ? signed_percent(time_error(c)) : scn_strdup("-");
	char *ratio = c->simulated && base ? signed_percent(speedup_error(base, c)) : scn_strdup("-");

	grid_cell(g, c->cell->profile);
	grid_cell(g, procs);
	grid_cell(g, region);
	grid_cell(g, c->cell->variant);
	grid_cell(g, decimal_round(c->cell->us, 3, 2).text);
	grid_cell(g, c->simulated ? decimal_round(c->ps, 9, 2).text : "-");
	grid_cell(g, error);
	grid_cell(g, ratio);
	grid_cell(g, c->calibrated ? "calibrated" : "predicted");
	free(procs);
	free(region);
	free(error);
	free(ratio);
}

static void print_cells(const struct judged_table *t, FILE *out)
{
	struct grid g = { 0 };

	grid_column(&g, NULL, "CPU", true);
	grid_column(&g, NULL, "procs", false);
	grid_column(&g, NULL, "MB", false);
	grid_column(&g, NULL, "variant", true);
	grid_column(&g, "munmap, ms", "published", false);
	grid_column(&g, "munmap, ms", "simulated", false);
	grid_column(&g, "error, %", "time", false);
	grid_column(&g, "error, %", "speed-up", false);
	grid_column(&g, "", "kind", true);
	for (size_t i = 0; i < t->table->nr; i++)
		print_cell(t, &t->cells[i], &g);
	grid_print(&g, out);
	grid_free(&g);
}

static void print_summary(const struct judged_table *t, FILE *out)
{
	struct errors predicted = { 0 }, calibrated = { 0 }, speedups = { 0 };

	for (size_t i = 0; i < t->table->nr; i++) {
		const struct judged_cell *c = &t->cells[i], *base = base_of(t, c);

		if (!c->simulated)
			continue;
		add_error(c->calibrated ? &calibrated : &predicted, time_error(c));
		if (base)
			add_error(&speedups, speedup_error(base, c));
	}
	print_errors(out, "times, predicted:", &predicted);
	print_errors(out, "times, calibrated:", &calibrated);
	print_errors(out, "speed-ups over base:", &speedups);
	print_order(t, out);
}

void validate_print(const struct judged_table *judged, FILE *out)
{
	fprintf(out, "%s: %s\n\n", judged->table->name, judged->table->what);
	print_cells(judged, out);
	putc('\n', out);
	print_summary(judged, out);
	putc('\n', out);
}

/* ---- CSV ---- */

void validate_csv_header(struct csv *csv)
{
	static const char *const names[] = { "table", "profile", "procs", "region_mb", "variant", "kind",
					     "published_ms", "simulated_ms", "error_percent",
					     "speedup_error_percent" };

	csv_header(csv, names, sizeof(names) / sizeof(*names));
}

void validate_csv(const struct judged_table *judged, struct csv *csv)
{
	for (size_t i = 0; i < judged->table->nr; i++) {
		const struct judged_cell *c = &judged->cells[i], *base = base_of(judged, c);

		csv_text(csv, judged->table->name);
		csv_text(csv, c->cell->profile);
		csv_int(csv, c->cell->procs);
		csv_int(csv, c->cell->region_mb);
		csv_text(csv, c->cell->variant);
		csv_text(csv, c->calibrated ? "calibrated" : "predicted");
		csv_text(csv, decimal_round(c->cell->us, 3, 2).text);
		csv_text(csv, c->simulated ? decimal_exact(c->ps, 9).text : NULL);
		csv_text(csv, c->simulated ? decimal_exact(time_error(c), 1).text : NULL);
		csv_text(csv, c->simulated && base ? decimal_exact(speedup_error(base, c), 1).text : NULL);
		csv_end_line(csv);
	}
}
