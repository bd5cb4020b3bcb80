/* SPDX-License-Identifier: GPL-3.0-or-later */
/* deferral.c - the schemes, put together from what zsmalloc, zram, swap and mm have for each. */
#include "model/workload/deferral.h"
#include "model/kernel/kernel.h"
#include "model/swap/collect.h"
#include "model/workload/workload.h"
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

/* By assignments, not from a constant table: that would move the constants that all variants read. */
const struct deferral *deferral_of(enum axis_free free)
{
	static struct deferral d;

	switch (free) {
	case FREE_DEFER_PAGE_POOL:
		d.swap.slot_free_notify = zram_slot_free_later;
		d.write = zram_write_again;
		d.unmap = mm_unmap;
		d.create = zram_page_pool_create;
		d.flush = zram_page_pool_flush;
		d.destroy = zram_page_pool_destroy;
		return &d;
	case FREE_DEFER_GLOBAL_LIST:
		d.swap.slot_free_notify = zram_slot_free_deferred;
		d.write = zram_write;
		d.unmap = mm_unmap;
		d.create = create_list;
		d.flush = flush_list;
		d.destroy = destroy_list;
		return &d;
	case FREE_DEFER_MM_THREAD:
		d.swap.slot_free_notify = zram_slot_free_notify;
		d.write = zram_write;
		d.unmap = mm_unmap_collect;
		d.create = start_thread;
		d.flush = flush_thread;
		d.destroy = flush_thread;	/* the thread stays, as a kernel's does */
		return &d;
	default:
		return NULL;
	}
}

/* ---- of one device ---- */

static const struct deferral *deferral;
static struct zram *device;
static enum model_break break_what;
static unsigned work_syscall;

void deferral_swapon(u32 slots, const struct swap_device_ops *at_once, struct zram *zram,
		     const struct model_config *config)
{
	deferral = deferral_of(config->variant.free);
	device = zram;
	if (deferral) {
		break_what = config->break_what;
		work_syscall = hw_work_name("syscall");
		deferral->create(zram);
	}
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

static void run_process(void *process)
{
	struct process *p = process;

	if (!p->number && break_what != BREAK_NOTHING)
		break_in_task(break_what, device);
	hw_mark("munmap_begin", p->number);
	hw_work(work_syscall, 1);
	deferral->unmap(&p->mm);
	hw_mark("munmap_end", p->number);
}

void (*deferral_task(void (*at_once)(void *)))(void *)
{
	return deferral ? run_process : at_once;
}

void workload_settle(const struct workload *workload)
{
	deferral_flush();
	hw_mute();
	zs_check_pool(workload->pool());
	hw_unmute();
}
