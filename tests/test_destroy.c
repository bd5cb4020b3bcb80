/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Destroying a swap device with frees pending, in each scheme of the axis `free` and
 * at each stage of its drain: on simulated CPUs, where a worker or a thread is really in
 * the middle of it. The machine's oracles see a double free, freed memory that is used,
 * a lock that is left, a deadlock; the pool's end sees an object that is left.
 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "model/model.h"
#include "tests/module/destroy.h"
#include "tests/module/host.h"

#define MODULE ABS_TOP_BUILDDIR "/tests/module/destroy.so"
#define SLOTS 3000u
#define LIST_SLOTS 18000u		/* above half of the list's room, where its worker begins */
#define STAGES 60u

TestSuite(destroy, .timeout = 300);

static uint64_t run(enum axis_free free, unsigned wait, unsigned reuse, uint64_t jitter)
{
	struct host_setup s = {
		.program = "destroy", .profile = { X86 }, .nr_cpus = 4, .memory_mb = 256, .jitter = jitter,
		.arg = { free, free == FREE_DEFER_GLOBAL_LIST ? LIST_SLOTS : SLOTS, wait, reuse, 64 },
	};
	struct host_result *r = host_run(&s);
	uint64_t value = r->value;

	cr_assert(r->done, "scheme %d, end after %u units, %u slots reused, schedule %lu: %s", free, wait, reuse,
		  (unsigned long)jitter, r->text);
	host_free(r);
	return value;
}

/*
 * The end comes later and later, by @step units:
 *
 *	free free free ... free |--- wait ---| destroy
 *	worker:        drain drain drain drain drain drain
 *
 * Expect no fault at any stage, and every stage to have been there: @most waiting,
 * then fewer and fewer, in the end no more than @least.
 */
static void each_stage(enum axis_free free, unsigned step, unsigned reuse, uint64_t most, uint64_t least)
{
	uint64_t waiting = 0, last = UINT64_MAX;
	unsigned stages = 0;

	for (unsigned i = 0; i < STAGES; i++) {
		waiting = run(free, i * step, reuse, 0);
		if (i == 0)
			cr_expect_geq(waiting, most, "only %lu wait at first", (unsigned long)waiting);
		cr_expect_leq(waiting, last, "the longer the wait, the more wait");
		stages += waiting < last;
		last = waiting;
	}
	cr_expect_leq(waiting, least, "%lu wait in the end", (unsigned long)waiting);
	cr_expect_gt(stages, 5, "%u different stages", stages);
}

/* Each starts in the child; the module is one with the whole software. */
static void choose_module(void)
{
	setenv("ZSMSIM_TEST_MODULE", MODULE, 1);
}

Test(destroy, batches, .init = choose_module)
{
	each_stage(FREE_DEFER_BATCH, 2, 0, 64, SLOTS % 64);
}

/* Pages of 1024 slots: the last one never fills. */
Test(destroy, page_pool, .init = choose_module)
{
	each_stage(FREE_DEFER_PAGE_POOL, 50, 0, 2000, SLOTS % 1024);
}

/* Slots that are used, written, read and freed again while their numbers wait. */
Test(destroy, page_pool_with_slots_in_use_again, .init = choose_module)
{
	each_stage(FREE_DEFER_PAGE_POOL, 50, 1500, 1500, (SLOTS + 1500) % 1024);
}

/* The worker does not stop at half. */
Test(destroy, global_list, .init = choose_module)
{
	each_stage(FREE_DEFER_GLOBAL_LIST, 300, 0, LIST_SLOTS / 2, 0);
}

Test(destroy, mm_thread, .init = choose_module)
{
	each_stage(FREE_DEFER_MM_THREAD, 50, 0, 2000, 0);
}

/* Freed at once, nothing ever waits. */
Test(destroy, sync, .init = choose_module)
{
	cr_expect_eq(run(FREE_SYNC, 0, 0, 0), 0);
}

/* CPUs are held up at random, at atomic operations. Expect no fault in any of these schedules. */
Test(destroy, random_schedules, .init = choose_module)
{
	for (unsigned seed = 1; seed <= 25; seed++) {
		run(FREE_DEFER_BATCH, seed, 200, seed);
		run(FREE_DEFER_PAGE_POOL, 40 * seed, 0, seed);
		run(FREE_DEFER_PAGE_POOL, 40 * seed, 1500, seed);
		run(FREE_DEFER_GLOBAL_LIST, 400 * seed, 200, seed);
		run(FREE_DEFER_MM_THREAD, 40 * seed, 0, seed);
	}
}
