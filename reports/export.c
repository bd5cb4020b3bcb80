/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export.c - see export.h. */
#include "reports/export.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "reports/csv.h"
#include "reports/decimal.h"
#include "scenarios/mem.h"

#define COLUMNS_MAX 10

/*
 * One file: its columns after those that label the run, and a query that
 * gives them for one run. Where a file has figures with decimals, its last
 * two columns are value and decimals, and become one.
 */
struct export_file {
	const char *name;
	const char *columns[COLUMNS_MAX];	/* NULL at the end */
	const char *sql;
	bool decimals;
};

static const struct export_file files[] = {
	{ "results.csv", { "metric", "unit", "stat", "value" },
	  "SELECT metric, unit, stat, value, decimals FROM metric WHERE run_id = ? ORDER BY ord", true },
	{ "series.csv", { "series", "unit", "t_ns", "value" },
	  "SELECT name, unit, t_ns, value FROM series JOIN sample USING (run_id, series)"
	  " WHERE run_id = ? ORDER BY series, ord", false },
	{ "causes.csv", { "task", "cause", "ps" },
	  "SELECT task, cause, ps FROM cause WHERE run_id = ? ORDER BY ord", false },
	{ "locks.csv",
	  { "lock", "acquisitions", "contentions", "bounces", "wait_ps", "wait_max_ps", "hold_ps",
	    "hold_max_ps" },
	  "SELECT lock, acquisitions, contentions, bounces, wait_ps, wait_max_ps, hold_ps, hold_max_ps"
	  " FROM lock WHERE run_id = ? ORDER BY ord", false },
	{ "observations.csv", { "name", "seq", "unit", "value" },
	  "SELECT name, seq, unit, value FROM observation WHERE run_id = ? ORDER BY name, seq", false },
	{ "lines.csv", { "line_group", "transfers", "transfer_ps", "misses" },
	  "SELECT line_group, transfers, transfer_ps, misses FROM lines WHERE run_id = ? ORDER BY ord",
	  false },
};

#define NR_FILES (sizeof(files) / sizeof(*files))

static char *file_path(const char *directory, const struct export_file *file)
{
	return scn_printf("%s/%s", directory, file->name);
}

int export_probe(const char *directory, bool *made, char *error, size_t error_bytes)
{
	int status = 0;

	*made = mkdir(directory, 0777) == 0;
	if (!*made && errno != EEXIST) {
		snprintf(error, error_bytes, "zsmsim: %s: cannot be made: %s; name a directory that can be",
			 directory, strerror(errno));
		return 2;
	}
	for (size_t i = 0; status == 0 && i < NR_FILES; i++) {
		char *path = file_path(directory, &files[i]);

		status = csv_probe(path, error, error_bytes);
		free(path);
	}
	return status;
}

static void write_header(struct csv *csv, const struct export_file *file)
{
	static const char *const label[] = { "run_id", "scenario", "variant", "profile", "seed", "params" };

	for (size_t i = 0; i < sizeof(label) / sizeof(*label); i++)
		csv_text(csv, label[i]);
	for (size_t i = 0; i < COLUMNS_MAX && file->columns[i]; i++)
		csv_text(csv, file->columns[i]);
	csv_end_line(csv);
}

/* From the plan and not from the database: what this command asked for. */
static void write_label(struct csv *csv, const struct run_spec *spec, size_t position)
{
	csv_int(csv, (int64_t)position + 1);
	csv_text(csv, spec->scenario);
	csv_text(csv, spec->variant);
	csv_text(csv, spec->profile);
	csv_int(csv, (int64_t)spec->seed);
	csv_text(csv, spec->params);
}

static void write_row(struct csv *csv, const struct export_file *file, sqlite3_stmt *stmt)
{
	int last = sqlite3_column_count(stmt) - (file->decimals ? 2 : 0);

	for (int i = 0; i < last; i++)
		csv_text(csv, (const char *)sqlite3_column_text(stmt, i));
	if (file->decimals)
		csv_text(csv, decimal_exact(sqlite3_column_int64(stmt, last),
					    sqlite3_column_int(stmt, last + 1)).text);
	csv_end_line(csv);
}

/* Nothing for a run that is missing or ended in a fault. */
static int write_run(struct db *db, struct csv *csv, const struct export_file *file, sqlite3_stmt *stmt,
		     const struct plan *plan, size_t position)
{
	bool row;
	int status = db_is_done(db, plan->at[position].run_id, &row);

	if (status || !row)
		return status;
	sqlite3_bind_int64(stmt, 1, plan->at[position].run_id);
	while ((status = db_step(db, stmt, &row)) == 0 && row) {
		write_label(csv, plan->at[position].spec, position);
		write_row(csv, file, stmt);
	}
	sqlite3_reset(stmt);
	return status;
}

static int write_runs(struct db *db, struct csv *csv, const struct export_file *file,
		      const struct plan *plan)
{
	sqlite3_stmt *stmt = db_prepare(db, file->sql);
	int status = stmt ? 0 : 1;

	write_header(csv, file);
	for (size_t i = 0; status == 0 && i < plan->nr; i++)
		status = write_run(db, csv, file, stmt, plan, i);
	sqlite3_finalize(stmt);
	return status;
}

static int write_file(struct db *db, const struct plan *plan, const char *path,
		      const struct export_file *file, char *error, size_t error_bytes)
{
	struct csv csv;

	if (csv_open(&csv, path, error, error_bytes))
		return 1;
	if (write_runs(db, &csv, file, plan) == 0)
		return csv_commit(&csv, error, error_bytes);
	csv_discard(&csv);
	snprintf(error, error_bytes, "%s", db_error(db));
	return 1;
}

int export_write(struct db *db, const struct plan *plan, const char *directory, char *error,
		 size_t error_bytes)
{
	int status = 0;

	for (size_t i = 0; status == 0 && i < NR_FILES; i++) {
		char *path = file_path(directory, &files[i]);

		status = write_file(db, plan, path, &files[i], error, error_bytes);
		free(path);
	}
	return status;
}
