/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory.h - what memory.c can be asked for. */
#ifndef TESTS_MODULE_MEMORY_H
#define TESTS_MODULE_MEMORY_H

#include "tests/module/program.h"

enum memory_mode {
	MEMORY_CHASE,			/* arg[1] loads, each at the address that the one before returned */
	MEMORY_INDEPENDENT,		/* 32 loads of 32 lines; arg[1]: forty instructions between two */
	MEMORY_MISS_AFTER,		/* a load that misses, after arg[1] times forty instructions, or (0) after work */
	MEMORY_BEHIND,			/* a load that misses, then one that hits: relaxed */
	MEMORY_BEHIND_ACQUIRE,		/* the same, the first one with acquire order */
	MEMORY_BRANCHES,		/* a branch on each of arg[1] values that miss */
	MEMORY_PING_PONG,		/* CPUs 0 and 1 take turns to add to one word, arg[1] times each */
	MEMORY_HAMMER,			/* all CPUs add to one word, arg[1] times each */
	MEMORY_WORK_FIRST,		/* CPU 1 adds; CPU 0 misses, works for 10 units, adds */
};

enum memory_event { MEMORY_BEGIN = 1, MEMORY_END, MEMORY_BEFORE, MEMORY_AFTER };

/* Offsets in simulated memory. */
#define MEMORY_WORD	0x10000ull	/* the one word */
#define MEMORY_WARM	0x20000ull	/* is in L1 when it matters */
#define MEMORY_RING	0x100000ull	/* where the chase starts */
#define MEMORY_FAR	0x200000ull	/* lines for the rest, three pages apart: no stream to follow */
#define MEMORY_STRIDE	(3 * 4096ull + 64)

#endif
