/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * observe.h - what the allocator tells its observers: is a free legitimate,
 * and which pages are held only by objects that already wait to be freed.
 *
 * Code in observed() runs muted: it takes no simulated time, and the machine
 * reports nothing that happens in it. What it writes is read by observers
 * only, so with and without it the allocator does the same. The statement must
 * be one call, without a branch: what is compiled in place belongs to a basic
 * block that is paid.
 */
#ifndef ZSMALLOC_OBSERVE_H
#define ZSMALLOC_OBSERVE_H

#include "model/zsmalloc/zspage.h"

#define observed(statement) do {	\
	hw_mute();			\
	statement;			\
	hw_unmute();			\
} while (0)

/* Objects start at least 32 bytes apart, so a page has a bit for each possible start. */
#define NOTE_WORDS	(PAGE_SIZE / ZS_MIN_ALLOC_SIZE / BITS_PER_LONG)

/* One for each page of memory: a struct zspage has no room for it, and its size is given. */
struct page_note {
	unsigned long queued[NOTE_WORDS];	/* the object that starts there waits in a batch */
	unsigned int nr_queued;			/* first page: objects of the zspage that wait */
	unsigned int pinned;			/* first page: counted in GAUGE_PINNED_PAGES */
};

/* Make / free the notes. False when memory is short; free what was made. */
bool observe_create(struct zs_pool *pool);
void observe_destroy(struct zs_pool *pool);

/* Before a slot is read to free its object: a fault unless @handle can be one that is in use. */
void observe_free_begin(struct zs_pool *pool, unsigned long handle);
/* With class->lock held the object at @obj is about to be freed: a fault unless it belongs to @handle. */
void observe_free(struct zs_pool *pool, struct size_class *class, unsigned long handle,
		  unsigned long obj);

/* An object of @zspage was allocated; class->lock is held. */
void observe_malloc(struct zs_pool *pool, struct zspage *zspage);

/* @handle enters a batch: a fault if it waits in one already. */
void observe_queued(struct zs_pool *pool, unsigned long handle);
/* A handle left a batch and is free. */
void observe_drained(struct zs_pool *pool);

/* Compaction moved an object from @from, which is free now, to @to. */
void observe_obj_moved(struct zs_pool *pool, struct size_class *class, unsigned long from,
		       unsigned long to);
/* @newpage took the place of @page in @zspage; all locks are still held. */
void observe_page_moved(struct zs_pool *pool, struct zspage *zspage, struct page *newpage,
			struct page *page);

/* Objects of @zspage that wait, counted one by one and as noted: for zs_check_pool(). */
unsigned int observe_count_queued(struct zs_pool *pool, struct zspage *zspage);
unsigned int observe_noted_queued(struct zs_pool *pool, struct zspage *zspage);

#endif
