/* SPDX-License-Identifier: GPL-3.0-or-later */
/* string.h - memory copies go through the machine's streaming instructions. */
#ifndef KERNEL_STRING_H
#define KERNEL_STRING_H

#include "sim/hw.h"

#define memcpy(dst, src, n)	hw_copy(dst, src, n)
#define copy_page(dst, src)	hw_copy(dst, src, PAGE_SIZE)
#define clear_page(dst)		hw_zero(dst, PAGE_SIZE)

#endif
