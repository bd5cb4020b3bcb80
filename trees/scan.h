/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scan.h - what a C file defines, told from its text alone. Conditional parts
 * are read as if all of them were there: what is defined under any condition
 * counts.
 */
#ifndef ZSMSIM_TREES_SCAN_H
#define ZSMSIM_TREES_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "trees/names.h"

struct scan_function {
	char *name;
	unsigned params;	/* of the first definition; f(void) has 0 */
	size_t order;		/* among all definitions */
};

struct scan {
	struct scan_function *functions;	/* defined at file scope, prototypes are not */
	size_t nr_functions;
	struct names fields;			/* STRUCT_FIELD, of each struct with a tag */
	struct names enums;			/* enumeration constants */
	struct names macros;
	struct names words;			/* all identifiers that occur, in directives too */
	struct names includes;			/* linux/mm.h, in order */
};

/* Read @bytes bytes at @text and add what is found; @scan is zeroed before the first. */
void scan_text(struct scan *scan, const char *text, size_t bytes);
/* Put all lists but the includes in order, each name once. To be called after the last scan_text(). */
void scan_finish(struct scan *scan);
void scan_free(struct scan *scan);

/* The function of this name, or NULL. */
const struct scan_function *scan_function(const struct scan *scan, const char *name);

#endif
