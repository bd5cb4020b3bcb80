/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * page_pool.h - slots that are freed later: pages of slot numbers, 1024 in 4 KiB,
 * as model/swap/defer_pages.h keeps them.
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
