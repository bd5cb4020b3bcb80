/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vmalloc.h - vzalloc() and vfree() are in model/kernel/slab.h. */
#include <linux/slab.h>
