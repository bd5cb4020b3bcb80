/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The schemes of the axis `free` that are above zs_free(), one step at a time on
 * the host: what waits when, what is freed at once because there is no room, what
 * a scheme leaves behind. Destroying them in the middle of a drain is in
 * test_destroy.c, on simulated CPUs.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "model/swap/collect.h"
#include "model/workload/deferral.h"
#include "model/workload/workload.h"
#include "model/zram/page_pool.h"
#include "tests/zram_host.h"

#undef memcpy

TestSuite(deferral, .init = boot, .timeout = 120);

#define LIST_ROOM	32768u		/* handles */
#define POOL_ROOM	(65u * 1024)	/* slots of one CPU: its page and 64 of the pool */

static struct zram *zram;
static const struct deferral *scheme;

static void create_scheme(enum axis_free free, unsigned slots)
{
	struct model_variant variant = base;

	variant.free = free;
	zram = zram_create((u64)slots << PAGE_SHIFT, &variant, 8);
	scheme = deferral_of(free);
	scheme->create(zram);
}

/* Nothing is left anywhere, and every hw_mute() had its hw_unmute(). */
static void destroy_scheme(void)
{
	scheme->destroy(zram);
	expect_counts(zram, (struct counts){ 0 });
	cr_expect_eq(read_mm_stat(zram).used, 0);
	zs_check_pool(zram_pool(zram));
	zram_destroy(zram);
	cr_expect_eq(host_slab_in_use(), 0, "%lu bytes are left", host_slab_in_use());
	cr_expect_eq(zone_page_state(NR_ZSPAGES), 0);
	cr_expect_eq(host_gauge(GAUGE_DEFERRED_OBJECTS), 0);
	cr_expect_eq(host_gauge(GAUGE_PINNED_PAGES), 0);
	cr_expect_eq(host_locks_held(), 0);
	cr_expect_eq(host_mute_depth(), 0);
}

static void store(u32 slot, u64 index)
{
	u64 page[PAGE_SIZE / 8];

	pattern_page(index, page);
	cr_assert_eq(scheme->write(zram, slot, page), 0);
}

static void fill_slots(u32 slots)
{
	for (u32 i = 0; i < slots; i++)
		store(i, i);
}

static void free_slots(u32 from, u32 nr)
{
	for (u32 i = from; i < from + nr; i++)
		scheme->swap.slot_free_notify(zram, i);
}

static long waiting(void)
{
	return host_gauge(GAUGE_DEFERRED_OBJECTS);
}

/* ---- page pool ---------------------------------------------------------------- */

/*
 * 2100 slots on CPU 1, 100 on CPU 2. Expect two full pages to go with the worker, and
 * the rest to wait in a page of each CPU; mm_stat to follow the worker, as it is zram
 * that waits.
 */
Test(deferral, page_pool_drains_full_pages)
{
	create_scheme(FREE_DEFER_PAGE_POOL, 3000);
	fill_slots(2200);
	host_set_cpu(1);
	free_slots(0, 2100);
	host_set_cpu(2);
	free_slots(2100, 100);
	cr_expect_eq(waiting(), 2200);
	cr_expect_eq(read_mm_stat(zram).orig, 2200ul << PAGE_SHIFT);
	cr_expect_eq(notified(zram), 2200, "the swap code's part is over");
	cr_expect_gt(host_gauge(GAUGE_PINNED_PAGES), 0);
	cr_expect_eq(host_run_work(), 1);
	cr_expect_eq(waiting(), 2100 - 2048 + 100);
	cr_expect_eq(read_mm_stat(zram).orig, 152ul << PAGE_SHIFT);
	destroy_scheme();
}

/*
 * One CPU frees more than the pool has room for, and no worker runs. Expect all that
 * fits to wait and the next to be freed at once, and room again after the worker.
 */
Test(deferral, page_pool_without_an_empty_page)
{
	create_scheme(FREE_DEFER_PAGE_POOL, POOL_ROOM + 10);
	fill_slots(POOL_ROOM + 10);
	free_slots(0, POOL_ROOM);
	cr_expect_eq(waiting(), POOL_ROOM);
	free_slots(POOL_ROOM, 5);
	cr_expect_eq(waiting(), POOL_ROOM);
	cr_expect_eq(zram_slot_handle(zram, POOL_ROOM), 0);
	host_run_work();
	cr_expect_eq(waiting(), 1024, "the page in hand is full and stays");
	free_slots(POOL_ROOM + 5, 5);
	cr_expect_eq(waiting(), 1024 + 5);
	destroy_scheme();
}

/* A slot is let go, written, let go, written before the worker comes. Expect it to leave what was written last. */
Test(deferral, page_pool_leaves_a_slot_that_is_in_use_again)
{
	u64 page[PAGE_SIZE / 8];

	create_scheme(FREE_DEFER_PAGE_POOL, 2000);
	fill_slots(1100);
	for (u64 life = 1; life < 10; life++) {
		free_slots(7, 1);
		cr_expect_eq(waiting(), 1);
		store(7, life);
		cr_expect_eq(waiting(), 0);
	}
	free_slots(20, 1024);
	host_run_work();
	pattern_page(9, page);
	must_read(zram, 7, page);
	zram_check_contents(zram);
	free_slots(7, 1);
	free_slots(0, 7);
	free_slots(8, 12);
	free_slots(1044, 56);
	destroy_scheme();
}

/* Pages of one word and slots that hold nothing are let go like others. */
Test(deferral, page_pool_of_pages_without_objects)
{
	u64 zeros[PAGE_SIZE / 8] = { 0 };

	create_scheme(FREE_DEFER_PAGE_POOL, 100);
	for (u32 i = 0; i < 50; i++)
		must_write(zram, i, zeros);
	free_slots(0, 100);
	cr_expect_eq(waiting(), 100);
	destroy_scheme();
}

/* ---- global list ---------------------------------------------------------------- */

/* Expect the worker to be called at half, the list to take no more than it has room for, and mm_stat to be ahead of the pool. */
Test(deferral, list_half_full_and_full)
{
	unsigned long pages;

	create_scheme(FREE_DEFER_GLOBAL_LIST, LIST_ROOM + 10);
	fill_slots(LIST_ROOM + 10);
	pages = zs_get_total_pages(zram_pool(zram));
	free_slots(0, LIST_ROOM / 2 - 1);
	cr_expect_eq(host_run_work(), 0);
	cr_expect_eq(waiting(), LIST_ROOM / 2 - 1);
	free_slots(LIST_ROOM / 2 - 1, LIST_ROOM / 2 + 1);
	cr_expect_eq(waiting(), LIST_ROOM);
	cr_expect_eq(read_mm_stat(zram).orig, 10ul << PAGE_SHIFT, "the device has forgotten them");
	cr_expect_eq(zs_get_total_pages(zram_pool(zram)), pages, "the pool has not");
	free_slots(LIST_ROOM, 5);
	cr_expect_eq(waiting(), LIST_ROOM);
	cr_expect_eq(host_run_work(), 1);
	cr_expect_eq(waiting(), 0);
	free_slots(LIST_ROOM + 5, 5);
	cr_expect_eq(waiting(), 5);
	destroy_scheme();
}

/* Somebody has the list's lock, its first field. Expect the object to be freed at once. */
Test(deferral, list_that_is_locked)
{
	spinlock_t *lock;

	create_scheme(FREE_DEFER_GLOBAL_LIST, 10);
	fill_slots(2);
	lock = (spinlock_t *)zram_pool(zram)->config.deferred_list;
	spin_lock(lock);
	free_slots(0, 1);
	spin_unlock(lock);
	cr_expect_eq(waiting(), 0);
	free_slots(1, 1);
	cr_expect_eq(waiting(), 1);
	destroy_scheme();
}

/* A slot whose object waits is free: it is written at once, and the old object goes later. */
Test(deferral, list_and_a_slot_that_is_in_use_again)
{
	u64 page[PAGE_SIZE / 8];

	create_scheme(FREE_DEFER_GLOBAL_LIST, 10);
	store(3, 1);
	free_slots(3, 1);
	store(3, 2);
	cr_expect_eq(waiting(), 1);
	scheme->flush(zram);
	cr_expect_eq(waiting(), 0);
	pattern_page(2, page);
	must_read(zram, 3, page);
	free_slots(3, 1);
	destroy_scheme();
}

/* ---- the thread of the memory manager --------------------------------------------- */

#define REGION	(1000u << PAGE_SHIFT)

static int store_page(u32 slot, const void *page)
{
	return scheme->write(zram, slot, page);
}

static const void *fill(u64 index)
{
	static u64 page[PAGE_SIZE / 8];

	pattern_page(index, page);
	return page;
}

static void swapped_out(struct mm *mm, u64 bytes)
{
	mm_init(mm, bytes, 0);
	mm_fill(mm);
	mm_page_out(mm, fill, store_page);
}

static void create_thread(void)
{
	create_scheme(FREE_DEFER_MM_THREAD, 4096);
	swapon(4096, &scheme->swap, zram);
}

static void destroy_thread(void)
{
	scheme->destroy(zram);
	cr_expect_eq(swap_slots_in_use(), 0);
	swapoff();
	destroy_scheme();
}

/* Expect swap entries to be in use until the thread has run, one wake-up for all, and the process to be gone before. */
Test(deferral, thread_frees_entries)
{
	struct mm mm = { 0 };

	create_thread();
	swapped_out(&mm, REGION);
	scheme->unmap(&mm);
	mm_destroy(&mm);
	cr_expect_eq(zone_page_state(NR_ANON_PAGES), 0);
	cr_expect_eq(swap_slots_in_use(), 1000);
	cr_expect_eq(waiting(), 1000);
	cr_expect_eq(nr_woken, 1);
	run_task("kswapfree");
	cr_expect_eq(swap_slots_in_use(), 0);
	cr_expect_eq(waiting(), 0);
	destroy_thread();
}

/* Below the threshold a process frees its own entries; at it, the thread does. */
Test(deferral, thread_has_a_threshold)
{
	struct mm mm = { 0 };

	create_thread();
	swapped_out(&mm, (SWAP_COLLECT_THRESHOLD - 1) << PAGE_SHIFT);
	scheme->unmap(&mm);
	mm_destroy(&mm);
	cr_expect_eq(swap_slots_in_use(), 0);
	cr_expect_eq(nr_woken, 0);
	swapped_out(&mm, SWAP_COLLECT_THRESHOLD << PAGE_SHIFT);
	scheme->unmap(&mm);
	mm_destroy(&mm);
	cr_expect_eq(swap_slots_in_use(), SWAP_COLLECT_THRESHOLD);
	destroy_thread();
}

/* No memory to collect in. Expect the entries to be freed at once. */
Test(deferral, thread_without_memory)
{
	struct swap_batch *batch = NULL;
	u32 slot;

	create_thread();
	slot = swap_alloc(0);
	store(slot, 5);
	host_fail_alloc(0);
	swap_collect(&batch, slot, 1);
	host_fail_alloc(-1);
	cr_expect_eq(swap_slots_in_use(), 0);
	cr_expect_null(batch);
	destroy_thread();
}

/* Single slots here and there. Expect no slot lost where a batch is full of them before it has enough. */
Test(deferral, thread_and_scattered_entries)
{
	struct swap_batch *batch = NULL;
	u32 slots[400];

	create_thread();
	for (unsigned i = 0; i < 400; i++) {
		slots[i] = swap_alloc((int)(i % 4));
		store(slots[i], i);
	}
	for (unsigned i = 0; i < 400; i++)
		swap_collect(&batch, slots[i * 7 % 400], 1);
	swap_collect_end(&batch);
	cr_expect_eq(waiting(), 400);
	scheme->flush(zram);
	cr_expect_eq(waiting(), 0);
	destroy_thread();
}

/* ---- the test program ---------------------------------------------------------------- */

/* What mm_stat says when the program is over and what waits has been flushed. */
static void end_of_program(enum axis_free free, char *line, size_t bytes)
{
	struct model_config config = {
		.nr_cpus = 4, .chain_size = 8, .nr_procs = 3, .region_bytes = 6ull << 20, .variant = base,
	};

	config.variant.free = free;
	config.variant.defer_batch = 64;
	munmap_workload.prepare(&config);
	run_tasks();
	run_task("kswapfree");
	host_run_work();
	deferral_flush();
	zram_mm_stat(munmap_workload.zram(), line, bytes);
	zs_check_pool(munmap_workload.pool());
	munmap_workload.finish();
	cr_expect_eq(zone_page_state(NR_ZSPAGES), 0);
	cr_expect_eq(zone_page_state(NR_ANON_PAGES), 0);
	cr_expect_eq(host_slab_in_use(), 0);
}

static void ends_like_sync(enum axis_free free)
{
	char sync[160], line[160];

	end_of_program(FREE_SYNC, sync, sizeof(sync));
	end_of_program(free, line, sizeof(line));
	cr_expect_str_eq(line, sync, "scheme %d ends with %s, not %s", free, line, sync);
	cr_expect(strstr(line, "4096") != NULL, "the swap header is left: %s", line);
}

Test(deferral, program_ends_like_sync)
{
	ends_like_sync(FREE_DEFER_BATCH);
	ends_like_sync(FREE_DEFER_PAGE_POOL);
	ends_like_sync(FREE_DEFER_GLOBAL_LIST);
	ends_like_sync(FREE_DEFER_MM_THREAD);
}
