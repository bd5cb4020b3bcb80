/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * swap.h - swap slots of one device, in clusters of 512.
 *
 * A CPU allocates from a cluster of its own. Freeing takes the cluster's lock
 * for a run of slots and tells the device of each under it.
 */
#ifndef SWAP_SWAP_H
#define SWAP_SWAP_H

#include "model/kernel/types.h"

#define SWAP_CLUSTER	512u

/* What is told that a slot is free again, under the cluster's lock: it never sleeps. */
struct swap_device_ops {
	/* the device itself, if it wants to know (zram does, a disk does not: NULL) */
	void (*slot_free_notify)(void *device, u32 offset);
	/* the compressed cache in front of the device; NULL: there is none */
	void (*invalidate)(void *device, u32 offset);
};

/*
 * Swap to the @slots pages of @device, 2 or more; slot 0 is its header and
 * never handed out. One device at a time. Lack of memory is a fault.
 */
void swapon(u32 slots, const struct swap_device_ops *ops, void *device);
/* Forget the device; its slots are free by now. */
void swapoff(void);
/* A free slot from the cluster of @cpu; 0 when the device is full. */
u32 swap_alloc(int cpu);
/* The owner of @nr consecutive slots from @offset, each used once, lets them go. */
void swap_put_entries_direct(u32 offset, u32 nr);
/* Slots handed out and not given back, the header not counted. */
long swap_slots_in_use(void);

#endif
