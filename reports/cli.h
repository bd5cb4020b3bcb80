/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cli.h - the commands. Each takes its own arguments, argv[0] being the
 * command's name, and returns the exit status: 0 done; 1 a fault was found or
 * something could not finish; 2 the command line or an input is wrong.
 */
#ifndef ZSMSIM_REPORTS_CLI_H
#define ZSMSIM_REPORTS_CLI_H

#include <argp.h>
#include <stdint.h>

#define EXIT_DONE 0
#define EXIT_FAULT 1
#define EXIT_WRONG 2

int cli_run(int argc, char **argv);
int cli_calibrate(int argc, char **argv);
int cli_compare(int argc, char **argv);
int cli_dump(int argc, char **argv);
int cli_kernel(int argc, char **argv);
int cli_hostprofile(int argc, char **argv);
int cli_list(int argc, char **argv);
int cli_native(int argc, char **argv);
int cli_sizes(int argc, char **argv);
int cli_validate(int argc, char **argv);

/* Print --version's text. */
void cli_print_version(void);

/*
 * Parse with @argp, whose parser gives unknown keys to cli_common(). Wrong
 * usage ends the program with one line and status 2, --help and --version end
 * it with status 0.
 */
void cli_parse(const struct argp *argp, int argc, char **argv, void *input);

/* The keys that all commands have: errors, --help, --version. */
error_t cli_common(int key, struct argp_state *state);

/* Options that every command's table ends with. */
#define CLI_COMMON_OPTIONS							\
	{ "help", 'h', 0, 0, "Print this and exit", -1 },			\
	{ "version", 'V', 0, 0, "Print version and builds and exit", -1 },	\
	{ 0 }

/* End with status 2 and "zsmsim: COMMAND: " before the message, in one line. */
void cli_usage_error(const struct argp_state *state, const char *format, ...)
	__attribute__((format(printf, 2, 3), noreturn));

/* The whole number that @text is, within [least, most]; or a usage error about @option. */
uint64_t cli_number(const struct argp_state *state, const char *option, const char *text, uint64_t least,
		    uint64_t most);

/* Runs to make at once if nobody says: one per CPU. */
unsigned cli_default_jobs(void);

/*
 * Write @text to the file @output, or to standard output if that is NULL.
 * Returns the exit status, the message printed. What else goes wrong with
 * standard output, cli_finish() sees.
 */
int cli_write_text(const char *output, const char *text);

/* @status, or 1 with a message if standard output did not take what was printed. */
int cli_finish(int status);

#endif
