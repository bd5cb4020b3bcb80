/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * program.h - what a small program for the simulated machine and the test
 * that runs it agree on. The programs are instrumented and linked with
 * model/kernel/ into one module, which exports each as a `struct program`.
 */
#ifndef TESTS_MODULE_PROGRAM_H
#define TESTS_MODULE_PROGRAM_H

#include <stdint.h>

#define PROGRAM_ARGS 6

struct program_config {
	unsigned nr_cpus;		/* of the machine */
	unsigned users;			/* CPUs 0 .. users - 1 take part, the others idle */
	uint64_t memory_bytes;
	uint64_t arg[PROGRAM_ARGS];	/* meaning: see the program */
};

struct program {
	/* on CPU 0 in functional mode, before the run */
	void (*prepare)(const struct program_config *config);
	/* each CPU's first function; never returns */
	void (*cpu_main)(void *unused);
	/* on CPU 0 in functional mode, after the run: checks, and a result for the test */
	uint64_t (*finish)(void);
};

#define PROGRAM(name) __attribute__((visibility("default"))) const struct program name

/*
 * Observer: the test notes @what and @value with the CPU's number and clock.
 * The prefix tells the counter of instructions that the call is not there.
 */
void hw_mark_event(unsigned what, uint64_t value);

#endif
