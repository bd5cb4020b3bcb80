/* SPDX-License-Identifier: GPL-3.0-or-later */
/* defines.h - what the user sets: NAME=VALUE, the last of a name counts. */
#ifndef ZSMSIM_TREES_DEFINES_H
#define ZSMSIM_TREES_DEFINES_H

#include <stdbool.h>
#include <stddef.h>

#include "trees/failure.h"

#define DEFINES_VALUE_MAX 1000	/* bytes of a value */

struct define {
	char *name, *value;
};

struct defines {
	struct define *at;	/* in order of names */
	size_t nr;
};

/* Add NAME=VALUE. FAILURE_INPUT if @text is not of this form: "--define TEXT: what; what would be right". */
int defines_add(struct defines *defines, const char *text, struct failure *failure);
/* The value given for @name, or NULL. */
const char *defines_value(const struct defines *defines, const char *name);
/* "A=1 B=y", newly allocated; "" if there are none. */
char *defines_text(const struct defines *defines);
void defines_free(struct defines *defines);

#endif
