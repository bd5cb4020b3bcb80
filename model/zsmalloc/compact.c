/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compact.c - packing objects of sparse zspages into fuller ones, and the
 * shrinker, which asks for that when memory is short.
 *
 * A class is compacted with pool->lock held for writing, so no object can be
 * pinned meanwhile, and class->lock, so none is allocated or freed. Objects
 * pinned before stay readable: their zspage's lock cannot be had for writing,
 * and that ends the compaction of the class.
 */
#include "model/zsmalloc/compact.h"
#include "model/zsmalloc/fullness.h"
#include "model/zsmalloc/obj.h"
#include "model/zsmalloc/observe.h"
#include "model/zsmalloc/release.h"

unsigned long zs_can_compact(struct size_class *class)
{
	unsigned long allocated = class_stat_read(class, ZS_OBJS_ALLOCATED);
	unsigned long inuse = class_stat_read(class, ZS_OBJS_INUSE);

	if (allocated <= inuse)
		return 0;
	return (allocated - inuse) / class->objs_per_zspage * class->pages_per_zspage;
}

/* A byte of an object: where the copying is. */
struct cursor {
	struct page *page;
	unsigned int offset;
};

static struct cursor cursor_of(struct zs_pool *pool, struct size_class *class, unsigned long obj)
{
	struct cursor at = {
		.page = obj_to_page(obj),
		.offset = obj_offset(class, obj_to_index(pool, obj)),
	};

	return at;
}

static void advance(struct cursor *at, unsigned int bytes, bool more)
{
	at->offset += bytes;
	if (at->offset < PAGE_SIZE || !more)
		return;
	at->page = get_next_page(at->page);
	at->offset = 0;
}

/* Copy a whole object, header included. Either side may span, at different bytes. */
static void copy_object(struct zs_pool *pool, struct size_class *class, unsigned long to,
			unsigned long from)
{
	struct cursor src = cursor_of(pool, class, from);
	struct cursor dst = cursor_of(pool, class, to);
	unsigned int left = class->size;

	while (left) {
		unsigned int room = PAGE_SIZE - max(src.offset, dst.offset);
		unsigned int bytes = min(left, room);
		char *from_addr = kmap_local_page(src.page);
		char *to_addr = kmap_local_page(dst.page);

		memcpy(to_addr + dst.offset, from_addr + src.offset, bytes);
		kunmap_local(to_addr);
		kunmap_local(from_addr);
		left -= bytes;
		advance(&src, bytes, left);
		advance(&dst, bytes, left);
	}
}

/*
 * The handle of the first object in use that starts in @page, from the
 * *index-th on; *index becomes its. 0 if there is none.
 */
static unsigned long find_allocated(struct size_class *class, struct page *page, unsigned int *index)
{
	unsigned int offset = get_first_obj_offset(page) + class->size * *index;
	unsigned long handle = 0;
	char *vaddr = kmap_local_page(page);

	for (; offset < PAGE_SIZE; offset += class->size, (*index)++) {
		handle = obj_allocated(page, (struct link_free *)(vaddr + offset));
		if (handle)
			break;
	}
	kunmap_local(vaddr);
	return handle;
}

/*
 * The slot points to the new place before the bytes are there. Nobody can see
 * that: looking needs pool->lock or class->lock.
 */
static void move_object(struct zs_pool *pool, struct size_class *class, struct zspage *dst,
			unsigned long handle)
{
	unsigned long from = handle_to_obj(handle);
	unsigned long to = obj_malloc(pool, class, dst, handle);

	copy_object(pool, class, to, from);
	obj_free(pool, class, from);
	observed(observe_obj_moved(pool, class, from, to));
}

/* Move objects until @dst is full or @src is empty. @src is locked for writing. */
static void migrate_zspage(struct zs_pool *pool, struct size_class *class, struct zspage *src,
			   struct zspage *dst)
{
	struct page *page = src->first_page;
	unsigned int index = 0;

	while (page) {
		unsigned long handle = find_allocated(class, page, &index);

		if (!handle) {
			page = get_next_page(page);
			index = 0;
			continue;
		}
		move_object(pool, class, dst, handle);
		index++;
		if (zspage_full(class, dst) || zspage_empty(src))
			break;
	}
}

static struct zspage *isolate_group(struct size_class *class, int group)
{
	struct zspage *zspage = list_first_entry_or_null(&class->fullness_list[group],
							 struct zspage, list);

	if (zspage)
		remove_zspage(class, zspage);
	return zspage;
}

/* The sparsest zspage that holds something. */
static struct zspage *isolate_src_zspage(struct size_class *class)
{
	struct zspage *zspage = NULL;

	for (int group = ZS_INUSE_RATIO_10; group <= ZS_INUSE_RATIO_99 && !zspage; group++)
		zspage = isolate_group(class, group);
	return zspage;
}

/* The fullest zspage with room. */
static struct zspage *isolate_dst_zspage(struct size_class *class)
{
	struct zspage *zspage = NULL;

	for (int group = ZS_INUSE_RATIO_99; group >= ZS_INUSE_RATIO_10 && !zspage; group--)
		zspage = isolate_group(class, group);
	return zspage;
}

static int putback_zspage(struct size_class *class, struct zspage *zspage)
{
	int group = get_fullness_group(class, zspage);

	insert_zspage(class, zspage, group);
	return group;
}

static void lock_for_compaction(struct zs_pool *pool, struct size_class *class)
{
	write_lock(&pool->lock);
	observed(hw_span_begin(pool->observed.compaction_hold));
	spin_lock(&class->lock);
}

static void unlock_after_compaction(struct zs_pool *pool, struct size_class *class)
{
	spin_unlock(&class->lock);
	observed(hw_span_end(pool->observed.compaction_hold));
	write_unlock(&pool->lock);
}

/* Let others in: either a destination is done, or somebody waits for pool->lock. */
static void relax_compaction(struct zs_pool *pool, struct size_class *class)
{
	unlock_after_compaction(pool, class);
	cond_resched();
	lock_for_compaction(pool, class);
}

/*
 * Put back @src. If it is empty its pages go; they count as freed even when
 * the worker has to do it. Returns the pages.
 */
static unsigned long finish_src(struct zs_pool *pool, struct size_class *class, struct zspage *src)
{
	if (putback_zspage(class, src) != ZS_INUSE_RATIO_0)
		return 0;
	free_zspage(pool, class, src);
	return class->pages_per_zspage;
}

/* Compact @class until @max_pages are freed, or a zspage's worth more. Returns the pages freed. */
static unsigned long compact_class(struct zs_pool *pool, struct size_class *class,
				   unsigned long max_pages)
{
	struct zspage *src = NULL, *dst = NULL;
	unsigned long freed = 0;

	lock_for_compaction(pool, class);
	while (freed < max_pages && zs_can_compact(class)) {
		if (!dst)
			dst = isolate_dst_zspage(class);
		if (!dst)
			break;
		src = isolate_src_zspage(class);
		if (!src || !zspage_trylock_write(&src->zsl))
			break;
		migrate_zspage(pool, class, src, dst);
		zspage_unlock_write(&src->zsl);
		freed += finish_src(pool, class, src);
		src = NULL;
		if (zspage_full(class, dst) || rwlock_is_contended(&pool->lock)) {
			putback_zspage(class, dst);
			dst = NULL;
			relax_compaction(pool, class);
		}
	}
	if (src)
		putback_zspage(class, src);
	if (dst)
		putback_zspage(class, dst);
	unlock_after_compaction(pool, class);
	return freed;
}

/*
 * With ratio-skip the shrinker leaves classes alone in which less than the
 * ratio of the pages can be had: nearly all of their zspages would be visited
 * and locked for little. Whoever asks for compaction outright gets all.
 */
static bool shrinker_skips(struct zs_pool *pool, struct size_class *class)
{
	unsigned long pages;

	if (pool->config.shrinker != SHRINKER_RATIO_SKIP)
		return false;
	pages = class_stat_read(class, ZS_OBJS_ALLOCATED) / class->objs_per_zspage *
		class->pages_per_zspage;
	return zs_can_compact(class) * 100 < pages * pool->config.shrinker_ratio;
}

/* Whether the shrinker asks decides where to begin and what is left out. */
enum compaction_by { BY_REQUEST, BY_SHRINKER };

/*
 * Compact one class after the other, from the largest down, each once, until
 * @max_pages are freed, unless another CPU is at it. With budget-cursor the
 * shrinker goes on behind the class in which it stopped last time (RFC "mm:
 * zsmalloc: use the shrinker reclaim budget", August 2026): that class may
 * have more, which has to wait until it is its turn again.
 */
static unsigned long compact_pool(struct zs_pool *pool, unsigned long max_pages, enum compaction_by by)
{
	bool cursor = by == BY_SHRINKER && pool->config.shrinker == SHRINKER_BUDGET_CURSOR;
	unsigned int index, left;
	unsigned long freed = 0;

	if (!max_pages || atomic_xchg(&pool->compaction_in_progress, 1))
		return 0;
	index = cursor ? pool->compact_cursor : ZS_SIZE_CLASSES - 1;
	for (left = ZS_SIZE_CLASSES; left && freed < max_pages; left--) {
		struct size_class *class = pool->size_class[index];

		if (class->index == index && !(by == BY_SHRINKER && shrinker_skips(pool, class)))
			freed += compact_class(pool, class, max_pages - freed);
		index = index ? index - 1 : ZS_SIZE_CLASSES - 1;
	}
	if (cursor)
		pool->compact_cursor = index;
	atomic_long_add(freed, &pool->stats.pages_compacted);
	atomic_set(&pool->compaction_in_progress, 0);
	return freed;
}

/* Compact all classes, unless another CPU is at it. May sleep. Returns the pages freed. */
unsigned long zs_compact(struct zs_pool *pool)
{
	return compact_pool(pool, ~0ul, BY_REQUEST);
}

unsigned long zs_pages_compacted(struct zs_pool *pool)
{
	return atomic_long_read(&pool->stats.pages_compacted);
}

/* Pages that zs_shrinker_scan() might free. Takes no lock. */
unsigned long zs_shrinker_count(struct zs_pool *pool)
{
	unsigned long pages = 0;
	struct size_class *class;
	int i;

	for_each_class_down(pool, class, i)
		if (!shrinker_skips(pool, class))
			pages += zs_can_compact(class);
	return pages;
}

/*
 * Compacts the whole pool whatever @nr_to_scan is, unless the variant has a
 * budget. Returns the pages freed, or SHRINK_STOP if none. With axis shrinker
 * off nobody should ask, and who does gets nothing.
 */
unsigned long zs_shrinker_scan(struct zs_pool *pool, unsigned long nr_to_scan)
{
	unsigned long budget = pool->config.shrinker == SHRINKER_BUDGET_CURSOR ? nr_to_scan : ~0ul;
	unsigned long freed = 0;

	if (pool->config.shrinker != SHRINKER_OFF)
		freed = compact_pool(pool, budget, BY_SHRINKER);
	return freed ? freed : SHRINK_STOP;
}
