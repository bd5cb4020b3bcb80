/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * spinlock.h - the queued spinlock and the queued reader-writer lock.
 *
 * Both spin; neither may be held across schedule(). Lock classes for reports
 * and for the lock-order oracle are named after the init call's argument.
 */
#ifndef KERNEL_SPINLOCK_H
#define KERNEL_SPINLOCK_H

#include "model/kernel/atomic.h"
#include "model/kernel/preempt.h"

typedef struct {
	union {
		u32 val;
		struct {
			u8 locked;
			u8 pending;
			u16 tail;
		};
		u16 locked_pending;
	};
} spinlock_t;

typedef struct {
	union {
		u32 cnts;
		u8 wlocked;
	};
	spinlock_t wait_lock;
} rwlock_t;

void locks_init(void);

void __spin_lock_init(spinlock_t *lock, const char *name);
#define spin_lock_init(lock) __spin_lock_init(lock, #lock)
#define spin_lock_init_named(lock, name) __spin_lock_init(lock, name)
void spin_lock(spinlock_t *lock);
bool spin_trylock(spinlock_t *lock);
void spin_unlock(spinlock_t *lock);
bool spin_is_contended(spinlock_t *lock);
bool spin_is_locked(spinlock_t *lock);

/* Interrupts are not modelled as preemption: these cost the flag save and restore only. */
#define spin_lock_irqsave(lock, flags)		do { (flags) = 0; spin_lock(lock); } while (0)
#define spin_unlock_irqrestore(lock, flags)	do { (void)(flags); spin_unlock(lock); } while (0)
#define spin_lock_irq(lock)	spin_lock(lock)
#define spin_unlock_irq(lock)	spin_unlock(lock)

void __rwlock_init(rwlock_t *lock, const char *name);
#define rwlock_init(lock) __rwlock_init(lock, #lock)
void read_lock(rwlock_t *lock);
void read_unlock(rwlock_t *lock);
void write_lock(rwlock_t *lock);
void write_unlock(rwlock_t *lock);
bool rwlock_is_contended(rwlock_t *lock);

#endif
