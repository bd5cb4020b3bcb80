/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zspage_lock.h - many readers, or one writer that never waits for them.
 *
 * A reader counts itself under the spinlock and lets go of it, so it may
 * sleep while it reads. A writer keeps the spinlock for as long as it writes;
 * it gives up at once when it finds readers.
 */
#ifndef ZSMALLOC_ZSPAGE_LOCK_H
#define ZSMALLOC_ZSPAGE_LOCK_H

#include "model/kernel/kernel.h"

#define ZS_PAGE_UNLOCKED	0
#define ZS_PAGE_WRLOCKED	(-1)

struct zspage_lock {
	spinlock_t lock;
	int cnt;			/* readers, or one of the above */
};

static inline void zspage_lock_init(struct zspage_lock *zsl)
{
	spin_lock_init_named(&zsl->lock, "zspage->lock");
	zsl->cnt = ZS_PAGE_UNLOCKED;
}

static inline void zspage_lock_read(struct zspage_lock *zsl)
{
	spin_lock(&zsl->lock);
	zsl->cnt++;
	spin_unlock(&zsl->lock);
}

static inline void zspage_unlock_read(struct zspage_lock *zsl)
{
	spin_lock(&zsl->lock);
	zsl->cnt--;
	spin_unlock(&zsl->lock);
}

/* Returns with the spinlock held, and so without preemption, when it returns true. */
static inline bool zspage_trylock_write(struct zspage_lock *zsl)
{
	spin_lock(&zsl->lock);
	if (zsl->cnt == ZS_PAGE_UNLOCKED) {
		zsl->cnt = ZS_PAGE_WRLOCKED;
		return true;
	}
	spin_unlock(&zsl->lock);
	return false;
}

static inline void zspage_unlock_write(struct zspage_lock *zsl)
{
	zsl->cnt = ZS_PAGE_UNLOCKED;
	spin_unlock(&zsl->lock);
}

#endif
