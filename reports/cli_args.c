/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cli_args.c - what the commands' argument parsers share (see cli.h).
 *
 * argp and getopt answer wrong usage with two lines of their own; ours is
 * one. So they are told to be silent, and the word that stopped them is found
 * here.
 */
#include "config.h"

#include "reports/cli.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/build_info.h"
#include "reports/runner.h"
#include "scenarios/experiment.h"
#include "scenarios/nearest.h"

#define OPTIONS_MAX 32

void cli_usage_error(const struct argp_state *state, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "zsmsim: %s: ", state->argv[0]);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	putc('\n', stderr);
	exit(EXIT_WRONG);
}

uint64_t cli_number(const struct argp_state *state, const char *option, const char *text, uint64_t least,
		    uint64_t most)
{
	char *end;
	uint64_t value;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (!isdigit((unsigned char)*text) || *end || errno || value < least || value > most)
		cli_usage_error(state, "%s %.40s: not a number it takes; give a whole number from %" PRIu64
				" to %" PRIu64, option, text, least, most);
	return value;
}

unsigned cli_default_jobs(void)
{
	long nr = sysconf(_SC_NPROCESSORS_ONLN);

	return nr < 1 ? 1 : nr > JOBS_MAX ? JOBS_MAX : (unsigned)nr;
}

/* ---- what was wrong with an option ---- */

static const struct argp_option *find_long(const struct argp_option *options, const char *name)
{
	size_t nr = strcspn(name, "=");

	for (; options->name || options->key; options++) {
		if (options->name && !strncmp(options->name, name, nr))
			return options;
	}
	return NULL;
}

static const struct argp_option *find_short(const struct argp_option *options, int key)
{
	for (; options->name || options->key; options++) {
		if (options->key == key && isgraph(key))
			return options;
	}
	return NULL;
}

static void __attribute__((noreturn)) unknown_long(const struct argp_state *state, const char *word)
{
	const char *names[OPTIONS_MAX + 1] = { 0 };
	const struct argp_option *option = state->root_argp->options;
	char given[64];

	for (size_t nr = 0; nr < OPTIONS_MAX && (option->name || option->key); option++) {
		if (option->name)
			names[nr++] = option->name;
	}
	snprintf(given, sizeof(given), "%.*s", (int)strcspn(word + 2, "="), word + 2);
	cli_usage_error(state, "--%s: unknown option; the nearest is --%s", given, nearest_word(given, names));
}

static void __attribute__((noreturn)) wrong_long(const struct argp_state *state, const char *word)
{
	const struct argp_option *option = find_long(state->root_argp->options, word + 2);

	if (!option)
		unknown_long(state, word);
	if (option->arg)
		cli_usage_error(state, "--%s: its value is missing; write --%s %s", option->name, option->name,
				option->arg);
	cli_usage_error(state, "--%s: takes no value; leave it out", option->name);
}

/* A cluster of letters: the first that is unknown, or the last, whose value is missing. */
static void __attribute__((noreturn)) wrong_short(const struct argp_state *state, const char *word)
{
	const struct argp_option *option = NULL;

	for (const char *at = word + 1; *at; at++) {
		option = find_short(state->root_argp->options, *at);
		if (!option)
			cli_usage_error(state, "-%c: unknown option; see zsmsim %s --help", *at,
					state->argv[0]);
		if (option->arg)
			break;
	}
	if (option)
		cli_usage_error(state, "-%c: its value is missing; write -%c %s", option->key, option->key,
				option->arg ? option->arg : "");
	cli_usage_error(state, "wrong option; see zsmsim %s --help", state->argv[0]);
}

/* May this word be what getopt stumbled over? */
static bool is_suspect(const struct argp_state *state, int index)
{
	const char *word = index > 0 && index < state->argc ? state->argv[index] : "";
	const struct argp_option *option;

	if (word[0] != '-' || !word[1])
		return false;
	if (word[1] == '-')
		return true;
	for (word++; *word; word++) {
		option = find_short(state->root_argp->options, *word);
		if (!option)
			return true;
		if (option->arg)
			return word[1] == '\0';
	}
	return false;
}

/*
 * getopt has moved on behind a long option or the last letter of a cluster,
 * but stands before a cluster with letters left.
 */
static void __attribute__((noreturn)) wrong_option(const struct argp_state *state)
{
	int at = is_suspect(state, state->next - 1) ? state->next - 1 : state->next;
	const char *word = at < state->argc ? state->argv[at] : "-";

	if (!strncmp(word, "--", 2))
		wrong_long(state, word);
	wrong_short(state, word);
}

/* ---- common keys ---- */

void cli_print_version(void)
{
	printf("zsmsim %s\n", build_version());
	printf("simulated software: build %s, %s\n", build_model_id(), build_model_compiler());
	printf("simulator: %s\n", build_compiler());
}

static void __attribute__((noreturn)) print_help(const struct argp_state *state)
{
	char name[64];

	snprintf(name, sizeof(name), "zsmsim %s", state->argv[0]);
	argp_help(state->root_argp, stdout, ARGP_HELP_USAGE | ARGP_HELP_PRE_DOC | ARGP_HELP_LONG | ARGP_HELP_POST_DOC,
		  name);
	exit(cli_finish(EXIT_DONE));
}

error_t cli_common(int key, struct argp_state *state)
{
	switch (key) {
	case 'h':
		print_help(state);
	case 'V':
		cli_print_version();
		exit(cli_finish(EXIT_DONE));
	case ARGP_KEY_ERROR:
		wrong_option(state);
	}
	return ARGP_ERR_UNKNOWN;
}

void cli_parse(const struct argp *argp, int argc, char **argv, void *input)
{
	if (argp_parse(argp, argc, argv, ARGP_NO_ERRS | ARGP_NO_HELP | ARGP_NO_EXIT, NULL, input)) {
		fprintf(stderr, "zsmsim: %s: wrong arguments; see zsmsim %s --help\n", argv[0], argv[0]);
		exit(EXIT_WRONG);
	}
}

int cli_finish(int status)
{
	bool bad = ferror(stdout);

	if ((fflush(stdout) || bad) && status == EXIT_DONE) {
		fprintf(stderr, "zsmsim: standard output: %s; what was printed is not complete\n",
			strerror(errno));
		return EXIT_FAULT;
	}
	return status;
}

/* What went wrong while writing shows when the file is closed. */
int cli_write_text(const char *output, const char *text)
{
	FILE *out = output ? fopen(output, "w") : stdout;
	bool written;

	if (!out) {
		fprintf(stderr, "zsmsim: %s: %s; name a file that can be written\n", output, strerror(errno));
		return EXIT_WRONG;
	}
	written = fputs(text, out) >= 0;
	if (!output)
		return EXIT_DONE;
	if (fclose(out) == 0 && written)
		return EXIT_DONE;
	fprintf(stderr, "zsmsim: %s: %s\n", output, strerror(errno));
	return EXIT_FAULT;
}
