/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * check.c - zs_check_pool(): does everything the pool knows about itself
 * agree? Called when all is quiet, so it takes no lock.
 */
#include "model/zsmalloc/defer.h"
#include "model/zsmalloc/fullness.h"
#include "model/zsmalloc/obj.h"
#include "model/zsmalloc/observe.h"

#define CHECK(cond, zspage, fmt, ...) do {						\
	if (!(cond))									\
		hw_fault("zspage %p: " fmt, (void *)(zspage), __VA_ARGS__);		\
} while (0)

/* The word at the start of object @index. */
static struct link_free *obj_word(struct size_class *class, struct zspage *zspage,
				  unsigned int index, struct page **page)
{
	unsigned long offset = (unsigned long)index * class->size;

	*page = zspage->first_page;
	for (unsigned long hops = offset >> PAGE_SHIFT; hops; hops--)
		*page = get_next_page(*page);
	return (struct link_free *)((char *)page_address(*page) + offset_in_page(offset));
}

/* The offset at which the first object of the @nth page starts, by arithmetic. */
static unsigned int first_start(struct size_class *class, unsigned int nth)
{
	unsigned long begin = (unsigned long)nth << PAGE_SHIFT;

	return DIV_ROUND_UP(begin, (unsigned long)class->size) * class->size - begin;
}

static void check_page(struct size_class *class, struct zspage *zspage, struct page *page, int nth)
{
	CHECK(page_is_zsmalloc(page), zspage, "page %d has type 0x%x", nth, page->page_type);
	CHECK(page->private == (unsigned long)zspage, zspage, "page %d is not its own", nth);
	CHECK(PagePrivate(page) == (nth == 0), zspage, "page %d: first-page mark is wrong", nth);
	CHECK(!PageLocked(page), zspage, "page %d is locked", nth);
	CHECK(page->mapping == ZS_MAPPING_MOVABLE, zspage, "page %d is not movable", nth);
	CHECK(atomic_read(&page->_refcount) == 1, zspage, "page %d has %d references", nth,
	      atomic_read(&page->_refcount));
	CHECK(get_first_obj_offset(page) == first_start(class, nth), zspage,
	      "page %d: first object at %u", nth, get_first_obj_offset(page));
}

static void check_chain(struct size_class *class, struct zspage *zspage)
{
	struct page *page = zspage->first_page;
	int pages = 0;

	for (; page && pages <= class->pages_per_zspage; page = get_next_page(page))
		check_page(class, zspage, page, pages++);
	CHECK(pages == class->pages_per_zspage, zspage, "chain of %d pages or more, not %d", pages,
	      class->pages_per_zspage);
}

/* Object @index is in use by @handle: the slot must say so too. */
static void check_handle(struct zs_pool *pool, struct size_class *class, struct zspage *zspage,
			 unsigned int index, struct page *page, unsigned long handle)
{
	unsigned long obj = handle_to_obj(handle);

	CHECK(obj == location_to_obj(pool, page, class->index, index), zspage,
	      "object %u: handle 0x%lx says 0x%lx", index, handle, obj);
}

static unsigned int check_objects(struct zs_pool *pool, struct size_class *class,
				  struct zspage *zspage)
{
	unsigned int inuse = 0;

	for (int index = 0; index < class->objs_per_zspage; index++) {
		struct page *page;
		struct link_free *word = obj_word(class, zspage, index, &page);
		unsigned long handle = obj_allocated(page, word);

		if (!handle)
			continue;
		check_handle(pool, class, zspage, index, page, handle);
		inuse++;
	}
	return inuse;
}

/* From the head every free object is reached once: as many steps as there are, each to a free one. */
static void check_freelist(struct size_class *class, struct zspage *zspage)
{
	unsigned int free = class->objs_per_zspage - zspage->inuse;
	unsigned long index = zspage->freeobj;

	/* The links of a huge zspage are under its user's data. */
	if (zspage->huge)
		return;
	for (unsigned int i = 0; i < free; i++) {
		struct page *page;
		struct link_free *word;

		CHECK(index < (unsigned long)class->objs_per_zspage, zspage,
		      "free list leaves the zspage: index %lu after %u of %u", index, i, free);
		word = obj_word(class, zspage, index, &page);
		CHECK(!(word->next & OBJ_ALLOCATED_TAG), zspage, "object %lu in use is on the free list",
		      index);
		index = word->next >> OBJ_TAG_BITS;
	}
	/* A loop would not have got here: no path through distinct objects is followed by its end. */
	CHECK(index >= (unsigned long)class->objs_per_zspage, zspage,
	      "free list of %u objects goes on to %lu", free, index);
}

static void check_zspage(struct zs_pool *pool, struct size_class *class, int group,
			 struct zspage *zspage)
{
	unsigned int inuse;

	CHECK(zspage->magic == ZSPAGE_MAGIC, zspage, "magic 0x%x", zspage->magic);
	CHECK(zspage->pool == pool, zspage, "belongs to pool %p", (void *)zspage->pool);
	CHECK(zspage->class == class->index, zspage, "class %u on a list of %u", zspage->class,
	      class->index);
	CHECK((int)zspage->fullness == group, zspage, "group %u on list %d", zspage->fullness, group);
	CHECK(get_fullness_group(class, zspage) == group, zspage, "%u objects in use on list %d",
	      zspage->inuse, group);
	CHECK(zspage->zsl.cnt == ZS_PAGE_UNLOCKED, zspage, "%d readers left", zspage->zsl.cnt);
	check_chain(class, zspage);
	inuse = check_objects(pool, class, zspage);
	CHECK(inuse == zspage->inuse, zspage, "%u objects in use, counted %u", zspage->inuse, inuse);
	check_freelist(class, zspage);
	CHECK(observe_noted_queued(pool, zspage) == observe_count_queued(pool, zspage), zspage,
	      "%u objects noted as waiting", observe_noted_queued(pool, zspage));
}

/* What was found in a class, or in all. */
struct tally {
	unsigned long zspages, inuse, pages, queued;
};

static unsigned long check_list(struct zs_pool *pool, struct size_class *class, int group,
				struct tally *tally)
{
	struct list_head *head = &class->fullness_list[group];
	struct zspage *zspage;
	unsigned long count = 0;

	list_for_each_entry(zspage, head, list) {
		if (zspage->list.next->prev != &zspage->list || head->next->prev != head)
			hw_fault("class %u: list %d is torn at zspage %p", class->index, group,
				 (void *)zspage);
		check_zspage(pool, class, group, zspage);
		tally->inuse += zspage->inuse;
		tally->queued += observe_noted_queued(pool, zspage);
		count++;
	}
	return count;
}

static void check_stat(struct size_class *class, const char *what, unsigned long counter,
		       unsigned long counted)
{
	if (counter != counted)
		hw_fault("class %u: %s is %lu, counted %lu", class->index, what, counter, counted);
}

static void check_class(struct zs_pool *pool, struct size_class *class, struct tally *total)
{
	struct tally tally = { 0, 0, 0, 0 };

	for (int group = 0; group < NR_FULLNESS_GROUPS; group++) {
		unsigned long count = check_list(pool, class, group, &tally);

		check_stat(class, "a group's counter", class->stats[group], count);
		tally.zspages += count;
	}
	check_stat(class, "objects allocated", class->stats[ZS_OBJS_ALLOCATED],
		   tally.zspages * class->objs_per_zspage);
	check_stat(class, "objects in use", class->stats[ZS_OBJS_INUSE], tally.inuse);
	total->pages += tally.zspages * class->pages_per_zspage;
	total->queued += tally.queued;
}

static unsigned long count_batch(const struct defer_batch *batch, unsigned int limit)
{
	if (batch->count > limit)
		hw_fault("batch %p holds %u handles of at most %u", (const void *)batch,
			 batch->count, limit);
	return batch->count;
}

/* Handles in the batches of all CPUs, by walking them. */
static unsigned long count_deferred(struct zs_pool *pool)
{
	unsigned int limit = pool->config.defer_batch;
	unsigned long count = 0;
	int cpu;

	if (!pool->defer)
		return 0;
	for_each_possible_cpu(cpu) {
		struct zs_defer *defer = per_cpu_ptr(pool->defer, cpu);

		if (defer->active)
			count += count_batch(defer->active, limit);
		for (struct llist_node *node = defer->pending.first; node; node = node->next)
			count += count_batch(llist_entry(node, struct defer_batch, node), limit);
	}
	return count;
}

static void check_total(struct zs_pool *pool, const char *what, unsigned long counter,
			unsigned long counted)
{
	if (counter != counted)
		hw_fault("pool %s: %s %lu, counted %lu", pool->name, what, counter, counted);
}

void zs_check_pool(struct zs_pool *pool)
{
	struct tally total = { 0, 0, 0, 0 };
	struct size_class *class;
	int i;

	for_each_class_up(pool, class, i)
		check_class(pool, class, &total);
	check_total(pool, "pages allocated", zs_get_total_pages(pool), total.pages);
	/* Without observers nobody has counted them: see native/unobserved.c. */
	if (!pool->observed.notes)
		return;
	check_total(pool, "deferred objects", zs_deferred_objects(pool), count_deferred(pool));
	check_total(pool, "objects noted as waiting", total.queued, zs_deferred_objects(pool));
}
