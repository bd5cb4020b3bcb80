/* SPDX-License-Identifier: GPL-3.0-or-later */
/* break.c - faults made on purpose, one for each oracle, so that a test can see it fire. */
#include "model/kernel/kernel.h"
#include "model/workload/workload.h"
#include "model/zram/zram.h"
#include "model/zsmalloc/zsmalloc.h"

#define DEFER_BATCH_MAX	4096u
#define WORKER_ROUNDS	100000u	/* some milliseconds */

static spinlock_t lock_a, lock_b;
static u32 let_go;

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

/*
 * With batches the handle is not free before a worker has run, so fill the
 * largest batch there is and give the worker time. Nothing is allocated after
 * the free: a new object could take the very slot.
 */
static void use_freed_handle(struct zram *zram)
{
	static unsigned long filler[DEFER_BATCH_MAX];
	struct zs_pool *pool = zram_pool(zram);
	unsigned long handle = zs_malloc(pool, 1000, GFP_NOIO);

	for (unsigned i = 0; i < DEFER_BATCH_MAX; i++)
		filler[i] = zs_malloc(pool, 1000, GFP_NOIO);
	zs_free(pool, handle);
	for (unsigned i = 0; i < DEFER_BATCH_MAX; i++)
		zs_free(pool, filler[i]);
	for (unsigned i = 0; i < WORKER_ROUNDS; i++)
		cond_resched();
	(void)READ_ONCE(*(unsigned long *)handle);
}

/* Slot 1 is process 0's and still swapped out. */
static void change_content(struct zram *zram)
{
	struct page *page = alloc_page(GFP_KERNEL);
	u8 byte = 0x55;

	zs_obj_write(zram_pool(zram), zram_slot_handle(zram, 1), &byte, 1);
	zram_read(zram, 1, page_address(page));
	put_page(page);
}

/* Holds lock_a on another CPU until the run ends. */
static void hold_lock(void *unused)
{
	(void)unused;
	spin_lock(&lock_a);
	while (!READ_ONCE(let_go))
		cpu_relax();
	spin_unlock(&lock_a);
}

/* With one CPU there is no other: then nobody holds the lock. */
static void unlock_other(void)
{
	while (hw_nr_cpus() > 1 && !spin_is_locked(&lock_a))
		cpu_relax();
	spin_unlock(&lock_a);
	WRITE_ONCE(let_go, 1);
}

static void lock_order(void)
{
	spin_lock(&lock_a);
	spin_lock(&lock_b);
	spin_unlock(&lock_b);
	spin_unlock(&lock_a);
	spin_lock(&lock_b);
	spin_lock(&lock_a);
}

static void deadlock(void)
{
	spin_lock(&lock_a);
	spin_lock(&lock_a);
}

void break_prepare(enum model_break what)
{
	struct task_struct *holder;

	if (what == BREAK_NOTHING)
		return;
	spin_lock_init_named(&lock_a, "test lock a");
	spin_lock_init_named(&lock_b, "test lock b");
	if (what != BREAK_UNLOCK_OTHER || hw_nr_cpus() == 1)
		return;
	holder = task_create("holder", (int)hw_nr_cpus() - 1, hold_lock, NULL);
	BUG_ON(!holder);
	wake_up_process(holder);
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
