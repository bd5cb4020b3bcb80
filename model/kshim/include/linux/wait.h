/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wait.h - waiting for a page's lock is all that the allocator does: see mm.h. */
#include <linux/mm.h>
