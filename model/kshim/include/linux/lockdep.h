/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lockdep.h - what the lock checker is told. The machine has an oracle of its
 * own for order and holders, which sees every lock without being told; only
 * assertions are made here, out of its sight as in a kernel without lockdep.
 */
#ifndef KSHIM_LINUX_LOCKDEP_H
#define KSHIM_LINUX_LOCKDEP_H

#include <linux/mmdebug.h>

struct lock_class_key { char unused; };
struct lockdep_map { char unused; };

#define lockdep_init_map(map, name, key, subclass)	do { } while (0)
#define lockdep_register_key(key)			do { } while (0)
#define lockdep_unregister_key(key)			do { } while (0)
#define rwsem_acquire(map, subclass, trylock, ip)	do { } while (0)
#define rwsem_acquire_read(map, subclass, trylock, ip)	do { } while (0)
#define rwsem_release(map, ip)				do { } while (0)
#define mutex_acquire(map, subclass, trylock, ip)	do { } while (0)
#define mutex_release(map, ip)				do { } while (0)
#define lock_acquired(map, ip)				do { } while (0)
#define lock_contended(map, ip)				do { } while (0)

/* True for a spinlock or rwlock that somebody holds, told apart by type. */
#define kshim_lock_is_held(lock) _Generic((lock),				\
	spinlock_t *: ((spinlock_t *)(lock))->val != 0,				\
	rwlock_t *: ((rwlock_t *)(lock))->cnts != 0,				\
	default: true)
#define lockdep_assert_held(lock)	kshim_debug_check("lockdep_assert_held", !kshim_lock_is_held(lock))
#define lockdep_assert_held_write(lock)	lockdep_assert_held(lock)
#define lockdep_assert_held_read(lock)	lockdep_assert_held(lock)
#define lockdep_assert_not_held(lock)	do { } while (0)

#endif
