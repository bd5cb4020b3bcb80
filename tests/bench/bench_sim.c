/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench_sim.c - measures the simulator on the host.
 *
 *   bench_sim access PROCS CPUS REGION_MB   host ns per simulated access of one munmap run (variant base)
 *   bench_sim age POOL_MB OBJECT_BYTES ROUNDS  operations a minute of ageing a pool without timing, and a timed part after it
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

/* Objects in use, from the text of a dump: the total's second number behind the groups. */
static uint64_t objects_in(const char *classes)
{
	const char *total = strstr(classes, "Total");
	uint64_t value = 0;
	char *end = total ? (char *)total + strlen("Total") : NULL;

	for (int column = 0; end && column < 13; column++)
		value = strtoull(end, &end, 10);
	return value;
}

#define AGEING_PERCENT 20u

/*
 * Fills a pool and frees and stores a fifth of it in each round, in functional
 * mode, then goes on in timed mode with the same pool. Prints: operations, host
 * ns for them, operations a minute, simulated ps of the timed part.
 */
static int bench_age(unsigned pool_mb, unsigned object_bytes, unsigned rounds)
{
	struct run_spec spec = {
		.scenario = "bench",
		.variant = "base",
		.profile = "cortex-a55",
		.seed = 1,
		.axes = { LOOKUP_CLASS_IN_OBJ, PAGE_RELEASE_OUTSIDE_CLASS_LOCK, FREE_SYNC, 64,
			  ZRAM_STATS_SHARED_ATOMIC },
		.clusters = { { "cortex-a55", 2 } },
		.nr_clusters = 1,
		.memory_mb = pool_mb * 3 / 2 + 1024,
		.page_kb = 4,
		.chain_size = 8,
		.kind = WORKLOAD_COMPACTION,
		.compaction = { .pool_mb = pool_mb, .object_bytes = object_bytes, .ageing_rounds = rounds,
				.ageing_percent = AGEING_PERCENT, .passes = 1, .goal_pages = 128, .tasks = 1, .burst = 1000 },
		.sample_us = 100,
	};
	struct result r = { 0 };
	uint64_t began = now_ns(), ns, objects, operations;

	experiment_prepare(&spec, &r);
	ns = now_ns() - began;
	experiment_measure(&spec, &r);
	objects = objects_in(r.classes);
	operations = objects + objects * AGEING_PERCENT / 100 * 2 * rounds;
	printf("%llu %llu %.0f %llu\n", (unsigned long long)operations, (unsigned long long)ns,
	       (double)operations / (double)ns * 60e9, (unsigned long long)r.sim_ps);
	return r.fault != NULL || !objects;
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
	if (argc == 5 && !strcmp(argv[1], "age"))
		return bench_age((unsigned)atoi(argv[2]), (unsigned)atoi(argv[3]), (unsigned)atoi(argv[4]));
	fprintf(stderr, "usage: bench_sim switch | age POOL_MB OBJECT_BYTES ROUNDS | access PROCS CPUS REGION_MB\n");
	return 2;
}
