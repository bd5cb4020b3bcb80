/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * xarray.h - an array of pointers by index: a tree of nodes of 64 slots, as
 * high as its largest index needs. Nodes that become empty go.
 */
#ifndef KERNEL_XARRAY_H
#define KERNEL_XARRAY_H

#include "model/kernel/spinlock.h"
#include "model/kernel/types.h"

struct xarray {
	spinlock_t xa_lock;
	u32 height;			/* nodes from the head down to a slot; 0: the array is empty */
	void *xa_head;
};

struct kmem_cache;

/* @nodes: where nodes are from, of XA_NODE_BYTES each. */
#define XA_NODE_BYTES	576u

void xa_init(struct xarray *xa, const char *name);

static inline bool xa_empty(const struct xarray *xa)
{
	return !READ_ONCE(xa->xa_head);
}

/*
 * Put @entry, not NULL, at @index; returns what was there (NULL: nothing), or
 * an error pointer when there is no memory for a node and nothing changed.
 */
void *xa_store(struct xarray *xa, struct kmem_cache *nodes, u64 index, void *entry, gfp_t gfp);
/* Take out what is at @index and return it; NULL if there is nothing. */
void *xa_erase(struct xarray *xa, struct kmem_cache *nodes, u64 index);
/* Take out @entry if it is what @index holds; false if not. */
bool xa_erase_entry(struct xarray *xa, struct kmem_cache *nodes, u64 index, const void *entry);
/* What is at @index, or NULL. */
void *xa_load(struct xarray *xa, u64 index);
/* Call @visit for each entry in order of index. Nobody else uses the array, and @visit does not change it. */
void xa_for_all(struct xarray *xa, void (*visit)(void *arg, u64 index, void *entry), void *arg);

#endif
