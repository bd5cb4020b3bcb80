/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * postproc.h - what is done later to pages that a device holds: marked idle,
 * written back to a device behind it, compressed anew by a better algorithm.
 *
 * A slot that was chosen is marked; who reads, writes or frees it meanwhile
 * takes the mark away, and then it is left alone.
 */
#ifndef ZRAM_POSTPROC_H
#define ZRAM_POSTPROC_H

#include "model/kernel/types.h"

struct model_contents;
struct zram;

/* A device behind: blocks of a page each, 1 .. blocks. May sleep. */
struct zram_backing_ops {
	void (*write)(void *device, u32 block, const void *page);
	void (*read)(void *device, u32 block, void *page);
};

/* Which pages: those stored as they are, those that nobody used since zram_mark_idle(), or those of either kind. */
#define ZRAM_PP_HUGE	1u
#define ZRAM_PP_IDLE	2u

/* Give @zram a device of @blocks blocks behind it. Returns 0; -EBUSY: it has one; -ENOMEM. */
int zram_set_backing(struct zram *zram, u32 blocks, const struct zram_backing_ops *ops, void *device);

/* All pages that are stored count as idle until they are used. Pages of one word and those written back do not. */
void zram_mark_idle(struct zram *zram);

/*
 * Write pages of @which kinds back, the largest first, and give their objects
 * back. Returns how many; -ENODEV: no device behind; -ENOMEM. It ends early
 * when the device is full.
 */
long zram_writeback(struct zram *zram, u32 which);

/* Pages of the contents in use (zram_use_contents()) can be compressed anew: what they become is in @better, page by page. */
void zram_use_better(struct zram *zram, const struct model_contents *better);
/*
 * Compress pages of @which kinds (0: all) anew that take @threshold bytes or
 * more, the largest first. A page that would not come into a smaller size class
 * stays as it is, and is not tried again. Returns how many became smaller; -EINVAL: no better
 * algorithm is known; -ENOMEM.
 */
long zram_recompress(struct zram *zram, u32 which, size_t threshold);

/* The line of bd_stat: blocks in use, pages read and written, in 4 KiB; zeros without a device. Returns the bytes written. */
size_t zram_bd_stat(struct zram *zram, char *buf, size_t bytes);
/*
 * The lines of block_state for slots from *@index on, whole lines as far as they
 * fit; *@index becomes the first that is not there, the number of slots at the
 * end. The time of access is 0: the software has no clock.
 */
size_t zram_block_state(struct zram *zram, u32 *index, char *buf, size_t bytes);

#endif
