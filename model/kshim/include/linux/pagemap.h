/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pagemap.h */
#include <linux/highmem.h>
