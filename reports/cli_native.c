/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli_native.c - zsmsim native: a scenario's processes as threads of the machine itself. */
#include "config.h"

#include "reports/cli.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "native/plan.h"
#include "native/run.h"
#include "reports/db.h"
#include "reports/export.h"
#include "reports/native_table.h"
#include "reports/outputs.h"
#include "reports/plan.h"
#include "reports/runner.h"
#include "reports/shell.h"
#include "scenarios/fields.h"
#include "scenarios/mem.h"

#define LINE_BYTES	2048
#define REPEAT_DEFAULT	5
#define REPEAT_MAX	10000

enum { KEY_CPUS = 0x100, KEY_CSV, KEY_REPEAT, KEY_SEED, KEY_SET };

static const struct argp_option options[] = {
	{ "output", 'o', "DB", 0, "Store the results in this database (default: the scenario's name + -native.db)", 0 },
	{ "csv", KEY_CSV, "DIR", 0, "Also write results.csv and the other CSV files to DIR", 0 },
	{ "cpus", KEY_CPUS, "LIST", 0, "Use these CPUs of the machine, as in 0-3,6 (default: all allowed)", 0 },
	{ "repeat", KEY_REPEAT, "N", 0, "Make each run N times (default: 5)", 0 },
	{ "seed", KEY_SEED, "N", 0, "Use seed N instead of the scenario's", 0 },
	{ "set", KEY_SET, "PATH=VALUE", 0, "Change a value of the scenario; may be repeated", 0 },
	{ "quiet", 'q', 0, 0, "No progress bar", 0 },
	CLI_COMMON_OPTIONS
};

struct command {
	char *file, **sets;
	size_t nr_sets;
	const char *output, *csv;
	unsigned repeat;
	bool seed_given, quiet;
	uint64_t seed;
	struct cpu_list cpus;

	char *argv, *default_output, *profile_text;
	struct host host;
	struct run_list list;
	struct plan plan;
	struct db db;
	char error[LINE_BYTES];
};

static void parse_cpus(struct command *c, const char *text, const struct argp_state *state)
{
	const char *wrong = cpu_list_parse(text, &c->cpus);
	struct cpu_list allowed = host_cpus();

	if (wrong)
		cli_usage_error(state, "--cpus %.40s: %s", text, wrong);
	for (unsigned i = 0; i < c->cpus.nr; i++) {
		if (!cpu_list_has(&allowed, c->cpus.at[i]))
			cli_usage_error(state, "--cpus %.40s: CPU %d is not there, or not allowed to this process",
					text, c->cpus.at[i]);
	}
	cpu_list_free(&allowed);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct command *c = state->input;

	switch (key) {
	case 'o':
	case KEY_CSV:
		if (!*arg)
			cli_usage_error(state, "%s: an empty name", key == 'o' ? "-o" : "--csv");
		*(key == 'o' ? &c->output : &c->csv) = arg;
		return 0;
	case KEY_CPUS:
		parse_cpus(c, arg, state);
		return 0;
	case KEY_REPEAT:
		c->repeat = (unsigned)cli_number(state, "--repeat", arg, 1, REPEAT_MAX);
		return 0;
	case KEY_SEED:
		c->seed = cli_number(state, "--seed", arg, 0, SEED_MAX);
		c->seed_given = true;
		return 0;
	case KEY_SET:
		c->sets = scn_grow(c->sets, c->nr_sets, sizeof(*c->sets));
		c->sets[c->nr_sets++] = arg;
		return 0;
	case 'q':
		c->quiet = true;
		return 0;
	case ARGP_KEY_ARG:
		if (c->file)
			cli_usage_error(state, "%.40s: a second scenario; name one", arg);
		c->file = arg;
		return 0;
	case ARGP_KEY_NO_ARGS:
		cli_usage_error(state, "no scenario; name a file, as in zsmsim native scenarios/munmap.json");
	}
	return cli_common(key, state);
}

static const struct argp argp = {
	options, parse, "FILE.json",
	"Run the scenario's processes for real: the simulated software, compiled without instrumentation, on threads"
	" pinned to CPUs of this machine. Print a table and store all in DB, with the profile \"host\"."
	"\vA point with more processes than CPUs is left out. Runs that DB has already are not made again. Exit"
	" status: 0 done; 1 a fault was found or a run could not finish; 2 the command line or an input is wrong.",
	NULL, NULL, NULL
};

/* ---- what to run ---- */

static int check_fit(struct command *c, const struct native_plan *made)
{
	uint64_t available = host_memory_available("");

	if (!c->list.nr) {
		snprintf(c->error, sizeof(c->error), "zsmsim: %s: %u processes need as many CPUs, and there %s %u here;"
			 " set workload.procs to at most that", c->file, made->most_procs,
			 c->cpus.nr == 1 ? "is" : "are", c->cpus.nr);
		return EXIT_WRONG;
	}
	if (available && available >> 20 < made->most_memory_mb) {
		snprintf(c->error, sizeof(c->error), "zsmsim: %s: memory of %u MB is asked for, and %" PRIu64
			 " MB are free here; set machine.memory_mb to less", c->file, made->most_memory_mb,
			 available >> 20);
		return EXIT_FAULT;
	}
	if (made->left_out)
		fprintf(stderr, "zsmsim: %zu of the scenario's runs left out: more processes than the %u CPU%s here\n",
			made->left_out, c->cpus.nr, c->cpus.nr == 1 ? "" : "s");
	return EXIT_DONE;
}

/* A module of a kernel tree is instrumented: its loads and stores are calls of the simulator. */
static int check_variants(struct command *c)
{
	for (size_t i = 0; i < c->list.nr; i++) {
		if (!c->list.runs[i].kernel)
			continue;
		snprintf(c->error, sizeof(c->error), "zsmsim: %s: variant %s is a module of a kernel tree, which can be"
			 " simulated only; set variants to those of zsmsim list variants", c->file,
			 c->list.runs[i].variant);
		return EXIT_WRONG;
	}
	return EXIT_DONE;
}

static int make_plan(struct command *c)
{
	struct native_plan made;
	int status = scenario_load(c->file, (const char *const *)c->sets, c->nr_sets, c->seed_given, c->seed,
				   &c->list, c->error, sizeof(c->error));

	if (status == 0)
		status = check_variants(c);
	if (status)
		return status;
	made = native_plan(&c->list, c->cpus.nr, c->repeat);
	status = check_fit(c, &made);
	if (status)
		return status;
	c->profile_text = native_profile_text(&c->host, &c->cpus);
	plan_create_native(&c->plan, &c->list, &c->file, c->profile_text);
	c->plan.argv = c->argv;
	c->plan.sets = c->sets;
	c->plan.nr_sets = c->nr_sets;
	return EXIT_DONE;
}

static int set_up(struct command *c)
{
	char why[512];

	if (!c->cpus.nr)
		c->cpus = host_cpus();
	host_describe(&c->host, "", c->cpus.at[0]);
	if (!native_setup(&c->host, &c->cpus, why, sizeof(why)))
		return EXIT_DONE;
	snprintf(c->error, sizeof(c->error), "zsmsim: %s", why);
	return EXIT_FAULT;
}

static int open_outputs(struct command *c)
{
	if (!c->output)
		c->output = c->default_output = scn_printf("%s-native.db", c->list.runs[0].scenario);
	return outputs_open(&c->db, c->output, c->csv, &c->plan, c->error, sizeof(c->error));
}

static int prepare(struct command *c)
{
	int status = set_up(c);

	if (status == 0)
		status = make_plan(c);
	return status ? status : open_outputs(c);
}

/* ---- running ---- */

/* The module is open already: native_setup() has seen to it. */
static void preload(void)
{
}

static int print_results(struct command *c)
{
	int status = native_table_print(&c->db, &c->plan, stdout);

	if (status)
		snprintf(c->error, sizeof(c->error), "%s", db_error(&c->db));
	if (status == 0 && c->csv)
		status = export_write(&c->db, &c->plan, c->csv, c->error, sizeof(c->error));
	return status;
}

static int execute(struct command *c)
{
	static const struct run_method native = {
		.preload = preload, .on_fault = native_on_fault, .execute = native_execute,
	};
	struct runner_options how = { .jobs = 1, .progress = !c->quiet, .in_turn = true, .method = &native };
	bool complete;
	int status = runner_execute(&c->db, &c->plan, &how, &complete), printed;

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
	host_free(&c->host);
	cpu_list_free(&c->cpus);
	free(c->profile_text);
	free(c->default_output);
	free(c->argv);
	free(c->sets);
}

int cli_native(int argc, char **argv)
{
	struct command c = { .repeat = REPEAT_DEFAULT };
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
