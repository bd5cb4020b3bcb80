/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * observe_slots.c - slots that their owner let go, but that still hold what he stored.
 * Apart, as native runs do without.
 *
 * The thread of the memory manager frees through zram_slot_free_notify(), which leaves a slot
 * alone that somebody has locked; such a slot is counted as freed here. Nobody locks
 * slots beside those who free them in the workloads there are.
 */
#include "model/zram/zram_deferred.h"
#include "model/zram/zram_slot.h"

static bool holds_object(struct zram *zram, u32 index)
{
	return zram->table[index].handle && !slot_flag(zram, index, ZRAM_SAME);
}

void zram_observe_waiting(void *device, u32 index, u32 nr)
{
	struct zram *zram = device;

	for (u32 i = index; i < index + nr; i++) {
		if (holds_object(zram, i))
			zs_observe_waiting(zram->mem_pool, zram->table[i].handle);
		else
			hw_gauge_add(GAUGE_DEFERRED_OBJECTS, 1);
	}
}

void zram_observe_freed(void *device, u32 index, u32 nr)
{
	struct zram *zram = device;

	for (u32 i = index; i < index + nr; i++) {
		if (holds_object(zram, i))
			zs_observe_freed(zram->mem_pool);
		else
			hw_gauge_add(GAUGE_DEFERRED_OBJECTS, -1);
	}
}
