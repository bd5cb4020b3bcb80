/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The machine's oracles: each is shown a program with one fault and must end
 * the run with the right words; the same program without the fault must come
 * to its end. And the books: time spent is time booked.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/module/broken.h"
#include "tests/module/host.h"
#include "tests/module/lockup.h"
#include "tests/module/memory.h"
#include "tests/module/small.h"

TestSuite(oracle, .timeout = 120);
TestSuite(books, .timeout = 120);
TestSuite(independence, .timeout = 120);

/* ---- faults ----------------------------------------------------------------------- */

static struct host_result *run(enum broken_fault fault, bool broken)
{
	struct host_setup s = { .program = "broken", .profile = { X86 }, .nr_cpus = 3,
				.arg = { fault, broken } };

	return host_run(&s);
}

/* Expect @words, in this order, in the report; and none at all from the correct program. */
static void expect_fault(enum broken_fault fault, const char *const *words)
{
	struct host_result *r = run(fault, true);
	const char *at = r->text;

	cr_expect(r->faulted && !r->done, "fault %d is not found: %s", fault, r->text);
	for (; *words; words++) {
		const char *found = strstr(at, *words);

		cr_expect(found, "'%s' is missing in:\n%s", *words, r->text);
		at = found ? found : at;
	}
	host_free(r);
	r = run(fault, false);
	cr_expect(r->done && !r->faulted, "the correct twin of fault %d: %s", fault, r->text);
	host_free(r);
}

#define EXPECT_FAULT(fault, ...) expect_fault(fault, (const char *const[]){ __VA_ARGS__, NULL })

/* The report says what, when, on which CPU, from where in which file, and who had freed it where. */
Test(oracle, freed_memory)
{
	EXPECT_FAULT(BROKEN_LOAD_FREED, "fault: load of a freed page", " us, CPU 0",
		     "called from: ", " (tests/module/broken.c:", "freed at ", "by CPU 0", "freed from: ",
		     " (tests/module/broken.c:");
	EXPECT_FAULT(BROKEN_STORE_FREED, "fault: store of a freed slab object", "CPU 0");
	EXPECT_FAULT(BROKEN_ATOMIC_FREED, "fault: atomic of a freed page", "CPU 0");
	EXPECT_FAULT(BROKEN_COPY_FREED, "fault: copy from of a freed page", "CPU 0");
}

Test(oracle, release)
{
	EXPECT_FAULT(BROKEN_RELEASE_TWICE, "lock 'first' is released by CPU ", "but not held");
	EXPECT_FAULT(BROKEN_RELEASE_OTHER, "lock 'first' is released by CPU 1 but held by CPU 0");
	EXPECT_FAULT(BROKEN_READ_RELEASE, "is released by a reader", "but has none");
}

/* Found by the order alone, on one CPU: nobody has to deadlock for it. */
Test(oracle, lock_order)
{
	EXPECT_FAULT(BROKEN_ORDER, "lock order: 'first' is taken while 'second' is held",
		     "'second' is also taken inside 'first'");
	EXPECT_FAULT(BROKEN_ORDER_OF_THREE, "lock order: 'first' is taken while 'third' is held");
}

Test(oracle, deadlock)
{
	EXPECT_FAULT(BROKEN_SELF, "deadlock: CPU ", "waits for 'first', which it holds");
	EXPECT_FAULT(BROKEN_ALL_PARKED, "deadlock: CPU 1 spins on a line that nobody will write");
}

/* Where no time passes nothing can be waited for. */
Test(oracle, functional_mode)
{
	EXPECT_FAULT(BROKEN_SPIN_MUTED, "a spin loop in functional mode would never end");
	EXPECT_FAULT(BROKEN_IDLE_MUTED, "idle in functional mode");
}

Test(oracle, end_of_run)
{
	EXPECT_FAULT(BROKEN_LEFT_LOCKED, "1 locks are held at the end");
}

Test(oracle, software)
{
	EXPECT_FAULT(BROKEN_BUG_ON, "BUG_ON(do_it) at ");
	EXPECT_FAULT(BROKEN_WORK, "has no figure for work 'herding cats'");
}

/* Equal runs end in equal reports, to the byte. */
Test(oracle, reports_repeat)
{
	struct host_result *a = run(BROKEN_LOAD_FREED, true), *b = run(BROKEN_LOAD_FREED, true);

	cr_expect_str_eq(a->text, b->text);
	host_free(a);
	host_free(b);
}

/* ---- books ------------------------------------------------------------------------ */

static uint64_t sum(const struct host_cpu *c)
{
	uint64_t ps = 0;

	for (unsigned i = 0; i < NR_CAUSES; i++)
		ps += c->booked[i];
	return ps;
}

/* A program that does all sorts of things, on all kinds of CPUs. */
static const struct host_setup everything = {
	.program = "race", .profile = { A55, A76, X86 }, .nr_profiles = 3, .nr_cpus = 12, .cpus_per_cluster = 4,
	.arg = { 2000, 5 },
};

/* Every picosecond of each clock is booked to one cause, and many causes there are. */
Test(books, causes_add_up_to_the_clock)
{
	struct host_result *r = host_run(&everything);
	uint64_t cause[NR_CAUSES] = { 0 };

	cr_assert(r->done, "%s", r->text);
	for (unsigned i = 0; i < everything.nr_cpus; i++) {
		cr_expect_eq(sum(&r->cpu[i]), r->cpu[i].clock, "CPU %u", i);
		cr_expect_gt(r->cpu[i].clock, 0);
		for (unsigned k = 0; k < NR_CAUSES; k++)
			cause[k] += r->cpu[i].booked[k];
	}
	cr_expect_gt(cause[CAUSE_INSTRUCTIONS], 0);
	cr_expect_gt(cause[CAUSE_MISPREDICT], 0);
	cr_expect_gt(cause[CAUSE_L1], 0);
	cr_expect_gt(cause[CAUSE_TRANSFER], 0);
	cr_expect_gt(cause[CAUSE_DRAM], 0);
	cr_expect_gt(cause[CAUSE_STORE_BUFFER], 0);
	cr_expect_gt(cause[CAUSE_ATOMIC], 0);
	cr_expect_gt(cause[CAUSE_FENCE], 0);
	cr_expect_gt(cause[CAUSE_STREAM], 0);
	cr_expect_gt(cause[CAUSE_KICK], 0);
	host_free(r);
}

static void book_too_much(struct host_result *r)
{
	(void)r;
	cpus[1].booked[CAUSE_L2]++;
}

/* One picosecond booked that the clock does not know. Expect machine_check() to say so. */
Test(books, check_notices_a_picosecond)
{
	struct host_setup s = everything;
	struct host_result *r;

	s.before = book_too_much;
	r = host_run(&s);
	cr_expect(r->faulted);
	cr_expect(strstr(r->text, "fault: CPU 1 booked "), "%s", r->text);
	host_free(r);
}

/* ---- independence ------------------------------------------------------------------ */

/*
 * One CPU works, the others idle. Expect its times not to know how many they
 * are. (The kernel's per-CPU areas make its tables lie elsewhere; a program
 * that uses memory without a kernel has the same addresses.)
 */
static void expect_independent(const char *program, const char *profile, const uint64_t arg[PROGRAM_ARGS])
{
	static const unsigned cpus_of[] = { 1, 4, 64, 200 };
	struct host_cpu first;

	for (unsigned i = 0; i < 4; i++) {
		struct host_setup s = { .program = program, .profile = { profile }, .nr_cpus = cpus_of[i],
					.users = 1, .memory_mb = 128 };
		struct host_result *r;

		memcpy(s.arg, arg, sizeof(s.arg));
		r = host_run(&s);
		cr_assert(r->done, "%s", r->text);
		if (!i)
			first = r->cpu[0];
		cr_expect_eq(memcmp(&first, &r->cpu[0], sizeof(first)), 0,
			     "%s on %s: %" PRIu64 " ps alone, %" PRIu64 " ps among %u CPUs", program, profile,
			     first.clock, r->cpu[0].clock, cpus_of[i]);
		host_free(r);
	}
}

Test(independence, of_idle_cpus)
{
	static const char *const profile[] = { A55, A76, X86 };

	for (unsigned i = 0; i < 3; i++) {
		expect_independent("memory", profile[i], (const uint64_t[PROGRAM_ARGS]){ MEMORY_INDEPENDENT });
		expect_independent("memory", profile[i], (const uint64_t[PROGRAM_ARGS]){ MEMORY_BRANCHES, 200 });
		expect_independent("small", profile[i], (const uint64_t[PROGRAM_ARGS]){ SMALL_CHOOSE, 50, 300 });
	}
}

/* With the kernel: locks without contention, per-CPU words, tables. */
Test(independence, of_idle_cpus_with_a_kernel)
{
	static const char *const profile[] = { A55, A76, X86 };

	for (unsigned i = 0; i < 3; i++)
		expect_independent("lockup", profile[i],
				   (const uint64_t[PROGRAM_ARGS]){ LOCKUP_SPIN, 100, 1, 0, 1, 0 });
}
