/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tree_view.h - part of tree.c: model/zsmalloc/view.h for a tree's allocator.
 * Runs muted. Numbers of groups and counters come from the tree's own arrays:
 * in all versions the groups' counters come first, then the objects that fit,
 * then those in use.
 */
#include "model/zsmalloc/view.h"

#ifdef TREE_FIELD_zspage_first_zpdesc
#define TREE_FIRST_PAGE first_zpdesc
#else
#define TREE_FIRST_PAGE first_page
#endif

unsigned zs_view_nr_indices(struct zs_pool *pool)
{
	return ARRAY_SIZE(pool->size_class);
}

bool zs_view_class(struct zs_pool *pool, unsigned i, struct zs_class_view *view)
{
	struct size_class *class = pool->size_class[i];

	if (!class || class->index != i)
		return false;
	view->size = class->size;
	view->objs_per_zspage = class->objs_per_zspage;
	view->pages_per_zspage = class->pages_per_zspage;
	view->nr_groups = ARRAY_SIZE(class->fullness_list);
	return true;
}

unsigned long zs_view_stat(struct zs_pool *pool, unsigned i, unsigned stat)
{
	return pool->size_class[i]->stats.objs[stat];
}

static struct zspage *entry_of(struct list_head *head, struct list_head *node)
{
	return node == head ? NULL : list_entry(node, struct zspage, list);
}

struct zspage *zs_view_first(struct zs_pool *pool, unsigned i, unsigned group)
{
	struct list_head *head = &pool->size_class[i]->fullness_list[group];

	return entry_of(head, head->next);
}

struct zspage *zs_view_next(struct zs_pool *pool, unsigned i, unsigned group, struct zspage *zspage)
{
	return entry_of(&pool->size_class[i]->fullness_list[group], zspage->list.next);
}

void zs_view_zspage(struct zspage *zspage, struct zspage_view *view)
{
	view->class_index = zspage->class;
	view->group = zspage->fullness;
	view->inuse = zspage->inuse;
	view->freeobj = zspage->freeobj;
	view->first_page = (struct page *)zspage->TREE_FIRST_PAGE;
}

static bool huge_page(struct page *page)
{
	return ((struct zspage *)page->private)->huge;
}

/* The link to the next page and the handle of a huge object are the same word of the descriptor. */
struct page *zs_view_next_page(struct page *page)
{
	return huge_page(page) ? NULL : (struct page *)page->index;
}

unsigned long zs_view_object(struct zs_pool *pool, unsigned i, struct zspage *zspage, unsigned index)
{
	unsigned long offset = (unsigned long)index * pool->size_class[i]->size, word;
	struct page *page = (struct page *)zspage->TREE_FIRST_PAGE;

	for (unsigned long hops = offset >> PAGE_SHIFT; hops; hops--)
		page = zs_view_next_page(page);
	word = huge_page(page) ? page->index :
	       *(unsigned long *)((char *)page_address(page) + offset_in_page(offset));
	return word & 1 ? word & ~1ul : 0;
}

void zs_view_place(struct zs_pool *pool, unsigned long handle, struct zspage **zspage, struct page **page,
		   unsigned *index)
{
	unsigned i, objs;

	*page = (pfn_to_page)(*(unsigned long *)handle >> KSHIM_FRAME_SHIFT);
	*zspage = (struct zspage *)(*page)->private;
	i = (*zspage)->class;
	objs = pool->size_class[i]->objs_per_zspage;
	for (*index = 0; *index < objs; ++*index)
		if (zs_view_object(pool, i, *zspage, *index) == handle)
			return;
	hw_fault("handle 0x%lx: no object of its zspage names it", handle);
}
