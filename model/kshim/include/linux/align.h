/* SPDX-License-Identifier: GPL-3.0-or-later */
/* align.h - multiples of powers of two. */
#ifndef KSHIM_LINUX_ALIGN_H
#define KSHIM_LINUX_ALIGN_H

#include <linux/kernel.h>

#define ALIGN(x, a)		(((x) + (a) - 1) & ~((__typeof__(x))(a) - 1))
#define IS_ALIGNED(x, a)	(((x) & ((__typeof__(x))(a) - 1)) == 0)
#define PAGE_ALIGN(x)		ALIGN(x, PAGE_SIZE)

#endif
