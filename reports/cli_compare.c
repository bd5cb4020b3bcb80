/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli_compare.c - zsmsim compare: the variants in a database side by side. */
#include "config.h"

#include "reports/cli.h"

#include <stdbool.h>
#include <stdio.h>

#include "reports/compare.h"
#include "reports/db.h"

enum { KEY_CSV = 0x100, KEY_LIST };

static const struct argp_option options[] = {
	{ "baseline", 'b', "VARIANT", 0, "Compare with this variant (default: base, or the first)", 0 },
	{ "metric", 'm', "NAME", 0, "Compare this metric (default: munmap_ms); NAME/STAT for one stat of it", 0 },
	{ "csv", KEY_CSV, "FILE", 0, "Also write the comparison to FILE", 0 },
	{ "list-metrics", KEY_LIST, 0, 0, "Print which metrics the database has", 0 },
	CLI_COMMON_OPTIONS
};

struct command {
	struct compare_options compare;
	const char *file;
	bool list;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct command *c = state->input;

	switch (key) {
	case 'b':
		c->compare.baseline = arg;
		return 0;
	case 'm':
		c->compare.metric = arg;
		return 0;
	case KEY_CSV:
		c->compare.csv = arg;
		return 0;
	case KEY_LIST:
		c->list = true;
		return 0;
	case ARGP_KEY_ARG:
		if (c->file)
			cli_usage_error(state, "%s: a second database; name one", arg);
		c->file = arg;
		return 0;
	case ARGP_KEY_NO_ARGS:
		cli_usage_error(state, "no database; name one that zsmsim run made");
	}
	return cli_common(key, state);
}

static const struct argp argp = {
	options, parse, "DB",
	"Print the variants in DB side by side: value, ratio to the baseline, and over several seeds a 95 %"
	" interval with the test that gave it.", NULL, NULL, NULL
};

static int compare(const struct command *c, struct db *db)
{
	char error[DB_ERROR_BYTES];
	int status;

	if (c->list) {
		status = compare_list_metrics(db, stdout);
		if (status)
			fprintf(stderr, "%s\n", db_error(db));
		return status;
	}
	status = compare_print(db, &c->compare, stdout, error, sizeof(error));
	if (status)
		fprintf(stderr, "%s\n", error);
	return status;
}

int cli_compare(int argc, char **argv)
{
	struct command c = { .compare = { .metric = "munmap_ms" } };
	struct db db;
	int status;

	cli_parse(&argp, argc, argv, &c);
	status = db_open_existing(&db, c.file);
	if (status)
		fprintf(stderr, "%s\n", db_error(&db));
	else
		status = compare(&c, &db);
	db_close(&db);
	return cli_finish(status);
}
