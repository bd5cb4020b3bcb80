/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * steps_pages.c - what others do with pages while an allocator uses them:
 * migrate them, keep them locked, take all that are free.
 */
#include "model/workload/steps_driver.h"
#include "model/zsmalloc/view.h"

#define TAKE_GFP (GFP_NOWAIT | __GFP_NOWARN | __GFP_SKIP_ZERO)

static LIST_HEAD(taken);		/* by their lru, which is free while a page is somebody's */

static struct page *page_at(struct zspage *zspage, unsigned n)
{
	struct zspage_view view;
	struct page *page;

	zs_view_zspage(zspage, &view);
	for (page = view.first_page; n; n--)
		page = zs_view_next_page(page);
	return page;
}

static struct zspage *zspage_of(const struct step_object *object)
{
	struct zspage *zspage;
	struct page *page;
	unsigned index;

	zs_view_place(steps->pool, object->handle, &zspage, &page, &index);
	return zspage;
}

static unsigned pages_of_class(unsigned i)
{
	struct zs_class_view class;

	BUG_ON(!zs_view_class(steps->pool, i, &class));
	return class.pages_per_zspage;
}

/* ---- migration ---- */

/* Both pages are locked, and the caller has a reference to each. */
static int move_page(struct zspage *zspage, unsigned n, struct page *newpage, struct page *page)
{
	int error = zs_page_migrate(newpage, page);

	if (page_at(zspage, n) != (error ? page : newpage))
		hw_fault("step %lu: migration of page %u returned %d, but the zspage has %s page", steps->step, n,
			 error, error ? "another" : "not the new");
	return error;
}

static void try_to_move(struct step_text *text, struct zspage *zspage, unsigned n)
{
	struct page *page = page_at(zspage, n), *newpage = alloc_page(TAKE_GFP);

	if (!newpage) {
		say(text, "no page");
		return;
	}
	get_page(page);
	if (trylock_page(page)) {
		BUG_ON(!trylock_page(newpage));
		say(text, "%d", move_page(zspage, n, newpage, page));
		unlock_page(newpage);
		unlock_page(page);
	} else {
		say(text, "locked");
	}
	put_page(page);
	put_page(newpage);
}

void step_migrate(struct step_text *text)
{
	struct step_object *object = random_object();
	unsigned n = random_below(pages_of_class(object->class_index));

	say(text, "migrate page %u of #%u -> ", n, object->number);
	try_to_move(text, zspage_of(object), n);
	contents_check(object);
	steps->touched = (int)object->class_index;
}

/* ---- locked pages ---- */

static u32 free_zspage_objects(struct zspage *zspage)
{
	u32 freed = 0;

	for (u32 at = objects_alive(); at-- > 0;) {
		struct step_object *object = objects_at(at);

		if (zspage_of(object) != zspage)
			continue;
		free_object(object);
		freed++;
	}
	return freed;
}

/*
 * As migration does between two looks: somebody has a page locked, and its
 * zspage loses all its objects, so that its pages must be left to the worker.
 * Or it keeps them, and whoever empties it next finds it locked.
 */
void step_lock_page(struct step_text *text)
{
	struct step_object *object = random_object();
	struct zspage *zspage = zspage_of(object);
	unsigned n = random_below(pages_of_class(object->class_index));
	struct page *page = page_at(zspage, n);

	steps->touched = (int)object->class_index;
	say(text, "lock page %u of #%u", n, object->number);
	if (!trylock_page(page)) {
		say(text, " -> locked");
		return;
	}
	get_page(page);
	steps->held = page;
	if (random_below(4))
		say(text, ", free all of its zspage: %u", free_zspage_objects(zspage));
}

void step_unlock_page(struct step_text *text)
{
	unlock_page(steps->held);
	/* The last reference to a page that the worker frees is ours if it comes first, else its own. */
	if (random_below(2))
		cond_resched();
	put_page(steps->held);
	cond_resched();
	steps->held = NULL;
	say(text, "unlock page");
	steps->touched = TOUCHED_ALL;
}

/* From the context of CPU 0 that runs when nothing else does: comes back when all tasks sleep. */
void step_workers(struct step_text *text)
{
	cond_resched();
	say(text, "run workers");
	steps->touched = TOUCHED_ALL;
}

/* ---- short memory ---- */

void take_pages(u32 left)
{
	struct page *page;

	while ((page = alloc_page(TAKE_GFP)))
		list_add(&page->lru, &taken);
	for (; left && !list_empty(&taken); left--) {
		page = list_first_entry(&taken, struct page, lru);
		list_del(&page->lru);
		put_page(page);
	}
}

void give_back_pages(void)
{
	while (!list_empty(&taken)) {
		struct page *page = list_first_entry(&taken, struct page, lru);

		list_del(&page->lru);
		put_page(page);
	}
}
