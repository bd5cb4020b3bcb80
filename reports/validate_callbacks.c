/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validate_callbacks.c - see validate_callbacks.h. */
#include "reports/validate_callbacks.h"

#include <stdlib.h>
#include <string.h>

#include "reports/decimal.h"
#include "reports/grid.h"
#include "reports/published_rows.h"

/* By enum callback_metric: in the published table, in the results, and what makes the one of the other's unit. */
static const struct {
	const char *published, *unit, *metric;
	double divisor;
} metrics[NR_CALLBACK_METRICS] = {
	[CALLBACK_ELAPSED] = { "elapsed", "ms", "callback", 1000 },
	[CALLBACK_RATIO] = { "compactable_ratio", "percent", "compactable_ratio", 10000 },
	[CALLBACK_RECLAIMED] = { "reclaimed", "MiB", "callback_freed", 256 },
};

static const struct {
	const char *published, *stat;
} stats[NR_CALLBACK_STATS] = { { "median", "p50" }, { "p95", "p95" }, { "max", "max" } };

static int add_value(struct published_rows *r, void *arg)
{
	struct callbacks_published *p = arg;
	const char *metric = published_field(r, "metric"), *stat = published_field(r, "statistic");
	const char *text = published_field(r, "value");
	int64_t value = text ? published_thousandths(text) : -1;

	if (!metric || !stat || value < 0)
		return published_fault(r, "metric, unit, statistic and a value are expected");
	for (int m = 0; m < NR_CALLBACK_METRICS; m++) {
		for (int s = 0; s < NR_CALLBACK_STATS; s++)
			if (!strcmp(metric, metrics[m].published) && !strcmp(stat, stats[s].published))
				p->value[m][s] = (double)value / 1000;
	}
	return 0;
}

int callbacks_published_load(struct callbacks_published *p, char *error, size_t error_bytes)
{
	int status;

	*p = (struct callbacks_published){ 0 };
	status = published_read(CALLBACKS_TABLE, add_value, p, error, error_bytes);
	for (int i = 0; status == 0 && i < NR_CALLBACK_METRICS * NR_CALLBACK_STATS; i++) {
		int m = i / NR_CALLBACK_STATS, s = i % NR_CALLBACK_STATS;

		if (p->value[m][s] > 0)
			continue;
		snprintf(error, error_bytes, "zsmsim: data/published/" CALLBACKS_TABLE ".csv: no line of %s, %s; it is expected",
			 metrics[m].published, stats[s].published);
		status = 2;
	}
	return status;
}

/* In the published unit; 0 if there is none. */
static int look_up(struct db *db, const char *profile, int m, int s, double *value)
{
	sqlite3_stmt *stmt = db_prepare(db,
		"SELECT value, decimals FROM current_run JOIN metric USING (run_id)"
		" WHERE scenario = '" CALLBACKS_SCENARIO "' AND variant = '" CALLBACKS_VARIANT "' AND profile = ?"
		" AND metric = ? AND stat = ? LIMIT 1");
	bool row = false;
	int status = 1;

	*value = 0;
	if (stmt) {
		sqlite3_bind_text(stmt, 1, profile, -1, SQLITE_STATIC);
		sqlite3_bind_text(stmt, 2, metrics[m].metric, -1, SQLITE_STATIC);
		sqlite3_bind_text(stmt, 3, stats[s].stat, -1, SQLITE_STATIC);
		status = db_step(db, stmt, &row);
	}
	if (row)
		*value = decimal_double(sqlite3_column_int64(stmt, 0), (unsigned)sqlite3_column_int(stmt, 1)) /
			 metrics[m].divisor;
	sqlite3_finalize(stmt);
	return status;
}

static void number_cell(struct grid *g, const char *format, double value)
{
	char text[32] = "-";

	if (value != 0)
		snprintf(text, sizeof(text), format, value);
	grid_cell(g, text);
}

static void add_row(struct grid *g, const char *what, const char *stat, double published, double simulated, bool predicted)
{
	grid_cell(g, what);
	grid_cell(g, stat);
	number_cell(g, "%.2f", published);
	number_cell(g, "%.2f", simulated);
	number_cell(g, "%+.1f", predicted && published > 0 && simulated > 0 ? 100 * (simulated - published) / published : 0);
	grid_cell(g, predicted ? "predicted" : "input");
}

/* us for each page: of a median call, and so on; MiB and ms as published. */
static double price(double ms, double mib)
{
	return mib > 0 ? ms * 1000 / (mib * 256) : 0;
}

int callbacks_print(const struct callbacks_published *p, const char *profile, struct db *db, FILE *out)
{
	double simulated[NR_CALLBACK_METRICS][NR_CALLBACK_STATS];
	struct grid g = { 0 };
	int status = 0;

	for (int i = 0; status == 0 && i < NR_CALLBACK_METRICS * NR_CALLBACK_STATS; i++)
		status = look_up(db, profile, i / NR_CALLBACK_STATS, i % NR_CALLBACK_STATS,
				 &simulated[i / NR_CALLBACK_STATS][i % NR_CALLBACK_STATS]);
	if (status)
		return status;
	fprintf(out, CALLBACKS_TABLE ": shrinker calls of a phone, simulated on %s. How much there is to be had, and so how long a\n"
		"call takes, is an input, since pool and load were not published; the price of a page is predicted.\n\n", profile);
	grid_column(&g, NULL, "figure", true);
	grid_column(&g, NULL, "statistic", true);
	grid_column(&g, "", "published", false);
	grid_column(&g, "", "simulated", false);
	grid_column(&g, "", "error, %", false);
	grid_column(&g, "", "kind", true);
	for (int m = 0; m < NR_CALLBACK_METRICS; m++) {
		char what[64];

		snprintf(what, sizeof(what), "%s, %s", metrics[m].published, metrics[m].unit);
		for (int s = 0; s < NR_CALLBACK_STATS; s++)
			add_row(&g, what, stats[s].published, p->value[m][s], simulated[m][s], false);
	}
	for (int s = 0; s < NR_CALLBACK_STATS; s++)
		add_row(&g, "elapsed / reclaimed, us per page", stats[s].published,
			price(p->value[CALLBACK_ELAPSED][s], p->value[CALLBACK_RECLAIMED][s]),
			price(simulated[CALLBACK_ELAPSED][s], simulated[CALLBACK_RECLAIMED][s]), true);
	grid_print(&g, out);
	grid_free(&g);
	fputc('\n', out);
	return 0;
}
