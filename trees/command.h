/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * command.h - other programs (compiler, patch), run one at a time, and what
 * happens to them and to us when the user interrupts.
 */
#ifndef ZSMSIM_TREES_COMMAND_H
#define ZSMSIM_TREES_COMMAND_H

#include <stdbool.h>

#include "trees/files.h"
#include "trees/names.h"

/*
 * From here on SIGINT, SIGTERM and SIGHUP do not end the program: they end the
 * command that runs, no further one is started, and command_interrupted() says
 * so. command_forget_signals() puts things back.
 */
void command_catch_signals(void);
void command_forget_signals(void);
bool command_interrupted(void);

/*
 * Run @words, found along $PATH, in the directory / with messages in English,
 * temporary files in @scratch, and @input (or nothing, if NULL) as standard
 * input. Its output and messages go to @output, in the order written. Returns
 * its exit status; 128 + the number of a signal that ended it; -1 with errno
 * set if it could not be started (EINTR: interrupted).
 */
int command_run(const struct names *words, const char *scratch, const struct text *input, struct text *output);

#endif
