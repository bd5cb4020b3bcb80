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

/*
 * A cluster that some CPU fills, and a full one, are on no list that is
 * searched: full_clusters keeps both.
 */
enum { CLUSTER_FREE = 1, CLUSTER_PARTIAL, CLUSTER_CURRENT, CLUSTER_FULL };

struct swap_info {
	u64 flags;
	struct swap_cluster *clusters;
	u32 nr_clusters, slots;
	const struct swap_device_ops *ops;
	void *device;
	u64 *zswap_tree;		/* without a cache in front; per 64 MB: first word 0, an empty tree */
	u32 __percpu *current_cluster;	/* that the CPU fills: number + 1, 0: none */
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
	si->current_cluster = alloc_percpu(u32);
	nr_swap_pages = vzalloc(SMP_CACHE_BYTES);
	BUG_ON(!si->clusters || !si->zswap_tree || !si->current_cluster || !nr_swap_pages);
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
	vfree(si->clusters);
	vfree(si->zswap_tree);
	free_percpu(si->current_cluster);
	vfree(nr_swap_pages);
	vfree(si);
	si = NULL;
}

/* When nothing else is left: a cluster that another CPU fills, to be shared with it. */
static struct swap_cluster *shared_cluster(void)
{
	struct swap_cluster *ci;

	list_for_each_entry(ci, &si->full_clusters, list)
		if (READ_ONCE(ci->flags) == CLUSTER_CURRENT)
			return ci;
	return NULL;
}

/* A cluster with room: an untouched one if there is any. NULL when the device is full. */
static struct swap_cluster *take_cluster(void)
{
	struct swap_cluster *ci;

	spin_lock(&si->lock);
	ci = list_first_entry_or_null(&si->free_clusters, struct swap_cluster, list);
	if (!ci)
		ci = list_first_entry_or_null(&si->partial_clusters, struct swap_cluster, list);
	if (ci) {
		list_move(&ci->list, &si->full_clusters);
		ci->flags = CLUSTER_CURRENT;
	} else {
		ci = shared_cluster();
	}
	spin_unlock(&si->lock);
	return ci;
}

/* Slots of cluster @ci that the device has; the last cluster may be short. */
static u32 cluster_slots(const struct swap_cluster *ci)
{
	return min(SWAP_CLUSTER, si->slots - (u32)(ci - si->clusters) * SWAP_CLUSTER);
}

/* The first unused slot of @ci, whose lock is held; its device offset, 0 if there is none. */
static u32 take_slot(struct swap_cluster *ci)
{
	/* slots go in order, so the count is where to look first */
	u32 slots = cluster_slots(ci), i = ci->count < slots && !ci->table[ci->count] ? ci->count : 0;

	while (i < slots && ci->table[i])
		i++;
	if (i == slots)
		return 0;
	ci->table[i] = 1;
	if (++ci->count == slots)
		ci->flags = CLUSTER_FULL;
	return (u32)(ci - si->clusters) * SWAP_CLUSTER + i;
}

/* From the cluster that @cpu fills; 0 when it has none, or it is full or was given up since. */
static u32 alloc_from_current(u32 current_cluster)
{
	struct swap_cluster *ci;
	u32 offset = 0;

	if (!current_cluster)
		return 0;
	ci = &si->clusters[current_cluster - 1];
	spin_lock(&ci->lock);
	if (ci->flags == CLUSTER_CURRENT)
		offset = take_slot(ci);
	spin_unlock(&ci->lock);
	return offset;
}

u32 swap_alloc(int cpu)
{
	u32 *current_cluster = per_cpu_ptr(si->current_cluster, cpu);
	u32 offset;

	while (!(offset = alloc_from_current(*current_cluster))) {
		struct swap_cluster *ci = take_cluster();

		if (!ci)
			return 0;
		*current_cluster = (u32)(ci - si->clusters) + 1;
	}
	atomic_long_dec(nr_swap_pages);
	atomic_long_inc(&si->inuse_pages);
	return offset;
}

/* Without a cache in front of the device it is one look at the region's tree: it is empty. */
static void look_at_empty_tree(u32 offset)
{
	BUG_ON(READ_ONCE(si->zswap_tree[offset / 16384 * (SMP_CACHE_BYTES / 8)]));
}

/* A run of slots of one cluster; its lock held. */
static void range_free(u32 offset, u32 nr)
{
	const struct swap_device_ops *ops = si->ops;
	void (*invalidate)(void *device, u32 offset) = ops->invalidate;
	void (*notify)(void *device, u32 offset) = ops->slot_free_notify;
	void *device = si->device;

	for (u32 i = 0; i < nr; i++) {
		if (invalidate)
			invalidate(device, offset + i);
		else
			look_at_empty_tree(offset + i);
		if (notify)
			notify(device, offset + i);
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
