/* SPDX-License-Identifier: GPL-3.0-or-later */
/* part_stat.h */
#include <linux/blkdev.h>
