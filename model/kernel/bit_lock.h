/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bit_lock.h - locks that are one bit of a word: the spinning bit lock, and
 * the sleeping one (wait_on_bit_lock and clear_and_wake_up_bit) with its
 * hashed wait queues. @cls: class for reports, from hw_lock_class().
 */
#ifndef KERNEL_BIT_LOCK_H
#define KERNEL_BIT_LOCK_H

#include "model/kernel/types.h"

void bit_spin_lock(int bit, u32 *word, unsigned cls);
bool bit_spin_trylock(int bit, u32 *word, unsigned cls);
void bit_spin_unlock(int bit, u32 *word, unsigned cls);

void wait_bit_init(void);
/* Take the lock, or sleep until it can be had. */
void bit_mutex_lock(int bit, u32 *word, unsigned cls);
bool bit_mutex_trylock(int bit, u32 *word, unsigned cls);
/* Release, full fence, then look into the wait queue of the word and wake one. */
void bit_mutex_unlock(int bit, u32 *word, unsigned cls);

/* The parts: sleep until the bit may be clear; wake one that waits for a bit of @word. */
void wait_for_bit(int bit, u32 *word);
void wake_one_for_bit(u32 *word);

#endif
