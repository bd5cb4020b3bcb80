/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cli_run.c - zsmsim run: scenarios in; table, database and CSV out.
 *
 * Everything that can be wrong with the input is looked at before the first
 * run starts and before anything is written.
 */
#include "config.h"

#include "reports/cli.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/db.h"
#include "reports/export.h"
#include "reports/outputs.h"
#include "reports/plan.h"
#include "reports/runner.h"
#include "reports/shell.h"
#include "reports/table.h"
#include "scenarios/experiment.h"
#include "scenarios/fields.h"
#include "scenarios/mem.h"
#include "scenarios/scenario.h"

#define LINE_BYTES 2048

enum { KEY_CSV = 0x100, KEY_SEED, KEY_SET };

static const struct argp_option options[] = {
	{ "output", 'o', "DB", 0, "Store the results in this database (default: the first scenario's name + .db)", 0 },
	{ "csv", KEY_CSV, "DIR", 0, "Also write results.csv, series.csv, causes.csv, locks.csv and lines.csv to DIR", 0 },
	{ "jobs", 'j', "N", 0, "Make N runs at once (default: one per CPU)", 0 },
	{ "seed", KEY_SEED, "N", 0, "Use seed N instead of the scenario's", 0 },
	{ "set", KEY_SET, "PATH=VALUE", 0, "Change a value of the scenario, as in workload.region_mb=64; may be repeated", 0 },
	{ "quiet", 'q', 0, 0, "No progress bar", 0 },
	{ "verbose", 'v', 0, 0, "After the table, print mm_stat and where the time went for each run", 0 },
	CLI_COMMON_OPTIONS
};

struct words {
	char **at;
	size_t nr;
};

struct command {
	struct words files, sets;
	const char *output, *csv;
	unsigned jobs;
	bool seed_given, quiet, verbose;
	uint64_t seed;

	size_t *nr_before;		/* runs before each file's first */
	char *argv;
	char *default_output;
	struct run_list list;
	struct plan plan;
	struct db db;
	char error[LINE_BYTES];
};

static void add_word(struct words *words, char *word)
{
	words->at = scn_grow(words->at, words->nr, sizeof(*words->at));
	words->at[words->nr++] = word;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct command *c = state->input;

	switch (key) {
	case 'o':
		if (!*arg)
			cli_usage_error(state, "-o: an empty name; name a database file");
		c->output = arg;
		return 0;
	case KEY_CSV:
		if (!*arg)
			cli_usage_error(state, "--csv: an empty name; name a directory");
		c->csv = arg;
		return 0;
	case 'j':
		c->jobs = cli_number(state, "-j", arg, 1, JOBS_MAX);
		return 0;
	case KEY_SEED:
		c->seed = cli_number(state, "--seed", arg, 0, SEED_MAX);
		c->seed_given = true;
		return 0;
	case KEY_SET:
		add_word(&c->sets, arg);
		return 0;
	case 'q':
		c->quiet = true;
		return 0;
	case 'v':
		c->verbose = true;
		return 0;
	case ARGP_KEY_ARG:
		add_word(&c->files, arg);
		return 0;
	case ARGP_KEY_NO_ARGS:
		cli_usage_error(state, "no scenario; name a file, as in zsmsim run scenarios/munmap.json");
	}
	return cli_common(key, state);
}

static const struct argp argp = {
	options, parse, "FILE.json...",
	"Run each variant x profile x parameter point of the scenarios, print one result table, store all in DB."
	"\vRuns that DB has already are not made again. Exit status: 0 done; 1 an oracle found a fault or a run"
	" could not finish; 2 the command line or an input is wrong.", NULL, NULL, NULL
};

/* What is unusual about it, which the user may not know. */
static void warn_of_dump(const struct dump *dump)
{
	if (*dump->warning)
		fprintf(stderr, "zsmsim: %s: warning: %s\n", dump->file, dump->warning);
}

/* Files in order; each file's first run tells later which file a run came from. */
static int load_scenarios(struct command *c)
{
	int status = 0;

	c->nr_before = scn_zalloc(c->files.nr, sizeof(*c->nr_before));
	for (size_t i = 0; status == 0 && i < c->files.nr; i++) {
		c->nr_before[i] = c->list.nr;
		status = scenario_load(c->files.at[i], (const char *const *)c->sets.at, c->sets.nr,
				       c->seed_given, c->seed, &c->list, c->error, sizeof(c->error));
	}
	if (status == 0)
		status = plan_create(&c->plan, &c->list, c->files.at, c->nr_before, c->files.nr, c->error,
				     sizeof(c->error));
	for (size_t i = 0; status == 0 && i < c->list.pools.nr; i++)
		warn_of_dump(c->list.pools.at[i]->dump);
	if (status)
		return status;
	c->plan.argv = c->argv;
	c->plan.sets = c->sets.at;
	c->plan.nr_sets = c->sets.nr;
	return 0;
}

/* Once here, instead of in each run's process. */
static int check_module(struct command *c)
{
	char *path;

	if (!plan_needs_own_model(&c->plan))
		return 0;
	path = experiment_module_path();
	if (!path)
		snprintf(c->error, sizeof(c->error),
			 "zsmsim: zsmsim-model.so: not found; build it with make, or name it in ZSMSIM_MODEL");
	free(path);
	return path ? 0 : EXIT_FAULT;
}

static int open_outputs(struct command *c)
{
	if (!c->output)
		c->output = c->default_output = scn_printf("%s.db", c->list.runs[0].scenario);
	return outputs_open(&c->db, c->output, c->csv, &c->plan, c->error, sizeof(c->error));
}

static int prepare(struct command *c)
{
	int status = load_scenarios(c);

	if (status == 0)
		status = check_module(c);
	return status ? status : open_outputs(c);
}

static int print_results(struct command *c)
{
	int status = table_print(&c->db, &c->plan, stdout);

	if (status == 0 && c->verbose)
		status = table_print_details(&c->db, &c->plan, stdout);
	if (status)
		snprintf(c->error, sizeof(c->error), "%s", db_error(&c->db));
	if (status == 0 && c->csv)
		status = export_write(&c->db, &c->plan, c->csv, c->error, sizeof(c->error));
	return status;
}

static int execute(struct command *c)
{
	struct runner_options options = { .jobs = c->jobs, .progress = !c->quiet };
	bool complete;
	int status = runner_execute(&c->db, &c->plan, &options, &complete), printed;

	/* A table of half the runs would look like a result. */
	if (!complete)
		return status;
	printed = print_results(c);
	if (printed)
		fprintf(stderr, "%s\n", c->error);
	return printed ? printed : status;
}

static void release(struct command *c)
{
	db_close(&c->db);
	plan_destroy(&c->plan);
	run_list_free(&c->list);
	free(c->nr_before);
	free(c->argv);
	free(c->default_output);
	free(c->files.at);
	free(c->sets.at);
}

int cli_run(int argc, char **argv)
{
	struct command c = { .jobs = cli_default_jobs() };
	char *line = shell_line(argc, argv);
	int status;

	c.argv = scn_printf("zsmsim %s", line);
	free(line);
	cli_parse(&argp, argc, argv, &c);
	status = prepare(&c);
	if (status)
		fprintf(stderr, "%s\n", c.error);
	else
		status = execute(&c);
	release(&c);
	return cli_finish(status);
}
