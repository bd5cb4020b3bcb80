/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * page_pool.h - slots that are freed later: the third version of the deferral
 * patches (May 2026), in which the owner of the objects pushes what it will free
 * and drains that itself.
 *
 * Each CPU fills a page with numbers of slots, 1024 in 4 KiB. A full one is
 * exchanged for an empty one of a pool of 256 KiB, and a worker frees the slots
 * in it. With no empty page left slots are freed at once.
 */
#ifndef ZRAM_PAGE_POOL_H
#define ZRAM_PAGE_POOL_H

#include "model/kernel/types.h"

struct zram;

/* Give a device with nothing waiting its pool. Lack of memory is a fault. */
void zram_page_pool_create(struct zram *zram);
/* Free all slots that wait. Nobody may free slots meanwhile; may sleep. */
void zram_page_pool_flush(struct zram *zram);
/* The same, and the pool goes; before zram_destroy(). */
void zram_page_pool_destroy(struct zram *zram);

/* In the place of zram_slot_free_notify(): under the cluster's lock, does not sleep. */
void zram_slot_free_later(void *zram, u32 index);
/* In the place of zram_write(): what waits to be freed in slot @index goes first. */
int zram_write_again(struct zram *zram, u32 index, const void *page);

#endif
