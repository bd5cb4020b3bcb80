/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * collect.h - swap slots that a thread of the memory manager gives back later, the
 * first of the deferral schemes (August 2024 with a worker, September 2025 with a
 * thread of its own).
 *
 * Who unmaps collects the slots that he lets go, and hands them to the thread when
 * they have passed a threshold.
 */
#ifndef SWAP_COLLECT_H
#define SWAP_COLLECT_H

#include "model/kernel/types.h"

/*
 * Slots: one cluster. Below it a process frees its own slots, and so many are
 * handed over at once. The patches have a threshold; its value is an assumption.
 */
#define SWAP_COLLECT_THRESHOLD	512u

struct swap_batch;

/* An observer that is told, muted, of @nr slots of @device from @offset. */
typedef void (*swap_observe_fn)(void *device, u32 offset, u32 nr);

/*
 * Start the thread, which stays, like the workers of workqueue.h. @waits
 * is told when slots are collected, @freed before they are given back. Lack of memory
 * is a fault.
 */
void swap_collect_start(void *device, swap_observe_fn waits, swap_observe_fn freed);

/*
 * swap_put_entries_direct() of @nr slots from @offset, later. *batch is NULL at
 * first and the collector's between calls. Does not sleep; without memory the slots go at
 * once.
 */
void swap_collect(struct swap_batch **batch, u32 offset, u32 nr);
/* Hand over what is left in *batch. */
void swap_collect_end(struct swap_batch **batch);

/* Give back all that was handed over before; may sleep. Before swapoff(). */
void swap_collect_flush(void);

#endif
