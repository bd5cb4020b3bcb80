/* SPDX-License-Identifier: GPL-3.0-or-later */
/* buffer_head.h */
#include <linux/blkdev.h>
