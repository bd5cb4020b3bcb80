/* SPDX-License-Identifier: GPL-3.0-or-later */
/* llist.h - lock-less list: many add, one takes all, last in first out. */
#ifndef KERNEL_LLIST_H
#define KERNEL_LLIST_H

#include "model/kernel/atomic.h"

struct llist_node {
	struct llist_node *next;
};

struct llist_head {
	struct llist_node *first;
};

static inline void init_llist_head(struct llist_head *list)
{
	list->first = NULL;
}

/* Returns true if the list was empty before. */
static inline bool llist_add(struct llist_node *node, struct llist_head *head)
{
	struct llist_node *first = READ_ONCE(head->first);

	do {
		node->next = first;
	} while (!__atomic_compare_exchange_n(&head->first, &first, node, false,
					      __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
	return !first;
}

static inline bool llist_empty(const struct llist_head *head)
{
	return !READ_ONCE(head->first);
}

static inline struct llist_node *llist_del_all(struct llist_head *head)
{
	return __atomic_exchange_n(&head->first, NULL, __ATOMIC_SEQ_CST);
}

#define llist_entry(ptr, type, member) container_of(ptr, type, member)

#endif
