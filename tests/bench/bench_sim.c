/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench_sim.c - measures the simulator on the host.
 *
 *   bench_sim access PROCS CPUS REGION_MB   host ns per simulated access of one munmap run (variant base)
 *   bench_sim switch                        host ns of one coroutine switch
 *
 * Each prints one line of figures for bench.sh.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "scenarios/experiment.h"
#include "sim/context.h"

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* Prints: ns per access, accesses, host ns of the measured phase, peak resident MB of the process. */
static int bench_access(unsigned procs, unsigned cpus, unsigned region_mb)
{
	struct run_spec spec = {
		.scenario = "bench",
		.variant = "base",
		.profile = "i7-14700hx-p",
		.seed = 1,
		.axes = { LOOKUP_CLASS_IN_OBJ, PAGE_RELEASE_OUTSIDE_CLASS_LOCK, FREE_SYNC, 64,
			  ZRAM_STATS_SHARED_ATOMIC },
		.clusters = { { "i7-14700hx-p", cpus } },
		.nr_clusters = 1,
		.memory_mb = region_mb * procs * 2 + 1024,
		.page_kb = 4,
		.chain_size = 8,
		.procs = procs,
		.region_mb = region_mb,
		.sample_us = 100,
	};
	struct result r = { 0 };
	struct rusage usage;
	int status = experiment_execute(&spec, &r);

	getrusage(RUSAGE_SELF, &usage);
	printf("%.2f %llu %llu %ld\n", (double)r.host_ns / (double)r.accesses, (unsigned long long)r.accesses,
	       (unsigned long long)r.host_ns, usage.ru_maxrss / 1024);
	return status;
}

#define SWITCHES 20000000ull

static void *main_sp, *other_sp;
static char stack[64 << 10] __attribute__((aligned(64)));

static void other(void *unused)
{
	(void)unused;
	for (;;)
		context_switch(&other_sp, main_sp);
}

static int bench_switch(void)
{
	uint64_t began;

	other_sp = context_make(stack, sizeof(stack), other, NULL);
	began = now_ns();
	for (uint64_t i = 0; i < SWITCHES / 2; i++)
		context_switch(&main_sp, other_sp);
	printf("%.2f\n", (double)(now_ns() - began) / (double)SWITCHES);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "switch"))
		return bench_switch();
	if (argc == 5 && !strcmp(argv[1], "access"))
		return bench_access((unsigned)atoi(argv[2]), (unsigned)atoi(argv[3]), (unsigned)atoi(argv[4]));
	fprintf(stderr, "usage: bench_sim switch | access PROCS CPUS REGION_MB\n");
	return 2;
}
