/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wait_bit.h - a lock that is one bit of a word and whose waiters sleep: what
 * a kernel makes of these three calls is one lock to the machine.
 */
#ifndef KSHIM_LINUX_WAIT_BIT_H
#define KSHIM_LINUX_WAIT_BIT_H

#include <linux/bit_spinlock.h>

/* Returns 0 when the bit was clear and now is the caller's. */
#define test_and_set_bit_lock(bit, word) \
	(!bit_mutex_trylock((bit) % 32, __kshim_half(bit, word), kshim_bit_lock_class))
#define wait_on_bit_lock(word, bit, state) ({						\
	(void)(state);									\
	bit_mutex_lock((bit) % 32, __kshim_half(bit, word), kshim_bit_lock_class);	\
	0;										\
})
#define clear_and_wake_up_bit(bit, word) \
	bit_mutex_unlock((bit) % 32, __kshim_half(bit, word), kshim_bit_lock_class)

#endif
