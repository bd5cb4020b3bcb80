/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * destroy.c - a swap device that goes while frees are pending. A task on CPU 0
 * swaps pages out, frees their slots by a scheme of the axis `free`, waits as long
 * as it is told, and destroys all; the scheme's worker or thread runs on
 * another CPU meanwhile. See destroy.h for the arguments.
 */
#include "model/kernel/boot.h"
#include "model/kernel/kernel.h"
#include "model/swap/collect.h"
#include "model/workload/deferral.h"
#include "model/zsmalloc/zsmalloc.h"
#include "tests/module/destroy.h"
#include "tests/module/program.h"

static struct program_config config;
static struct zram *zram;
static struct zs_pool *empty_pool;	/* keeps the caches of handles and zspages until all is quiet */
static const struct deferral *deferral;
static u64 *page;
static unsigned work;
static u64 waiting;
static struct swap_batch *batch;

static const struct swap_device_ops at_once = { .slot_free_notify = zram_slot_free_notify };

/* Slots come in sequence: one CPU allocates them, and nobody did before. Slot 0 is not handed out. */
static void swap_out(u32 slot)
{
	int err;

	page[0] = slot + 1;
	err = deferral ? deferral->write(zram, slot, page) : zram_write(zram, slot, page);
	BUG_ON(err);
}

static void put(u32 slot, u32 nr)
{
	if (config.arg[DESTROY_FREE] == FREE_DEFER_MM_THREAD)
		swap_collect(&batch, slot, nr);
	else
		swap_put_entries_direct(slot, nr);
}

/* The device is full but for this slot and those before it: one of them comes back. */
static void reuse(u32 slot)
{
	u32 again;

	put(slot, 1);
	again = swap_alloc(0);
	if (!again)			/* it waits: the swap code has none to give */
		return;
	BUG_ON(again > slot);
	swap_out(again);
	BUG_ON(zram_read(zram, again, page));
	BUG_ON(page[0] != again + 1);
	put(again, 1);
}

static void free_all(u32 slots)
{
	u32 reused = (u32)config.arg[DESTROY_REUSE];

	for (u32 slot = 1; slot <= reused; slot++)
		reuse(slot);
	for (u32 slot = reused + 1; slot <= slots; slot += min(100u, slots + 1 - slot))
		put(slot, min(100u, slots + 1 - slot));
	if (config.arg[DESTROY_FREE] == FREE_DEFER_MM_THREAD)
		swap_collect_end(&batch);
}

/* All that was stored has been freed, and the device says so. */
static void expect_empty(void)
{
	char line[128];

	zram_mm_stat(zram, line, sizeof(line));
	for (unsigned i = 0; i < 26; i++)	/* orig_data_size, compr_data_size and mem_used_total, 8 columns each */
		if (line[i] != ' ' && line[i] != '0')
			hw_fault("the device is not empty: %s", line);
}

static void life(void *unused)
{
	(void)unused;
	free_all((u32)config.arg[DESTROY_SLOTS]);
	hw_work(work, config.arg[DESTROY_WAIT]);
	waiting = zs_deferred_objects(zram_pool(zram));
	if (deferral) {
		deferral->destroy(zram);
		expect_empty();
		zs_check_pool(zram_pool(zram));
	}
	if (swap_slots_in_use())
		hw_fault("%ld swap slots are in use", swap_slots_in_use());
	swapoff();
	zram_destroy(zram);
}

static void destroy_prepare(const struct program_config *c)
{
	u32 slots = (u32)c->arg[DESTROY_SLOTS];
	struct model_variant variant = {
		.lookup = LOOKUP_CLASS_IN_OBJ, .page_release = PAGE_RELEASE_OUTSIDE_CLASS_LOCK,
		.free = (enum axis_free)c->arg[DESTROY_FREE], .defer_batch = (unsigned)c->arg[DESTROY_BATCH],
	};
	struct task_struct *task;

	config = *c;
	kernel_boot(c->memory_bytes);
	work = hw_work_name("syscall");
	page = vzalloc(PAGE_SIZE);
	zram = zram_create((u64)(slots + 1) << PAGE_SHIFT, &variant, 8);
	empty_pool = zs_create_pool("empty", &variant, 8);
	BUG_ON(!empty_pool);
	deferral = deferral_of(variant.free);
	if (deferral)
		deferral->create(zram);
	swapon(slots + 1, deferral ? &deferral->swap : &at_once, zram);
	for (u32 slot = 1; slot <= slots; slot++) {
		BUG_ON(swap_alloc(0) != slot);
		swap_out(slot);
	}
	task = task_create("life", 0, life, NULL);
	BUG_ON(!task);
	wake_up_process(task);
}

static u64 destroy_finish(void)
{
	if (zone_page_state(NR_ZSPAGES))
		hw_fault("%ld zspage pages are left", zone_page_state(NR_ZSPAGES));
	zs_destroy_pool(empty_pool);	/* a fault if a handle or a zspage is left */
	return waiting;
}

PROGRAM(destroy) = { destroy_prepare, cpu_idle_loop, destroy_finish };
