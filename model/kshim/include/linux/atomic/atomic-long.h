/* SPDX-License-Identifier: GPL-3.0-or-later */
/* atomic-long.h - what model/kernel/atomic.h does not have a name for. */
#ifndef KSHIM_LINUX_ATOMIC_LONG_H
#define KSHIM_LINUX_ATOMIC_LONG_H

#include <linux/atomic.h>

#define atomic_long_cmpxchg	atomic64_cmpxchg

#endif
