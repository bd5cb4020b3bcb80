/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernel's locks on the simulated machine, up to 64 CPUs: exclusion (the
 * program checks it from inside, see lockup.c), order, sharing, and that
 * parking a spinning CPU changes no time.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/module/host.h"
#include "tests/module/lockup.h"

TestSuite(exclusion, .timeout = 120);
TestSuite(fairness, .timeout = 120);
TestSuite(sharing, .timeout = 120);
TestSuite(parking, .timeout = 120);

static const char *const lock_names[] = { "spinlock", "rwlock, writers", "rwlock, readers", "rwlock, mixed",
					  "rwlock, one writer", "bit spinlock" };

static struct host_result *run(const struct host_setup *setup)
{
	struct host_result *r = host_run(setup);

	cr_assert(r->done, "%s under %u CPUs: %s", lock_names[setup->arg[0]], setup->nr_cpus, r->text);
	return r;
}

/* ---- exclusion ------------------------------------------------------------------ */

/* Each CPU gets the lock as often as it asks, and the lock's own statistics agree. */
static void expect_exclusion(enum lockup_lock lock, const char *profile, unsigned n, unsigned times)
{
	struct host_setup s = { .program = "lockup", .profile = { profile }, .nr_cpus = n, .memory_mb = 128,
				.arg = { lock, times, 1, 0, 1, 0 } };
	struct host_result *r = run(&s);
	const struct lock_stats *stats = host_lock(r, "lock under test");

	for (unsigned i = 0; i < n; i++)
		cr_expect(host_event(r, LOCKUP_LEAVES, (int)i, times - 1), "%s: CPU %u of %u starves",
			  lock_names[lock], i, n);
	cr_assert(stats);
	cr_expect_eq(stats->acquisitions, (uint64_t)n * times);
	if (n > 1)
		cr_expect_gt(stats->contentions, 0);
	cr_expect_leq(stats->contentions, stats->acquisitions);
	cr_expect_leq(stats->bounces, stats->acquisitions);
	host_free(r);
}

Test(exclusion, spinlock)
{
	static const unsigned cpus[] = { 1, 2, 3, 4, 7, 16, 33, 64 };

	for (unsigned i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++)
		expect_exclusion(LOCKUP_SPIN, X86, cpus[i], 40);
	expect_exclusion(LOCKUP_SPIN, A55, 64, 40);
	expect_exclusion(LOCKUP_SPIN, A76, 64, 40);
}

Test(exclusion, rwlock)
{
	for (enum lockup_lock l = LOCKUP_WRITE; l <= LOCKUP_MIXED; l++) {
		if (l == LOCKUP_READ)
			continue;	/* readers do not exclude each other: see sharing */
		expect_exclusion(l, X86, 2, 40);
		expect_exclusion(l, A55, 9, 40);
		expect_exclusion(l, A76, 64, 20);
		expect_exclusion(l, X86, 64, 20);
	}
}

Test(exclusion, bit_spinlock)
{
	expect_exclusion(LOCKUP_BIT, X86, 2, 40);
	expect_exclusion(LOCKUP_BIT, A55, 16, 20);
	expect_exclusion(LOCKUP_BIT, A76, 64, 10);
	expect_exclusion(LOCKUP_BIT, X86, 64, 10);
}

/* More CPUs than a line's sharers have bits for. */
Test(exclusion, spinlock_under_160_cpus)
{
	expect_exclusion(LOCKUP_SPIN, X86, 160, 5);
}

/* ---- order ---------------------------------------------------------------------- */

/*
 * CPU 0 holds the lock while the others come one by one, far enough apart that
 * each is in line before the next comes.
 *
 *   0 |==== holds ===========================|
 *   1 |   pending ...........................|=|
 *   2 |      queued .........................  |=|
 *   3 |         queued ......................    |=|
 *
 * Expect: they get it in the order in which they came.
 */
static void expect_fifo(const char *profile, unsigned n)
{
	struct host_setup s = { .program = "lockup", .profile = { profile }, .nr_cpus = n, .memory_mb = 128,
				.arg = { LOCKUP_SPIN, 1, 2, 10, 0, 20 * n } };
	struct host_result *r = run(&s);

	for (unsigned i = 0; i < n; i++) {
		const struct host_event *e = host_event(r, LOCKUP_GOT, -1, i);

		cr_assert(e);
		cr_expect_eq(e->cpu, i, "%s, %u CPUs: CPU %u gets the lock as number %u", profile, n, e->cpu, i);
	}
	host_free(r);
}

Test(fairness, queue_is_first_come_first_served)
{
	expect_fifo(X86, 2);
	expect_fifo(X86, 5);
	expect_fifo(X86, 64);
	expect_fifo(A55, 64);
	expect_fifo(A76, 64);
}

/*
 * 64 CPUs ask again right after each release. Expect, between two turns of one
 * CPU, at most two turns of any other (one more than strict rotation: the
 * pending CPU is in front of the queue).
 */
Test(fairness, turns_rotate)
{
	struct host_setup s = { .program = "lockup", .profile = { X86 }, .nr_cpus = 64, .memory_mb = 128,
				.arg = { LOCKUP_SPIN, 30, 1, 0, 0, 0 } };
	struct host_result *r = run(&s);
	unsigned since[64][64] = { 0 }, turns[64] = { 0 }, most = 0;

	for (uint32_t i = 0; i < r->nr_events; i++) {
		const struct host_event *e = &r->event[i];

		if (e->what != LOCKUP_GOT)
			continue;
		for (unsigned k = 0; k < 64; k++) {
			/* before its first turn a CPU may still be on its way, after its last it has left */
			if (turns[k] && turns[k] < s.arg[1] && ++since[k][e->cpu] > most)
				most = since[k][e->cpu];
			since[e->cpu][k] = 0;
		}
		turns[e->cpu]++;
	}
	cr_expect_leq(most, 2, "a CPU has %u turns between two of another", most);
	host_free(r);
}

/* Without a queue the bit lock promises less: that nobody waits for ever. */
Test(fairness, bit_lock_serves_all)
{
	struct host_setup s = { .program = "lockup", .profile = { A55 }, .nr_cpus = 32, .memory_mb = 128,
				.arg = { LOCKUP_BIT, 20, 1, 0, 1, 0 } };
	struct host_result *r = run(&s);

	for (int i = 0; i < 32; i++)
		cr_expect(host_event(r, LOCKUP_GOT, i, 19), "CPU %d starves", i);
	host_free(r);
}

/* ---- readers and writers -------------------------------------------------------- */

/* 16 readers with a long section each: all are in at once, and all is over in little more than one section. */
Test(sharing, readers_share)
{
	struct host_setup s = { .program = "lockup", .profile = { X86 }, .nr_cpus = 16,
				.arg = { LOCKUP_READ, 1, 200, 0, 0, 0 } };
	struct host_result *r = run(&s);
	uint64_t one = host_span(r, 0, LOCKUP_GOT, LOCKUP_LEAVES);
	const struct host_event *last = NULL;

	cr_expect_eq(r->value, 16, "%" PRIu64 " readers at once", r->value);
	for (int i = 0; i < 16; i++)
		if (!last || host_event(r, LOCKUP_LEAVES, i, 0)->ps > last->ps)
			last = host_event(r, LOCKUP_LEAVES, i, 0);
	cr_expect_lt(last->ps, one * 3 / 2);
	host_free(r);
}

/*
 * CPU 0 reads for long; CPU 1 wants to write; CPUs 2 and 3 come later to read.
 *
 *   0 |==== reads =============|
 *   1 |   waits ...............|== writes ==|
 *   2 |      waits .........................|= reads =|
 *   3 |         waits ......................|= reads =|
 *
 * Expect: the waiting writer keeps the new readers out, then they share.
 */
Test(sharing, waiting_writer_stops_new_readers)
{
	struct host_setup s = { .program = "lockup", .profile = { X86 }, .nr_cpus = 4,
				.arg = { LOCKUP_ONE_WRITER, 1, 50, 10, 0, 100 } };
	struct host_result *r = run(&s);
	uint64_t got[4], left[4];

	for (int i = 0; i < 4; i++) {
		got[i] = host_event(r, LOCKUP_GOT, i, 0)->ps;
		left[i] = host_event(r, LOCKUP_LEAVES, i, 0)->ps;
	}
	cr_expect_gt(got[1], left[0]);
	cr_expect_gt(got[2], left[1]);
	cr_expect_gt(got[3], left[1]);
	cr_expect_lt(got[2], left[3]);
	cr_expect_lt(got[3], left[2]);
	host_free(r);
}

/* ---- parking -------------------------------------------------------------------- */

static void expect_same_cpu(const struct host_cpu *a, const struct host_cpu *b, unsigned cpu)
{
	cr_expect_eq(a->clock, b->clock, "CPU %u: clock %" PRIu64 " parked, %" PRIu64 " spinning", cpu, a->clock,
		     b->clock);
	cr_expect_eq(a->insns, b->insns, "CPU %u: %" PRIu64 " instructions parked, %" PRIu64 " spinning", cpu,
		     a->insns, b->insns);
	cr_expect_eq(a->branches, b->branches, "CPU %u: branches", cpu);
	cr_expect_eq(a->loads, b->loads, "CPU %u: %" PRIu64 " loads parked, %" PRIu64 " spinning", cpu, a->loads,
		     b->loads);
	cr_expect_eq(a->stores, b->stores, "CPU %u: stores", cpu);
	cr_expect_eq(a->rmws, b->rmws, "CPU %u: atomics", cpu);
	cr_expect_eq(a->l1_misses, b->l1_misses, "CPU %u: misses", cpu);
	cr_expect_eq(a->mispredicts, b->mispredicts, "CPU %u: mispredictions", cpu);
	cr_expect_eq(memcmp(a->booked, b->booked, sizeof(a->booked)), 0, "CPU %u: books", cpu);
}

/*
 * The same program with parked and with really spinning CPUs. Expect no
 * difference whatever in simulated time, and less host work (switches).
 */
static void expect_parking_is_exact(struct host_setup s, const char *what)
{
	struct host_result *parked, *spinning;

	s.no_park = false;
	parked = run(&s);
	s.no_park = true;
	spinning = run(&s);
	cr_expect_eq(parked->trace_hash, spinning->trace_hash, "%s: traces differ", what);
	cr_expect_eq(parked->accesses, spinning->accesses);
	cr_expect_leq(parked->stats.switches, spinning->stats.switches);
	for (unsigned i = 0; i < s.nr_cpus; i++)
		if (memcmp(&parked->cpu[i], &spinning->cpu[i], sizeof(parked->cpu[i]))) {
			cr_expect(false, "%s", what);
			expect_same_cpu(&parked->cpu[i], &spinning->cpu[i], i);
			break;
		}
	host_free(parked);
	host_free(spinning);
}

/* @units of work with the lock held: some rounds of the spin loop, or thousands. */
static void expect_parking_of(enum lockup_lock lock, unsigned units, unsigned times)
{
	static const char *const profile[] = { A55, A76, X86 };
	static const unsigned cpus[] = { 2, 3, 5, 9, 33 };

	for (unsigned p = 0; p < 3; p++)
		for (unsigned i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++) {
			char what[128];

			snprintf(what, sizeof(what), "%s, %s, %u CPUs, %u units held", lock_names[lock], profile[p],
				 cpus[i], units);
			expect_parking_is_exact((struct host_setup){
				.program = "lockup", .profile = { profile[p] }, .nr_cpus = cpus[i],
				.cpus_per_cluster = 4, .memory_mb = 128,
				.arg = { lock, times, units, 0, 1, 0 },
			}, what);
		}
}

Test(parking, spinlock)
{
	expect_parking_of(LOCKUP_SPIN, 1, 20);
}

Test(parking, spinlock_held_for_long)
{
	expect_parking_of(LOCKUP_SPIN, 100, 3);
}

Test(parking, rwlock)
{
	expect_parking_of(LOCKUP_MIXED, 1, 20);
	expect_parking_of(LOCKUP_MIXED, 100, 2);
}

Test(parking, bit_spinlock)
{
	expect_parking_of(LOCKUP_BIT, 1, 10);
	expect_parking_of(LOCKUP_BIT, 100, 2);
}

/* Three kinds of CPU in one machine: rounds of different length meet at one line. */
Test(parking, mixed_machine)
{
	for (enum lockup_lock l = 0; l < NR_LOCKUP_LOCKS; l++)
		expect_parking_is_exact((struct host_setup){
			.program = "lockup", .profile = { A55, A76, X86 }, .nr_profiles = 3, .nr_cpus = 12,
			.cpus_per_cluster = 4, .arg = { l, 15, 3, 2, 1, 0 },
		}, lock_names[l]);
}

/* Parking does happen in these programs: otherwise the comparisons above compare nothing. */
Test(parking, saves_switches)
{
	struct host_setup s = { .program = "lockup", .profile = { A55 }, .nr_cpus = 8,
				.arg = { LOCKUP_SPIN, 20, 10, 0, 0, 0 } };
	struct host_result *parked = run(&s), *spinning;

	s.no_park = true;
	spinning = run(&s);
	cr_expect_lt(parked->stats.switches * 10, spinning->stats.switches, "%" PRIu64 " and %" PRIu64,
		     parked->stats.switches, spinning->stats.switches);
	host_free(parked);
	host_free(spinning);
}
