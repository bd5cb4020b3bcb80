/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rwlock.h */
#include <linux/spinlock.h>
