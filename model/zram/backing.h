/* SPDX-License-Identifier: GPL-3.0-or-later */
/* backing.h - between zram's files: the blocks of the device behind it. */
#ifndef ZRAM_BACKING_H
#define ZRAM_BACKING_H

#include "model/kernel/types.h"
#include "model/zram/postproc.h"

struct zram;

/* A block that is in nobody's use, 1 and up; 0: the device is full. */
u32 zram_backing_take(struct zram *zram);
void zram_backing_release(struct zram *zram, u32 block);
void zram_backing_write(struct zram *zram, u32 block, const void *page);
void zram_backing_read(struct zram *zram, u32 block, void *page);
/* No block may be in use: a fault. */
void zram_backing_destroy(struct zram *zram);

#endif
