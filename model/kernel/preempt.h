/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * preempt.h - sections that the scheduler may not interrupt. As in a kernel
 * built with PREEMPT_COUNT this is an increment of a per-CPU word.
 */
#ifndef KERNEL_PREEMPT_H
#define KERNEL_PREEMPT_H

#include "model/kernel/percpu.h"

/* At the very start of each CPU's unit. */
#define preempt_counts		((int __percpu *)0)

static __always_inline void preempt_disable(void)
{
	(*this_cpu_ptr(preempt_counts))++;
	barrier();
}

static __always_inline void preempt_enable(void)
{
	barrier();
	(*this_cpu_ptr(preempt_counts))--;
}

#define get_cpu_ptr(ptr)	({ preempt_disable(); this_cpu_ptr(ptr); })
#define put_cpu_ptr(ptr)	do { (void)(ptr); preempt_enable(); } while (0)

#endif
