/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bit_spinlock.h - a spinlock that is one bit of a word. The class under which
 * it is reported is not in the kernel's call, so the file that uses it sets
 * kshim_bit_lock_class before the first one is taken.
 */
#ifndef KSHIM_LINUX_BIT_SPINLOCK_H
#define KSHIM_LINUX_BIT_SPINLOCK_H

#include <linux/kernel.h>

static __maybe_unused unsigned kshim_bit_lock_class;

/* The half of a 64-bit word in which the bit is (bytes are little endian). */
#define __kshim_half(bit, word)	((u32 *)(word) + (bit) / 32)

#define bit_spin_lock(bit, word) \
	(bit_spin_lock)((bit) % 32, __kshim_half(bit, word), kshim_bit_lock_class)
#define bit_spin_trylock(bit, word) \
	(bit_spin_trylock)((bit) % 32, __kshim_half(bit, word), kshim_bit_lock_class)
#define bit_spin_unlock(bit, word) \
	(bit_spin_unlock)((bit) % 32, __kshim_half(bit, word), kshim_bit_lock_class)

#endif
