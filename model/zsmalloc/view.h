/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * view.h - what an observer may ask about a pool, whoever wrote the
 * allocator: the project's own (view.c) or a kernel tree's (model/kshim/).
 *
 * Nothing here takes a lock or changes anything: to be called when all is
 * quiet, in functional mode. A class is named by an index of the pool's table,
 * a group by its number there (own allocator and 6.3 and later: 12 groups,
 * earlier: 4; 0 is always "none in use").
 */
#ifndef ZSMALLOC_VIEW_H
#define ZSMALLOC_VIEW_H

#include "model/kernel/types.h"

struct zs_pool;
struct zspage;
struct page;

struct zs_class_view {
	unsigned size;			/* bytes of an object, header included */
	unsigned objs_per_zspage;
	unsigned pages_per_zspage;
	unsigned nr_groups;
};

struct zspage_view {
	unsigned class_index;
	unsigned group;			/* as the zspage itself has it noted */
	unsigned inuse;			/* objects */
	unsigned freeobj;		/* index of the first free object */
	struct page *first_page;
};

/* Indices of the pool's table. */
unsigned zs_view_nr_indices(struct zs_pool *pool);
/* Describe the class whose own index is @i. False: index @i is served by the class of a larger index. */
bool zs_view_class(struct zs_pool *pool, unsigned i, struct zs_class_view *view);
/* Counters of that class: zspages of group @stat; then, nr_groups: objects that fit, nr_groups + 1: objects in use. */
unsigned long zs_view_stat(struct zs_pool *pool, unsigned i, unsigned stat);
/* The zspages of a group in list order; NULL at the end. */
struct zspage *zs_view_first(struct zs_pool *pool, unsigned i, unsigned group);
struct zspage *zs_view_next(struct zs_pool *pool, unsigned i, unsigned group, struct zspage *zspage);

void zs_view_zspage(struct zspage *zspage, struct zspage_view *view);
/* The next page of a zspage's chain, NULL after the last. */
struct page *zs_view_next_page(struct page *page);
/* Handle of object @index of @zspage, which belongs to the class of index @i; 0 when it is free. */
unsigned long zs_view_object(struct zs_pool *pool, unsigned i, struct zspage *zspage, unsigned index);
/* Where the object of @handle is: its zspage, the page it starts in, its index. */
void zs_view_place(struct zs_pool *pool, unsigned long handle, struct zspage **zspage, struct page **page,
		   unsigned *index);

#endif
