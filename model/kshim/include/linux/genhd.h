/* SPDX-License-Identifier: GPL-3.0-or-later */
/* genhd.h */
#include <linux/blkdev.h>
