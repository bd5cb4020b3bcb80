/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * defer_pages.h - what is freed later, in pages of numbers: the third version of
 * the deferral patches (May 2026), in which the owner of the objects pushes
 * what it will free, a number of its own choice, and frees that itself.
 *
 * Each CPU fills a page with numbers. A full one is exchanged for an empty one of
 * a pool of 256 KiB, and a worker has the owner free what is in it.
 */
#ifndef SWAP_DEFER_PAGES_H
#define SWAP_DEFER_PAGES_H

#include "model/kernel/types.h"

struct defer_pages;

/* Free what @number stands for; may sleep. */
typedef void (*defer_free_fn)(void *owner, u64 number);

/* For numbers of @bytes bytes, 4 or 8. Lack of memory is a fault. */
struct defer_pages *defer_pages_create(unsigned bytes, defer_free_fn free_one, void *owner);
/* Let @number wait. False: no page is left, and the owner is to free at once. Does not sleep. */
bool defer_pages_push(struct defer_pages *pages, u64 number);
/* Free all that waits. Nobody pushes meanwhile; may sleep. */
void defer_pages_flush(struct defer_pages *pages);
/* The same, and the pages go. */
void defer_pages_destroy(struct defer_pages *pages);

#endif
