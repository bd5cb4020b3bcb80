/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cache.h */
#include <linux/kernel.h>
