/* SPDX-License-Identifier: GPL-3.0-or-later */
/* steps_layout.c - see steps_layout.h. Looks through model/zsmalloc/view.h, so it serves any allocator. */
#include "model/kernel/kernel.h"
#include "model/workload/steps_layout.h"
#include "model/workload/steps_objects.h"
#include "model/zsmalloc/view.h"

/* An object in use whose handle the driver does not know: freed, but waiting to be. */
#define UNKNOWN_OBJECT (~0u)

static u64 mix(u64 digest, u64 value)
{
	digest = (digest ^ value) * 0x9e3779b97f4a7c15ull;
	return digest ^ digest >> 29;
}

/* Number of the object at @index; 0: free. */
static u32 number_at(struct zs_pool *pool, unsigned i, struct zspage *zspage, unsigned index)
{
	unsigned long handle = zs_view_object(pool, i, zspage, index);
	struct step_object *object;

	if (!handle)
		return 0;
	object = objects_find(handle);
	return object ? object->number : UNKNOWN_OBJECT;
}

static unsigned count_pages(const struct zspage_view *view)
{
	unsigned n = 0;

	for (struct page *page = view->first_page; page; page = zs_view_next_page(page))
		n++;
	return n;
}

static u64 layout_of_zspage(u64 digest, struct zs_pool *pool, unsigned i, const struct zs_class_view *class,
			    struct zspage *zspage)
{
	struct zspage_view view;

	zs_view_zspage(zspage, &view);
	digest = mix(digest, (u64)view.class_index << 32 | view.group);
	digest = mix(digest, (u64)view.inuse << 32 | view.freeobj);
	digest = mix(digest, count_pages(&view));
	for (unsigned index = 0; index < class->objs_per_zspage; index++)
		digest = mix(digest, number_at(pool, i, zspage, index));
	return digest;
}

static u64 add_class(u64 digest, struct zs_pool *pool, unsigned i, const struct zs_class_view *class)
{
	digest = mix(digest, (u64)i << 32 | class->size);
	digest = mix(digest, (u64)class->objs_per_zspage << 32 | class->pages_per_zspage);
	for (unsigned stat = 0; stat < class->nr_groups + 2; stat++)
		digest = mix(digest, zs_view_stat(pool, i, stat));
	for (unsigned group = 0; group < class->nr_groups; group++) {
		struct zspage *zspage = zs_view_first(pool, i, group);

		digest = mix(digest, group);
		for (; zspage; zspage = zs_view_next(pool, i, group, zspage))
			digest = layout_of_zspage(digest, pool, i, class, zspage);
	}
	return digest;
}

u64 layout_of_class(struct zs_pool *pool, unsigned i)
{
	struct zs_class_view class;

	BUG_ON(!zs_view_class(pool, i, &class));
	return add_class(0, pool, i, &class);
}

u64 layout_of_pool(struct zs_pool *pool)
{
	struct zs_class_view class;
	u64 digest = 0;

	for (unsigned i = 0; i < zs_view_nr_indices(pool); i++)
		if (zs_view_class(pool, i, &class))
			digest = add_class(digest, pool, i, &class);
	return digest;
}

static void say_zspage(struct step_text *text, struct zs_pool *pool, unsigned i, const struct zs_class_view *class,
		       struct zspage *zspage)
{
	struct zspage_view view;

	zs_view_zspage(zspage, &view);
	say(text, "  group %u: %u/%u in use, first free %u, %u pages:", view.group, view.inuse,
	    class->objs_per_zspage, view.freeobj, count_pages(&view));
	for (unsigned index = 0; index < class->objs_per_zspage; index++) {
		u32 number = number_at(pool, i, zspage, index);

		if (number == UNKNOWN_OBJECT)
			say(text, " ?");
		else if (number)
			say(text, " %u", number);
		else
			say(text, " -");
	}
	say(text, "\n");
}

/* A class that holds nothing has nothing but counters of zero, and that they are is said by its absence. */
static bool class_is_empty(struct zs_pool *pool, unsigned i, const struct zs_class_view *class)
{
	for (unsigned stat = 0; stat < class->nr_groups + 2; stat++)
		if (zs_view_stat(pool, i, stat))
			return false;
	for (unsigned group = 0; group < class->nr_groups; group++)
		if (zs_view_first(pool, i, group))
			return false;
	return true;
}

static void say_class(struct step_text *text, struct zs_pool *pool, unsigned i, const struct zs_class_view *class)
{
	if (class_is_empty(pool, i, class))
		return;
	say(text, "class %u: size %u, %u objects in %u pages, counters", i, class->size, class->objs_per_zspage,
	    class->pages_per_zspage);
	for (unsigned stat = 0; stat < class->nr_groups + 2; stat++)
		say(text, " %lu", zs_view_stat(pool, i, stat));
	say(text, "\n");
	for (unsigned group = 0; group < class->nr_groups; group++) {
		struct zspage *zspage = zs_view_first(pool, i, group);

		for (; zspage; zspage = zs_view_next(pool, i, group, zspage))
			say_zspage(text, pool, i, class, zspage);
	}
}

void layout_text(struct zs_pool *pool, struct step_text *text)
{
	struct zs_class_view class;

	for (unsigned i = 0; i < zs_view_nr_indices(pool); i++)
		if (zs_view_class(pool, i, &class))
			say_class(text, pool, i, &class);
}
