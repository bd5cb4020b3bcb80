/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zram_deferred.h - what of the device is there for schemes that free later; see model/workload/deferral.h. */
#ifndef ZRAM_ZRAM_DEFERRED_H
#define ZRAM_ZRAM_DEFERRED_H

#include "model/kernel/types.h"

struct zram;

/* In the place of zram_slot_free_notify(), for a pool with a list (zs_deferred_list_create()). */
void zram_slot_free_deferred(void *zram, u32 index);

/*
 * Observers, called muted: @nr slots from @index were let go, but what they hold
 * stays for now; and: they are about to be freed.
 */
void zram_observe_waiting(void *zram, u32 index, u32 nr);
void zram_observe_freed(void *zram, u32 index, u32 nr);

#endif
