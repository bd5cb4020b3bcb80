/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Schedules by chance: a seed gives one schedule, another seed another, and
 * what the plain schedule can never show some of them do.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <string.h>

#include "tests/module/host.h"

TestSuite(jitter, .timeout = 120);

static struct host_result *run(const char *program, const char *profile, uint64_t jitter, uint64_t times)
{
	struct host_setup s = { .program = program, .profile = { profile }, .nr_cpus = 4, .jitter = jitter,
				.arg = { times } };
	struct host_result *r = host_run(&s);

	cr_assert(r->done, "%s, seed %" PRIu64 ": %s", program, jitter, r->text);
	return r;
}

static uint64_t value_of(const char *program, const char *profile, uint64_t jitter, uint64_t times)
{
	struct host_result *r = run(program, profile, jitter, times);
	uint64_t value = r->value;

	host_free(r);
	return value;
}

/* Without it the CPUs never meet; with it most seeds lose some of 4 x 200 additions, but no seed all. */
Test(jitter, finds_what_the_plain_schedule_hides)
{
	static const char *const profiles[] = { A55, X86 };

	for (unsigned p = 0; p < 2; p++) {
		unsigned found = 0;

		cr_assert_eq(value_of("hidden", profiles[p], 0, 200), 0, "the program is not as regular as it should be");
		for (uint64_t seed = 1; seed <= 20; seed++) {
			uint64_t lost = value_of("hidden", profiles[p], seed, 200);

			cr_expect_lt(lost, 4 * 200);
			found += lost > 0;
		}
		cr_expect_geq(found, 10, "%u of 20 seeds show the lost addition on %s", found, profiles[p]);
	}
}

/* CPUs that come at the same moment: in order of their numbers, but by chance each of them may be the last. */
Test(jitter, equally_early_cpus_take_turns)
{
	bool last[4] = { false };

	cr_expect_eq(value_of("first", A55, 0, 0), 3);
	for (uint64_t seed = 1; seed <= 40; seed++)
		last[value_of("first", A55, seed, 0)] = true;
	for (unsigned i = 0; i < 4; i++)
		cr_expect(last[i], "CPU %u is never the last", i);
}

/* The same to the byte, whatever else runs; and no two alike. */
Test(jitter, a_seed_is_a_schedule)
{
	uint64_t hash[9];

	for (uint64_t seed = 0; seed < 9; seed++) {
		struct host_result *a = run("hidden", X86, seed, 50), *b = run("hidden", X86, seed, 50);

		cr_expect_eq(a->trace_hash, b->trace_hash, "seed %" PRIu64, seed);
		cr_expect_eq(a->value, b->value);
		for (unsigned i = 0; i < 4; i++)
			cr_expect_eq(a->cpu[i].clock, b->cpu[i].clock);
		hash[seed] = a->trace_hash;
		for (uint64_t other = 0; other < seed; other++)
			cr_expect_neq(hash[seed], hash[other], "seeds %" PRIu64 " and %" PRIu64, seed, other);
		host_free(a);
		host_free(b);
	}
}

/* Delays are booked as such, and only where they are wanted. */
Test(jitter, delays_are_in_the_books)
{
	struct host_result *plain = run("hidden", A55, 0, 50), *held = run("hidden", A55, 1, 50);

	for (unsigned i = 0; i < 4; i++) {
		cr_expect_eq(plain->cpu[i].booked[CAUSE_JITTER], 0);
		cr_expect_gt(held->cpu[i].booked[CAUSE_JITTER], 0, "CPU %u", i);
		cr_expect_geq(held->cpu[i].clock, held->cpu[i].booked[CAUSE_JITTER]);
	}
	host_free(plain);
	host_free(held);
}
