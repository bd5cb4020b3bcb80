/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * deferred.c - the device on zs_free_deferred(): the slot is free for others at
 * once, and only its object waits, which nobody can find any more. A slot that
 * is written again, and all that is not freed for the swap code, takes zs_free().
 */
#include "model/zram/zram_deferred.h"
#include "model/zram/zram_slot.h"

void zram_slot_free_deferred(void *device, u32 index)
{
	struct zram *zram = device;

	zram_stats_notify_free(zram);
	if (!slot_trylock(zram, index)) {
		atomic64_inc(&zram->stats.miss_free);
		return;
	}
	slot_free_by(zram, index, zs_free_deferred);
	slot_unlock(zram, index);
}
