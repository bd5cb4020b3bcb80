/* SPDX-License-Identifier: GPL-3.0-or-later */
/* user_zram.c - processes swap to a zram device. */
#include "model/kernel/kernel.h"
#include "model/swap/swap.h"
#include "model/workload/deferral.h"
#include "model/workload/swap_user.h"
#include "model/zram/zram.h"

static struct zram *zram;

static int swap_out(u32 slot, const void *page)
{
	return deferral_write(zram, slot, page);
}

/* The page that mkswap writes: version and size behind the boot bits, the magic at the end. */
static void write_swap_header(u32 slots)
{
	struct page *page = alloc_page(GFP_KERNEL | __GFP_ZERO);
	u32 *info;
	char *magic;

	BUG_ON(!page);
	info = (u32 *)((char *)page_address(page) + 1024);
	info[0] = 1;
	info[1] = slots - 1;
	magic = (char *)page_address(page) + PAGE_SIZE - 10;
	for (int i = 0; i < 10; i++)
		magic[i] = "SWAPSPACE2"[i];
	BUG_ON(zram_write(zram, 0, page_address(page)));
	put_page(page);
}

static const struct swap_device_ops swap_ops = { .slot_free_notify = zram_slot_free_notify };

static void user_create(const struct model_config *config, u32 slots)
{
	zram = zram_create((u64)slots << PAGE_SHIFT, &config->variant, config->chain_size);
	if (config->contents)
		zram_use_contents(zram, config->contents);
	write_swap_header(slots);
	deferral_swapon(slots, &swap_ops, zram, config);
}

static struct zram *user_zram(void)
{
	return zram;
}

static struct zs_pool *user_pool(void)
{
	return zram_pool(zram);
}

static void user_check(void)
{
	zram_check_contents(zram);
}

static void user_destroy(void)
{
	deferral_destroy(zram);
}

const struct swap_user zram_user = {
	.create = user_create,
	.swap_out = swap_out,
	.unmap = deferral_unmap,
	.flush = deferral_flush,
	.check = user_check,
	.pool = user_pool,
	.zram = user_zram,
	.destroy = user_destroy,
};
