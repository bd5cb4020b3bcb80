/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The own allocator as model/zsmalloc/view.h shows it, against what follows
 * from the order of calls: a fresh zspage gives its objects out by index, a
 * freed object is the next one out.
 */
#include "tests/host_kernel/pool_fixture.h"
#include "model/zsmalloc/view.h"

TestSuite(view, .init = boot, .timeout = 60);

/* The first axis decides what is in an obj value, so where the view finds page and index. */
static const struct model_variant pool_lock = { .lookup = LOOKUP_POOL_LOCK };
static const struct model_variant *const variants[] = { &pool_lock, &base };

#define MAX_OBJS 256

/* Allocate all objects of a zspage of class @i, in order. Returns how many. */
static unsigned fill_zspage(struct zs_pool *pool, unsigned i, unsigned long *handle)
{
	struct zs_class_view class;
	unsigned bytes;

	cr_assert(zs_view_class(pool, i, &class));
	cr_assert_leq(class.objs_per_zspage, MAX_OBJS);
	bytes = class.size == PAGE_SIZE ? PAGE_SIZE : class.size - ZS_HANDLE_SIZE;
	for (unsigned k = 0; k < class.objs_per_zspage; k++)
		handle[k] = must_malloc(pool, bytes);
	return class.objs_per_zspage;
}

static struct page *nth_page(const struct zspage_view *view, unsigned n)
{
	struct page *page = view->first_page;

	while (n--)
		page = zs_view_next_page(page);
	return page;
}

/* Object k of a full zspage is at index k, and starts in the page that k times the size leads to. */
static void check_full_zspage(struct zs_pool *pool, unsigned i, const unsigned long *handle)
{
	struct zspage *zspage, *owner;
	struct zs_class_view class;
	struct zspage_view view;
	struct page *page;
	unsigned index;

	zs_view_class(pool, i, &class);
	zspage = zs_view_first(pool, i, class.nr_groups - 1);
	cr_assert_not_null(zspage, "class %u: no full zspage", i);
	cr_assert_null(zs_view_next(pool, i, class.nr_groups - 1, zspage));
	zs_view_zspage(zspage, &view);
	cr_assert_eq(view.class_index, i);
	cr_assert_eq(view.group, class.nr_groups - 1);
	cr_assert_eq(view.inuse, class.objs_per_zspage);
	cr_assert_null(nth_page(&view, class.pages_per_zspage), "class %u: the chain goes on", i);
	for (unsigned k = 0; k < class.objs_per_zspage; k++) {
		cr_assert_eq(zs_view_object(pool, i, zspage, k), handle[k], "class %u, object %u", i, k);
		zs_view_place(pool, handle[k], &owner, &page, &index);
		cr_assert(owner == zspage && index == k, "class %u, object %u: found at %u", i, k, index);
		cr_assert_eq(page, nth_page(&view, k * class.size / PAGE_SIZE), "class %u, object %u", i, k);
	}
}

/*
 * One full zspage in each class, at three chain limits. Expect each object
 * where the order of allocation puts it, and the counters to say so.
 */
Test(view, shows_each_object_where_it_was_put)
{
	static const unsigned chains[] = { 4, 8, 16 };
	unsigned long handle[MAX_OBJS];

	for (unsigned v = 0; v < 6; v++) {
		struct zs_pool *pool = create(variants[v % 2], chains[v / 2]);
		struct zs_class_view class;

		for (unsigned i = 0; i < zs_view_nr_indices(pool); i++) {
			unsigned objs;

			if (!zs_view_class(pool, i, &class))
				continue;
			objs = fill_zspage(pool, i, handle);
			check_full_zspage(pool, i, handle);
			cr_assert_eq(zs_view_stat(pool, i, class.nr_groups - 1), 1);
			cr_assert_eq(zs_view_stat(pool, i, class.nr_groups), objs);
			cr_assert_eq(zs_view_stat(pool, i, class.nr_groups + 1), objs);
			for (unsigned k = 0; k < objs; k++)
				zs_free(pool, handle[k]);
			for (unsigned group = 0; group < class.nr_groups; group++)
				cr_assert_null(zs_view_first(pool, i, group));
		}
		zs_destroy_pool(pool);
	}
}

/* Classes are found by the largest index that leads to them, and by no other. */
Test(view, classes_are_those_of_lookup)
{
	struct zs_pool *pool = create(&base, 8);
	struct zs_class_view class;
	unsigned found = 0;

	for (unsigned i = 0; i < zs_view_nr_indices(pool); i++) {
		if (!zs_view_class(pool, i, &class))
			continue;
		found++;
		cr_assert_eq(class.size, 32 + 16 * i);
		cr_assert_eq(zs_lookup_class_index(pool, class.size - ZS_HANDLE_SIZE), i);
	}
	cr_assert_eq(found, 119, "the number of classes at a chain limit of 8");
	zs_destroy_pool(pool);
}

/*
 * Objects 5 and 2 of a full zspage are freed.
 *
 *	0 1 - 3 4 - 6 ...	first free 2, then 5
 *
 * Expect the list to begin with the one freed last, and nothing where they
 * were. Allocated again, the zspage is full and its first free index the mark
 * that a word of 32 bits, shifted and shifted back, is left with: as in 6.12.
 */
Test(view, a_freed_object_is_the_first_free_one)
{
	for (unsigned v = 0; v < 2; v++) {
		struct zs_pool *pool = create(variants[v], 8);
		unsigned long handle[MAX_OBJS];
		unsigned objs = fill_zspage(pool, 0, handle);
		struct zspage *zspage = zspage_of(handle[0]);
		struct zspage_view view;

		zs_free(pool, handle[5]);
		zs_free(pool, handle[2]);
		zs_view_zspage(zspage, &view);
		cr_assert_eq(view.freeobj, 2);
		cr_assert_eq(view.inuse, objs - 2);
		cr_assert_eq(zs_view_object(pool, 0, zspage, 2), 0);
		cr_assert_eq(zs_view_object(pool, 0, zspage, 5), 0);
		handle[2] = must_malloc(pool, 24);
		cr_assert_eq(zs_view_object(pool, 0, zspage, 2), handle[2]);
		zs_view_zspage(zspage, &view);
		cr_assert_eq(view.freeobj, 5);
		handle[5] = must_malloc(pool, 24);
		zs_view_zspage(zspage, &view);
		cr_assert_eq(view.freeobj, ~0u >> 1);
		for (unsigned k = 0; k < objs; k++)
			zs_free(pool, handle[k]);
		zs_destroy_pool(pool);
	}
}
