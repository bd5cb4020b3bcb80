/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validate_mapping.c - see validate_mapping.h. */
#include "reports/validate_mapping.h"

#include <stdlib.h>
#include <string.h>

#include "reports/decimal.h"
#include "reports/grid.h"
#include "reports/published_rows.h"

static const char *const counters[] = { "instructions", "branches" };
static const char *const interfaces[] = { "old", "new" };

static int place_of(const char *const *words, const char *word)
{
	for (int i = 0; i < 2; i++) {
		if (word && !strcmp(words[i], word))
			return i;
	}
	return -1;
}

static int add_count(struct published_rows *r, void *arg)
{
	struct mapping_published *p = arg;
	int counter = place_of(counters, published_field(r, "counter"));
	int interface = place_of(interfaces, published_field(r, "api"));
	const char *text = published_field(r, "value");
	int64_t value = text ? published_thousandths(text) / 1000 : 0;

	if (counter < 0 || interface < 0 || value <= 0)
		return published_fault(r, "api old or new, counter instructions or branches, and a positive value are expected");
	p->sum[counter][interface] += value;
	p->runs[counter][interface]++;
	return 0;
}

int mapping_published_load(struct mapping_published *p, char *error, size_t error_bytes)
{
	int status;

	*p = (struct mapping_published){ 0 };
	status = published_read(MAPPING_TABLE, add_count, p, error, error_bytes);
	for (int c = 0; status == 0 && c < NR_MAPPING_COUNTERS; c++) {
		if (!p->runs[c][0] || !p->runs[c][1]) {
			snprintf(error, error_bytes, "zsmsim: data/published/" MAPPING_TABLE ".csv: no line of %s for one interface; both are expected",
				 counters[c]);
			status = 2;
		}
	}
	return status;
}

/* The simulated count, 0 if there is none. */
static int look_up(struct db *db, const char *counter, const char *variant, int64_t *count)
{
	sqlite3_stmt *stmt = db_prepare(db,
		"SELECT value FROM current_run JOIN metric USING (run_id)"
		" WHERE scenario = '" MAPPING_TABLE "' AND variant = ? AND metric = ? AND stat = 'total' LIMIT 1");
	bool row = false;
	int status = 1;

	*count = 0;
	if (stmt) {
		sqlite3_bind_text(stmt, 1, variant, -1, SQLITE_STATIC);
		sqlite3_bind_text(stmt, 2, counter, -1, SQLITE_STATIC);
		status = db_step(db, stmt, &row);
	}
	if (row)
		*count = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return status;
}

/* Hundredths of a per cent. */
static int64_t saved(int64_t old_count, int64_t new_count)
{
	return old_count ? ((old_count - new_count) * 10000 + old_count / 2) / old_count : 0;
}

static int add_row(const struct mapping_published *p, struct db *db, int c, struct grid *g)
{
	int64_t old_mean = p->sum[c][0] / p->runs[c][0], new_mean = p->sum[c][1] / p->runs[c][1];
	int64_t old_count, new_count, published = saved(old_mean, new_mean);

	if (look_up(db, counters[c], "old", &old_count) || look_up(db, counters[c], "new", &new_count))
		return 1;
	grid_cell(g, counters[c]);
	grid_cell(g, decimal_exact(published, 2).text);
	grid_cell(g, old_count ? decimal_exact(saved(old_count, new_count), 2).text : "-");
	grid_cell(g, old_count ? decimal_exact(saved(old_count, new_count) - published, 2).text : "-");
	return 0;
}

int mapping_print(const struct mapping_published *p, struct db *db, FILE *out)
{
	struct grid g = { 0 };
	int status = 0;

	fputs(MAPPING_TABLE ": what the new object-mapping interface saves, all predicted. Counts themselves have no\n"
	      "simulated twin, since the number of objects was not published.\n\n", out);
	grid_column(&g, NULL, "counter", true);
	grid_column(&g, "saved, %", "published", false);
	grid_column(&g, "saved, %", "simulated", false);
	grid_column(&g, "", "points off", false);
	for (int c = 0; status == 0 && c < NR_MAPPING_COUNTERS; c++)
		status = add_row(p, db, c, &g);
	if (status == 0)
		grid_print(&g, out);
	grid_free(&g);
	fputc('\n', out);
	return status;
}
