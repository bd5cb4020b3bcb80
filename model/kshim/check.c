/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * check.c - kshim_check_pool(): lists, counters, chains, objects and handles
 * of a pool, seen through model/zsmalloc/view.h, so that it holds for each
 * version. What is checked is what all versions promise.
 */
#include "model/kshim/check.h"

#include "model/kernel/kernel.h"
#include "model/zsmalloc/view.h"
#include "model/zsmalloc/zsmalloc.h"

#define CHECK(cond, zspage, fmt, ...) do {						\
	if (!(cond))									\
		hw_fault("zspage %p: " fmt, (void *)(zspage), __VA_ARGS__);		\
} while (0)

static void check_chain(struct zspage *zspage, struct page *page, unsigned pages)
{
	unsigned n = 0;

	for (; page && n <= pages; page = zs_view_next_page(page), n++) {
		CHECK(page->private == (unsigned long)zspage, zspage, "page %u is not its own", n);
		/* The newest trees do without the mark. */
		CHECK(!PagePrivate(page) || n == 0, zspage, "page %u: marked as first", n);
		CHECK(!PageLocked(page), zspage, "page %u is locked", n);
		CHECK(atomic_read(&page->_refcount) == 1, zspage, "page %u has %d references", n,
		      atomic_read(&page->_refcount));
	}
	CHECK(n == pages, zspage, "chain of %u pages or more, not %u", n, pages);
}

/* Each object in use must be where its handle says. */
static unsigned check_objects(struct zs_pool *pool, unsigned i, struct zspage *zspage, unsigned objs)
{
	unsigned inuse = 0;

	for (unsigned index = 0; index < objs; index++) {
		unsigned long handle = zs_view_object(pool, i, zspage, index);
		struct zspage *owner;
		struct page *page;
		unsigned at;

		if (!handle)
			continue;
		zs_view_place(pool, handle, &owner, &page, &at);
		CHECK(owner == zspage && at == index, zspage, "object %u: its handle 0x%lx leads to object %u of %p",
		      index, handle, at, (void *)owner);
		inuse++;
	}
	return inuse;
}

static void check_zspage(struct zs_pool *pool, unsigned i, unsigned group, const struct zs_class_view *class,
			 struct zspage *zspage)
{
	struct zspage_view view;
	unsigned inuse;

	zs_view_zspage(zspage, &view);
	CHECK(view.class_index == i, zspage, "class %u on a list of %u", view.class_index, i);
	CHECK(view.group == group, zspage, "group %u on list %u", view.group, group);
	CHECK((view.inuse == 0) == (group == 0), zspage, "%u objects in use on list %u", view.inuse, group);
	CHECK((view.inuse == class->objs_per_zspage) == (group == class->nr_groups - 1), zspage,
	      "%u objects of %u in use on list %u", view.inuse, class->objs_per_zspage, group);
	check_chain(zspage, view.first_page, class->pages_per_zspage);
	inuse = check_objects(pool, i, zspage, class->objs_per_zspage);
	CHECK(inuse == view.inuse, zspage, "%u objects in use, counted %u", view.inuse, inuse);
}

static void check_stat(unsigned i, const char *what, unsigned long counter, unsigned long counted)
{
	if (counter != counted)
		hw_fault("class %u: %s is %lu, counted %lu", i, what, counter, counted);
}

/* Returns the pages of the class. */
static unsigned long check_class(struct zs_pool *pool, unsigned i, const struct zs_class_view *class)
{
	unsigned long zspages = 0, inuse = 0;

	for (unsigned group = 0; group < class->nr_groups; group++) {
		struct zspage *zspage = zs_view_first(pool, i, group);
		unsigned long count = 0;

		for (; zspage; zspage = zs_view_next(pool, i, group, zspage), count++) {
			struct zspage_view view;

			check_zspage(pool, i, group, class, zspage);
			zs_view_zspage(zspage, &view);
			inuse += view.inuse;
		}
		/* In 6.1 and 6.6 the worker that frees empty zspages forgets to uncount them. */
		if (group)
			check_stat(i, "a group's counter", zs_view_stat(pool, i, group), count);
		zspages += count;
	}
	check_stat(i, "objects allocated", zs_view_stat(pool, i, class->nr_groups),
		   zspages * class->objs_per_zspage);
	check_stat(i, "objects in use", zs_view_stat(pool, i, class->nr_groups + 1), inuse);
	return zspages * class->pages_per_zspage;
}

void kshim_check_pool(struct zs_pool *pool)
{
	unsigned long pages = 0;
	struct zs_class_view class;

	for (unsigned i = 0; i < zs_view_nr_indices(pool); i++)
		if (zs_view_class(pool, i, &class))
			pages += check_class(pool, i, &class);
	if (pages != zs_get_total_pages(pool))
		hw_fault("pages allocated %lu, counted %lu", zs_get_total_pages(pool), pages);
}
