/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli.c - the program: finds the command that was asked for. */
#include "config.h"

#include "reports/cli.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "scenarios/nearest.h"

static int later(int argc, char **argv)
{
	(void)argc;
	fprintf(stderr, "zsmsim: %s: this command comes in a later version; zsmsim --help lists what is there\n",
		argv[0]);
	return EXIT_WRONG;
}

static const struct command {
	const char *name;
	int (*execute)(int argc, char **argv);
	const char *summary;
} commands[] = {
	{ "run", cli_run, "run scenarios, print a table, store all in a database" },
	{ "compare", cli_compare, "the variants in a database side by side" },
	{ "dump", cli_dump, "the pool of a run as debugfs would print it" },
	{ "list", cli_list, "what variants, profiles, metrics and scenarios there are" },
	{ "sizes", cli_sizes, "how large the pages of a file become when they are compressed" },
	{ "hostprofile", cli_hostprofile, "measure this machine, write a profile of it" },
	{ "native", cli_native, "run a scenario's processes for real, on this machine" },
	{ "report", later, NULL },
	{ "kernel", cli_kernel, "make a variant of a kernel tree's own allocator" },
	{ "validate", cli_validate, "the published measurements, simulated" },
	{ "calibrate", cli_calibrate, "fit a profile to the row that it may be fitted to" },
	{ "trace", later, NULL },
};

#define NR_COMMANDS (sizeof(commands) / sizeof(*commands))

static int print_help(void)
{
	puts("Usage: zsmsim COMMAND [ARGUMENT...]\n"
	     "Simulate zsmalloc on CPUs of several kinds.\n");
	for (size_t i = 0; i < NR_COMMANDS; i++) {
		if (commands[i].summary)
			printf("  %-11s %s\n", commands[i].name, commands[i].summary);
	}
	puts("\n"
	     "  -h, --help     print this and exit\n"
	     "  -V, --version  print version and builds and exit\n"
	     "\n"
	     "zsmsim COMMAND --help tells about a command, as does its manual page: zsmsim-run(1).\n"
	     "Exit status: 0 done; 1 a fault was found or a run could not finish; 2 the command\n"
	     "line or an input is wrong.");
	return cli_finish(EXIT_DONE);
}

static int unknown(const char *word)
{
	const char *names[NR_COMMANDS + 1] = { 0 };

	for (size_t i = 0; i < NR_COMMANDS; i++)
		names[i] = commands[i].name;
	fprintf(stderr, "zsmsim: %.40s: unknown command; the nearest is %s\n", word, nearest_word(word, names));
	return EXIT_WRONG;
}

int main(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : "";

	/* A limit on file sizes is to be met as a failing write, like a full disk. */
	signal(SIGXFSZ, SIG_IGN);
	if (!strcmp(word, "--help") || !strcmp(word, "-h"))
		return print_help();
	if (!strcmp(word, "--version") || !strcmp(word, "-V")) {
		cli_print_version();
		return cli_finish(EXIT_DONE);
	}
	for (size_t i = 0; i < NR_COMMANDS; i++) {
		if (!strcmp(commands[i].name, word))
			return commands[i].execute(argc - 1, argv + 1);
	}
	if (*word)
		return unknown(word);
	fputs("zsmsim: no command; name one of run, compare, list, kernel, validate (zsmsim --help)\n", stderr);
	return EXIT_WRONG;
}
