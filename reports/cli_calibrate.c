/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli_calibrate.c - zsmsim calibrate: fit one or two figures of a profile to the row that it may be fitted to. */
#include "config.h"

#include "reports/cli.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/calibrate.h"
#include "reports/shell.h"
#include "scenarios/mem.h"
#include "sim/datapath.h"
#include "sim/profile.h"

enum { KEY_ROWS = 0x100, KEY_FIT, KEY_CPU, KEY_SPREAD, KEY_BEYOND };

static const struct argp_option options[] = {
	{ "profile", 'p', "PROFILE", 0, "Fit this profile, by name or as a file that ends in .json", 0 },
	{ "rows", KEY_ROWS, "FILE", 0,
	  "Fit to its CPU's row in FILE, which is like data/published/munmap-sizes.csv", 0 },
	{ "output", 'o', "OUT.json", 0, "Write the fitted profile to this file (default: write none)", 0 },
	{ "fit", KEY_FIT, "FIGURE[,FIGURE]", 0, "Fit these figures (default: ipc)", 0 },
	{ "cpu", KEY_CPU, "NAME", 0, "Use the row of this CPU (default: that of the profile's name)", 0 },
	{ "spread", KEY_SPREAD, "PERCENT", 0, "Standard deviation of the row, besides its last digit (default: 2)", 0 },
	{ "beyond", KEY_BEYOND, 0, 0, "Let figures leave their sourced range, by up to four times", 0 },
	CLI_COMMON_OPTIONS
};

struct command {
	struct calibrate_options how;
	char *figures, *argv;
};

static void parse_figures(struct command *c, const char *arg, const struct argp_state *state)
{
	char *rest;

	free(c->figures);
	c->figures = rest = scn_strdup(arg);
	c->how.nr_figures = 0;
	for (char *name = strsep(&rest, ","); name; name = strsep(&rest, ",")) {
		if (!*name)
			cli_usage_error(state, "--fit %.60s: an empty name; name one figure, or two with a comma",
					arg);
		if (c->how.nr_figures == FIT_FIGURES_MAX)
			cli_usage_error(state, "--fit %.60s: more than two figures; two per CPU may be calibrated",
					arg);
		if (c->how.nr_figures && !strcmp(name, c->how.figures[0]))
			cli_usage_error(state, "--fit %.60s: one figure twice; name two, or one", arg);
		c->how.figures[c->how.nr_figures++] = name;
	}
}

static double parse_spread(const char *arg, const struct argp_state *state)
{
	char *end;
	double percent = strtod(arg, &end);

	if (end == arg || *end || !(percent >= 0 && percent <= 100))
		cli_usage_error(state, "--spread %.40s: not a number it takes; give per cent from 0 to 100", arg);
	return percent;
}

static bool is_same_file(const char *a, const char *b)
{
	char *real_a = realpath(a, NULL), *real_b = realpath(b, NULL);
	bool same = real_a && real_b && !strcmp(real_a, real_b);

	free(real_a);
	free(real_b);
	return same;
}

/* `run` refuses a file with the name of a profile that it has; so only in that profile's own place. */
static bool takes_a_name(const char *file, const char *name)
{
	char **names = profile_names(), **n, *relative = scn_printf("profiles/%s.json", name);
	char *path = datapath(relative);
	bool taken = false;

	for (n = names; n && *n; n++)
		taken |= !strcmp(*n, name) && !(path && is_same_file(file, path));
	profile_names_free(names);
	free(relative);
	free(path);
	return taken;
}

static void parse_output(struct command *c, const char *arg, const struct argp_state *state)
{
	char *name = profile_short_name(arg);

	if (!profile_is_file(arg) || !name || !*name || *name == '.')
		cli_usage_error(state, "-o %.80s: no name for a profile; write one like %s", arg, "fitted.json");
	if (takes_a_name(arg, name))
		cli_usage_error(state, "-o %.80s: the name of the profile \"%s\"; name it otherwise", arg, name);
	free(name);
	c->how.output = arg;
}

static void check_complete(const struct command *c, const struct argp_state *state)
{
	if (!c->how.profile)
		cli_usage_error(state, "no profile; name one with --profile");
	if (!c->how.rows)
		cli_usage_error(state, "no rows; name a file of them with --rows");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct command *c = state->input;

	switch (key) {
	case 'p':
		c->how.profile = arg;
		return 0;
	case KEY_ROWS:
		c->how.rows = arg;
		return 0;
	case 'o':
		parse_output(c, arg, state);
		return 0;
	case KEY_FIT:
		parse_figures(c, arg, state);
		return 0;
	case KEY_CPU:
		c->how.cpu = arg;
		return 0;
	case KEY_SPREAD:
		c->how.spread_percent = parse_spread(arg, state);
		return 0;
	case KEY_BEYOND:
		c->how.beyond = true;
		return 0;
	case ARGP_KEY_ARG:
		cli_usage_error(state, "%.40s: takes no arguments; see zsmsim calibrate --help", arg);
	case ARGP_KEY_END:
		check_complete(c, state);
		return 0;
	}
	return cli_common(key, state);
}

static const struct argp argp = {
	options, parse, NULL,
	"Fit one or two figures of a profile so that the simulated time of munmap() is the measured one; print them"
	" with their uncertainty and the residual. Only a row of variant base, one process and 256 MB may be used, one"
	" per CPU."
	"\vExit status: 0 done, however far the fit is; 1 a run or the output failed; 2 the command line, the profile"
	" or a row is wrong.", NULL, NULL, NULL
};

int cli_calibrate(int argc, char **argv)
{
	struct command c = { .how = { .figures = { "ipc" }, .nr_figures = 1, .spread_percent = 2 } };
	char *line = shell_line(argc, argv);
	int status;

	c.argv = scn_printf("zsmsim %s", line);
	free(line);
	c.how.command = c.argv;
	cli_parse(&argp, argc, argv, &c);
	status = calibrate(&c.how);
	free(c.figures);
	free(c.argv);
	return cli_finish(status);
}
