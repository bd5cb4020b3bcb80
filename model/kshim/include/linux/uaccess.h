/* SPDX-License-Identifier: GPL-3.0-or-later */
/* uaccess.h - a counter of the running task: while it is not zero, page faults are errors. */
#ifndef KSHIM_LINUX_UACCESS_H
#define KSHIM_LINUX_UACCESS_H

#include <linux/percpu.h>

extern int __percpu *kshim_pagefault_counts;

static __always_inline void pagefault_disable(void)
{
	(*this_cpu_ptr(kshim_pagefault_counts))++;
	barrier();
}

static __always_inline void pagefault_enable(void)
{
	barrier();
	(*this_cpu_ptr(kshim_pagefault_counts))--;
}

#endif
