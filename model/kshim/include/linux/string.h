/* SPDX-License-Identifier: GPL-3.0-or-later */
/* string.h - copies, clears and short texts. */
#ifndef KSHIM_LINUX_STRING_H
#define KSHIM_LINUX_STRING_H

#include <linux/slab.h>
#include "model/kernel/string.h"

/* Only zero is ever filled in by what is compiled here; other values are written byte by byte. */
#define memset(dst, value, bytes) do {					\
	if (__builtin_constant_p(value) && (value) == 0)		\
		hw_zero(dst, bytes);					\
	else								\
		for (size_t __i = 0; __i < (size_t)(bytes); __i++)	\
			((char *)(dst))[__i] = (char)(value);		\
} while (0)
#define memset_l(dst, value, words) do {				\
	for (size_t __i = 0; __i < (size_t)(words); __i++)		\
		((unsigned long *)(dst))[__i] = (value);		\
} while (0)

int strcmp(const char *a, const char *b);
size_t strlen(const char *text);

#endif
