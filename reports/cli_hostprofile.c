/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli_hostprofile.c - zsmsim hostprofile: measure this machine, write a profile of it. */
#include "config.h"

#include "reports/cli.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "native/hostprofile.h"
#include "reports/progress.h"
#include "scenarios/mem.h"
#include "sim/profile.h"

#define LINE_BYTES 1024

enum { KEY_CPUS = 0x100, KEY_QUICK, KEY_NATIVE };

static const struct argp_option options[] = {
	{ "output", 'o', "FILE.json", 0, "Write the profile to this file; it has the file's name (default: host.json)", 0 },
	{ "cpus", KEY_CPUS, "LIST", 0, "Measure these CPUs, as in 0-3,6 (default: all allowed)", 0 },
	{ "quick", KEY_QUICK, 0, 0, "A third of the samples", 0 },
	{ "as-native", KEY_NATIVE, 0, 0, "Give work items what zsmsim native pays for them, not what a kernel does", 0 },
	{ "quiet", 'q', 0, 0, "No progress bar", 0 },
	CLI_COMMON_OPTIONS
};

struct command {
	const char *output;
	struct cpu_list cpus;
	bool quick, as_native, quiet;

	char *name, *new_file;
	struct progress bar;
	struct hostprofile profile;
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

/* Such a name as `run` takes for a profile. */
static void parse_output(struct command *c, const char *arg, const struct argp_state *state)
{
	char **names = profile_names(), **n;
	char *name = profile_short_name(arg);

	if (!profile_is_file(arg) || !name || !*name || *name == '.')
		cli_usage_error(state, "-o %.80s: no name for a profile; write one like host.json", arg);
	for (n = names; n && *n; n++) {
		if (!strcmp(*n, name))
			cli_usage_error(state, "-o %.80s: the name of the profile \"%s\"; name it otherwise", arg, name);
	}
	profile_names_free(names);
	free(name);
	c->output = arg;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct command *c = state->input;

	switch (key) {
	case 'o':
		parse_output(c, arg, state);
		return 0;
	case KEY_CPUS:
		parse_cpus(c, arg, state);
		return 0;
	case KEY_QUICK:
		c->quick = true;
		return 0;
	case KEY_NATIVE:
		c->as_native = true;
		return 0;
	case 'q':
		c->quiet = true;
		return 0;
	case ARGP_KEY_ARG:
		cli_usage_error(state, "%.40s: it takes no arguments; name the file with -o", arg);
	}
	return cli_common(key, state);
}

static const struct argp argp = {
	options, parse, NULL,
	"Measure this machine, in up to two minutes, and write a profile of its CPU for run --set profiles=./host.json."
	"\vLeave the machine alone meanwhile: what else runs is seen as spread. Exit status: 0 done; 1 it could not be"
	" measured or written; 2 the command line is wrong.", NULL, NULL, NULL
};

static void show_progress(void *arg, size_t step, size_t of)
{
	struct command *c = arg;

	if (!step) {
		progress_begin(&c->bar, !c->quiet, of, of);
		c->bar.things = "measurements";
	} else {
		progress_step(&c->bar, 1);
	}
}

/* ---- output ---- */

static int failed(struct command *c, const char *what)
{
	snprintf(c->error, sizeof(c->error), "zsmsim: %s: %s", what, strerror(errno));
	return EXIT_FAULT;
}

/* Before it takes two minutes. */
static int try_output(struct command *c)
{
	FILE *f;

	c->new_file = scn_printf("%s.new", c->output);
	f = fopen(c->new_file, "w");
	if (f) {
		fclose(f);
		return EXIT_DONE;
	}
	failed(c, c->output);
	return EXIT_WRONG;
}

/* A file that is there already stays whole until the new one is. */
static int write_output(struct command *c)
{
	char *text = cJSON_Print(c->profile.root);
	FILE *f = fopen(c->new_file, "w");
	bool ok = f && text && fprintf(f, "%s\n", text) > 0;

	if (f && fclose(f))
		ok = false;
	cJSON_free(text);
	if (ok && !rename(c->new_file, c->output))
		return EXIT_DONE;
	return failed(c, c->output);
}

/* What was written must be what `run` reads. */
static int check_output(struct command *c)
{
	char line[LINE_BYTES - 32];
	struct profile *p = profile_load(c->output, line, sizeof(line));

	if (!p)
		snprintf(c->error, sizeof(c->error), "zsmsim: %s", line);
	profile_free(p);
	return p ? EXIT_DONE : EXIT_FAULT;
}

static void print_group(const cJSON *figures)
{
	const cJSON *f;

	cJSON_ArrayForEach(f, figures) {
		const cJSON *value = cJSON_GetObjectItemCaseSensitive(f, "value");
		const cJSON *low = cJSON_GetObjectItemCaseSensitive(f, "low");
		const cJSON *high = cJSON_GetObjectItemCaseSensitive(f, "high");
		char range[48];

		snprintf(range, sizeof(range), "%g .. %g", low->valuedouble, high->valuedouble);
		printf("%-20s %10g  %-20s %-19s %s\n", f->string, value->valuedouble, range,
		       cJSON_GetObjectItemCaseSensitive(f, "unit")->valuestring,
		       cJSON_GetObjectItemCaseSensitive(f, "kind")->valuestring);
	}
}

static void print_summary(const struct command *c)
{
	const struct hostprofile *p = &c->profile;

	print_group(cJSON_GetObjectItemCaseSensitive(p->root, "figures"));
	print_group(cJSON_GetObjectItemCaseSensitive(p->root, "work"));
	printf("\n%s: %s\n", c->output, cJSON_GetObjectItemCaseSensitive(p->root, "soc")->valuestring);
	printf("%zu figures of this machine, %zu taken from the profile %s.\n", p->measured, p->estimated, p->nearest);
	if (c->cpus.nr == 1)
		puts("One CPU: what lines take between CPUs could not be measured.");
	printf("Clock steps of %g ns. Others took %.2g %% of the time; 10th to 90th percentile: %.0f %% of the value"
	       " (median), %.0f %% (%s, the widest)%s.\n", p->clock_step_ns, p->lost_percent, p->median_spread * 100,
	       p->worst_spread * 100, p->worst, p->median_spread > 0.1 ? ": a noisy machine" : "");
}

static int measure(struct command *c)
{
	const struct hostprofile_options how = {
		.name = c->name, .cpus = &c->cpus, .quick = c->quick, .as_native = c->as_native,
		.progress = show_progress, .arg = c,
	};
	char line[LINE_BYTES - 32];
	int status = hostprofile_measure(&c->profile, &how, line, sizeof(line));

	progress_clear(&c->bar);
	if (status)
		snprintf(c->error, sizeof(c->error), "zsmsim: hostprofile: %s", line);
	return status ? EXIT_FAULT : EXIT_DONE;
}

int cli_hostprofile(int argc, char **argv)
{
	struct command c = { .output = "host.json" };
	int status;

	cli_parse(&argp, argc, argv, &c);
	if (!c.cpus.nr)
		c.cpus = host_cpus();
	c.name = profile_short_name(c.output);
	status = try_output(&c);
	if (status == EXIT_DONE) {
		status = measure(&c);
		if (status == EXIT_DONE)
			status = write_output(&c);
		if (status == EXIT_DONE)
			status = check_output(&c);
		unlink(c.new_file);
	}
	if (status == EXIT_DONE)
		print_summary(&c);
	else
		fprintf(stderr, "%s\n", c.error);
	hostprofile_free(&c.profile);
	cpu_list_free(&c.cpus);
	free(c.new_file);
	free(c.name);
	return cli_finish(status);
}
