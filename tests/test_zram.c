/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The zram device on the host: the real sources, uninstrumented, on the
 * one-thread kernel of tests/host_kernel/. What its counters should show comes
 * from arithmetic done here.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/zram_host.h"

#undef memcpy

TestSuite(zram, .init = boot, .timeout = 120);

/* Of a test that ends in a fault and cannot clean up. */
static struct zram *volatile device;

/* Slots that hold nothing read as zeros, and freeing them changes no counter but notify_free. */
Test(zram, empty_slots)
{
	struct zram *zram = create_device(ZRAM_STATS_SHARED_ATOMIC, 64);
	const u64 zeros[PAGE_SIZE / 8] = { 0 };

	must_read(zram, 5, zeros);
	zram_slot_free_notify(zram, 5);
	expect_counts(zram, (struct counts){ 0 });
	cr_expect_eq(notified(zram), 1);
	zram_destroy(zram);
	cr_expect_eq(host_slab_in_use(), 0);
}

/*
 * One page of each sort: what it is stored as shows in the counters, its bytes
 * come back, and when all are freed the counters are back at zero but for
 * huge_pages_since, which only grows.
 */
static void each_sort(enum axis_zram_stats stats)
{
	struct zram *zram = create_device(stats, 64);
	struct counts want = { .orig = 20, .same = 2, .huge = 1, .huge_since = 1 };
	u64 pages[20][PAGE_SIZE / 8];

	for (unsigned i = 0; i < 20; i++) {
		make_page(i, pages[i]);
		host_set_cpu(i % 4);
		must_write(zram, i, pages[i]);
		want.compr += i > 1 ? stored_bytes(pages[i]) : 0;
	}
	expect_counts(zram, want);
	for (unsigned i = 0; i < 20; i++)
		must_read(zram, i, pages[i]);
	zram_check_contents(zram);
	/* freed by other CPUs than those that stored: single CPUs' counts go below zero, sums do not */
	for (unsigned i = 0; i < 20; i++) {
		host_set_cpu((i + 1) % 4);
		zram_slot_free_notify(zram, i);
	}
	expect_counts(zram, (struct counts){ .huge_since = 1 });
	cr_expect_eq(notified(zram), 20);
	cr_expect_eq(read_mm_stat(zram).used, 0);
	cr_expect_eq(host_locks_held(), 0);
	zram_destroy(zram);
	cr_expect_eq(host_slab_in_use(), 0);
}

Test(zram, each_sort_of_page_shared_counters)
{
	each_sort(ZRAM_STATS_SHARED_ATOMIC);
}

Test(zram, each_sort_of_page_percpu_counters)
{
	each_sort(ZRAM_STATS_PERCPU);
}

/* The slot is locked by somebody. Expect: counted, not freed; the next write to the slot frees the old object. */
Test(zram, a_missed_notification_keeps_the_object)
{
	struct zram *zram = create_device(ZRAM_STATS_SHARED_ATOMIC, 8);
	u64 page[PAGE_SIZE / 8];
	unsigned long handle;

	pattern_page(4, page);
	must_write(zram, 3, page);
	handle = zram_slot_handle(zram, 3);
	bit_mutex_lock(ZRAM_ENTRY_LOCK, &zram->table[3].flags, 1);
	zram_slot_free_notify(zram, 3);
	bit_mutex_unlock(ZRAM_ENTRY_LOCK, &zram->table[3].flags, 1);
	cr_expect_eq(atomic64_read(&zram->stats.miss_free), 1);
	cr_expect_eq(notified(zram), 1);
	cr_expect_eq(zram_slot_handle(zram, 3), handle);
	expect_counts(zram, (struct counts){ .orig = 1, .compr = 1137 });
	pattern_page(5, page);
	must_write(zram, 3, page);
	expect_counts(zram, (struct counts){ .orig = 1, .compr = 1200 });
	must_read(zram, 3, page);
	zram_destroy(zram);
	cr_expect_eq(host_slab_in_use(), 0);
}

/* Discarding counts as a notification under both ways to count. */
static void discard(enum axis_zram_stats stats)
{
	struct zram *zram = create_device(stats, 8);
	u64 page[PAGE_SIZE / 8];

	pattern_page(0, page);
	must_write(zram, 0, page);
	zram_discard(zram, 0);
	expect_counts(zram, (struct counts){ 0 });
	cr_expect_eq(notified(zram), 1);
	zram_destroy(zram);
}

Test(zram, discard)
{
	discard(ZRAM_STATS_SHARED_ATOMIC);
	discard(ZRAM_STATS_PERCPU);
}

/* No memory for the new object. Expect an error, and the slot still holds what it held. */
Test(zram, a_failed_write_leaves_the_slot)
{
	struct zram *zram = create_device(ZRAM_STATS_PERCPU, 8);
	u64 old[PAGE_SIZE / 8], new[PAGE_SIZE / 8];

	pattern_page(1, old);
	pattern_page(9, new);
	must_write(zram, 2, old);
	host_fail_alloc(0);
	cr_expect_eq(zram_write(zram, 2, new), -ENOMEM);
	host_fail_alloc(-1);
	cr_expect_eq(atomic64_read(&zram->stats.failed_writes), 1);
	must_read(zram, 2, old);
	expect_counts(zram, (struct counts){ .orig = 1, .compr = 945 });
	zram_destroy(zram);
}

/* Compression is paid once per write, also when the host need not compress the same bytes again. */
Test(zram, every_compression_is_paid)
{
	struct zram *zram = create_device(ZRAM_STATS_SHARED_ATOMIC, 64);
	unsigned id = hw_work_name("compress_page"), id_back = hw_work_name("decompress_page");
	u64 page[PAGE_SIZE / 8];

	pattern_page(2, page);
	for (u32 i = 0; i < 10; i++)
		must_write(zram, i, page);
	cr_expect_eq(works_done[id], 10);
	must_read(zram, 0, page);
	cr_expect_eq(works_done[id_back], 1);
	make_page(0, page);
	must_write(zram, 10, page);
	cr_expect_eq(works_done[id], 10, "a page of one word is not compressed");
	zram_destroy(zram);
}

/* The device's lines are those of the kernel's struct: A and B next to each other. */
Test(zram, layout_of_the_counters)
{
	struct zram *zram = create_device(ZRAM_STATS_SHARED_ATOMIC, 8);

	cr_expect_eq((unsigned long)zram % 64, 0);
	cr_expect_eq(offsetof(struct zram, stats.compr_data_size) / 64, 1);
	cr_expect_eq(offsetof(struct zram, stats.notify_free) / 64, 2);
	cr_expect_eq(offsetof(struct zram, stats.pages_stored) / 64, 2);
	cr_expect_eq(offsetof(struct zram, stats.max_used_pages) / 64, 2);
	cr_expect_eq(offsetof(struct zram, cpu_stats) / 64, 4, "what the kernel does not have is elsewhere");
	zram_destroy(zram);
}

/* A byte of an object changes behind the device's back. Expect a fault on reading and on checking. */
Test(zram, changed_content_is_seen)
{
	struct zram *zram = create_device(ZRAM_STATS_SHARED_ATOMIC, 8);
	u64 page[PAGE_SIZE / 8];
	u8 byte = 0x55;

	device = zram;
	pattern_page(6, page);
	must_write(zram, 1, page);
	zram_check_contents(zram);
	zs_obj_write(zram_pool(zram), zram_slot_handle(zram, 1), &byte, 1);
	cr_expect(host_expect_fault(zram_check_contents(zram)));
	cr_expect_not_null(strstr(host_fault_text, "slot 1"), "%s", host_fault_text);
	bit_mutex_trylock(ZRAM_ENTRY_LOCK, &zram->table[1].flags, 1);
	bit_mutex_unlock(ZRAM_ENTRY_LOCK, &zram->table[1].flags, 1);
	cr_expect(host_expect_fault(zram_read(zram, 1, page)));
}

/* A counter that differs from what the slots hold. Expect a fault. */
Test(zram, wrong_counter_is_seen)
{
	struct zram *zram = create_device(ZRAM_STATS_SHARED_ATOMIC, 8);
	u64 page[PAGE_SIZE / 8];

	device = zram;
	pattern_page(6, page);
	must_write(zram, 1, page);
	atomic64_inc(&zram->stats.pages_stored);
	cr_expect(host_expect_fault(zram_check_contents(zram)));
	cr_expect_not_null(strstr(host_fault_text, "counters"), "%s", host_fault_text);
}

/*
 * Random writes, overwrites, frees and reads from four CPUs beside a plain
 * array of pages that does the same. Expect bytes and counters to agree with
 * the array at each hundredth step.
 */
#define SLOTS 200u

static void random_use(enum axis_zram_stats stats, enum axis_free free)
{
	static u64 shadow[SLOTS][PAGE_SIZE / 8];
	static int sort[SLOTS];		/* 0: empty, else 1 + sort of page */
	struct model_variant variant = deferred(16);
	struct zram *zram;
	struct counts want = { 0 };

	memset(shadow, 0, sizeof(shadow));
	memset(sort, 0, sizeof(sort));
	variant.free = free;
	variant.zram_stats = stats;
	zram = zram_create((u64)SLOTS << PAGE_SHIFT, &variant, 8);
	for (unsigned step = 0; step < 10000; step++) {
		u32 i = rng() % SLOTS;
		unsigned what = rng() % 24;

		host_set_cpu(rng() % 4);
		if (what < 20) {
			make_page(what, shadow[i]);
			must_write(zram, i, shadow[i]);
			sort[i] = 1 + (int)what;
			want.huge_since += what > 1 && stored_bytes(shadow[i]) == PAGE_SIZE;
		} else if (what < 23) {
			zram_slot_free_notify(zram, i);
			memset(shadow[i], 0, PAGE_SIZE);
			sort[i] = 0;
		} else {
			must_read(zram, i, shadow[i]);
		}
		if (step % 50 == 0)
			host_run_work();
		if (step % 100 == 99) {
			want = (struct counts){ .huge_since = want.huge_since };
			for (u32 k = 0; k < SLOTS; k++) {
				size_t n = sort[k] > 2 ? stored_bytes(shadow[k]) : 0;

				want.orig += sort[k] != 0;
				want.same += sort[k] == 1 || sort[k] == 2;
				want.compr += n;
				want.huge += n == PAGE_SIZE;
			}
			expect_counts(zram, want);
			zram_check_contents(zram);
		}
	}
	zram_destroy(zram);
	cr_expect_eq(host_slab_in_use(), 0);
}

Test(zram, random_use_shared_sync)
{
	random_use(ZRAM_STATS_SHARED_ATOMIC, FREE_SYNC);
}

Test(zram, random_use_percpu_deferred)
{
	random_use(ZRAM_STATS_PERCPU, FREE_DEFER_BATCH);
}

/* ---- contents that others compressed ------------------------------------------------ */

/*
 * Pages of a file are stored in the bytes that they are said to become (those that are too
 * large as they are) and come back, beside other pages, also when a slot changes hands.
 */
Test(zram, contents_come_back)
{
	struct zram *zram = create_device(ZRAM_STATS_SHARED_ATOMIC, 64);
	const struct model_contents *c = some_contents();
	const u64 *pages = (const u64 *)c->pages;
	u64 own[PAGE_SIZE / 8];
	unsigned long long bytes = 0;

	zram_use_contents(zram, c);
	make_page(4, own);
	for (u32 i = 0; i < 20; i++)
		must_write(zram, i, i % 6 == 5 ? own : pages + i % 6 * (PAGE_SIZE / 8));
	for (u32 i = 0; i < 20; i++) {
		must_read(zram, i, i % 6 == 5 ? own : pages + i % 6 * (PAGE_SIZE / 8));
		bytes += i % 6 == 5 ? stored_bytes(own) : c->len[i % 6] < 3625 ? c->len[i % 6] : PAGE_SIZE;
	}
	cr_expect_eq(read_mm_stat(zram).compr, bytes);
	must_write(zram, 0, own);
	must_write(zram, 5, pages);
	must_read(zram, 0, own);
	must_read(zram, 5, pages);
	zram_check_contents(zram);
	zram_destroy(zram);
	cr_expect_eq(host_slab_in_use(), 0ul);
}
