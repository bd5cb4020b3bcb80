/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * host.h - run a program of the test module on a machine, in a process of its
 * own (module and machine exist once in a process, and a fault ends it), and
 * hand the outcome back in shared memory.
 */
#ifndef TESTS_MODULE_HOST_H
#define TESTS_MODULE_HOST_H

#include "sim/machine.h"
#include "sim/names.h"
#include "tests/module/program.h"

#define HOST_MAX_EVENTS	(1u << 16)
#define HOST_TEXT	8192

#define A55	"cortex-a55"
#define A76	"cortex-a76"
#define X86	"i7-14700hx-p"

struct host_event {
	uint64_t ps;
	uint64_t value;
	uint32_t what;
	uint32_t cpu;
};

/* What is of interest in a CPU when all is over. */
struct host_cpu {
	uint64_t clock, insns, branches, loads, stores, rmws, l1_misses, mispredicts;
	uint64_t booked[NR_CAUSES];
};

struct host_result {
	bool done;			/* the run came to its end */
	bool faulted;			/* an oracle ended it */
	char text[HOST_TEXT];		/* its report, or what else went wrong */
	uint64_t trace_hash, accesses, value;
	struct machine_stats stats;
	struct host_cpu cpu[HW_MAX_CPUS];
	unsigned nr_locks;
	struct lock_stats lock[MAX_LOCK_CLASSES];	/* names: in lock_name */
	char lock_name[MAX_LOCK_CLASSES][32];
	uint64_t note[8];		/* for the test's own `after` */
	uint32_t nr_events;
	struct host_event event[HOST_MAX_EVENTS];
};

struct host_setup {
	const char *program;		/* symbol of the test module */
	const char *profile[4];		/* CPU i has profile[i % nr_profiles] */
	unsigned nr_profiles;		/* 0: one */
	unsigned nr_cpus, users;	/* users 0: all */
	unsigned cpus_per_cluster;	/* 0: one cluster */
	uint64_t memory_mb;		/* 0: 64 */
	uint64_t jitter;		/* seed of a random schedule; 0: none */
	uint64_t arg[PROGRAM_ARGS];
	bool no_park;
	void (*tune)(struct profile *p);		/* change the figures, in the child */
	void (*before)(struct host_result *r);		/* in the child, between prepare and run */
	void (*after)(struct host_result *r);		/* in the child, after the run */
};

/*
 * Run it; returns the result, which host_free() releases. A run that did not
 * end has done == false and says why in text.
 */
struct host_result *host_run(const struct host_setup *setup);
void host_free(struct host_result *r);

/* As host_run() in this very process; for programs that run nothing else. */
void host_run_here(const struct host_setup *setup, struct host_result *r);

/* The @n-th (from 0) event @what of @cpu (-1: any); NULL if there is none. */
const struct host_event *host_event(const struct host_result *r, unsigned what, int cpu, unsigned n);
/* Time from the first event @from to the first event @to of @cpu, ps. */
uint64_t host_span(const struct host_result *r, int cpu, unsigned from, unsigned to);
/* The lock class @name, or NULL. */
const struct lock_stats *host_lock(const struct host_result *r, const char *name);
/* Load a profile, without the cost of address translation, or end the program. */
struct profile *host_profile(const char *name);

#endif
