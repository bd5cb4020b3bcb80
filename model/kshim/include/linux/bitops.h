/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bitops.h - bit operations of 32-bit words are in model/kernel/atomic.h. */
#include <linux/kernel.h>
