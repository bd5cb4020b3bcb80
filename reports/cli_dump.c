/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli_dump.c - zsmsim dump: the pool of a run as debugfs would print it. */
#include "config.h"

#include "reports/cli.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "reports/db.h"

static const struct argp_option options[] = {
	{ "output", 'o', "FILE", 0, "Write to FILE instead of standard output", 0 },
	CLI_COMMON_OPTIONS
};

struct command {
	const char *file, *output;
	bool has_run;
	uint64_t run;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct command *c = state->input;

	switch (key) {
	case 'o':
		c->output = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (!c->file) {
			c->file = arg;
			return 0;
		}
		if (c->has_run)
			cli_usage_error(state, "%.40s: a third word; name a database and the number of a run", arg);
		c->run = cli_number(state, "RUN", arg, 1, INT64_MAX);
		c->has_run = true;
		return 0;
	case ARGP_KEY_END:
		if (!c->file)
			cli_usage_error(state, "no database; name one that zsmsim run made");
		if (!c->has_run)
			cli_usage_error(state, "no run; give the number that it has in column run_id of results.csv");
		return 0;
	}
	return cli_common(key, state);
}

static const struct argp argp = {
	options, parse, "DB RUN",
	"Print the size classes of run RUN's pool, as it was when the measurement began, in the format of the"
	" kernel's debugfs file 'classes'. A scenario can begin with such a file: \"pool\": {\"classes\": FILE}.",
	NULL, NULL, NULL
};

static int no_run(struct db *db, const struct command *c)
{
	sqlite3_stmt *stmt = db_prepare(db, "SELECT min(run_id), max(run_id) FROM run");
	bool row = false;

	if (stmt && !db_step(db, stmt, &row) && row && sqlite3_column_type(stmt, 0) != SQLITE_NULL)
		fprintf(stderr, "zsmsim: %s: no run %" PRIu64 "; it has %lld to %lld\n", c->file, c->run,
			(long long)sqlite3_column_int64(stmt, 0), (long long)sqlite3_column_int64(stmt, 1));
	else
		fprintf(stderr, "zsmsim: %s: no run in it; name a database with finished runs\n", c->file);
	sqlite3_finalize(stmt);
	return EXIT_WRONG;
}

static int dump(struct db *db, const struct command *c)
{
	sqlite3_stmt *stmt = db_prepare(db, "SELECT classes FROM run WHERE run_id = ?");
	bool row = false;
	int status;

	if (!stmt || sqlite3_bind_int64(stmt, 1, (int64_t)c->run) != SQLITE_OK || db_step(db, stmt, &row)) {
		fprintf(stderr, "%s\n", db_error(db));
		status = EXIT_FAULT;
	} else if (!row) {
		status = no_run(db, c);
	} else if (sqlite3_column_type(stmt, 0) == SQLITE_NULL) {
		fprintf(stderr, "zsmsim: %s: run %" PRIu64 " has no pool to show, it ended with a fault; name another\n",
			c->file, c->run);
		status = EXIT_WRONG;
	} else {
		status = cli_write_text(c->output, (const char *)sqlite3_column_text(stmt, 0));
	}
	sqlite3_finalize(stmt);
	return status;
}

int cli_dump(int argc, char **argv)
{
	struct command c = { 0 };
	struct db db;
	int status;

	cli_parse(&argp, argc, argv, &c);
	status = db_open_existing(&db, c.file);
	if (status)
		fprintf(stderr, "%s\n", db_error(&db));
	else
		status = dump(&db, &c);
	db_close(&db);
	return cli_finish(status);
}
