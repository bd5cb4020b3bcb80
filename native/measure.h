/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * measure.h - what the machine takes: the measurements of `zsmsim hostprofile`.
 *
 * Each measurement is a function that returns one sample and is called again
 * and again; what it amounts to is in spread.h. A sample lasts about a tenth
 * of a millisecond: long against the clock's steps, short against the time
 * that a scheduler gives to others, so that even on a busy machine most
 * samples are not disturbed at all and the median is one of those.
 */
#ifndef ZSMSIM_NATIVE_MEASURE_H
#define ZSMSIM_NATIVE_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "native/host.h"
#include "native/spread.h"

#define MEASURE_LINE	64
#define MEASURE_THREADS	64		/* most at once */

/* Where to measure, and memory for it. Begin with all zero. */
struct bench {
	const struct host *host;
	const struct cpu_list *cpus;	/* the first is where one thread is measured */
	unsigned repeats;		/* samples of each figure */
	char *arena;			/* several times the last-level cache */
	size_t arena_bytes;
	double ghz;			/* once measured */
	double atomic_ns;
};

/* Make room in @b->arena; 0, or -1 with errno. Pins the thread to the first CPU. */
int bench_create(struct bench *b);
void bench_destroy(struct bench *b);

typedef double (*sample_fn)(struct bench *b, size_t arg);

/* @b->repeats samples of @fn(b, arg), after one that does not count. */
struct spread bench_repeat(struct bench *b, sample_fn fn, size_t arg);

/* CLOCK_MONOTONIC in nanoseconds. */
uint64_t bench_now_ns(void);

/* The same pseudo-random numbers each time; @state must not be 0. */
uint64_t bench_random(uint64_t *state);

/*
 * Call fn(index, arg) on a thread on each of the @nr CPUs at @cpu, all at once
 * when all are there, and wait for them. The program ends if that cannot be.
 */
void bench_together(const int *cpu, unsigned nr, void (*fn)(unsigned index, void *arg), void *arg);

/* ---- core.c: one core, its caches warm ---- */

double sample_clock_ghz(struct bench *b, size_t unused);
double sample_issue_width(struct bench *b, size_t unused);	/* instructions a cycle at best */
double sample_mispredict_ns(struct bench *b, size_t unused);
double sample_atomic_ns(struct bench *b, size_t unused);	/* fetch-and-add, line held */
double sample_cmpxchg_ns(struct bench *b, size_t unused);
double sample_fence_ns(struct bench *b, size_t unused);
double sample_drain_ns(struct bench *b, size_t stores);		/* a fence behind so many stores */
double sample_relax_ns(struct bench *b, size_t unused);

/*
 * Instructions per cycle of list and counter code that stays in the first
 * level. What it executes is counted beforehand by single steps of a child:
 * *@instructions of a round. False if the system does not let us.
 */
bool count_instructions(double *instructions);
double sample_round_ns(struct bench *b, size_t unused);

/* ---- memory.c ---- */

double sample_chase_ns(struct bench *b, size_t bytes);		/* load to use; chase_prepare() first */
void chase_prepare(struct bench *b, size_t bytes);
double sample_parallel_ns(struct bench *b, size_t chains);	/* a load, of so many independent at once */
double sample_read_gb_s(struct bench *b, size_t cpus);		/* from memory, in all */
double sample_copy_gb_s(struct bench *b, size_t unused);	/* cold pages of 4 KiB */
double sample_zero_gb_s(struct bench *b, size_t unused);

/*
 * ---- window.c: two independent loads that miss, and between them 10 x @n
 * instructions, 4 x @n stores or @n atomics. chase_prepare() of the whole
 * memory first.
 */

#define APART_INSTRUCTIONS	10
#define APART_STORES		4

double sample_apart_instructions_ns(struct bench *b, size_t n);
double sample_apart_stores_ns(struct bench *b, size_t n);
double sample_apart_atomics_ns(struct bench *b, size_t n);

#define APART_REPEATS	51
#define APART_FACTOR	1.5		/* two misses, one after the other, take 2 */

/* The median of APART_REPEATS samples of @fn with @n. */
double apart_ns(struct bench *b, sample_fn fn, size_t n);
/* The least @n from which two misses are no longer waited for together; 0: there is none up to @most. */
size_t apart_edge(struct bench *b, sample_fn fn, size_t most);

/* ---- lines.c: between CPUs; arg is a pair of indices in b->cpus, see PAIR() ---- */

#define PAIR(i, j)	((size_t)(i) << 16 | (j))
#define PAIR_FIRST(p)	((unsigned)((p) >> 16))
#define PAIR_SECOND(p)	((unsigned)((p) & 0xffff))

double sample_ping_pong_ns(struct bench *b, size_t pair);	/* one way, by compare-and-exchange */
double sample_read_dirty_ns(struct bench *b, size_t pair);	/* load of a line that the other modified */
double sample_upgrade_ns(struct bench *b, size_t pair);		/* atomic on a line that both share */
double sample_contended_ns(struct bench *b, size_t cpus);	/* between two atomics on one line by so many CPUs */

/* ---- system.c ---- */

double sample_syscall_ns(struct bench *b, size_t unused);
double sample_handover_ns(struct bench *b, size_t unused);	/* pipe, two threads on one CPU, one way */
double sample_page_fault_ns(struct bench *b, size_t unused);	/* first touch of a page, its clearing included */
double sample_clock_step_ns(struct bench *b, size_t unused);
double sample_lost_percent(struct bench *b, size_t unused);	/* of a spinning thread's time */

struct kick_times {
	double send_ns;			/* in the system call that wakes */
	double arrive_ns;		/* from its end to the woken thread's first step; may be negative */
};
struct kick_times sample_kick(struct bench *b, size_t pair);

#endif
