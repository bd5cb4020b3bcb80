/* SPDX-License-Identifier: GPL-3.0-or-later */
/* deferral.c - the schemes, put together from what zsmalloc, zram, swap and mm have for each. */
#include "model/workload/deferral.h"
#include "model/kernel/kernel.h"
#include "model/swap/collect.h"
#include "model/zram/page_pool.h"
#include "model/zram/zram_deferred.h"
#include "model/zsmalloc/zsmalloc.h"

static void start_thread(struct zram *zram)
{
	swap_collect_start(zram, zram_observe_waiting, zram_observe_freed);
}

static void flush_thread(struct zram *zram)
{
	(void)zram;
	swap_collect_flush();
}

static void create_list(struct zram *zram)
{
	BUG_ON(!zs_deferred_list_create(zram_pool(zram)));
}

static void flush_list(struct zram *zram)
{
	zs_deferred_list_flush(zram_pool(zram));
}

static void destroy_list(struct zram *zram)
{
	zs_deferred_list_destroy(zram_pool(zram));
}

static const struct deferral schemes[] = {
	[FREE_DEFER_PAGE_POOL] = {
		.swap = { .slot_free_notify = zram_slot_free_later },
		.write = zram_write_again, .unmap = mm_unmap,
		.create = zram_page_pool_create, .flush = zram_page_pool_flush, .destroy = zram_page_pool_destroy,
	},
	[FREE_DEFER_GLOBAL_LIST] = {
		.swap = { .slot_free_notify = zram_slot_free_deferred },
		.write = zram_write, .unmap = mm_unmap,
		.create = create_list, .flush = flush_list, .destroy = destroy_list,
	},
	[FREE_DEFER_MM_THREAD] = {
		.swap = { .slot_free_notify = zram_slot_free_notify },
		.write = zram_write, .unmap = mm_unmap_collect,
		.create = start_thread, .flush = flush_thread,
		.destroy = flush_thread,	/* the thread stays, as a kernel's does */
	},
};

const struct deferral *deferral_of(enum axis_free free)
{
	return free < sizeof(schemes) / sizeof(schemes[0]) && schemes[free].create ? &schemes[free] : NULL;
}

/* ---- of one device ---- */

static const struct deferral *deferral;
static struct zram *device;

void deferral_swapon(u32 slots, const struct swap_device_ops *at_once, struct zram *zram,
		     const struct model_config *config)
{
	deferral = deferral_of(config->variant.free);
	device = zram;
	if (deferral)
		deferral->create(zram);
	swapon(slots, deferral ? &deferral->swap : at_once, zram);
}

void deferral_flush(void)
{
	if (deferral)
		deferral->flush(device);
}

void deferral_destroy(struct zram *zram)
{
	if (deferral)
		deferral->destroy(zram);
	deferral = NULL;
	zram_destroy(zram);
}

int deferral_write(struct zram *zram, u32 slot, const void *page)
{
	return deferral ? deferral->write(zram, slot, page) : zram_write(zram, slot, page);
}

void deferral_unmap(struct mm *mm)
{
	if (deferral)
		deferral->unmap(mm);
	else
		mm_unmap(mm);
}
