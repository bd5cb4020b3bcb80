/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell.h - command lines that can be pasted into a shell. */
#ifndef ZSMSIM_REPORTS_SHELL_H
#define ZSMSIM_REPORTS_SHELL_H

/* @text as one word of a shell, quoted if need be; newly allocated. */
char *shell_word(const char *text);

/* The @nr words of @argv as one line; newly allocated. */
char *shell_line(int nr, char *const *argv);

#endif
