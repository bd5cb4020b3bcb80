/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zram_slot.h - one slot of the device: its fields, its lock, forgetting what it
 * holds. For the device and for those that free its slots later than they are told.
 */
#ifndef ZRAM_ZRAM_SLOT_H
#define ZRAM_ZRAM_SLOT_H

#include "model/zram/backing.h"
#include "model/zram/zram_internal.h"

static inline u32 slot_size(struct zram *zram, u32 index)
{
	return zram->table[index].flags & (BIT(ZRAM_FLAG_SHIFT) - 1);
}

static inline void slot_set_size(struct zram *zram, u32 index, u32 size)
{
	u32 flags = zram->table[index].flags >> ZRAM_FLAG_SHIFT;

	zram->table[index].flags = flags << ZRAM_FLAG_SHIFT | size;
}

static inline bool slot_flag(struct zram *zram, u32 index, enum zram_flag flag)
{
	return zram->table[index].flags & BIT(flag);
}

static inline void slot_set_flag(struct zram *zram, u32 index, enum zram_flag flag)
{
	zram->table[index].flags |= BIT(flag);
}

static inline void slot_clear_flag(struct zram *zram, u32 index, enum zram_flag flag)
{
	zram->table[index].flags &= ~BIT(flag);
}

static inline bool slot_trylock(struct zram *zram, u32 index)
{
	return bit_mutex_trylock(ZRAM_ENTRY_LOCK, &zram->table[index].flags, zram->slot_class);
}

static inline void slot_lock(struct zram *zram, u32 index)
{
	bit_mutex_lock(ZRAM_ENTRY_LOCK, &zram->table[index].flags, zram->slot_class);
}

static inline void slot_unlock(struct zram *zram, u32 index)
{
	bit_mutex_unlock(ZRAM_ENTRY_LOCK, &zram->table[index].flags, zram->slot_class);
}

/* Marks that do not outlive the content. */
#define SLOT_MARKS (BIT(ZRAM_IDLE) | BIT(ZRAM_PP_SLOT) | BIT(ZRAM_HUGE) | BIT(ZRAM_INCOMPRESSIBLE) | \
		    BIT(ZRAM_COMP_PRIORITY_BIT1) | BIT(ZRAM_COMP_PRIORITY_BIT2))

/* Forget what slot @index holds, whose object @free_object frees: a constant, so that it is called by name. The slot's lock is held. */
static __always_inline void slot_free_by(struct zram *zram, u32 index,
					 void (*free_object)(struct zs_pool *pool, unsigned long handle))
{
	struct zram_table_entry *slot = &zram->table[index];
	struct zram_delta d = { .pages_stored = -1 };
	u32 flags = slot->flags;

	slot->ac_time = 0;
	slot->flags = flags & ~SLOT_MARKS;
	if ((flags & (BIT(ZRAM_HUGE) | BIT(ZRAM_WB))) == BIT(ZRAM_HUGE))
		d.huge_pages = -1;
	if (flags & (BIT(ZRAM_SAME) | BIT(ZRAM_WB))) {
		if (flags & BIT(ZRAM_SAME))
			d.same_pages = -1;
		else
			zram_backing_release(zram, (u32)slot->handle);
		slot->flags &= ~(BIT(ZRAM_SAME) | BIT(ZRAM_WB));
	} else {
		if (!slot->handle)
			return;
		free_object(zram->mem_pool, slot->handle);
		d.compr_data_size = -(int)slot_size(zram, index);
	}
	zram_stats_add(zram, d);
	slot->handle = 0;
	slot_set_size(zram, index, 0);
}

static __always_inline void slot_free(struct zram *zram, u32 index)
{
	slot_free_by(zram, index, zs_free);
}

#endif
