/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * module.h - what zsmsim-native.so offers its host.
 *
 * The module is the code of model/, compiled without instrumentation, on a
 * machine that is the host itself: CPU i of the software is a thread that
 * never leaves one CPU of the host, memory is memory, a kick is a futex. It
 * has globals, so a process makes one run, and forks before it.
 *
 * Order of calls: create(), model->prepare(), run(), model->finish(), all by
 * the thread that loaded it. Before and after run() that thread is CPU 0 and
 * kicks nobody, as in the simulator's functional mode.
 */
#ifndef ZSMSIM_NATIVE_MODULE_H
#define ZSMSIM_NATIVE_MODULE_H

#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

struct native_machine {
	unsigned nr_cpus;		/* 1 .. HW_MAX_CPUS */
	const int *host_cpu;		/* for each, the host's number; all different */
	uint64_t memory_bytes;
	size_t sweep_bytes;		/* each CPU reads so much before it starts, to begin with cold caches */
	unsigned timeout_s;		/* longest time that run() may take */
	/*
	 * The software found itself broken and says so in @report. Called once, by
	 * the thread that found it, on a stack of some 60 KiB; must end the process.
	 */
	void (*on_fault)(const char *report);
};

struct native_mark {			/* see hw_mark() */
	const char *name;
	unsigned index;
	uint64_t ns;			/* CLOCK_MONOTONIC */
};

struct native_disturbance {		/* of the whole process between the start and the rest */
	long page_faults, preemptions;
};

struct native_ops {
	const struct model_ops *model;
	/*
	 * Map memory at its address, all pages present, and take the thread to the
	 * first CPU. Returns 0, or -1 and one line in @error.
	 */
	int (*create)(const struct native_machine *machine, char *error, size_t error_bytes);
	/*
	 * Let all CPUs start at once and wait until none has anything to do.
	 * Returns 0; or -1 after timeout_s: some CPU waits for what never comes.
	 */
	int (*run)(void);
	/* Afterwards: what happened when, and when the last CPU came to rest. */
	const struct native_mark *(*marks)(size_t *nr);
	uint64_t (*rest_ns)(void);
	struct native_disturbance (*disturbance)(void);
	/* The software's compressor, to be timed: pages of 4 KiB, @dst has room for 2 of them. */
	size_t (*compress)(const void *page, void *dst);
	size_t (*decompress)(const void *data, size_t bytes, void *page);
};

#endif
