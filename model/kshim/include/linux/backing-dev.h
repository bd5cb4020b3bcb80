/* SPDX-License-Identifier: GPL-3.0-or-later */
/* backing-dev.h */
#include <linux/blkdev.h>
