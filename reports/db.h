/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * db.h - the results database. A run goes in whole, in one transaction, or
 * not at all; so whatever happens to the program, the file holds finished
 * runs only. zsmsim-database(5) describes the tables.
 *
 * Functions that return int give 0, or 1 for a failure of the system (disk
 * full, file damaged meanwhile), or 2 for a file that was wrong to name. After
 * a failure db_error() is the line to print.
 */
#ifndef ZSMSIM_REPORTS_DB_H
#define ZSMSIM_REPORTS_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sqlite3.h>

#include "reports/plan.h"
#include "reports/result.h"

#define DB_APPLICATION_ID 0x7a736d73	/* "zsms" */
#define DB_VERSION 3
#define DB_ERROR_BYTES 1024

struct db {
	sqlite3 *sql;
	char *file;			/* as the user named it */
	char error[DB_ERROR_BYTES];
};

/*
 * Does @file not exist, or is it empty, or a database of ours that this
 * version can use? It is only read. Returns 0, or 2 with a line in @error.
 */
int db_probe(const char *file, char *error, size_t error_bytes);

/*
 * Open @file: for results to be added (made if absent), or as it is. Close
 * it in either case.
 */
int db_open_for_runs(struct db *db, const char *file);
int db_open_existing(struct db *db, const char *file);
void db_close(struct db *db);

const char *db_error(const struct db *db);

/*
 * Number the runs of @plan (their run_id): a run keeps the number that it got
 * when a command first asked for it, whatever finishes first.
 */
int db_plan(struct db *db, struct plan *plan);

/* Set *@done to whether run @run_id is in the database and free of faults. */
int db_is_done(struct db *db, int64_t run_id, bool *done);

/* Store @run with @result, in the place of an earlier row of this run. */
int db_store(struct db *db, const struct planned *run, const char *argv,
	     const struct result *result);

/*
 * Queries. db_prepare() gives a statement to be ended with
 * sqlite3_finalize(), or NULL; db_step() sets *@row to whether there is one.
 */
sqlite3_stmt *db_prepare(struct db *db, const char *sql);
int db_step(struct db *db, sqlite3_stmt *stmt, bool *row);

/* Run statements without results. */
int db_exec(struct db *db, const char *sql);

/* Write the current SQLite error to db->error; the status to return with. */
int db_fail(struct db *db);

/* Statements that make an empty database ours. */
extern const char db_schema[];

#endif
