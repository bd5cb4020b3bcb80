/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cleanup.h - locks that are released where their scope ends. */
#ifndef KSHIM_LINUX_CLEANUP_H
#define KSHIM_LINUX_CLEANUP_H

#include <linux/kernel.h>

#define __KSHIM_UNIQUE_2(a, b)	a##b
#define __KSHIM_UNIQUE(a, b)	__KSHIM_UNIQUE_2(a, b)

/* Makes guard(name)(lock) possible: take by @lock_fn, release by @unlock_fn. */
#define KSHIM_GUARD(name, type, lock_fn, unlock_fn)				\
static inline __maybe_unused type *kshim_guard_##name(type *lock)		\
{										\
	lock_fn(lock);								\
	return lock;								\
}										\
static inline __maybe_unused void kshim_unguard_##name(void *lock)		\
{										\
	unlock_fn(*(type **)lock);						\
}

#define guard(name)								\
	void *__KSHIM_UNIQUE(__guard_, __COUNTER__)				\
	__attribute__((cleanup(kshim_unguard_##name), unused)) = kshim_guard_##name

/* The statement that follows runs once, with the lock held. */
#define scoped_guard(name, lock)						\
	for (void *__scope __attribute__((cleanup(kshim_unguard_##name))) = kshim_guard_##name(lock), \
	     *__once = __scope; __once; __once = NULL)

#endif
