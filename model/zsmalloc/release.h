/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * release.h - giving back the pages of a zspage that has become empty.
 *
 * Its pages must all be locked first, so that migration holds none of them.
 * Whoever empties a zspage cannot wait for that: when a page is locked by
 * another the zspage stays on list 0, and a worker that can sleep gets it.
 */
#ifndef ZSMALLOC_RELEASE_H
#define ZSMALLOC_RELEASE_H

#include "model/zsmalloc/zspage.h"

/* Free an empty zspage or leave it to the worker. Needs class->lock, and keeps it all the while. */
void free_zspage(struct zs_pool *pool, struct size_class *class, struct zspage *zspage);

/*
 * The same in two halves, of which only the first needs class->lock. It
 * returns false if the worker has the zspage now; else nobody can find it any
 * more, and free_detached_zspage() must follow.
 */
bool detach_zspage(struct zs_pool *pool, struct size_class *class, struct zspage *zspage);
void free_detached_zspage(struct zs_pool *pool, struct size_class *class, struct zspage *zspage);

/* Prepare the worker; wait until it has nothing left to do. */
void init_deferred_free(struct zs_pool *pool);
void flush_deferred_free(struct zs_pool *pool);

#endif
