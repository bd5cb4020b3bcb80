/* SPDX-License-Identifier: GPL-3.0-or-later */
/* atomic.h */
#include <linux/kernel.h>
