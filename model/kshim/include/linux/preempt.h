/* SPDX-License-Identifier: GPL-3.0-or-later */
/* preempt.h */
#ifndef KSHIM_LINUX_PREEMPT_H
#define KSHIM_LINUX_PREEMPT_H

#include <linux/percpu.h>

/* The software has no interrupt handlers; what the kernel looks at is a per-CPU word. */
#define in_interrupt()	unlikely(*this_cpu_ptr(preempt_counts) & 0xffff00)
#define in_task()	(!in_interrupt())
#define in_hardirq()	in_interrupt()
#define migrate_disable() preempt_disable()
#define migrate_enable() preempt_enable()

#endif
