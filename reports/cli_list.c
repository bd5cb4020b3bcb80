/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli_list.c - zsmsim list: what there is, one line each. */
#include "config.h"

#include "reports/cli.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "reports/metrics.h"
#include "scenarios/nearest.h"
#include "scenarios/scenario.h"
#include "sim/profile.h"

#define LINE_BYTES 2048

enum { KEY_ALL = 0x100 };

static const struct argp_option options[] = {
	{ "all", 'a', 0, 0, "Of profiles print every figure with its source, of the others where they come from", 0 },
	CLI_COMMON_OPTIONS
};

struct command {
	const char *what;
	bool all;
};

/* ---- profiles ---- */

static const char *text_of(const cJSON *object, const char *key)
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));

	return text ? text : "";
}

/* A number or truth value as it stands in the file. */
static void print_value(const cJSON *figure, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(figure, key);

	if (cJSON_IsNumber(item))
		printf("%.12g", item->valuedouble);
	else if (cJSON_IsBool(item))
		fputs(cJSON_IsTrue(item) ? "true" : "false", stdout);
}

static void print_figure(const cJSON *figure, const char *prefix)
{
	printf("  %s%s = ", prefix, figure->string);
	print_value(figure, "value");
	printf(" %s", text_of(figure, "unit"));
	if (cJSON_GetObjectItemCaseSensitive(figure, "low")) {
		fputs(" (", stdout);
		print_value(figure, "low");
		fputs(" to ", stdout);
		print_value(figure, "high");
		putchar(')');
	}
	printf(", %s: %s\n", text_of(figure, "kind"), text_of(figure, "source"));
}

static void print_figures(const cJSON *figures, const char *prefix)
{
	const cJSON *figure;

	cJSON_ArrayForEach(figure, figures)
		print_figure(figure, prefix);
}

/* Name and description as in the file, which the profile keeps; it parsed once, so it does again. */
static int print_profile(const char *name, bool all)
{
	char error[LINE_BYTES];
	struct profile *profile = profile_load(name, error, sizeof(error));
	cJSON *root;

	if (!profile) {
		fprintf(stderr, "zsmsim: %s\n", error);
		return EXIT_WRONG;
	}
	root = cJSON_Parse(profile->text);
	printf("%-24s %s; %s\n", profile->name, text_of(root, "description"), text_of(root, "soc"));
	if (all) {
		print_figures(cJSON_GetObjectItemCaseSensitive(root, "figures"), "");
		print_figures(cJSON_GetObjectItemCaseSensitive(root, "work"), "work.");
	}
	cJSON_Delete(root);
	profile_free(profile);
	return EXIT_DONE;
}

static int list_profiles(bool all)
{
	char **names = profile_names();
	int status = EXIT_DONE;

	for (size_t i = 0; status == EXIT_DONE && names && names[i]; i++)
		status = print_profile(names[i], all);
	profile_names_free(names);
	return status;
}

/* ---- the others ---- */

static int print_listing(int status, const struct scenario_listing *listing, const char *error, bool all)
{
	if (status) {
		fprintf(stderr, "%s\n", error);
		return status;
	}
	for (size_t i = 0; i < listing->nr; i++) {
		printf("%-24s %s\n", listing->entries[i].name, listing->entries[i].description);
		if (all)
			printf("  from %s\n", listing->entries[i].origin);
	}
	return EXIT_DONE;
}

static int list_with(int (*get)(struct scenario_listing *, char *, size_t), bool all)
{
	struct scenario_listing listing;
	char error[LINE_BYTES];
	int status = get(&listing, error, sizeof(error));

	status = print_listing(status, &listing, error, all);
	scenario_listing_free(&listing);
	return status;
}

static int list_variants(bool all)
{
	return list_with(scenario_variants, all);
}

static int list_scenarios(bool all)
{
	return list_with(scenario_list, all);
}

static void print_metric(const struct metric_info *info)
{
	printf("%-24s %s; %s (%s)\n", info->name, info->meaning, info->unit, info->stats);
}

static int list_metrics(bool all)
{
	(void)all;
	for (size_t i = 0; i < nr_metric_infos; i++)
		print_metric(&metric_infos[i]);
	for (size_t i = 0; i < nr_series_infos; i++)
		print_metric(&series_infos[i]);
	return EXIT_DONE;
}

static const struct {
	const char *name;
	int (*print)(bool all);
} lists[] = {
	{ "variants", list_variants },
	{ "profiles", list_profiles },
	{ "metrics", list_metrics },
	{ "scenarios", list_scenarios },
};

#define NR_LISTS (sizeof(lists) / sizeof(*lists))

static size_t find_list(const struct argp_state *state, const char *name)
{
	const char *names[NR_LISTS + 1] = { 0 };

	for (size_t i = 0; i < NR_LISTS; i++) {
		names[i] = lists[i].name;
		if (!strcmp(names[i], name))
			return i;
	}
	cli_usage_error(state, "%.40s: unknown; the nearest is %s", name, nearest_word(name, names));
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct command *c = state->input;

	switch (key) {
	case 'a':
		c->all = true;
		return 0;
	case ARGP_KEY_ARG:
		if (c->what)
			cli_usage_error(state, "%.40s: a second word; name one of variants, profiles, metrics, scenarios",
					arg);
		c->what = lists[find_list(state, arg)].name;
		return 0;
	case ARGP_KEY_NO_ARGS:
		cli_usage_error(state, "of what? Name one of variants, profiles, metrics, scenarios");
	}
	return cli_common(key, state);
}

static const struct argp argp = {
	options, parse, "variants|profiles|metrics|scenarios", "Print what there is, one line each.", NULL, NULL,
	NULL
};

int cli_list(int argc, char **argv)
{
	struct command c = { 0 };
	int status = EXIT_DONE;

	cli_parse(&argp, argc, argv, &c);
	for (size_t i = 0; i < NR_LISTS; i++) {
		if (!strcmp(lists[i].name, c.what))
			status = lists[i].print(c.all);
	}
	return cli_finish(status);
}
