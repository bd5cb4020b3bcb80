/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Object caches on the simulated machine, with CPUs that free each other's
 * objects (see slabs.c): at the end no slab is lost and none is used twice.
 */
#include <criterion/criterion.h>
#include <inttypes.h>

#include "tests/module/host.h"

TestSuite(slab, .timeout = 300);

static void expect_whole(const char *profile, unsigned cpus, uint64_t bytes, uint64_t slots, uint64_t seed)
{
	struct host_setup s = { .program = "slabs", .profile = { profile }, .nr_cpus = cpus, .memory_mb = 128,
				.arg = { bytes, 3000, slots, seed } };
	struct host_result *r = host_run(&s);

	cr_expect(r->done, "%" PRIu64 " bytes, %" PRIu64 " slots, seed %" PRIu64 " on %u CPUs of %s: %s",
		  bytes, slots, seed, cpus, profile, r->text);
	host_free(r);
}

/*
 * Few objects in a slab and few slots: slabs are used up and come back all the
 * time. Many slots: they go to the node's list, are taken from it and emptied.
 */
Test(slab, objects_freed_by_other_cpus)
{
	static const uint64_t bytes[] = { 8, 256, 2048, 4096 }, slots[] = { 4, 40, 400 };

	for (unsigned b = 0; b < sizeof(bytes) / sizeof(bytes[0]); b++)
		for (unsigned s = 0; s < sizeof(slots) / sizeof(slots[0]); s++)
			for (uint64_t seed = 1; seed <= 4; seed++) {
				expect_whole(X86, 4, bytes[b], slots[s], seed);
				expect_whole(A55, 3, bytes[b], slots[s], seed);
			}
}
