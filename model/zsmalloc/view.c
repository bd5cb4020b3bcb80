/* SPDX-License-Identifier: GPL-3.0-or-later */
/* view.c - the project's own allocator as view.h shows it. */
#include "model/zsmalloc/obj.h"
#include "model/zsmalloc/view.h"

unsigned zs_view_nr_indices(struct zs_pool *pool)
{
	return ARRAY_SIZE(pool->size_class);
}

bool zs_view_class(struct zs_pool *pool, unsigned i, struct zs_class_view *view)
{
	struct size_class *class = pool->size_class[i];

	if (class->index != i)
		return false;
	view->size = (unsigned)class->size;
	view->objs_per_zspage = (unsigned)class->objs_per_zspage;
	view->pages_per_zspage = (unsigned)class->pages_per_zspage;
	view->nr_groups = NR_FULLNESS_GROUPS;
	return true;
}

unsigned long zs_view_stat(struct zs_pool *pool, unsigned i, unsigned stat)
{
	return pool->size_class[i]->stats[stat];
}

/* A list's head stands for its end. */
static struct zspage *zspage_at(struct list_head *head, struct list_head *node)
{
	return node == head ? NULL : list_entry(node, struct zspage, list);
}

struct zspage *zs_view_first(struct zs_pool *pool, unsigned i, unsigned group)
{
	struct list_head *head = &pool->size_class[i]->fullness_list[group];

	return zspage_at(head, head->next);
}

struct zspage *zs_view_next(struct zs_pool *pool, unsigned i, unsigned group, struct zspage *zspage)
{
	return zspage_at(&pool->size_class[i]->fullness_list[group], zspage->list.next);
}

void zs_view_zspage(struct zspage *zspage, struct zspage_view *view)
{
	view->class_index = zspage->class;
	view->group = zspage->fullness;
	view->inuse = zspage->inuse;
	view->freeobj = zspage->freeobj;
	view->first_page = zspage->first_page;
}

struct page *zs_view_next_page(struct page *page)
{
	return get_next_page(page);
}

unsigned long zs_view_object(struct zs_pool *pool, unsigned i, struct zspage *zspage, unsigned index)
{
	unsigned long offset = (unsigned long)pool->size_class[i]->size * index;
	struct page *page = zspage->first_page;

	for (unsigned long hops = offset >> PAGE_SHIFT; hops; hops--)
		page = get_next_page(page);
	return obj_allocated(page, (struct link_free *)((char *)page_address(page) + offset_in_page(offset)));
}

void zs_view_place(struct zs_pool *pool, unsigned long handle, struct zspage **zspage, struct page **page,
		   unsigned *index)
{
	unsigned long obj = handle_to_obj(handle);

	*page = obj_to_page(obj);
	*zspage = get_zspage(*page);
	*index = obj_to_index(pool, obj);
}
