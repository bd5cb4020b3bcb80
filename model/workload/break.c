/* SPDX-License-Identifier: GPL-3.0-or-later */
/* break.c - faults made on purpose, one for each oracle, so that a test can see it fire. */
#include "model/kernel/kernel.h"
#include "model/workload/workload.h"
#include "model/zram/zram.h"
#include "model/zsmalloc/zsmalloc.h"

static spinlock_t lock_a, lock_b;

static void double_free(struct zram *zram)
{
	struct zs_pool *pool = zram_pool(zram);
	unsigned long handle = zs_malloc(pool, 1000, GFP_NOIO);

	zs_free(pool, handle);
	zs_free(pool, handle);
}

static void use_freed_page(void)
{
	struct page *page = alloc_page(GFP_KERNEL);
	u64 *p = page_address(page);

	p[3] = 1;
	put_page(page);
	WRITE_ONCE(p[3], 2);
}

static void use_freed_handle(struct zram *zram)
{
	struct zs_pool *pool = zram_pool(zram);
	unsigned long handle = zs_malloc(pool, 1000, GFP_NOIO);

	zs_free(pool, handle);
	/* with batches it is not free before the worker has run */
	for (int i = 0; i < 4096; i++)
		zs_free(pool, zs_malloc(pool, 1000, GFP_NOIO));
	(void)READ_ONCE(*(unsigned long *)handle);
}

static void change_content(struct zram *zram)
{
	unsigned long handle = zram_slot_handle(zram, 1);
	u8 byte = 0x55;

	zs_obj_write(zram_pool(zram), handle, &byte, 1);
	hw_mute();
	zram_check_contents(zram);
	hw_unmute();
}

static void unlock_other(void)
{
	spin_lock_init_named(&lock_a, "test lock a");
	/* nobody holds it: least of all this CPU */
	spin_unlock(&lock_a);
}

static void lock_order(void)
{
	spin_lock_init_named(&lock_a, "test lock a");
	spin_lock_init_named(&lock_b, "test lock b");
	spin_lock(&lock_a);
	spin_lock(&lock_b);
	spin_unlock(&lock_b);
	spin_unlock(&lock_a);
	spin_lock(&lock_b);
	spin_lock(&lock_a);
}

static void deadlock(void)
{
	spin_lock_init_named(&lock_a, "test lock a");
	spin_lock(&lock_a);
	spin_lock(&lock_a);
}

void break_in_task(enum model_break what, struct zram *zram)
{
	switch (what) {
	case BREAK_DOUBLE_FREE:
		double_free(zram);
		break;
	case BREAK_USE_FREED_PAGE:
		use_freed_page();
		break;
	case BREAK_USE_FREED_HANDLE:
		use_freed_handle(zram);
		break;
	case BREAK_CONTENT:
		change_content(zram);
		break;
	case BREAK_UNLOCK_OTHER:
		unlock_other();
		break;
	case BREAK_LOCK_ORDER:
		lock_order();
		break;
	case BREAK_DEADLOCK:
		deadlock();
		break;
	default:
		break;
	}
}

void break_at_end(enum model_break what, struct zram *zram)
{
	if (what == BREAK_LEAK)
		zs_malloc(zram_pool(zram), 1000, GFP_NOIO);
	if (what == BREAK_LOSE_PAGE)
		alloc_page(GFP_KERNEL);
}
