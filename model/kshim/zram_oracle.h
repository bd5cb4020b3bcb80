/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zram_oracle.h - what the slots of a tree's zram must hold, kept beside the
 * tree and independent of it: a checksum of what each written page has to be
 * stored as, made from the page itself.
 *
 * One device at a time. All functions are called muted, except the first two.
 */
#ifndef KSHIM_ZRAM_ORACLE_H
#define KSHIM_ZRAM_ORACLE_H

#include "model/kernel/types.h"

struct zs_pool;

/* For a device of @nr_slots slots whose objects are in @pool. Lack of memory is a fault. */
void kshim_oracle_create(u32 nr_slots, struct zs_pool *pool);
void kshim_oracle_destroy(void);

/* The compressed form of the PAGE_SIZE bytes at @page, *len bytes; valid until the next call. */
const u8 *kshim_oracle_compress(const void *page, size_t *len);
/* Its inverse. A damaged stream becomes zeros: kshim_oracle_read() will say whose it was. */
void kshim_oracle_decompress(const void *src, size_t len, void *page);

/* Slot @index was given the content of @page. */
void kshim_oracle_written(u32 index, const void *page);
/* @page was read from slot @index, which holds something: a difference is a fault. */
void kshim_oracle_read(u32 index, const void *page);
/* What the slot holds now: an object of @len bytes, or the word of a page filled with one. */
void kshim_oracle_check_object(u32 index, unsigned long handle, size_t len);
void kshim_oracle_check_same(u32 index, unsigned long element);

#endif
