/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * steps_layout.h - how the objects of steps_objects.h lie in their pool, as a
 * number or as text: zspages in the order of their lists, which object is at
 * which index, the counters. Addresses and frame numbers do not enter.
 */
#ifndef WORKLOAD_STEPS_LAYOUT_H
#define WORKLOAD_STEPS_LAYOUT_H

#include "model/kernel/types.h"
#include "model/kernel/printf.h"

struct zs_pool;

/* Text that grows in a buffer; what does not fit is cut off. */
struct step_text {
	char *buf;
	size_t bytes;
	size_t used;
};

#define say(text, ...)							\
	((text)->used += scnprintf((text)->buf + (text)->used,		\
				   (text)->bytes - (text)->used, __VA_ARGS__))

/* Digest of the class of index @i, which must be a class's own. */
u64 layout_of_class(struct zs_pool *pool, unsigned i);
/* Digest of all classes. */
u64 layout_of_pool(struct zs_pool *pool);
/* The same in words: a line for each class in use, one for each zspage. */
void layout_text(struct zs_pool *pool, struct step_text *text);

#endif
