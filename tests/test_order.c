/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Strict order of simulated time. Programs whose CPUs race for a few lines run
 * on a machine of which each access is recorded at the moment it has its
 * effect. The rule: no effect comes after one that is later in simulated time,
 * and at equal times the lower CPU number goes first.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/module/record.h"

TestSuite(order, .timeout = 120);
TestSuite(litmus, .timeout = 120);
TestSuite(same, .timeout = 120);

static struct host_result *run(const struct host_setup *setup)
{
	struct host_result *r = host_run(setup);

	cr_assert(r->done, "%s", r->text);
	return r;
}

/* ---- the recorded order --------------------------------------------------------- */

static void expect_order(struct host_setup s)
{
	struct host_result *r;
	uint64_t effects = 0;

	s.after = record_report;
	r = run(&s);
	for (unsigned i = 0; i < NR_RECORD_KINDS; i++)
		effects += r->note[i];
	cr_expect_eq(r->note[NR_RECORD_KINDS], 0, "seed %" PRIu64 ", %u CPUs: %" PRIu64 " of %" PRIu64
		     " effects out of order\n%s", s.arg[1], s.nr_cpus, r->note[NR_RECORD_KINDS], effects, r->text);
	/* the program did do what is to be put in order, in each of the ways */
	cr_expect_gt(effects, s.arg[0] * s.nr_cpus);
	if (s.nr_cpus > 1)
		for (unsigned i = 0; i < RECORD_FORCED; i++)
			cr_expect_gt(r->note[i], 0, "no effect of kind %u", i);
	host_free(r);
}

/* Twelve CPUs of three kinds, clusters of four: all kinds of overlap and of stall meet in one machine. */
Test(order, mixed_machine)
{
	for (uint64_t seed = 1; seed <= 6; seed++)
		expect_order((struct host_setup){
			.program = "race", .profile = { A55, A76, X86 }, .nr_profiles = 3, .nr_cpus = 12,
			.cpus_per_cluster = 4, .arg = { 3000, seed },
		});
}

Test(order, each_profile_alone)
{
	static const char *const profile[] = { A55, A76, X86 };

	for (unsigned i = 0; i < 3; i++)
		for (uint64_t seed = 1; seed <= 3; seed++)
			expect_order((struct host_setup){
				.program = "race", .profile = { profile[i] }, .nr_cpus = 5, .arg = { 4000, seed },
			});
}

/* Spinning for real is put in order like anything else. */
Test(order, without_parking)
{
	expect_order((struct host_setup){
		.program = "race", .profile = { X86, A55, A76 }, .nr_profiles = 3, .nr_cpus = 8, .no_park = true,
		.arg = { 3000, 7 },
	});
}

/* 32 equal CPUs that start together: again and again clocks are equal, and the number decides. */
Test(order, many_ties)
{
	expect_order((struct host_setup){
		.program = "race", .profile = { A55 }, .nr_cpus = 32, .memory_mb = 128, .arg = { 1000, 3 },
	});
}

/* The recorder sees what it is for: the same check on a sequence that goes back must complain. */
Test(order, recorder_complains)
{
	struct host_setup s = { .program = "race", .profile = { X86 }, .nr_cpus = 2, .arg = { 10, 1 } };
	struct host_result *r;

	s.before = NULL;
	s.after = record_self_check;
	r = run(&s);
	cr_expect_eq(r->note[0], 2, "an earlier time and a lower number after a higher one");
	host_free(r);
}

/*
 * CPU 0 works for 100 units and then interrupts CPU 2; CPU 1 does so after 10.
 *
 *   0 |====================================== kick
 *   1 |=== kick
 *   2 |    ^ comes                            (comes again)
 *
 * Expect: what ends the sleep of CPU 2 is the kick that is first in simulated
 * time, sent by CPU 1, though the host may get to CPU 0's first.
 */
Test(order, first_interrupt_wakes)
{
	struct host_setup s = { .program = "kick", .profile = { X86 }, .nr_cpus = 3, .arg = { 100, 10 } };
	struct host_result *r = run(&s);
	const struct host_event *first = host_event(r, 1, 1, 0), *came = host_event(r, 2, 2, 0);
	struct profile *p = host_profile(X86);

	cr_assert(first && came);
	/* a few instructions around the two notes */
	cr_expect_geq(came->ps, first->ps + p->kick_latency_ps);
	cr_expect_lt(came->ps, first->ps + p->kick_latency_ps + 100 * p->cycle_ps,
		     "sent at %" PRIu64 " ps, came at %" PRIu64 " ps", first->ps, came->ps);
	profile_free(p);
	host_free(r);
}

/* ---- what software may rely on -------------------------------------------------- */

static uint64_t litmus(const char *a, const char *b, bool fence, uint64_t seed)
{
	struct host_setup s = { .program = "litmus", .profile = { a, b }, .nr_profiles = 2, .nr_cpus = 2,
				.arg = { 2000, seed, fence } };
	struct host_result *r = run(&s);
	uint64_t value = r->value;

	host_free(r);
	return value;
}

/*
 * Message passing is checked inside the program: who sees the flag (acquire)
 * sees the data stored before it was raised (release). Store buffering with a
 * full fence between store and load: at least one CPU sees the other's store.
 */
Test(litmus, fences_and_release_order)
{
	static const char *const profile[] = { A55, A76, X86 };

	for (unsigned a = 0; a < 3; a++)
		for (unsigned b = 0; b < 3; b++) {
			uint64_t value = litmus(profile[a], profile[b], true, a * 3 + b);

			cr_expect_eq((uint32_t)value, 0, "%s and %s: %u rounds in which both loaded too early",
				     profile[a], profile[b], (unsigned)value);
		}
}

/*
 * Without the fence the store may still be on its way when the load looks.
 * Expect it to happen now and then, or the test above tests nothing.
 */
Test(litmus, store_buffering_without_fence)
{
	cr_expect_gt((uint32_t)litmus(X86, X86, false, 1), 0);
	cr_expect_gt((uint32_t)litmus(A76, A76, false, 1), 0);
}

/* ---- the same input, the same run ----------------------------------------------- */

static const struct host_setup reference = {
	.program = "race", .profile = { A55, A76, X86 }, .nr_profiles = 3, .nr_cpus = 9, .cpus_per_cluster = 3,
	.arg = { 2000, 11 },
};

/* Re-executed by the test below: run, say the hash, and never reach the test framework. */
static __attribute__((constructor)) void print_hash(void)
{
	const char *fd = getenv("ZSMSIM_TEST_PRINT_HASH");
	struct host_result *r;

	if (!fd)
		return;
	r = host_run(&reference);
	dprintf(atoi(fd), "%d %016" PRIx64 " %p\n", r->done, r->trace_hash, (void *)&fd);
	_exit(0);
}

/* Hash of the reference run in a new process image with @persona; false if that is not allowed here. */
static bool hash_under(unsigned long persona, char *text, size_t bytes)
{
	char number[16];
	int ends[2];
	ssize_t got;
	pid_t child;

	cr_assert_eq(pipe(ends), 0);
	child = fork();
	if (!child) {
		if (personality(persona) < 0)
			_exit(1);
		snprintf(number, sizeof(number), "%d", ends[1]);
		setenv("ZSMSIM_TEST_PRINT_HASH", number, 1);
		execl("/proc/self/exe", "test_order", (char *)NULL);
		_exit(1);
	}
	close(ends[1]);
	got = read(ends[0], text, bytes - 1);
	close(ends[0]);
	waitpid(child, NULL, 0);
	text[got > 0 ? got : 0] = '\0';
	return got > 0;
}

/* Expect the trace hash, a digest of every miss, atomic and lock with its time, not to know where the host put things. */
Test(same, with_and_without_address_randomisation)
{
	char with[2][80], without[80];

	cr_assert(hash_under(PER_LINUX, with[0], sizeof(with[0])));
	cr_assert(hash_under(PER_LINUX, with[1], sizeof(with[1])));
	if (!hash_under(ADDR_NO_RANDOMIZE, without, sizeof(without)))
		cr_skip_test("address randomisation cannot be switched off here");
	cr_assert_eq(with[0][0], '1');
	cr_expect_eq(strncmp(with[0], with[1], 18), 0, "%s and %s", with[0], with[1]);
	cr_expect_eq(strncmp(with[0], without, 18), 0, "%s and %s", with[0], without);
}

/* Two runs agree in everything, and another seed is another run. */
Test(same, twice)
{
	struct host_setup other = reference;
	struct host_result *a = run(&reference), *b = run(&reference), *c;

	cr_expect_eq(a->trace_hash, b->trace_hash);
	cr_expect_eq(a->value, b->value);
	cr_expect_eq(memcmp(a->cpu, b->cpu, sizeof(a->cpu)), 0);
	other.arg[1]++;
	c = run(&other);
	cr_expect_neq(a->trace_hash, c->trace_hash);
}
