/* SPDX-License-Identifier: GPL-3.0-or-later */
/* llist.h */
#ifndef KSHIM_LINUX_LLIST_H
#define KSHIM_LINUX_LLIST_H

#include <linux/types.h>

#define LLIST_HEAD_INIT(name)	{ NULL }
#define LLIST_HEAD(name)	struct llist_head name = LLIST_HEAD_INIT(name)

/* The node is read before the body, which may free the entry. */
#define llist_for_each_entry_safe(pos, n, node, member)				\
	for (struct llist_node *__at = (node), *__next;				\
	     __at && ((pos) = llist_entry(__at, __typeof__(*(pos)), member),	\
		      __next = __at->next,					\
		      (n) = llist_entry(__next, __typeof__(*(pos)), member), true); \
	     __at = __next)
#define llist_for_each_safe(pos, n, node) \
	for ((pos) = (node); (pos) && ((n) = (pos)->next, true); (pos) = (n))

#endif
