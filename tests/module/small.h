/* SPDX-License-Identifier: GPL-3.0-or-later */
/* small.h - the functions of small.c. */
#ifndef TESTS_MODULE_SMALL_H
#define TESTS_MODULE_SMALL_H

#include "tests/module/program.h"

enum small_function {
	SMALL_NOTHING,			/* frame and return: what calling costs */
	SMALL_ADD_UP,			/* a loop of loads */
	SMALL_SET_FIELDS,		/* straight stores */
	SMALL_WALK,			/* a list, a condition */
	SMALL_FIBONACCI,		/* calls */
	SMALL_CHOOSE,			/* a switch */
	SMALL_COUNT,			/* atomics */
	NR_SMALL_FUNCTIONS
};

/* Set the data; call function @which with @n. In the module and, uninstrumented, in the test itself. */
void small_fill(void);
uint64_t small_call(unsigned which, uint64_t n);

#endif
