/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hlist.h - a member of a list that has a head of one word. Nothing here is on one. */
#ifndef KSHIM_LINUX_HLIST_H
#define KSHIM_LINUX_HLIST_H

#include <linux/kernel.h>

struct hlist_node {
	struct hlist_node *next, **pprev;
};

#define hlist_entry(ptr, type, member) container_of(ptr, type, member)

#endif
