/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * observe.c - the allocator's oracles and observer-only bookkeeping.
 *
 * All of it runs muted. Other CPUs may be in the middle of a move meanwhile,
 * holding locks that are not taken here, so each function says which half
 * done states it has to live with.
 */
#include "model/zsmalloc/obj.h"
#include "model/zsmalloc/observe.h"

/* Notes come in tables of this many pages, which even fragmented memory has room for. */
#define NOTES_PER_TABLE		1024ul

static unsigned long nr_note_tables(void)
{
	return DIV_ROUND_UP(mem_pages, NOTES_PER_TABLE);
}

bool observe_create(struct zs_pool *pool)
{
	struct page_note **notes = vzalloc(nr_note_tables() * sizeof(*notes));

	if (!notes)
		return false;
	pool->observed.notes = notes;
	pool->observed.compaction_hold = hw_span("compaction_hold");
	for (unsigned long i = 0; i < nr_note_tables(); i++) {
		notes[i] = vzalloc(NOTES_PER_TABLE * sizeof(**notes));
		if (!notes[i])
			return false;
	}
	return true;
}

void observe_destroy(struct zs_pool *pool)
{
	struct page_note **notes = pool->observed.notes;

	if (!notes)
		return;
	for (unsigned long i = 0; i < nr_note_tables(); i++) {
		if (notes[i])
			vfree(notes[i]);
	}
	vfree(notes);
	pool->observed.notes = NULL;
}

static struct page_note *note_of(struct zs_pool *pool, struct page *page)
{
	unsigned long pfn = page_to_pfn(page);

	return &pool->observed.notes[pfn / NOTES_PER_TABLE][pfn % NOTES_PER_TABLE];
}

/* A handle of a freed object is a free slab object by now: its slot holds nothing that makes sense. */
void observe_free_begin(struct zs_pool *pool, unsigned long handle)
{
	unsigned long obj = *(unsigned long *)handle;
	bool sane = obj >> OBJ_PFN_SHIFT < mem_pages && page_is_zsmalloc(obj_to_page(obj));

	if (pool->config.lookup == LOOKUP_CLASS_IN_OBJ)
		sane = sane && obj_to_class_index(obj) < ZS_SIZE_CLASSES;
	if (!sane)
		hw_fault("double free of handle 0x%lx: its slot holds 0x%lx, which is no object",
			 handle, obj);
}

static void check_owner(struct size_class *class, unsigned long handle, struct page *page,
			unsigned int index)
{
	char *word = (char *)page_address(page) + obj_offset(class, index);
	unsigned long owner = obj_allocated(page, (struct link_free *)word);

	if (owner == handle)
		return;
	if (owner)
		hw_fault("free of handle 0x%lx: the object at 0x%lx belongs to handle 0x%lx",
			 handle, (unsigned long)word, owner);
	hw_fault("double free of handle 0x%lx: the object at 0x%lx is free", handle,
		 (unsigned long)word);
}

/*
 * Has it become, or ceased to be, a zspage that only waits, now that @inuse of
 * its objects are in use?
 */
static void note_pinned(struct zs_pool *pool, struct zspage *zspage, unsigned int inuse)
{
	struct page_note *note = note_of(pool, zspage->first_page);
	bool pinned = note->nr_queued && note->nr_queued == inuse;
	int pages = zspage_class(pool, zspage)->pages_per_zspage;

	if (pinned == note->pinned)
		return;
	note->pinned = pinned;
	hw_gauge_add(GAUGE_PINNED_PAGES, pinned ? pages : -pages);
}

void observe_malloc(struct zs_pool *pool, struct zspage *zspage)
{
	note_pinned(pool, zspage, zspage->inuse);
}

/* The bit of an object, and the word of the note it is in. */
static unsigned long *queued_word(struct zs_pool *pool, struct size_class *class, unsigned long obj,
				  unsigned long *mask)
{
	unsigned int bit = obj_offset(class, obj_to_index(pool, obj)) / ZS_MIN_ALLOC_SIZE;

	*mask = 1ul << bit % BITS_PER_LONG;
	return &note_of(pool, obj_to_page(obj))->queued[bit / BITS_PER_LONG];
}

/* Returns whether the object waited in a batch. */
static bool forget_queued(struct zs_pool *pool, struct size_class *class, struct zspage *zspage,
			  unsigned long obj)
{
	unsigned long mask, *word = queued_word(pool, class, obj, &mask);

	if (!(*word & mask))
		return false;
	*word &= ~mask;
	note_of(pool, zspage->first_page)->nr_queued--;
	return true;
}

void observe_free(struct zs_pool *pool, struct size_class *class, unsigned long handle,
		  unsigned long obj)
{
	struct page *page = obj_to_page(obj);
	struct zspage *zspage = get_zspage(page);

	check_owner(class, handle, page, obj_to_index(pool, obj));
	forget_queued(pool, class, zspage, obj);
	note_pinned(pool, zspage, zspage->inuse - 1);
}

/*
 * No lock is held, so the object may be on its way. It is noted at the place
 * that its slot names now; whoever moves it puts that right when done.
 */
static void note_queued(struct zs_pool *pool, unsigned long handle)
{
	unsigned long obj = *(unsigned long *)handle;
	struct zspage *zspage = get_zspage(obj_to_page(obj));
	unsigned long mask, *word = queued_word(pool, zspage_class(pool, zspage), obj, &mask);

	if (*word & mask)
		hw_fault("double free of handle 0x%lx: it waits in a batch already", handle);
	*word |= mask;
	note_of(pool, zspage->first_page)->nr_queued++;
	note_pinned(pool, zspage, zspage->inuse);
}

void observe_queued(struct zs_pool *pool, unsigned long handle)
{
	observe_free_begin(pool, handle);
	pool->observed.deferred++;
	hw_gauge_add(GAUGE_DEFERRED_OBJECTS, 1);
	note_queued(pool, handle);
}

void observe_drained(struct zs_pool *pool)
{
	pool->observed.deferred--;
	hw_gauge_add(GAUGE_DEFERRED_OBJECTS, -1);
}

/* If the handle was queued after its slot was rewritten, the bit is at @to already. */
void observe_obj_moved(struct zs_pool *pool, struct size_class *class, unsigned long from,
		       unsigned long to)
{
	struct zspage *src = get_zspage(obj_to_page(from));
	struct zspage *dst = get_zspage(obj_to_page(to));
	unsigned long mask, *word;

	if (forget_queued(pool, class, src, from)) {
		word = queued_word(pool, class, to, &mask);
		*word |= mask;
		note_of(pool, dst->first_page)->nr_queued++;
	}
	note_pinned(pool, src, src->inuse);
	note_pinned(pool, dst, dst->inuse);
}

static unsigned int count_bits(const unsigned long *words)
{
	unsigned int count = 0;

	for (unsigned int i = 0; i < NOTE_WORDS; i++) {
		for (unsigned long rest = words[i]; rest; rest &= rest - 1)
			count++;
	}
	return count;
}

/* While the pages were exchanged, handles may have been noted at either. */
void observe_page_moved(struct zs_pool *pool, struct zspage *zspage, struct page *newpage,
			struct page *page)
{
	struct page_note *from = note_of(pool, page), *to = note_of(pool, newpage);
	struct page_note *first;

	for (unsigned int i = 0; i < NOTE_WORDS; i++) {
		to->queued[i] |= from->queued[i];
		from->queued[i] = 0;
	}
	first = note_of(pool, zspage->first_page);
	if (from->pinned)
		hw_gauge_add(GAUGE_PINNED_PAGES, -zspage_class(pool, zspage)->pages_per_zspage);
	from->pinned = 0;
	from->nr_queued = 0;
	first->nr_queued = observe_count_queued(pool, zspage);
	note_pinned(pool, zspage, zspage->inuse);
}

unsigned int observe_count_queued(struct zs_pool *pool, struct zspage *zspage)
{
	unsigned int count = 0;

	for (struct page *page = zspage->first_page; page; page = get_next_page(page))
		count += count_bits(note_of(pool, page)->queued);
	return count;
}

unsigned int observe_noted_queued(struct zs_pool *pool, struct zspage *zspage)
{
	return note_of(pool, zspage->first_page)->nr_queued;
}
