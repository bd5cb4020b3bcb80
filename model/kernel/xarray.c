/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xarray.c - see xarray.h. One lock per array, held for every change. */
#include "model/kernel/xarray.h"

#include "model/kernel/bug.h"
#include "model/kernel/err.h"
#include "model/kernel/slab.h"

#define XA_SHIFT	6u
#define XA_SLOTS	(1u << XA_SHIFT)

/* The kernel's node is as large: a header line of counts, parent and links, then the slots and three mark bitmaps. */
struct xa_node {
	u8 shift;			/* of the index, for a slot of this node */
	u8 offset;			/* of this node in its parent */
	u8 count;			/* slots in use */
	u8 nr_values;
	struct xa_node *parent;
	void *array;
	void *links[2];
	void *slots[XA_SLOTS];
	u64 marks[3];
};
_Static_assert(sizeof(struct xa_node) == XA_NODE_BYTES, "as large as the kernel's");

void xa_init(struct xarray *xa, const char *name)
{
	spin_lock_init_named(&xa->xa_lock, name);
	xa->height = 0;
	xa->xa_head = NULL;
}

static unsigned slot_of(const struct xa_node *node, u64 index)
{
	return (unsigned)(index >> node->shift) % XA_SLOTS;
}

/* Is @index among those that a tree of @height nodes holds? */
static bool reaches(u32 height, u64 index)
{
	return height && !(index >> XA_SHIFT * height);
}

static struct xa_node *new_node(struct kmem_cache *nodes, u32 shift, struct xa_node *parent, unsigned offset, gfp_t gfp)
{
	struct xa_node *node = kmem_cache_zalloc(nodes, gfp);

	if (!node)
		return NULL;
	node->shift = (u8)shift;
	node->parent = parent;
	node->offset = (u8)offset;
	return node;
}

/* Nodes that a tree needs to hold @index. */
static u32 height_for(u64 index)
{
	u32 height = 1;

	while (!reaches(height, index))
		height++;
	return height;
}

/* An empty array gets one node of the right height, others nodes on top. False when memory is short. */
static bool grow(struct xarray *xa, struct kmem_cache *nodes, u64 index, gfp_t gfp)
{
	u32 height = height_for(index);

	while (xa->height < height) {
		struct xa_node *old = xa->xa_head;
		u32 next = old ? xa->height + 1 : height;
		struct xa_node *node = new_node(nodes, (next - 1) * XA_SHIFT, NULL, 0, gfp);

		if (!node)
			return false;
		if (old) {
			old->parent = node;
			node->slots[0] = old;
			node->count = 1;
		}
		WRITE_ONCE(xa->xa_head, node);
		xa->height = next;
	}
	return true;
}

/* @node and those above it, as far as they are empty. */
static void free_empty(struct xarray *xa, struct kmem_cache *nodes, struct xa_node *node)
{
	while (node && !node->count) {
		struct xa_node *parent = node->parent;

		if (parent) {
			WRITE_ONCE(parent->slots[node->offset], NULL);
			parent->count--;
		} else {
			WRITE_ONCE(xa->xa_head, NULL);
			xa->height = 0;
		}
		kmem_cache_free(nodes, node);
		node = parent;
	}
}

/* The lowest node for @index, made as far as it is missing; NULL when memory is short and all is as it was. */
static struct xa_node *make_leaf(struct xarray *xa, struct kmem_cache *nodes, u64 index, gfp_t gfp)
{
	struct xa_node *node, *child;

	if (!grow(xa, nodes, index, gfp))
		return NULL;
	for (node = xa->xa_head; node->shift; node = child) {
		unsigned at = slot_of(node, index);

		child = node->slots[at];
		if (child)
			continue;
		child = new_node(nodes, node->shift - XA_SHIFT, node, at, gfp);
		if (!child) {
			free_empty(xa, nodes, node);
			return NULL;
		}
		WRITE_ONCE(node->slots[at], child);
		node->count++;
	}
	return node;
}

void *xa_store(struct xarray *xa, struct kmem_cache *nodes, u64 index, void *entry, gfp_t gfp)
{
	struct xa_node *leaf;
	void *old = ERR_PTR(-ENOMEM);

	spin_lock(&xa->xa_lock);
	leaf = make_leaf(xa, nodes, index, gfp);
	if (leaf) {
		unsigned at = slot_of(leaf, index);

		old = leaf->slots[at];
		if (!old)
			leaf->count++;
		WRITE_ONCE(leaf->slots[at], entry);
	}
	spin_unlock(&xa->xa_lock);
	return old;
}

static struct xa_node *find_leaf(struct xarray *xa, u64 index)
{
	struct xa_node *node = READ_ONCE(xa->xa_head);

	if (!node || !reaches(xa->height, index))
		return NULL;
	while (node && node->shift)
		node = READ_ONCE(node->slots[slot_of(node, index)]);
	return node;
}

/* What @index holds, taken out unless @only (NULL: anything) is something else. Returns what is gone. */
static void *take_out(struct xarray *xa, struct kmem_cache *nodes, u64 index, const void *only)
{
	struct xa_node *leaf;
	void *old = NULL;

	spin_lock(&xa->xa_lock);
	leaf = find_leaf(xa, index);
	if (leaf) {
		unsigned at = slot_of(leaf, index);

		old = leaf->slots[at];
		if (old && only && old != only)
			old = NULL;
		if (old) {
			WRITE_ONCE(leaf->slots[at], NULL);
			leaf->count--;
			free_empty(xa, nodes, leaf);
		}
	}
	spin_unlock(&xa->xa_lock);
	return old;
}

void *xa_erase(struct xarray *xa, struct kmem_cache *nodes, u64 index)
{
	return take_out(xa, nodes, index, NULL);
}

bool xa_erase_entry(struct xarray *xa, struct kmem_cache *nodes, u64 index, const void *entry)
{
	return take_out(xa, nodes, index, entry) != NULL;
}

/* The kernel looks without the lock, under RCU; here nodes go at once, so the look takes it. */
void *xa_load(struct xarray *xa, u64 index)
{
	struct xa_node *leaf;
	void *entry = NULL;

	if (xa_empty(xa))
		return NULL;
	spin_lock(&xa->xa_lock);
	leaf = find_leaf(xa, index);
	if (leaf)
		entry = leaf->slots[slot_of(leaf, index)];
	spin_unlock(&xa->xa_lock);
	return entry;
}

static void visit_node(const struct xa_node *node, u64 first, void (*visit)(void *, u64, void *), void *arg)
{
	for (unsigned i = 0; i < XA_SLOTS; i++) {
		u64 index = first + ((u64)i << node->shift);

		if (!node->slots[i])
			continue;
		if (node->shift)
			visit_node(node->slots[i], index, visit, arg);
		else
			visit(arg, index, node->slots[i]);
	}
}

void xa_for_all(struct xarray *xa, void (*visit)(void *arg, u64 index, void *entry), void *arg)
{
	if (xa->xa_head)
		visit_node(xa->xa_head, 0, visit, arg);
}
