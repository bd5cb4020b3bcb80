/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zspage.c - making, locking and giving back the page chains that hold objects. */
#include "model/zsmalloc/cache.h"
#include "model/zsmalloc/obj.h"

static void count_zspage_page(int delta)
{
	mod_zone_page_state(NR_ZSPAGES, delta);
	hw_gauge_add(GAUGE_ZSPAGE_PAGES, delta);
}

static struct page *alloc_zspage_page(gfp_t gfp)
{
	struct page *page = alloc_page(gfp);

	if (!page)
		return NULL;
	count_zspage_page(1);
	set_page_zsmalloc(page);
	return page;
}

/* Undo alloc_zspage_page() for a page that is in no chain yet. */
static void free_unchained_page(struct page *page)
{
	count_zspage_page(-1);
	page->page_type = PAGE_TYPE_NONE;
	put_page(page);
}

static bool alloc_zspage_pages(struct page *pages[], int count, gfp_t gfp)
{
	for (int i = 0; i < count; i++) {
		pages[i] = alloc_zspage_page(gfp);
		if (pages[i])
			continue;
		while (--i >= 0)
			free_unchained_page(pages[i]);
		return false;
	}
	return true;
}

void create_page_chain(struct size_class *class, struct zspage *zspage, struct page *pages[])
{
	struct page *prev = NULL;

	for (int i = 0; i < class->pages_per_zspage; i++) {
		struct page *page = pages[i];

		page->private = (unsigned long)zspage;
		page->index = 0;
		if (prev) {
			prev->index = (unsigned long)page;
		} else {
			zspage->first_page = page;
			SetPagePrivate(page);
			if (class->objs_per_zspage == 1 && class->pages_per_zspage == 1)
				zspage->huge = 1;
		}
		prev = page;
	}
}

/*
 * Thread the objects that start in @page, the first at @offset, on the free
 * list. *next is the index that the first one links to. Returns the offset of
 * the first object of the next page. In the last page the last start ends the
 * list: that may be the unused tail, which only ever reads as "free".
 */
static unsigned int thread_page(struct size_class *class, struct page *page, unsigned int offset,
				unsigned long *next, bool last_page)
{
	char *vaddr = kmap_local_page(page);
	struct link_free *link = (struct link_free *)(vaddr + offset);

	set_first_obj_offset(page, offset);
	while ((offset += class->size) < PAGE_SIZE) {
		link->next = (*next)++ << OBJ_TAG_BITS;
		link = (struct link_free *)(vaddr + offset);
	}
	link->next = (last_page ? ~0ul : (*next)++) << OBJ_TAG_BITS;
	kunmap_local(vaddr);
	return offset % PAGE_SIZE;
}

static void init_zspage(struct size_class *class, struct zspage *zspage)
{
	struct page *page = zspage->first_page;
	unsigned long next = 1;
	unsigned int offset = 0;

	while (page) {
		struct page *next_page = get_next_page(page);

		offset = thread_page(class, page, offset, &next, !next_page);
		page = next_page;
	}
	zspage->freeobj = 0;
}

struct zspage *alloc_zspage(struct zs_pool *pool, struct size_class *class, gfp_t gfp)
{
	struct page *pages[ZS_MAX_CHAIN_SIZE];
	struct zspage *zspage = cache_alloc_zspage(gfp);

	if (!zspage)
		return NULL;
	zspage->magic = ZSPAGE_MAGIC;
	zspage_lock_init(&zspage->zsl);
	if (!alloc_zspage_pages(pages, class->pages_per_zspage, gfp)) {
		cache_free_zspage(zspage);
		return NULL;
	}
	create_page_chain(class, zspage, pages);
	init_zspage(class, zspage);
	zspage->pool = pool;
	zspage->class = class->index;
	return zspage;
}

void set_zspage_movable(struct zspage *zspage)
{
	struct page *page = zspage->first_page;

	do {
		WARN_ON(!trylock_page(page));
		page->mapping = ZS_MAPPING_MOVABLE;
		unlock_page(page);
		page = get_next_page(page);
	} while (page);
}

bool trylock_zspage(struct zspage *zspage)
{
	struct page *failed, *page;

	for (page = zspage->first_page; page; page = get_next_page(page)) {
		if (!trylock_page(page))
			goto out_unlock;
	}
	return true;
out_unlock:
	failed = page;
	for (page = zspage->first_page; page != failed; page = get_next_page(page))
		unlock_page(page);
	return false;
}

/*
 * Wait until the holder of @page lets go. The zspage lock is dropped meanwhile
 * because migration, which may be the holder, wants it for writing; the
 * reference keeps the page from going away if it is replaced.
 */
static void wait_unlocked(struct zspage *zspage, struct page *page)
{
	get_page(page);
	zspage_unlock_read(&zspage->zsl);
	wait_on_page_locked(page);
	put_page(page);
	zspage_lock_read(&zspage->zsl);
}

/*
 * A page of the chain may be replaced while nobody holds its lock or the
 * zspage's: look it up again after each wait.
 */
void lock_zspage(struct zspage *zspage)
{
	struct page *locked, *page;

	zspage_lock_read(&zspage->zsl);
	while (!trylock_page(locked = zspage->first_page))
		wait_unlocked(zspage, locked);
	while ((page = get_next_page(locked))) {
		if (trylock_page(page))
			locked = page;
		else
			wait_unlocked(zspage, page);
	}
	zspage_unlock_read(&zspage->zsl);
}

void reset_page(struct page *page)
{
	page->mapping = NULL;
	ClearPagePrivate(page);
	page->private = 0;
	page->index = 0;
	page->page_type = PAGE_TYPE_NONE;
}

void release_zspage(struct zspage *zspage)
{
	struct page *page = zspage->first_page;

	do {
		struct page *next = get_next_page(page);

		reset_page(page);
		unlock_page(page);
		count_zspage_page(-1);
		put_page(page);
		page = next;
	} while (page);
	cache_free_zspage(zspage);
}
