/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unbound workers on the simulated machine: each work runs once, and only where workers may. */
#include <criterion/criterion.h>
#include <inttypes.h>

#include "tests/module/host.h"

TestSuite(workers, .timeout = 60);

#define WORKS 40u

/* Returns a bit for each CPU on which a work ran. */
static uint64_t cpus_used(unsigned cpus, uint64_t allowed, uint64_t jitter)
{
	struct host_setup s = { .program = "workers", .profile = { X86 }, .nr_cpus = cpus, .jitter = jitter,
				.arg = { WORKS, allowed } };
	struct host_result *r = host_run(&s);
	uint64_t used = 0, seen = 0;

	cr_assert(r->done, "%u CPUs, workers on %" PRIu64 ": %s", cpus, allowed, r->text);
	cr_expect_eq(r->value, WORKS);
	for (unsigned i = 0; i < r->nr_events; i++) {
		used |= 1ull << r->event[i].cpu;
		cr_expect_not(seen >> r->event[i].value & 1, "work %" PRIu64 " runs twice", r->event[i].value);
		seen |= 1ull << r->event[i].value;
	}
	host_free(r);
	return used;
}

/* The last so many CPUs, all of them: there is enough to do at once. */
Test(workers, run_where_they_may)
{
	static const unsigned cpus[] = { 1, 2, 4, 8 };

	for (unsigned c = 0; c < 4; c++)
		for (unsigned allowed = 1; allowed <= cpus[c]; allowed++)
			for (uint64_t jitter = 0; jitter < 5; jitter++) {
				uint64_t may = ((1ull << allowed) - 1) << (cpus[c] - allowed);
				uint64_t used = cpus_used(cpus[c], allowed, jitter);

				cr_expect_eq(used & ~may, 0, "%u of %u CPUs: ran on %" PRIx64, allowed, cpus[c], used);
				cr_expect_neq(used, 0);
			}
	cr_expect_eq(cpus_used(4, 1, 0), 1 << 3);
	cr_expect_gt(__builtin_popcountll(cpus_used(8, 0, 0)), 2, "nobody helps");
}
