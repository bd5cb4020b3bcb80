/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table_details.c - what `run --verbose` prints of each run (see table.h). */
#include "reports/table.h"

#include <stdlib.h>
#include <string.h>

#include "reports/decimal.h"

/* A kind of line: what it begins with, and a query for run ?1 that gives label, value, decimals. */
struct detail {
	const char *heading;
	const char *unit;
	const char *sql;
};

static const struct detail details[] = {
	{ "time", " ms",
	  "SELECT cause, sum(ps) AS ps, 9 FROM cause WHERE run_id = ? AND cause <> 'idle'"
	  " GROUP BY cause ORDER BY ps DESC, cause LIMIT 6" },
	{ "lock waits", " ms",
	  "SELECT lock, wait_ps, 9 FROM lock WHERE run_id = ? AND wait_ps > 0"
	  " ORDER BY wait_ps DESC, lock LIMIT 4" },
	{ "transfers", "",
	  "SELECT line_group, transfers, 0 FROM lines WHERE run_id = ? AND transfers > 0"
	  " ORDER BY transfers DESC, line_group LIMIT 4" },
};

static int print_detail(struct db *db, const struct detail *detail, int64_t run_id, FILE *out)
{
	sqlite3_stmt *stmt = db_prepare(db, detail->sql);
	unsigned nr = 0;
	bool row;
	int status = 1;

	if (!stmt)
		return 1;
	sqlite3_bind_int64(stmt, 1, run_id);
	while ((status = db_step(db, stmt, &row)) == 0 && row) {
		if (nr++ == 0)
			fprintf(out, "  %s:", detail->heading);
		fprintf(out, "%s %s %s%s", nr > 1 ? "," : "", sqlite3_column_text(stmt, 0),
			decimal_round(sqlite3_column_int64(stmt, 1), sqlite3_column_int(stmt, 2), 3).text,
			detail->unit);
	}
	if (nr)
		putc('\n', out);
	sqlite3_finalize(stmt);
	return status;
}

static int print_mm_stat(struct db *db, int64_t run_id, FILE *out)
{
	sqlite3_stmt *stmt = db_prepare(db, "SELECT mm_stat, trace_hash FROM run WHERE run_id = ?");
	bool row = false;
	int status = 1;

	if (stmt) {
		sqlite3_bind_int64(stmt, 1, run_id);
		status = db_step(db, stmt, &row);
	}
	if (row) {
		const char *mm_stat = (const char *)sqlite3_column_text(stmt, 0);

		/* The text is as the device file gives it, line end and all. */
		if (mm_stat)
			fprintf(out, "  mm_stat: %.*s\n", (int)strcspn(mm_stat, "\n"), mm_stat);
		fprintf(out, "  trace: %s\n", sqlite3_column_text(stmt, 1));
	}
	sqlite3_finalize(stmt);
	return status;
}

static int print_run(struct db *db, const struct plan *plan, size_t at, FILE *out)
{
	char *label = planned_label(&plan->at[at]);
	int64_t run_id = plan->at[at].run_id;
	int status;

	fprintf(out, "\nrun %zu: %s\n", at + 1, label);
	free(label);
	status = print_mm_stat(db, run_id, out);
	for (size_t i = 0; status == 0 && i < sizeof(details) / sizeof(*details); i++)
		status = print_detail(db, &details[i], run_id, out);
	return status;
}

int table_print_details(struct db *db, const struct plan *plan, FILE *out)
{
	int status = 0;

	for (size_t i = 0; status == 0 && i < plan->nr; i++)
		status = print_run(db, plan, i, out);
	return status;
}
