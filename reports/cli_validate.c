/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cli_validate.c - zsmsim validate: every published cell simulated, published
 * and simulated side by side, with the error.
 */
#include "config.h"

#include "reports/cli.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/db.h"
#include "reports/outputs.h"
#include "reports/plan.h"
#include "reports/runner.h"
#include "reports/shell.h"
#include "reports/validate.h"
#include "reports/validate_callbacks.h"
#include "reports/validate_mapping.h"
#include "reports/validate_modes.h"
#include "scenarios/mem.h"
#include "scenarios/scenario.h"

#define LINE_BYTES 2048
#define REPEAT_DEFAULT 20

enum { KEY_CSV = 0x100, KEY_HOST, KEY_KERNEL, KEY_SENSITIVITY, KEY_REPEAT };

static const struct argp_option options[] = {
	{ "output", 'o', "DB", 0, "Keep the runs in this database, and make only those it lacks (default: nowhere)", 0 },
	{ "csv", KEY_CSV, "FILE", 0, "Also write one line per cell to FILE", 0 },
	{ "host", KEY_HOST, 0, 0, "Instead: measure this machine and hold the simulator against it", 0 },
	{ "kernel", KEY_KERNEL, 0, 0, "Instead: swap to a zram device of this machine's kernel (needs root) and hold the simulator against it", 0 },
	{ "sensitivity", KEY_SENSITIVITY, "PROFILE", OPTION_ARG_OPTIONAL, "Instead: vary each figure of the profile (default: of all with published cells) within its range", 0 },
	{ "repeat", KEY_REPEAT, "N", 0, "With --host and --kernel: repetitions (default 20)", 0 },
	{ "jobs", 'j', "N", 0, "Make N runs at once (default: one per CPU)", 0 },
	{ "quiet", 'q', 0, 0, "No progress bar", 0 },
	CLI_COMMON_OPTIONS
};

/* Tables of times. */
static const struct {
	const char *name, *what;
} time_tables[] = {
	{ "munmap-sizes", "one process, six region sizes, three CPUs" },
	{ "munmap-procs", "1 to 4 processes at once, 256 MB each; simulated: the mean over the processes" },
};

/* The scenarios that have the cells among their runs. */
static const char *const scenarios[] = { "munmap", MAPPING_TABLE, CALLBACKS_SCENARIO };

#define NR_SCENARIOS (sizeof(scenarios) / sizeof(*scenarios))

#define NR_TABLES (sizeof(time_tables) / sizeof(*time_tables))

struct command {
	int (*mode)(const struct validate_options *options);	/* NULL: the published tables */
	const char *profile;
	unsigned repeat;
	const char *output, *csv;
	unsigned jobs;
	bool quiet;

	char *argv, *scenario[NR_SCENARIOS], *temporary;
	size_t nr_before[NR_SCENARIOS];	/* runs of the scenarios before each */
	struct run_list list;
	struct plan plan;
	struct db db;
	struct published_table tables[NR_TABLES];
	struct mapping_published mapping;
	struct callbacks_published callbacks;
	char error[LINE_BYTES];
};

static void set_mode(struct command *c, int (*mode)(const struct validate_options *options),
		     const struct argp_state *state)
{
	if (c->mode && c->mode != mode)
		cli_usage_error(state, "--host, --kernel and --sensitivity: give one of them");
	c->mode = mode;
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
			cli_usage_error(state, "--csv: an empty name; name a file");
		c->csv = arg;
		return 0;
	case 'j':
		c->jobs = cli_number(state, "-j", arg, 1, JOBS_MAX);
		return 0;
	case 'q':
		c->quiet = true;
		return 0;
	case KEY_HOST:
		set_mode(c, validate_host, state);
		return 0;
	case KEY_KERNEL:
		set_mode(c, validate_kernel, state);
		return 0;
	case KEY_SENSITIVITY:
		set_mode(c, validate_sensitivity, state);
		c->profile = arg;
		return 0;
	case KEY_REPEAT:
		c->repeat = cli_number(state, "--repeat", arg, 1, 10000);
		return 0;
	case ARGP_KEY_ARG:
		cli_usage_error(state, "%.40s: takes no arguments; see zsmsim validate --help", arg);
	}
	return cli_common(key, state);
}

static const struct argp argp = {
	options, parse, NULL,
	"Simulate every cell of the published tables and print published, simulated and error per cell; then per"
	" table the errors of predicted and of calibrated cells, of speed-ups, and whether variants stand in the"
	" same order."
	"\vExit status: 0 done; 1 a run could not finish; 2 the command line or an input is wrong.", NULL, NULL, NULL
};

/* They come with the program. */
static int find_scenarios(struct command *c)
{
	struct scenario_listing all;
	int status = scenario_list(&all, c->error, sizeof(c->error));

	for (size_t k = 0; status == 0 && k < NR_SCENARIOS; k++) {
		for (size_t i = 0; i < all.nr; i++)
			if (!strcmp(all.entries[i].name, scenarios[k]))
				c->scenario[k] = scn_strdup(all.entries[i].origin);
		if (!c->scenario[k]) {
			snprintf(c->error, sizeof(c->error), "zsmsim: scenarios/%s.json: not found; it comes with the program",
				 scenarios[k]);
			status = EXIT_WRONG;
		}
	}
	scenario_listing_free(&all);
	return status;
}

/* Counts of instructions are the same on every profile, so the mapping test runs on its first. */
static bool is_mapping(const struct command *c, const struct run_spec *s)
{
	return s->kind == WORKLOAD_MAPPING && !strcmp(s->profile, c->list.runs[c->nr_before[1]].profile);
}

/* The phone's CPU was not published: the scenario's first. */
static const char *callbacks_profile(const struct command *c)
{
	return c->list.runs[c->nr_before[2]].profile;
}

static bool is_callbacks(const struct command *c, const struct run_spec *s)
{
	return s->kind == WORKLOAD_COMPACTION && !strcmp(s->variant, CALLBACKS_VARIANT) &&
	       !strcmp(s->profile, callbacks_profile(c));
}

static bool is_cell(const struct command *c, const struct run_spec *s)
{
	if (is_mapping(c, s) || is_callbacks(c, s))
		return true;
	for (size_t i = 0; i < NR_TABLES; i++) {
		for (size_t k = 0; k < c->tables[i].nr; k++) {
			const struct published_cell *cell = &c->tables[i].cells[k];

			if (cell->procs == s->procs && cell->region_mb == s->region_mb &&
			    !strcmp(cell->profile, s->profile) && !strcmp(cell->variant, s->variant))
				return true;
		}
	}
	return false;
}

/* The scenario may have runs that nobody published. */
static void keep_cells(struct command *c)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->plan.nr; i++) {
		struct planned *run = &c->plan.at[i];

		if (is_cell(c, run->spec)) {
			c->plan.at[kept++] = *run;
			continue;
		}
		free(run->clusters);
		free(run->profile_text);
	}
	c->plan.nr = kept;
}

static int load_scenarios(struct command *c)
{
	int status = find_scenarios(c);

	for (size_t i = 0; status == 0 && i < NR_SCENARIOS; i++) {
		c->nr_before[i] = c->list.nr;
		status = scenario_load(c->scenario[i], NULL, 0, false, 0, &c->list, c->error, sizeof(c->error));
	}
	return status;
}

static int load(struct command *c)
{
	int status = load_scenarios(c);

	for (size_t i = 0; status == 0 && i < NR_TABLES; i++) {
		status = published_load(time_tables[i].name, &c->tables[i], c->error, sizeof(c->error));
		c->tables[i].what = time_tables[i].what;
	}
	if (status == 0)
		status = mapping_published_load(&c->mapping, c->error, sizeof(c->error));
	if (status == 0)
		status = callbacks_published_load(&c->callbacks, c->error, sizeof(c->error));
	if (status == 0)
		status = plan_create(&c->plan, &c->list, c->scenario, c->nr_before, NR_SCENARIOS, c->error,
				     sizeof(c->error));
	c->plan.argv = c->argv;
	if (status == 0)
		keep_cells(c);
	return status;
}

static int make_temporary(struct command *c)
{
	const char *dir = getenv("TMPDIR");
	int fd;

	c->temporary = scn_printf("%s/zsmsim-validate-XXXXXX", dir && *dir ? dir : "/tmp");
	fd = mkstemp(c->temporary);
	if (fd < 0) {
		snprintf(c->error, sizeof(c->error), "zsmsim: %s: cannot be made: %m; name a database with -o",
			 c->temporary);
		free(c->temporary);
		c->temporary = NULL;
		return EXIT_FAULT;
	}
	close(fd);
	c->output = c->temporary;
	return 0;
}

static int open_outputs(struct command *c)
{
	int status = c->csv ? csv_probe(c->csv, c->error, sizeof(c->error)) : 0;

	if (status == 0 && !c->output)
		status = make_temporary(c);
	return status ? status : outputs_open(&c->db, c->output, NULL, &c->plan, c->error, sizeof(c->error));
}

static int print(struct command *c, const struct judged_table *judged)
{
	struct csv csv;

	for (size_t i = 0; i < NR_TABLES; i++)
		validate_print(&judged[i], stdout);
	if (mapping_print(&c->mapping, &c->db, stdout) ||
	    callbacks_print(&c->callbacks, callbacks_profile(c), &c->db, stdout)) {
		snprintf(c->error, sizeof(c->error), "%s", db_error(&c->db));
		return 1;
	}
	if (!c->csv)
		return 0;
	if (csv_open(&csv, c->csv, c->error, sizeof(c->error)))
		return 1;
	validate_csv_header(&csv);
	for (size_t i = 0; i < NR_TABLES; i++)
		validate_csv(&judged[i], &csv);
	return csv_commit(&csv, c->error, sizeof(c->error));
}

static int execute(struct command *c)
{
	struct runner_options options = { .jobs = c->jobs, .progress = !c->quiet };
	struct judged_table judged[NR_TABLES] = { 0 };
	bool complete;
	int status = runner_execute(&c->db, &c->plan, &options, &complete), failed = 0;

	if (!complete)
		return status;
	for (size_t i = 0; !failed && i < NR_TABLES; i++)
		failed = validate_judge(&c->db, &c->tables[i], &judged[i]);
	if (failed)
		snprintf(c->error, sizeof(c->error), "%s", db_error(&c->db));
	else
		failed = print(c, judged);
	for (size_t i = 0; i < NR_TABLES; i++)
		validate_free(&judged[i]);
	if (failed)
		fprintf(stderr, "%s\n", c->error);
	return failed ? failed : status;
}

static void release(struct command *c)
{
	db_close(&c->db);
	if (c->temporary)
		unlink(c->temporary);
	plan_destroy(&c->plan);
	run_list_free(&c->list);
	for (size_t i = 0; i < NR_TABLES; i++)
		published_free(&c->tables[i]);
	free(c->temporary);
	for (size_t i = 0; i < NR_SCENARIOS; i++)
		free(c->scenario[i]);
	free(c->argv);
}

static int run_mode(const struct command *c)
{
	struct validate_options options = {
		.csv = c->csv, .profile = c->profile, .jobs = c->jobs, .repeat = c->repeat, .quiet = c->quiet,
	};

	return c->mode(&options);
}

int cli_validate(int argc, char **argv)
{
	struct command c = { .jobs = cli_default_jobs(), .repeat = REPEAT_DEFAULT };
	char *line = shell_line(argc, argv);
	int status;

	c.argv = scn_printf("zsmsim %s", line);
	free(line);
	cli_parse(&argp, argc, argv, &c);
	if (c.mode) {
		status = run_mode(&c);
		free(c.argv);
		return cli_finish(status);
	}
	status = load(&c);
	if (status == 0)
		status = open_outputs(&c);
	if (status)
		fprintf(stderr, "%s\n", c.error);
	else
		status = execute(&c);
	release(&c);
	return cli_finish(status);
}
