/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * spinlock.h - the project's queued locks. A lock is named after its field
 * without the ampersand; nesting annotations say nothing to the machine's own
 * lock-order oracle.
 */
#ifndef KSHIM_LINUX_SPINLOCK_H
#define KSHIM_LINUX_SPINLOCK_H

#include <linux/kernel.h>
#include <linux/lockdep.h>

#undef spin_lock_init
#define spin_lock_init(lock)	spin_lock_init_named(lock, kshim_lock_name(#lock))
#undef rwlock_init
#define rwlock_init(lock)	__rwlock_init(lock, kshim_lock_name(#lock))

#define SINGLE_DEPTH_NESTING	1
#define spin_lock_nested(lock, subclass)	spin_lock(lock)
#define write_lock_nested(lock, subclass)	write_lock(lock)
#define spin_lock_bh(lock)	spin_lock(lock)
#define spin_unlock_bh(lock)	spin_unlock(lock)

/* Compiled into every kernel with SMP: a load of the lock word. */
#define assert_spin_locked(lock) BUG_ON(!spin_is_locked(lock))

#endif
