/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * failure.h - why something could not be done: an exit status and the text
 * for standard error. Who notices it writes it; everybody above only passes
 * the status on.
 */
#ifndef ZSMSIM_TREES_FAILURE_H
#define ZSMSIM_TREES_FAILURE_H

#define FAILURE_HOST 1		/* the machine would not: disk full, interrupted */
#define FAILURE_INPUT 2		/* what was given is wrong */

struct failure {
	int status;		/* 0: none */
	char *text;		/* one line without newline; more, indented, may follow it */
};

/* Note @status and the text of @format, in place of any before. Returns @status. */
int fail(struct failure *failure, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Append text to what fail() noted. */
void fail_more(struct failure *failure, const char *format, ...) __attribute__((format(printf, 2, 3)));

void failure_free(struct failure *failure);

#endif
