/* SPDX-License-Identifier: GPL-3.0-or-later */
/* local_lock.h - without PREEMPT_RT a local lock is a section that is not preempted. */
#ifndef KSHIM_LINUX_LOCAL_LOCK_H
#define KSHIM_LINUX_LOCAL_LOCK_H

#include <linux/percpu.h>

typedef struct { } local_lock_t;

#define INIT_LOCAL_LOCK(name)	{ }
#define local_lock_init(lock)	do { (void)(lock); } while (0)
#define local_lock(lock)	do { (void)(lock); preempt_disable(); } while (0)
#define local_unlock(lock)	do { (void)(lock); preempt_enable(); } while (0)

#endif
