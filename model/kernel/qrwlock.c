/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * qrwlock.c - the queued reader-writer lock: a counter word (writer byte,
 * waiting flag, readers above) and a queued spinlock that makes the waiting
 * ones, readers and writers alike, queue in order.
 */
#include "model/kernel/kernel.h"

#define RW_LOCKED	0x0ffu
#define RW_WAITING	0x100u
#define RW_WRITER_MASK	0x1ffu
#define RW_READER	0x200u

/* The queue inside is part of the wait for the lock itself, so it has no name of its own. */
static void queue_lock(rwlock_t *lock)
{
	spin_lock(&lock->wait_lock);
}

static void queue_unlock(rwlock_t *lock)
{
	spin_unlock(&lock->wait_lock);
}

void __rwlock_init(rwlock_t *lock, const char *name)
{
	lock->cnts = 0;
	spin_lock_init_named(&lock->wait_lock, "rwlock queue");
	hw_lock_init(lock, hw_lock_class(name));
}

static noinline void read_lock_slow(rwlock_t *lock)
{
	__atomic_fetch_sub(&lock->cnts, RW_READER, __ATOMIC_RELAXED);
	queue_lock(lock);
	__atomic_fetch_add(&lock->cnts, RW_READER, __ATOMIC_RELAXED);
	smp_cond_load_acquire(&lock->cnts, !(VAL & RW_LOCKED));
	queue_unlock(lock);
}

void read_lock(rwlock_t *lock)
{
	u32 cnts;

	preempt_disable();
	cnts = __atomic_fetch_add(&lock->cnts, RW_READER, __ATOMIC_ACQUIRE) + RW_READER;
	if (unlikely(cnts & RW_WRITER_MASK)) {
		hw_lock_contended(lock, 0, HW_LOCK_SHARED);
		read_lock_slow(lock);
	}
	hw_lock_acquired(lock, 0, HW_LOCK_SHARED, false);
}

void read_unlock(rwlock_t *lock)
{
	hw_lock_released(lock, 0, HW_LOCK_SHARED);
	__atomic_fetch_sub(&lock->cnts, RW_READER, __ATOMIC_RELEASE);
	preempt_enable();
}

static bool write_trylock_once(rwlock_t *lock, u32 expected)
{
	return __atomic_compare_exchange_n(&lock->cnts, &expected, RW_LOCKED, false, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED);
}

static noinline void write_lock_slow(rwlock_t *lock)
{
	queue_lock(lock);
	if (!READ_ONCE(lock->cnts) && write_trylock_once(lock, 0))
		goto out;
	__atomic_fetch_or(&lock->cnts, RW_WAITING, __ATOMIC_RELAXED);
	do {
		smp_cond_load_acquire(&lock->cnts, VAL == RW_WAITING);
	} while (!write_trylock_once(lock, RW_WAITING));
out:
	queue_unlock(lock);
}

void write_lock(rwlock_t *lock)
{
	preempt_disable();
	if (unlikely(!write_trylock_once(lock, 0))) {
		hw_lock_contended(lock, 0, HW_LOCK_EXCLUSIVE);
		write_lock_slow(lock);
	}
	hw_lock_acquired(lock, 0, HW_LOCK_EXCLUSIVE, false);
}

void write_unlock(rwlock_t *lock)
{
	hw_lock_released(lock, 0, HW_LOCK_EXCLUSIVE);
	smp_store_release(&lock->wlocked, 0);
	preempt_enable();
}

bool rwlock_is_contended(rwlock_t *lock)
{
	return spin_is_locked(&lock->wait_lock);
}
