/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zram.h - a compressed block device in memory: pages in, pages out, slots freed. */
#ifndef ZRAM_ZRAM_H
#define ZRAM_ZRAM_H

#include "model/kernel/types.h"
#include "model/model.h"

struct zram;

struct zram *zram_create(u64 disksize, const struct model_variant *variant, unsigned chain_size);
void zram_destroy(struct zram *zram);
/* Store / fetch page @index. 0 or -ENOMEM. */
int zram_write(struct zram *zram, u32 index, const void *page);
int zram_read(struct zram *zram, u32 index, void *page);
void zram_discard(struct zram *zram, u32 index);
/* Swap slot @index is free: called under the cluster's lock, must not sleep. */
void zram_slot_free_notify(void *zram, u32 index);
size_t zram_mm_stat(struct zram *zram, char *buf, size_t bytes);
size_t zram_io_stat(struct zram *zram, char *buf, size_t bytes);
struct zs_pool *zram_pool(struct zram *zram);
unsigned long zram_slot_handle(struct zram *zram, u32 index);
/* Compare what is stored with what was written; a fault if a byte differs. Functional mode. */
void zram_check_contents(struct zram *zram);

#endif
