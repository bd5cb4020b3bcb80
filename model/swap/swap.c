/* SPDX-License-Identifier: GPL-3.0-or-later */
/* swap.c - clusters, allocation and the free path of swap slots. Lock order: ci->lock, then si->lock. */
#include "model/swap/swap.h"
#include "model/kernel/kernel.h"

struct swap_cluster {
	spinlock_t lock;
	u16 count;			/* slots in use */
	u8 flags;			/* list it is on */
	u8 order;
	u8 *table;			/* use count of each slot */
	struct list_head list;
};

enum { CLUSTER_FREE = 1, CLUSTER_PARTIAL, CLUSTER_CURRENT, CLUSTER_FULL };

struct swap_info {
	u64 flags;
	struct swap_cluster *clusters;
	u32 nr_clusters, slots;
	const struct swap_device_ops *ops;
	void *device;
	u64 *zswap_tree;		/* per 64 MB: first word 0, an empty tree */
	u32 __percpu *next;		/* next slot of the CPU's cluster, 0: none */
	spinlock_t lock ____cacheline_aligned;
	struct list_head free_clusters, partial_clusters, full_clusters;
	atomic_long_t inuse_pages ____cacheline_aligned;
};

static struct swap_info *si;
static atomic_long_t *nr_swap_pages;	/* of all devices: a line of its own */

static struct swap_cluster *cluster_of(u32 offset)
{
	return &si->clusters[offset / SWAP_CLUSTER];
}

void swapon(u32 slots, const struct swap_device_ops *ops, void *device)
{
	si = vzalloc(sizeof(*si));
	BUG_ON(!si);
	si->slots = slots;
	si->nr_clusters = DIV_ROUND_UP(slots, SWAP_CLUSTER);
	si->ops = ops;
	si->device = device;
	si->clusters = vzalloc(si->nr_clusters * sizeof(*si->clusters));
	si->zswap_tree = vzalloc((slots / 16384 + 1) * SMP_CACHE_BYTES);
	si->next = alloc_percpu(u32);
	nr_swap_pages = vzalloc(SMP_CACHE_BYTES);
	BUG_ON(!si->clusters || !si->zswap_tree || !si->next || !nr_swap_pages);
	hw_name_lines(si->clusters, DIV_ROUND_UP(si->nr_clusters * sizeof(*si->clusters), PAGE_SIZE) * PAGE_SIZE,
		      "swap clusters");
	hw_name_lines(nr_swap_pages, SMP_CACHE_BYTES, "nr_swap_pages");
	hw_name_lines(&si->inuse_pages, SMP_CACHE_BYTES, "si->inuse_pages");
	spin_lock_init_named(&si->lock, "si->lock");
	INIT_LIST_HEAD(&si->free_clusters);
	INIT_LIST_HEAD(&si->partial_clusters);
	INIT_LIST_HEAD(&si->full_clusters);
	for (u32 i = 0; i < si->nr_clusters; i++) {
		struct swap_cluster *ci = &si->clusters[i];

		spin_lock_init_named(&ci->lock, "ci->lock");
		ci->table = kzalloc(SWAP_CLUSTER, GFP_KERNEL);
		BUG_ON(!ci->table);
		ci->flags = CLUSTER_FREE;
		list_add_tail(&ci->list, &si->free_clusters);
	}
	si->clusters[0].table[0] = 0xff;	/* the header */
	si->clusters[0].count = 1;
	atomic_long_set(nr_swap_pages, slots - 1);
}

void swapoff(void)
{
	for (u32 i = 0; i < si->nr_clusters; i++)
		kfree(si->clusters[i].table);
}

static u32 take_cluster(void)
{
	struct swap_cluster *ci;

	spin_lock(&si->lock);
	ci = list_first_entry_or_null(&si->free_clusters, struct swap_cluster, list);
	if (ci) {
		list_move(&ci->list, &si->full_clusters);
		ci->flags = CLUSTER_CURRENT;
	}
	spin_unlock(&si->lock);
	if (!ci)
		return 0;
	return (u32)(ci - si->clusters) * SWAP_CLUSTER;
}

u32 swap_alloc(int cpu)
{
	u32 *next = per_cpu_ptr(si->next, cpu);
	struct swap_cluster *ci;
	u32 offset;

	if (!(*next % SWAP_CLUSTER))
		*next = take_cluster();
	if (!*next && cluster_of(0)->flags != CLUSTER_CURRENT)
		return 0;
	if (!*next)
		*next = 1;		/* slot 0 is the header */
	offset = (*next)++;
	if (offset >= si->slots)
		return 0;
	ci = cluster_of(offset);
	spin_lock(&ci->lock);
	ci->table[offset % SWAP_CLUSTER] = 1;
	ci->count++;
	spin_unlock(&ci->lock);
	atomic_long_dec(nr_swap_pages);
	atomic_long_inc(&si->inuse_pages);
	return offset;
}

static void zswap_invalidate(u32 offset)
{
	/* one look at the region's tree: it is empty */
	BUG_ON(READ_ONCE(si->zswap_tree[offset / 16384 * (SMP_CACHE_BYTES / 8)]));
}

/* A run of slots of one cluster; its lock held. */
static void range_free(u32 offset, u32 nr)
{
	for (u32 i = 0; i < nr; i++) {
		zswap_invalidate(offset + i);
		si->ops->slot_free_notify(si->device, offset + i);
	}
	atomic_long_add(nr, nr_swap_pages);
	atomic_long_sub(nr, &si->inuse_pages);
}

static void cluster_emptied(struct swap_cluster *ci)
{
	spin_lock(&si->lock);
	list_move(&ci->list, ci->count ? &si->partial_clusters : &si->free_clusters);
	ci->flags = ci->count ? CLUSTER_PARTIAL : CLUSTER_FREE;
	spin_unlock(&si->lock);
}

static void cluster_free(struct swap_cluster *ci, u32 offset, u32 nr)
{
	u32 in_cluster = offset % SWAP_CLUSTER;

	ci->count -= nr;
	for (u32 i = 0; i < nr; i++) {
		BUG_ON(ci->table[in_cluster + i] != 1);
		ci->table[in_cluster + i] = 0;
	}
	range_free(offset, nr);
	if (!ci->count || ci->flags != CLUSTER_PARTIAL)
		cluster_emptied(ci);
}

/* Slots used once and not cached end here, in one hold of the lock per cluster. */
void swap_put_entries_direct(u32 offset, u32 nr)
{
	while (nr) {
		struct swap_cluster *ci = cluster_of(offset);
		u32 n = min(nr, SWAP_CLUSTER - offset % SWAP_CLUSTER);

		spin_lock(&ci->lock);
		cluster_free(ci, offset, n);
		spin_unlock(&ci->lock);
		offset += n;
		nr -= n;
	}
}

long swap_slots_in_use(void)
{
	return atomic_long_read(&si->inuse_pages);
}
