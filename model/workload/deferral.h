/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * deferral.h - who frees the object of a swap slot that its owner let go, and when:
 * the axis `free` as those see it who swap to a zram.
 */
#ifndef WORKLOAD_DEFERRAL_H
#define WORKLOAD_DEFERRAL_H

#include "model/model.h"
#include "model/mm/mm.h"
#include "model/swap/swap.h"
#include "model/zram/zram.h"

struct deferral {
	struct swap_device_ops swap;	/* free one: what the swap code tells the device */
	/* Write a slot, also one whose last content waits to be freed. */
	int (*write)(struct zram *zram, u32 index, const void *page);
	void (*unmap)(struct mm *mm);
	/* NULL where there is nothing to do: */
	void (*create)(struct zram *zram);	/* after the device, before a slot is freed */
	void (*flush)(struct zram *zram);	/* free all that waits; nobody frees meanwhile */
	void (*destroy)(struct zram *zram);	/* the same, and the scheme's memory; before the device */
};

/*
 * The scheme of @free; NULL where slots are freed at
 * once as far as the swap code can see. FREE_DEFER_BATCH is such: it lives in zs_free().
 */
const struct deferral *deferral_of(enum axis_free free);

/*
 * Swap to a device with the scheme of @config, which is made for it; @at_once is what the
 * swap code calls where frees are not deferred here. destroy() is the end of the scheme,
 * if there is one, and of the device.
 */
void deferral_swapon(u32 slots, const struct swap_device_ops *at_once, struct zram *zram,
		     const struct model_config *config);
void deferral_flush(void);
void deferral_destroy(struct zram *zram);
/* zram_write(), as the scheme has it. */
int deferral_write(struct zram *zram, u32 slot, const void *page);
/* mm_unmap(), likewise. */
void deferral_unmap(struct mm *mm);

#endif
