/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The allocator under random use, and its oracles under deliberate misuse:
 * each fault must be seen, and a correct user must see none. On the host, as
 * in test_zsmalloc_layout.c.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/host_kernel/exercise.h"
#include "tests/host_kernel/pool_fixture.h"

#undef memcpy

TestSuite(zsmalloc_faults, .init = boot, .timeout = 120);

/* ---- oracles ------------------------------------------------------------------ */

static void free_twice(enum axis_lookup lookup)
{
	struct model_variant variant = base;
	struct zs_pool *pool;
	unsigned long handle;

	variant.lookup = lookup;
	pool = create(&variant, 8);
	must_malloc(pool, 100);
	handle = must_malloc(pool, 100);
	zs_free(pool, handle);
	cr_assert(host_expect_fault(zs_free(pool, handle)));
	cr_assert_not_null(strstr(host_fault_text, "double free"), "%s", host_fault_text);
}

/* Freed twice: the slot is a free slab object by then, whichever way it is looked up. */
Test(zsmalloc_faults, double_free_is_a_fault)
{
	free_twice(LOOKUP_POOL_LOCK);
	free_twice(LOOKUP_CLASS_IN_OBJ);
}

/* A slot whose object is free already, though the slot itself is whole. */
Test(zsmalloc_faults, slot_of_a_free_object_is_a_fault)
{
	struct zs_pool *pool = create(&base, 8);
	unsigned long handle = must_malloc(pool, 100), keep = must_malloc(pool, 100);
	unsigned long obj = *(unsigned long *)handle;

	zs_free(pool, handle);
	*(unsigned long *)keep = obj;
	cr_assert(host_expect_fault(zs_free(pool, keep)));
	cr_assert_not_null(strstr(host_fault_text, "is free"), "%s", host_fault_text);
}

/* Twice into one batch: found when it is queued, not when it is drained. */
Test(zsmalloc_faults, double_deferred_free_is_a_fault)
{
	struct model_variant variant = deferred(64);
	struct zs_pool *pool = create(&variant, 8);
	unsigned long handle = must_malloc(pool, 100);

	zs_free(pool, handle);
	cr_assert(host_expect_fault(zs_free(pool, handle)));
	cr_assert_not_null(strstr(host_fault_text, "in a batch already"), "%s", host_fault_text);
}

Test(zsmalloc_faults, object_left_at_the_end_is_a_fault)
{
	struct zs_pool *pool = create(&base, 8);

	must_malloc(pool, 100);
	cr_assert(host_expect_fault(zs_destroy_pool(pool)));
	cr_assert_not_null(strstr(host_fault_text, "still has zspages"), "%s", host_fault_text);
}

/* Damage of each kind must be seen by zs_check_pool(), which says nothing before it. */
Test(zsmalloc_faults, check_pool_sees_damage)
{
	struct zs_pool *pool = create(&base, 8);
	unsigned long a = must_malloc(pool, 100), b = must_malloc(pool, 100);
	struct zspage *zspage = zspage_of(a);
	struct size_class *class = pool->size_class[zspage->class];
	unsigned long *next_free = (unsigned long *)((char *)page_address(zspage->first_page) +
						     2 * class->size);

#define expect_seen(word, bad) do {					\
	__typeof__(word) _good = (word);				\
	zs_check_pool(pool);						\
	(word) = (bad);							\
	cr_expect(host_expect_fault(zs_check_pool(pool)), #word);	\
	(word) = _good;							\
} while (0)
	expect_seen(zspage->inuse, 3);
	expect_seen(zspage->freeobj, 0);
	expect_seen(class->stats[ZS_OBJS_INUSE], 1);
	expect_seen(class->stats[ZS_OBJS_ALLOCATED], 0);
	expect_seen(class->stats[ZS_INUSE_RATIO_10], 0);
	expect_seen(pool->pages_allocated.counter, 0);
	expect_seen(*(unsigned long *)a, *(unsigned long *)b);
	expect_seen(*next_free, 2ul << 1);		/* a loop */
	expect_seen(*next_free, 1ul << 1);		/* leads to an object in use */
	expect_seen(zspage->first_page->private, 0);
	expect_seen(zspage->zsl.cnt, 1);
	zs_check_pool(pool);
	zs_free(pool, a);
	zs_free(pool, b);
	zs_destroy_pool(pool);
}

/* ---- everything at random -------------------------------------------------------- */

static void exercise_variant(struct model_variant variant, unsigned chain, unsigned steps)
{
	unsigned long free_before = host_free_pages(), slab_before = host_slab_in_use();
	struct exercise_counts counts;
	struct zs_pool *pool = create(&variant, chain);

	exercise_pool(pool, steps, 1000 * chain + variant.lookup * 4 + variant.page_release * 2 +
		      variant.free, true, &counts);
	cr_assert_eq(zs_get_total_pages(pool) == 0, zs_deferred_objects(pool) == 0);
	zs_destroy_pool(pool);
	cr_assert_eq(host_free_pages(), free_before);
	cr_assert_eq(host_slab_in_use(), slab_before);
	cr_assert_eq(zone_page_state(NR_ZSPAGES), 0);
	cr_assert_eq(host_gauge(GAUGE_ZSPAGE_PAGES), 0);
	cr_assert_eq(host_gauge(GAUGE_DEFERRED_OBJECTS), 0);
	cr_assert_eq(host_gauge(GAUGE_PINNED_PAGES), 0);
	/* The sequence must really have reached the rare paths. */
	cr_assert(counts.compacted_pages && counts.migrated_pages && counts.refused_migrations &&
		  counts.failed_mallocs && counts.spanning_reads && counts.checks > 10);
	cr_assert_eq(counts.pinned_seen != 0, variant.free == FREE_DEFER_BATCH);
}

/*
 * All lookups, releases and frees together. Expect no contradiction, all bytes
 * right, no page or object lost.
 */
Test(zsmalloc_faults, random_sequences_of_all_variants)
{
	for (int axes = 0; axes < 8; axes++) {
		struct model_variant variant = {
			.lookup = axes & 1,
			.page_release = axes >> 1 & 1,
			.free = axes >> 2,
			.defer_batch = 64,
		};

		exercise_variant(variant, 8, 20000);
	}
}

/* The shortest, a middling and the longest chain, and batches of odd sizes. */
Test(zsmalloc_faults, random_sequences_at_other_limits)
{
	exercise_variant(deferred(1), 4, 10000);
	exercise_variant(deferred(7), 11, 10000);
	exercise_variant(deferred(500), 16, 10000);
}
