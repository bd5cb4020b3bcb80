/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list.h */
#include <linux/kernel.h>
