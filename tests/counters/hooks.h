/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hooks.h - how often each basic block of the software was executed. */
#ifndef TESTS_COUNTERS_HOOKS_H
#define TESTS_COUNTERS_HOOKS_H

#include <stdint.h>

struct counted_block {
	const void *mark;		/* within 4 bytes before, the block begins: it belongs to this function */
	uint64_t executed;		/* times */
	uint64_t insns, branches;	/* of all these times */
};

/* Count from here on; the module is loaded. */
void counters_begin(void);
/* Call @each for every block that was executed, by address. */
void counters_each_block(void (*each)(const struct counted_block *b));

#endif
