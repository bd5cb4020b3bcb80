/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * exercise.h - a random user of a zsmalloc pool who remembers everything.
 *
 * Each step stores, reads, maps, frees, compacts, migrates, holds a page
 * lock, pins an object, lets an allocation fail, changes the CPU or runs the
 * queued work. What is read must be what was written; whatever contradicts
 * itself ends in hw_fault(). The same seed takes the same steps.
 */
#ifndef TESTS_HOST_KERNEL_EXERCISE_H
#define TESTS_HOST_KERNEL_EXERCISE_H

#include "model/zsmalloc/zsmalloc.h"

/* How often the rarer things really happened, so that a test can tell that they did. */
struct exercise_counts {
	unsigned long mallocs, frees, failed_mallocs;
	unsigned long compacted_pages, migrated_pages, refused_migrations;
	unsigned long spanning_reads, checks, pinned_seen;
	unsigned most_objects;
};

/*
 * Take @steps steps on @pool, then free all that is left. With @may_fail some
 * allocations are made to fail.
 */
void exercise_pool(struct zs_pool *pool, unsigned steps, unsigned seed, bool may_fail,
		   struct exercise_counts *counts);

#endif
