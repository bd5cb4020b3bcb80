/* SPDX-License-Identifier: GPL-3.0-or-later */
/* overflow.h - products that must not wrap; one that does is too large to be had. */
#ifndef KSHIM_LINUX_OVERFLOW_H
#define KSHIM_LINUX_OVERFLOW_H

#include <linux/kernel.h>

static inline size_t array_size(size_t n, size_t size)
{
	size_t bytes;

	return __builtin_mul_overflow(n, size, &bytes) ? SIZE_MAX : bytes;
}

#endif
