/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zram.h - a compressed block device in memory: pages in, pages out, slots freed.
 *
 * A slot holds one page, index 0 .. disksize / PAGE_SIZE - 1. Its lock nests
 * inside the swap cluster's and outside zsmalloc's.
 */
#ifndef ZRAM_ZRAM_H
#define ZRAM_ZRAM_H

#include "model/kernel/types.h"
#include "model/model.h"

struct zram;

/* A device of @disksize bytes, whole pages, with nothing in it. Lack of memory is a fault. */
struct zram *zram_create(u64 disksize, const struct model_variant *variant, unsigned chain_size);
/* Free what the slots still hold (missed notifications leave some), then the device. */
void zram_destroy(struct zram *zram);

/* Pages of @contents, which stays, will be written: what they become is in it. Before the first of them. */
void zram_use_contents(struct zram *zram, const struct model_contents *contents);

/*
 * Store the PAGE_SIZE bytes at @page in slot @index; what it held before is
 * freed. Returns 0, or -ENOMEM and the slot is as it was.
 */
int zram_write(struct zram *zram, u32 index, const void *page);
/*
 * Fetch slot @index into the PAGE_SIZE bytes at @page; a slot that holds
 * nothing reads as zeros. Returns 0. An object that is not what was written is
 * a fault.
 */
int zram_read(struct zram *zram, u32 index, void *page);
/* Free slot @index; may sleep. */
void zram_discard(struct zram *zram, u32 index);
/*
 * Swap slot @index of the device @zram is free. Called under the cluster's
 * lock, so it must not sleep: when somebody holds the slot's lock the object
 * stays until the slot is written, discarded or the device goes (miss_free).
 */
void zram_slot_free_notify(void *zram, u32 index);

/* The lines of the files of these names; return the bytes written. */
size_t zram_mm_stat(struct zram *zram, char *buf, size_t bytes);
size_t zram_io_stat(struct zram *zram, char *buf, size_t bytes);

struct zs_pool *zram_pool(struct zram *zram);
/* Of the object in slot @index; 0 when it holds none, the word if it is filled with one. */
unsigned long zram_slot_handle(struct zram *zram, u32 index);

/*
 * Compare all that is stored with what was written, and the counters with the
 * slots; a difference is a fault. Functional mode, nobody else using the device.
 */
void zram_check_contents(struct zram *zram);

#endif
