/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * user_zswap.c - processes swap to a disk behind zswap, each in a memory
 * control group of its own under one parent.
 *
 * The disk takes what zswap does not: which slots it has is all that is kept
 * of it, and writing to it takes no time of a CPU.
 */
#include "model/kernel/kernel.h"
#include "model/mm/memcg.h"
#include "model/mm/mm.h"
#include "model/swap/collect.h"
#include "model/swap/swap.h"
#include "model/workload/swap_user.h"
#include "model/zswap/zswap.h"

#define MAX_POOL_PERCENT 20u		/* the kernel's default */

static struct zswap *zswap;
static struct mem_cgroup *parent, **memcgs;
static struct zswap_lru **lrus, *current_lru;
static unsigned nr_tenants;
static u8 *on_disk;			/* by slot */
static u32 nr_slots;

static void write_to_disk(void *device, u32 slot, const void *page)
{
	(void)device;
	(void)page;
	on_disk[slot] = 1;
}

static int swap_out(u32 slot, const void *page)
{
	on_disk[slot] = 0;
	if (zswap_store(zswap, current_lru, slot, page))
		write_to_disk(NULL, slot, page);
	return 0;
}

static void slot_invalidate(void *device, u32 slot)
{
	zswap_invalidate(device, slot);
}

static const struct swap_device_ops swap_ops = { .invalidate = slot_invalidate };

/* ---- FREE_DEFER_MM_THREAD: slots that wait are still stored, for all that zswap knows ---- */

static bool collects;

static void observe_waiting(void *device, u32 offset, u32 nr)
{
	(void)device;
	(void)offset;
	hw_gauge_add(GAUGE_DEFERRED_OBJECTS, nr);
}

static void observe_freed(void *device, u32 offset, u32 nr)
{
	(void)device;
	(void)offset;
	hw_gauge_add(GAUGE_DEFERRED_OBJECTS, -(s64)nr);
}

static void user_unmap(struct mm *mm)
{
	if (collects)
		mm_unmap_collect(mm);
	else
		mm_unmap(mm);
}

static void user_flush(void)
{
	if (collects)
		swap_collect_flush();
	zswap_flush(zswap);
}

static void *table(size_t bytes)
{
	void *memory = vzalloc(bytes);

	BUG_ON(!memory);
	return memory;
}

static void user_create(const struct model_config *config, u32 slots)
{
	nr_slots = slots;
	nr_tenants = config->nr_procs;
	on_disk = table(slots);
	zswap = zswap_create(slots, &config->variant, config->chain_size, MAX_POOL_PERCENT, write_to_disk, NULL);
	if (config->contents)
		zswap_use_contents(zswap, config->contents);
	memcg_init();
	parent = memcg_create(NULL);
	memcgs = table(nr_tenants * sizeof(*memcgs));
	lrus = table(nr_tenants * sizeof(*lrus));
	for (unsigned i = 0; i < nr_tenants; i++) {
		memcgs[i] = memcg_create(parent);
		lrus[i] = zswap_lru_create(zswap, memcgs[i]);
	}
	collects = config->variant.free == FREE_DEFER_MM_THREAD;
	if (collects)
		swap_collect_start(zswap, observe_waiting, observe_freed);
	swapon(slots, &swap_ops, zswap);
}

static void user_owner(unsigned number)
{
	current_lru = lrus[number];
}

/* Each slot in use is in zswap or on the disk. */
static void user_check(void)
{
	struct zswap_counts counts;
	long disk = 0;

	zswap_check_contents(zswap);
	zswap_count(zswap, &counts);
	for (u32 i = 0; i < nr_slots; i++)
		disk += on_disk[i];
	if ((long)counts.stored_pages + disk != swap_slots_in_use())
		hw_fault("%ld swap slots are in use, but zswap holds %lu and the disk %ld", swap_slots_in_use(),
			 (unsigned long)counts.stored_pages, disk);
}

static struct zs_pool *user_pool(void)
{
	return zswap_pool(zswap);
}

static struct zram *user_zram(void)
{
	return NULL;
}

static void user_destroy(void)
{
	for (unsigned i = 0; i < nr_tenants; i++)
		zswap_lru_destroy(lrus[i]);
	zswap_destroy(zswap);
	memcg_drain_stocks();
	for (unsigned i = 0; i < nr_tenants; i++)
		memcg_destroy(memcgs[i]);
	memcg_destroy(parent);
	memcg_exit();
	vfree(lrus);
	vfree(memcgs);
	vfree(on_disk);
}

const struct swap_user zswap_user = {
	.create = user_create,
	.owner = user_owner,
	.swap_out = swap_out,
	.unmap = user_unmap,
	.flush = user_flush,
	.check = user_check,
	.pool = user_pool,
	.zram = user_zram,
	.destroy = user_destroy,
};
