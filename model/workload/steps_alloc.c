/* SPDX-License-Identifier: GPL-3.0-or-later */
/* steps_alloc.c - the steps that allocate, free, read and write objects. */
#include "model/workload/steps_driver.h"
#include "model/zsmalloc/view.h"

/* As zram asks for memory. */
#define OBJECT_GFP (GFP_NOIO | __GFP_NOWARN | __GFP_HIGHMEM | __GFP_MOVABLE)

/* From the zspage: not all versions agree whether zs_lookup_class_index() counts the header. */
static u32 class_of(unsigned long handle)
{
	struct zspage_view view;
	struct zspage *zspage;
	struct page *page;
	unsigned index;

	zs_view_place(steps->pool, handle, &zspage, &page, &index);
	zs_view_zspage(zspage, &view);
	return view.class_index;
}

void allocate(struct step_text *text, u32 size)
{
	unsigned long handle = zs_malloc(steps->pool, size, OBJECT_GFP);
	struct step_object *object;

	say(text, "malloc %u -> ", size);
	if (IS_ERR_VALUE(handle)) {
		say(text, "%ld", (long)handle);
		return;
	}
	object = objects_add(handle, size, class_of(handle));
	contents_write(object);
	say(text, "#%u class %u", object->number, object->class_index);
	steps->touched = (int)object->class_index;
}

void free_object(struct step_object *object)
{
	unsigned long handle = object->handle;

	objects_remove(object);
	zs_free(steps->pool, handle);
}

static void free_and_say(struct step_text *text, struct step_object *object, const char *which)
{
	say(text, "free #%u (%s) class %u", object->number, which, object->class_index);
	steps->touched = (int)object->class_index;
	free_object(object);
}

void step_free_random(struct step_text *text)
{
	free_and_say(text, random_object(), "random");
}

void step_free_oldest(struct step_text *text)
{
	free_and_say(text, objects_oldest(), "oldest");
}

void step_free_newest(struct step_text *text)
{
	free_and_say(text, objects_newest(), "newest");
}

/* Any other object of the class, NULL if there is none. */
static struct step_object *find_mate(const struct step_object *object)
{
	u32 alive = objects_alive(), start = random_below(alive);

	for (u32 i = 0; i < alive; i++) {
		struct step_object *mate = objects_at((start + i) % alive);

		if (mate != object && mate->class_index == object->class_index)
			return mate;
	}
	return NULL;
}

/* In the same zspage, which has more objects: then the order of two frees stays visible. */
static bool order_shows(const struct step_object *a, const struct step_object *b)
{
	struct zspage *zspage_a, *zspage_b;
	struct zspage_view view;
	struct page *page;
	unsigned index;

	zs_view_place(steps->pool, a->handle, &zspage_a, &page, &index);
	zs_view_place(steps->pool, b->handle, &zspage_b, &page, &index);
	zs_view_zspage(zspage_a, &view);
	return zspage_a == zspage_b && view.inuse > 2;
}

void step_free_pair(struct step_text *text)
{
	struct step_object *first = random_object(), *second = find_mate(first);

	if (!second) {
		free_and_say(text, first, "random");
		return;
	}
	say(text, "free #%u and #%u class %u", first->number, second->number, first->class_index);
	steps->touched = (int)first->class_index;
	if (order_shows(first, second) && break_is_due(STEPS_BREAK_SWAP_FREES)) {
		free_object(second);
		second = first;
	} else {
		free_object(first);
	}
	free_object(second);
}

void step_free_class(struct step_text *text)
{
	u32 class_index = random_object()->class_index, freed = 0;

	for (u32 at = objects_alive(); at-- > 0;) {
		struct step_object *object = objects_at(at);

		if (object->class_index != class_index)
			continue;
		free_object(object);
		freed++;
	}
	say(text, "free class %u: %u", class_index, freed);
	steps->touched = (int)class_index;
}

/* What zs_malloc() returns when it fails may be given to zs_free() unseen. */
void step_free_nothing(struct step_text *text)
{
	static const long errors[] = { 0, -ENOMEM, -EINVAL, -ENOSPC };
	long handle = errors[random_below(ARRAY_SIZE(errors))];

	zs_free(steps->pool, (unsigned long)handle);
	say(text, "free nothing (%ld)", handle);
	steps->touched = TOUCHED_ALL;
}

void step_read(struct step_text *text)
{
	struct step_object *object = random_object();

	contents_check(object);
	say(text, "read #%u", object->number);
	steps->touched = (int)object->class_index;
}

void step_write(struct step_text *text)
{
	struct step_object *object = random_object();

	contents_check(object);
	contents_write(object);
	say(text, "write #%u", object->number);
	steps->touched = (int)object->class_index;
}
