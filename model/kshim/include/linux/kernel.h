/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernel.h - small things that everybody uses. */
#ifndef KSHIM_LINUX_KERNEL_H
#define KSHIM_LINUX_KERNEL_H

#include <limits.h>
#include "model/kernel/kernel.h"
#include <linux/kconfig.h>
#include <linux/mmdebug.h>
#include <linux/printk.h>

#define __KSHIM_PASTE(a, b)	a##b
#define _AC(x, suffix)		__KSHIM_PASTE(x, suffix)

#define MAX(a, b)		((a) > (b) ? (a) : (b))
#define MIN(a, b)		((a) < (b) ? (a) : (b))

#ifndef SZ_16M
#define SZ_16M			0x01000000
#endif

#ifndef static_assert
#define static_assert(expr, ...) _Static_assert(expr, #expr)
#endif

#define BIT(n)			(1ul << (n))
#define __used			__attribute__((used))
#define __force
#define __user
#define __read_mostly
#define __acquires(x)
#define __releases(x)
#define __must_check
#define fallthrough		__attribute__((fallthrough))
#define _RET_IP_		((unsigned long)__builtin_return_address(0))

/* The kernel names a lock after the expression; a report needs no ampersand. */
#define kshim_lock_name(text)	((text)[0] == '&' ? (text) + 1 : (text))

#endif
