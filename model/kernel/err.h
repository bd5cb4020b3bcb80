/* SPDX-License-Identifier: GPL-3.0-or-later */
/* err.h - error numbers that travel in pointers and handles. */
#ifndef KERNEL_ERR_H
#define KERNEL_ERR_H

#include "model/kernel/types.h"

#define ENOMEM	12
#define EAGAIN	11
#define EBUSY	16
#define ENODEV	19
#define EINVAL	22
#define ENOSPC	28
#define MAX_ERRNO 4095

#define IS_ERR_VALUE(x) unlikely((unsigned long)(x) >= (unsigned long)-MAX_ERRNO)

static inline void *ERR_PTR(long error)
{
	return (void *)error;
}

static inline long PTR_ERR(const void *ptr)
{
	return (long)ptr;
}

static inline bool IS_ERR(const void *ptr)
{
	return IS_ERR_VALUE(ptr);
}

static inline bool IS_ERR_OR_NULL(const void *ptr)
{
	return unlikely(!ptr) || IS_ERR_VALUE(ptr);
}

#endif
