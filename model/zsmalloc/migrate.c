/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * migrate.c - moving one page of a zspage to another frame, for the sake of
 * whoever needs this one.
 *
 * Object indices stay, the frame number in the slots changes. That wants the
 * same locks as compaction, for the same reasons.
 */
#include "model/zsmalloc/obj.h"
#include "model/zsmalloc/observe.h"
#include "model/zsmalloc/zspage.h"

/* Point the slots of all objects that start in @page to @newpage, which has their bytes already. */
static void redirect_objects(struct zs_pool *pool, struct size_class *class, struct page *newpage,
			     struct page *page)
{
	char *vaddr = kmap_local_page(page);

	for (unsigned int offset = get_first_obj_offset(page); offset < PAGE_SIZE;
	     offset += class->size) {
		unsigned long handle = obj_allocated(page, (struct link_free *)(vaddr + offset));
		unsigned int index;

		if (!handle)
			continue;
		index = obj_to_index(pool, handle_to_obj(handle));
		record_obj(handle, location_to_obj(pool, newpage, class->index, index));
	}
	kunmap_local(vaddr);
}

static void replace_page(struct size_class *class, struct zspage *zspage, struct page *newpage,
			 struct page *page)
{
	struct page *pages[ZS_MAX_CHAIN_SIZE];
	struct page *each = zspage->first_page;
	unsigned int first_obj = get_first_obj_offset(page);
	unsigned long huge_handle = page->index;
	int count = 0;

	do {
		pages[count++] = each == page ? newpage : each;
		each = get_next_page(each);
	} while (each);
	create_page_chain(class, zspage, pages);
	set_first_obj_offset(newpage, first_obj);
	/* The chain has no second page, and its index is the object's header. */
	if (unlikely(zspage->huge))
		newpage->index = huge_handle;
	newpage->mapping = ZS_MAPPING_MOVABLE;
}

static void copy_contents(struct page *newpage, struct page *page)
{
	char *from = kmap_local_page(page);
	char *to = kmap_local_page(newpage);

	copy_page(to, from);
	kunmap_local(to);
	kunmap_local(from);
}

/* All of it needs pool->lock and class->lock; fails if an object of the zspage is pinned. */
static bool move_page(struct zs_pool *pool, struct size_class *class, struct zspage *zspage,
		      struct page *newpage, struct page *page)
{
	if (!zspage_trylock_write(&zspage->zsl))
		return false;
	/* Slots will name the new page before it is in the chain: it must not be without a zspage then. */
	newpage->private = (unsigned long)zspage;
	copy_contents(newpage, page);
	redirect_objects(pool, class, newpage, page);
	replace_page(class, zspage, newpage, page);
	observed(observe_page_moved(pool, zspage, newpage, page));
	zspage_unlock_write(&zspage->zsl);
	return true;
}

/*
 * Both pages are locked by the caller, who also holds a reference to each and
 * goes on holding it; zsmalloc's own reference passes from @page to @newpage.
 * Returns 0, or -EAGAIN if the page belongs to no zspage any more or an object
 * in its zspage is being read.
 */
int zs_page_migrate(struct page *newpage, struct page *page)
{
	struct size_class *class;
	struct zspage *zspage;
	struct zs_pool *pool;
	bool moved;

	if (!page_is_zsmalloc(page) || !page->private)
		return -EAGAIN;
	VM_BUG_ON(!PageLocked(page));
	set_page_zsmalloc(newpage);
	zspage = get_zspage(page);
	pool = zspage->pool;

	write_lock(&pool->lock);
	class = zspage_class(pool, zspage);
	spin_lock(&class->lock);
	moved = move_page(pool, class, zspage, newpage, page);
	spin_unlock(&class->lock);
	write_unlock(&pool->lock);
	if (!moved) {
		newpage->page_type = PAGE_TYPE_NONE;
		return -EAGAIN;
	}
	get_page(newpage);
	reset_page(page);
	put_page(page);
	return 0;
}
