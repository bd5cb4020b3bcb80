/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mutex.h - a lock whose waiters sleep, made of the sleeping bit lock. Letting
 * go costs a fence and a look into a wait queue that the kernel's would not
 * need when nobody waits; what is measured takes none.
 */
#ifndef KSHIM_LINUX_MUTEX_H
#define KSHIM_LINUX_MUTEX_H

#include <linux/cleanup.h>
#include <linux/kernel.h>

struct mutex {
	u32 word;			/* bit 0: held */
	unsigned cls;			/* for reports; 0 before first use */
};

#define __MUTEX_INITIALIZER(name)	{ 0, 0 }
#define DEFINE_MUTEX(name)		struct mutex name = __MUTEX_INITIALIZER(name)
#define mutex_init(lock) \
	((void)(*(lock) = (struct mutex){ 0, hw_lock_class(kshim_lock_name(#lock)) }))

static inline unsigned kshim_mutex_class(struct mutex *mutex)
{
	if (!mutex->cls)
		mutex->cls = hw_lock_class("mutex");
	return mutex->cls;
}

static inline bool mutex_trylock(struct mutex *mutex)
{
	return bit_mutex_trylock(0, &mutex->word, kshim_mutex_class(mutex));
}

static inline void mutex_lock(struct mutex *mutex)
{
	bit_mutex_lock(0, &mutex->word, kshim_mutex_class(mutex));
}

static inline void mutex_unlock(struct mutex *mutex)
{
	bit_mutex_unlock(0, &mutex->word, mutex->cls);
}

#define mutex_is_locked(mutex)		(READ_ONCE((mutex)->word) != 0)
#define mutex_destroy(mutex)		do { (void)(mutex); } while (0)

KSHIM_GUARD(mutex, struct mutex, mutex_lock, mutex_unlock)

#endif
