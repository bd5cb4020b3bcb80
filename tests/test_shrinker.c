/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much reclaim asks a shrinker for, and what a pool's shrinker does with
 * the request under each value of axis shrinker. On the host, as in
 * test_zsmalloc_layout.c. The numbers come from the steps of do_shrink_slab()
 * and of the budget RFC, worked out by hand.
 */
#include <criterion/criterion.h>

#include "tests/host_kernel/pool_fixture.h"
#include "model/mm/shrinker.h"

TestSuite(shrinker, .init = boot);

/* ---- requests ----------------------------------------------------------------- */

#define MOST_CALLS 16

/* Says that it has @freeable, and notes what it is asked for. */
struct asked {
	unsigned long freeable;
	unsigned long stop_after;	/* calls; then there is no progress */
	unsigned long scans_less;	/* it looks at so much less than it was asked */
	unsigned nr;
	unsigned long request[MOST_CALLS];
};

static unsigned long count_asked(struct shrinker *shrinker, struct shrink_control *sc)
{
	const struct asked *asked = shrinker->private_data;

	(void)sc;
	return asked->freeable;
}

static unsigned long scan_asked(struct shrinker *shrinker, struct shrink_control *sc)
{
	struct asked *asked = shrinker->private_data;

	cr_assert_lt(asked->nr, (unsigned)MOST_CALLS, "asked without end");
	asked->request[asked->nr++] = sc->nr_to_scan;
	sc->nr_scanned -= asked->scans_less;
	return asked->nr > asked->stop_after ? SHRINK_STOP : sc->nr_scanned;
}

static struct shrinker shrinker_of(struct asked *asked)
{
	return (struct shrinker){
		.count = count_asked, .scan = scan_asked, .seeks = DEFAULT_SEEKS, .private_data = asked
	};
}

/* 2 * (1000 >> 2) = 500: three batches of 128, and 116 that wait for a later round. */
Test(shrinker, asks_in_batches_and_keeps_the_rest)
{
	struct asked asked = { .freeable = 1000, .stop_after = MOST_CALLS };
	struct shrinker s = shrinker_of(&asked);

	register_shrinker(&s);
	cr_expect_eq(shrink_slab(2), 384ul);
	unregister_shrinker(&s);
	cr_expect_eq(asked.nr, 3u);
	for (unsigned i = 0; i < asked.nr; i++)
		cr_expect_eq(asked.request[i], 128ul);
	cr_expect_eq(atomic_long_read(&s.nr_deferred), 116);
	cr_expect_eq(shrink_slab(0), 0ul, "nobody is registered");
}

/*
 * At priority 12 a share of 8192 pages is 2 * (8192 >> 12) = 4, less than a
 * batch: nothing is asked until 32 rounds have put 128 aside. They count only
 * in the part that the priority lets through, so at priority 12 never.
 */
Test(shrinker, small_shares_wait)
{
	struct asked asked = { .freeable = 8192, .stop_after = MOST_CALLS };
	struct shrinker s = shrinker_of(&asked);

	atomic_long_set(&s.nr_deferred, 0);
	for (long round = 1; round <= 100; round++) {
		cr_expect_eq(do_shrink_slab(&s, 12), 0ul);
		cr_expect_eq(atomic_long_read(&s.nr_deferred), 4 * round);
	}
	cr_expect_eq(asked.nr, 0u);
	/* 400 >> 1 = 200 of what was put aside and 8192 anew make 65 batches; the first has no effect. */
	asked.stop_after = 0;
	cr_expect_eq(do_shrink_slab(&s, 1), 0ul);
	cr_expect_eq(asked.nr, 1u);
	cr_expect_eq(atomic_long_read(&s.nr_deferred), 400 + 8192);
}

/* What is put aside is at most twice what there is: 2 * 10 at priority 12, share 0. */
Test(shrinker, deferred_work_is_limited)
{
	struct asked asked = { .freeable = 10, .stop_after = MOST_CALLS };
	struct shrinker s = shrinker_of(&asked);

	atomic_long_set(&s.nr_deferred, 1000);
	cr_expect_eq(do_shrink_slab(&s, 12), 0ul);
	cr_expect_eq(asked.nr, 0u);
	cr_expect_eq(atomic_long_read(&s.nr_deferred), 20);
}

/* A request below a batch is made if it is all there is: 2 * 10 >= 10, of which 10 and 10. */
Test(shrinker, asks_for_all_of_little)
{
	struct asked asked = { .freeable = 10, .stop_after = MOST_CALLS };
	struct shrinker s = shrinker_of(&asked);

	atomic_long_set(&s.nr_deferred, 0);
	cr_expect_eq(do_shrink_slab(&s, 0), 20ul);
	cr_expect_eq(asked.nr, 1u);
	cr_expect_eq(asked.request[0], 20ul);
}

/* A shrinker says when it looked at less: 500 - 4 * 100 = 100 is less than a batch. */
Test(shrinker, counts_what_was_scanned)
{
	struct asked asked = { .freeable = 1000, .stop_after = MOST_CALLS, .scans_less = 28 };
	struct shrinker s = shrinker_of(&asked);

	atomic_long_set(&s.nr_deferred, 0);
	cr_expect_eq(do_shrink_slab(&s, 2), 400ul);
	cr_expect_eq(asked.nr, 4u);
	cr_expect_eq(atomic_long_read(&s.nr_deferred), 100);
}

Test(shrinker, nothing_to_have_is_not_asked_for)
{
	struct asked asked = { .freeable = 0 };
	struct shrinker s = shrinker_of(&asked);

	atomic_long_set(&s.nr_deferred, 7);
	cr_expect_eq(do_shrink_slab(&s, 0), 0ul);
	asked.freeable = SHRINK_EMPTY;
	cr_expect_eq(do_shrink_slab(&s, 0), 0ul);
	cr_expect_eq(asked.nr, 0u);
	cr_expect_eq(atomic_long_read(&s.nr_deferred), 7);
}

/* Objects that cost nothing to make again: half of all, whatever the priority. */
Test(shrinker, without_seeks_half_is_asked_for)
{
	struct asked asked = { .freeable = 256, .stop_after = MOST_CALLS };
	struct shrinker s = shrinker_of(&asked);

	s.seeks = 0;
	atomic_long_set(&s.nr_deferred, 0);
	cr_expect_eq(do_shrink_slab(&s, 12), 128ul);
	cr_expect_eq(asked.nr, 1u);
}

/* ---- the pool's answer ---------------------------------------------------------- */

#define LARGE 2712			/* class 168: 3 objects in 2 pages */
#define SMALL 504			/* class 30: 8 objects in 1 page */

struct sparse {
	struct zs_pool *pool;
	unsigned long large[12], small[32];
};

static struct zs_pool *create_with(enum axis_shrinker shrinker, unsigned ratio)
{
	struct model_variant variant = base;

	variant.shrinker = shrinker;
	variant.shrinker_ratio = ratio;
	return create(&variant, 8);
}

/*
 * Four zspages of each class hold one object each: of the large ones 2 zspages
 * of 2 pages can be had, (12 - 4) / 3; of the small ones 3 of one page,
 * (32 - 4) / 8.
 */
static struct sparse make_sparse(enum axis_shrinker shrinker, unsigned ratio)
{
	struct sparse s = { .pool = create_with(shrinker, ratio) };

	for (int i = 0; i < 12; i++)
		s.large[i] = must_malloc(s.pool, LARGE);
	for (int i = 0; i < 32; i++)
		s.small[i] = must_malloc(s.pool, SMALL);
	for (int i = 0; i < 12; i++)
		if (i % 3)
			zs_free(s.pool, s.large[i]);
	for (int i = 0; i < 32; i++)
		if (i % 8)
			zs_free(s.pool, s.small[i]);
	cr_assert_eq(zs_get_total_pages(s.pool), 12ul);
	return s;
}

static void end_sparse(struct sparse *s)
{
	zs_check_pool(s->pool);
	for (int i = 0; i < 12; i += 3)
		zs_free(s->pool, s->large[i]);
	for (int i = 0; i < 32; i += 8)
		zs_free(s->pool, s->small[i]);
	zs_destroy_pool(s->pool);
}

Test(shrinker, full_pool_takes_all_whatever_is_asked)
{
	struct sparse s = make_sparse(SHRINKER_FULL_POOL, 0);

	cr_expect_eq(zs_shrinker_count(s.pool), 7ul);
	cr_expect_eq(zs_shrinker_scan(s.pool, 1), 7ul);
	cr_expect_eq(zs_shrinker_scan(s.pool, 1), SHRINK_STOP);
	end_sparse(&s);
}

/*
 * A budget of one page takes a zspage of two from the large class and leaves
 * it: the next request goes on at smaller classes, and only after them, past
 * the end of the table, comes what the large class has left.
 */
Test(shrinker, budget_ends_at_a_zspage_and_the_cursor_goes_on)
{
	struct sparse s = make_sparse(SHRINKER_BUDGET_CURSOR, 0);

	cr_expect_eq(zs_shrinker_count(s.pool), 7ul);
	cr_expect_eq(zs_shrinker_scan(s.pool, 1), 2ul, "one zspage, a page more than asked");
	cr_expect_eq(s.pool->compact_cursor, 167u, "behind class 168");
	cr_expect_eq(zs_shrinker_count(s.pool), 5ul);
	cr_expect_eq(zs_shrinker_scan(s.pool, 1), 1ul, "the small class, though the large one has more");
	cr_expect_eq(s.pool->compact_cursor, 29u);
	cr_expect_eq(zs_shrinker_scan(s.pool, 1), 2ul, "around the end to the large class");
	cr_expect_eq(s.pool->compact_cursor, 167u);
	cr_expect_eq(zs_shrinker_scan(s.pool, 100), 2ul, "all the rest, each class once");
	cr_expect_eq(s.pool->compact_cursor, 167u, "after a whole turn where it began");
	cr_expect_eq(zs_shrinker_scan(s.pool, 100), SHRINK_STOP);
	cr_expect_eq(zs_pages_compacted(s.pool), 7ul);
	end_sparse(&s);
}

/* Who asks outright gets all, from the largest class down, and the cursor stays. */
Test(shrinker, compaction_by_hand_has_no_budget)
{
	struct sparse s = make_sparse(SHRINKER_BUDGET_CURSOR, 0);

	cr_expect_eq(zs_shrinker_scan(s.pool, 0), SHRINK_STOP, "a budget of nothing");
	cr_expect_eq(zs_shrinker_scan(s.pool, 1), 2ul);
	cr_expect_eq(zs_compact(s.pool), 5ul);
	cr_expect_eq(s.pool->compact_cursor, 167u);
	end_sparse(&s);
}

/* Of the large class 4 of 8 pages can be had, of the small one 3 of 4: from 51 % on the large is left alone, from 76 % both. */
Test(shrinker, ratio_skips_poor_classes)
{
	static const struct {
		unsigned ratio;
		unsigned long pages;
	} cases[] = { { 1, 7 }, { 50, 7 }, { 51, 3 }, { 75, 3 }, { 76, 0 }, { 100, 0 } };

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sparse s = make_sparse(SHRINKER_RATIO_SKIP, cases[i].ratio);
		unsigned long want = cases[i].pages;

		cr_expect_eq(zs_shrinker_count(s.pool), want, "ratio %u", cases[i].ratio);
		cr_expect_eq(zs_shrinker_scan(s.pool, 128), want ? want : SHRINK_STOP, "ratio %u", cases[i].ratio);
		cr_expect_eq(zs_compact(s.pool), 7 - want, "by hand the rest, ratio %u", cases[i].ratio);
		end_sparse(&s);
	}
}

Test(shrinker, off_gives_nothing_but_by_hand)
{
	struct sparse s = make_sparse(SHRINKER_OFF, 0);

	cr_expect_eq(zs_shrinker_scan(s.pool, 128), SHRINK_STOP);
	cr_expect_eq(zs_get_total_pages(s.pool), 12ul);
	cr_expect_eq(zs_compact(s.pool), 7ul);
	end_sparse(&s);
}

/* Only one compaction of a pool is active: who comes second gets nothing, and the first one's end lets others in. */
Test(shrinker, one_compaction_at_a_time)
{
	for (enum axis_shrinker axis = SHRINKER_FULL_POOL; axis <= SHRINKER_RATIO_SKIP; axis++) {
		struct sparse s = make_sparse(axis, 1);

		atomic_set(&s.pool->compaction_in_progress, 1);
		cr_expect_eq(zs_shrinker_scan(s.pool, 128), SHRINK_STOP);
		cr_expect_eq(zs_compact(s.pool), 0ul);
		cr_expect_eq(zs_get_total_pages(s.pool), 12ul);
		atomic_set(&s.pool->compaction_in_progress, 0);
		cr_expect_eq(zs_shrinker_scan(s.pool, 128), 7ul);
		cr_expect_eq(atomic_read(&s.pool->compaction_in_progress), 0);
		end_sparse(&s);
	}
}
