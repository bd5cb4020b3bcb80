/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fake_experiment.c - stands in the place of scenarios/experiment.c in
 * zsmsim-fake, the program that the tests of the command line run: figures at
 * once, by a formula over the specification, and every way for a run to end
 * badly. "break" in the scenario chooses which; ZSMSIM_FAKE_US delays a run.
 */
#include "scenarios/experiment.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void (*fault_exit)(struct result *);

void experiment_on_fault(void (*fn)(struct result *result))
{
	fault_exit = fn;
}

/* ZSMSIM_FAKE_ABSENT: the project's own module is not there. */
static bool absent(void)
{
	return getenv("ZSMSIM_FAKE_ABSENT");
}

void experiment_preload(void)
{
	if (!absent())
		return;
	fputs("zsmsim: the fake has no module\n", stderr);
	exit(1);
}

char *experiment_module_path(void)
{
	return absent() ? NULL : strdup("/proc/self/exe");
}

/* Another build of the software, if a test wants one. */
const char *build_model_id(void)
{
	const char *id = getenv("ZSMSIM_FAKE_BUILD");

	return id ? id : "fake";
}

static void delay(void)
{
	const char *us = getenv("ZSMSIM_FAKE_US");

	if (us)
		usleep(strtoul(us, NULL, 10));
}

static void end_badly(const struct run_spec *spec, struct result *result)
{
	switch (spec->break_what) {
	case BREAK_DOUBLE_FREE:
		result->fault = strdup("fault: freed twice\nat 12 ns on CPU 0\n");
		fault_exit(result);
		break;
	case BREAK_DEADLOCK:
		for (;;)
			pause();
	case BREAK_LEAK:
		/* As a crash, but without a core file. */
		raise(SIGKILL);
		break;
	case BREAK_LOSE_PAGE:
		fputs("zsmsim: the fake gives up\n", stderr);
		exit(1);
	default:
		break;
	}
}

/* Time to unmap: in proportion to the region, less when deferred, a little more with each seed. */
static int64_t munmap_ps(const struct run_spec *spec)
{
	int64_t ps_per_mb = spec->axes.free == FREE_SYNC ? 50000123 : 20000077;

	return ps_per_mb * spec->region_mb * spec->procs + (int64_t)spec->seed * 1000003 *
	       (spec->axes.free == FREE_SYNC ? 1 : 3);
}

static void fill_metrics(const struct run_spec *spec, struct result *r)
{
	int64_t ps = munmap_ps(spec);
	char stat[16];

	for (unsigned i = 0; i < spec->procs; i++) {
		snprintf(stat, sizeof(stat), "p%u", i);
		result_add_metric(r, "munmap_ms", "ms", stat, ps + i, 9);
	}
	result_add_metric(r, "munmap_ms", "ms", "mean", ps, 9);
	result_add_metric(r, "munmap_ms", "ms", "max", ps + spec->procs - 1, 9);
	result_add_metric(r, "free_complete_ms", "ms", "value", 2 * ps, 9);
	result_add_metric(r, "line_transfers", "transfers", "total", spec->procs - 1, 0);
	result_add_metric(r, "lock_wait_ms", "ms", "class lock", ps / 10, 9);
	result_add_metric(r, "lock_wait_ms", "ms", "zone lock", ps / 20, 9);
}

static void fill_tables(const struct run_spec *spec, struct result *r)
{
	int64_t ps = munmap_ps(spec);
	struct result_lock lock = { .lock = "class lock", .acquisitions = 9, .wait_ps = (uint64_t)ps / 10 };
	struct result_lines lines = { .group = "zram stats", .transfers = spec->procs, .misses = 1 };

	result_add_series(r, "free_pages", "pages");
	result_add_series(r, "pinned_pages", "pages");
	for (unsigned i = 0; i < 50; i++) {
		result_add_sample(r, 0, i * 1000, 1000 + i);
		result_add_sample(r, 1, i * 1000, -(int64_t)i);
	}
	result_add_cause(r, "unmap/0", "instructions", (uint64_t)ps / 2);
	result_add_cause(r, "unmap/0", "line transfer", (uint64_t)ps / 2);
	result_add_lock(r, &lock);
	result_add_lines(r, &lines);
}

int experiment_execute(const struct run_spec *spec, struct result *result)
{
	delay();
	end_badly(spec, result);
	result->trace_hash = (uint64_t)munmap_ps(spec) * 0x9e3779b97f4a7c15;
	result->sim_ps = (uint64_t)munmap_ps(spec);
	result->accesses = 1000;
	/* As the real one: different each time, so that a leak into the CSV would show. */
	result->host_ns = (uint64_t)getpid();
	result->mm_stat = strdup("1 2 3 4 5 6 7 8 9\n");
	result->classes = strdup(" class  size\n");
	fill_metrics(spec, result);
	fill_tables(spec, result);
	return 0;
}

/* In halves: nothing to prepare, and what may be shared is what differs in the profile only. */
void experiment_prepare(const struct run_spec *spec, struct result *result)
{
	(void)spec;
	(void)result;
}

void experiment_use_profiles(const struct run_spec *spec)
{
	(void)spec;
}

void experiment_measure(const struct run_spec *spec, struct result *result)
{
	if (experiment_execute(spec, result))
		_exit(1);
}

bool experiment_same_start(const struct run_spec *a, const struct run_spec *b)
{
	return !strcmp(a->variant_text, b->variant_text) && a->seed == b->seed && a->procs == b->procs &&
	       a->region_mb == b->region_mb;
}
