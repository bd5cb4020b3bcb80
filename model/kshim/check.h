/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check.h - does everything that a tree's pool knows about itself agree? And its counters as text. */
#ifndef KSHIM_CHECK_H
#define KSHIM_CHECK_H

#include <stddef.h>

struct zs_pool;

/* Walks all zspages; a contradiction is a fault. When all is quiet, in functional mode. */
void kshim_check_pool(struct zs_pool *pool);

/* The text of the debugfs file "classes" in the columns of 6.12. Returns its length, less than @bytes. */
size_t kshim_classes_text(struct zs_pool *pool, char *buf, size_t bytes);

#endif
