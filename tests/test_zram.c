/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zram, swap slots, unmapping and the test program on the host: the real
 * sources, uninstrumented, on the one-thread kernel of tests/host_kernel/.
 * What the device should show comes from arithmetic done here.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/host_kernel/pool_fixture.h"
#include "model/mm/pte.h"
#include "model/swap/swap.h"
#include "model/workload/workload.h"
#include "model/zram/lzorle.h"
#include "model/zram/zram_internal.h"

#undef memcpy

TestSuite(zram, .init = boot, .timeout = 120);
TestSuite(swap, .init = boot, .timeout = 60);
TestSuite(unmap, .init = boot, .timeout = 60);
TestSuite(munmap_program, .timeout = 120);

#define KINDS	16u

/* ---- the rest of the kernel and the machine, for one thread --------------------- */

static unsigned long works_done[8];
static const char *work_names[8];

unsigned hw_work_name(const char *name)
{
	unsigned id = 1;

	while (work_names[id] && strcmp(work_names[id], name))
		id++;
	work_names[id] = name;
	return id;
}

void hw_work(unsigned id, uint64_t units)
{
	cr_assert(id && work_names[id], "work without a name");
	cr_assert_eq(host_mute_depth(), 0, "work is paid outside of muted code");
	works_done[id] += units;
}

unsigned hw_lock_class(const char *name)
{
	(void)name;
	return 1;
}

static char marks[256];

void hw_mark(const char *name, unsigned index)
{
	size_t used = strlen(marks);

	snprintf(marks + used, sizeof(marks) - used, "%s %u;", name, index);
}

bool bit_mutex_trylock(int bit, u32 *word, unsigned cls)
{
	(void)cls;
	return !test_and_set_bit32_lock(bit, word);
}

void bit_mutex_lock(int bit, u32 *word, unsigned cls)
{
	if (host_locks_held())
		hw_fault("a sleeping lock is taken with %ld spinlocks held", host_locks_held());
	if (!bit_mutex_trylock(bit, word, cls))
		hw_fault("nobody would ever release this slot");
}

void bit_mutex_unlock(int bit, u32 *word, unsigned cls)
{
	(void)cls;
	if (!test_bit32(bit, word))
		hw_fault("slot unlocked that is not locked");
	clear_bit32_unlock(bit, word);
}

bool spin_is_locked(spinlock_t *lock)
{
	return lock->val;
}

static struct task_struct tasks[8];
static unsigned nr_tasks, nr_woken;

struct task_struct *task_create(const char *name, int pinned_cpu, void (*fn)(void *), void *arg)
{
	struct task_struct *task = &tasks[nr_tasks++];

	*task = (struct task_struct){ .pinned_cpu = pinned_cpu, .fn = fn, .arg = arg };
	snprintf(task->name, sizeof(task->name), "%s", name);
	return task;
}

bool wake_up_process(struct task_struct *task)
{
	(void)task;
	nr_woken++;
	return true;
}

static void run_tasks(void)
{
	for (unsigned i = 0; i < nr_tasks; i++) {
		host_set_cpu((unsigned)tasks[i].pinned_cpu);
		tasks[i].fn(tasks[i].arg);
	}
	host_set_cpu(0);
}

/* ---- pages to store ----------------------------------------------------------------- */

static u64 rng_state = 7;

static u32 rng(void)
{
	rng_state = rng_state * 6364136223846793005ull + 1442695040888963407ull;
	return (u32)(rng_state >> 33);
}

static void pattern_page(u64 index, u64 *page)
{
	memset(page, 0, PAGE_SIZE);
	for (u64 k = 0; k < 106 + index % KINDS * 8; k++)
		page[k] = k * 8 * 2654435761ull;
}

/* Of @what: 0 zeros, 1 one word, 2 noise, 3 noise and a tail of zeros, else the program's pattern. */
static void make_page(unsigned what, u64 *page)
{
	u64 word = what == 1 ? rng() + 1ull : 0;
	size_t noisy = what == 2 ? PAGE_SIZE / 8 : what == 3 ? rng() % 500 + 1 : 0;

	if (what > 3) {
		pattern_page(what, page);
		return;
	}
	for (size_t i = 0; i < PAGE_SIZE / 8; i++)
		page[i] = i < noisy ? (u64)rng() << 32 | rng() : word;
}

static size_t stored_bytes(const u64 *page)
{
	static struct lzo_workspace ws;
	static u8 out[LZO_WORST(PAGE_SIZE)];
	size_t n = lzo_compress(LZO_RLE, (const u8 *)page, PAGE_SIZE, out, &ws);

	return n >= 3625 ? PAGE_SIZE : n;	/* chain size 8: from here on a class holds one page */
}

/* Of a test that has one under swap, or ends in a fault and cannot clean up. */
static struct zram *device;

static struct zram *create_device(enum axis_zram_stats stats, unsigned pages)
{
	struct model_variant variant = base;

	variant.zram_stats = stats;
	return zram_create((u64)pages << PAGE_SHIFT, &variant, 8);
}

static void must_write(struct zram *zram, u32 index, const u64 *page)
{
	cr_assert_eq(zram_write(zram, index, page), 0);
}

static void must_read(struct zram *zram, u32 index, const u64 *page)
{
	u64 got[PAGE_SIZE / 8];

	memset(got, 0xee, sizeof(got));
	cr_assert_eq(zram_read(zram, index, got), 0);
	cr_assert_arr_eq(got, page, PAGE_SIZE, "slot %u", index);
}

struct counts {
	unsigned long long orig, compr, used, same, huge, huge_since;
};

static struct counts read_mm_stat(struct zram *zram)
{
	struct counts c;
	unsigned long long limit, used_max, compacted;
	char line[160];

	zram_mm_stat(zram, line, sizeof(line));
	cr_assert_eq(sscanf(line, "%llu %llu %llu %llu %llu %llu %llu %llu %llu", &c.orig, &c.compr, &c.used,
			    &limit, &used_max, &c.same, &compacted, &c.huge, &c.huge_since), 9, "%s", line);
	cr_assert_geq(used_max, c.used);
	cr_assert_eq(limit, 0);
	return c;
}

static void expect_counts(struct zram *zram, struct counts want)
{
	struct counts got = read_mm_stat(zram);

	cr_expect_eq(got.orig, want.orig << PAGE_SHIFT, "%llu pages", got.orig >> PAGE_SHIFT);
	cr_expect_eq(got.compr, want.compr, "%llu bytes, not %llu", got.compr, want.compr);
	cr_expect_eq(got.same, want.same);
	cr_expect_eq(got.huge, want.huge);
	cr_expect_eq(got.huge_since, want.huge_since);
}

static unsigned long long notified(struct zram *zram)
{
	unsigned long long failed_reads, failed_writes, zero, notify_free;
	char line[96];

	zram_io_stat(zram, line, sizeof(line));
	cr_assert_eq(sscanf(line, "%llu %llu %llu %llu", &failed_reads, &failed_writes, &zero, &notify_free), 4);
	return notify_free;
}

/* ---- the device --------------------------------------------------------------------- */

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

/* ---- swap slots --------------------------------------------------------------------- */

static u8 slot_freed[8 * SWAP_CLUSTER];

/* The device learns of each slot under the cluster's lock. */
static void note_free(void *device, u32 offset)
{
	cr_assert_eq(device, slot_freed);
	cr_assert_gt(host_locks_held(), 0);
	slot_freed[offset]++;
}

static const struct swap_device_ops note_ops = { .slot_free_notify = note_free };

/* Two CPUs take turns. Expect each to stay in a cluster of its own, slots in order, the header never. */
Test(swap, each_cpu_fills_its_own_cluster)
{
	u32 last[2] = { 0 };

	swapon(8 * SWAP_CLUSTER, &note_ops, slot_freed);
	for (int i = 0; i < 1000; i++) {
		int cpu = i % 2;
		u32 slot = swap_alloc(cpu);

		cr_assert_gt(slot, 0);
		if (last[cpu] && slot / SWAP_CLUSTER == last[cpu] / SWAP_CLUSTER)
			cr_assert_eq(slot, last[cpu] + 1);
		last[cpu] = slot;
		if (i)
			cr_assert_neq(last[0] / SWAP_CLUSTER, last[1] / SWAP_CLUSTER);
	}
	cr_expect_eq(swap_slots_in_use(), 1000);
	swapoff();
}

/*
 * The device is filled to the last slot, some are freed here and there, and
 * it is filled again. Expect no slot twice, none missed, 0 when full, and every
 * freed slot told to the device once.
 */
Test(swap, full_device)
{
	static u8 taken[8 * SWAP_CLUSTER];
	u32 slots = 7 * SWAP_CLUSTER + 100, slot, count = 0;

	swapon(slots, &note_ops, slot_freed);
	while ((slot = swap_alloc((int)(count % 4)))) {
		cr_assert_lt(slot, slots);
		cr_assert_eq(taken[slot]++, 0, "slot %u handed out twice", slot);
		count++;
	}
	cr_expect_eq(count, slots - 1);
	cr_expect_eq(swap_alloc(3), 0);
	for (slot = 5; slot + 3 < slots; slot += 97) {
		swap_put_entries_direct(slot, 3);
		memset(taken + slot, 0, 3);
		count -= 3;
		for (u32 i = 0; i < 3; i++)
			cr_assert_eq(slot_freed[slot + i], 1);
	}
	cr_expect_eq(swap_slots_in_use(), (long)count);
	while ((slot = swap_alloc((int)(count % 4)))) {
		cr_assert_eq(taken[slot]++, 0, "slot %u handed out twice", slot);
		count++;
	}
	cr_expect_eq(count, slots - 1);
	swap_put_entries_direct(1, slots - 1);
	cr_expect_eq(swap_slots_in_use(), 0);
	cr_expect_eq(host_locks_held(), 0);
	swapoff();
	cr_expect_eq(host_slab_in_use(), 0);
}

/* A slot that nobody has is given back. Expect a fault. */
Test(swap, freeing_a_free_slot_is_a_fault)
{
	u32 slot;

	swapon(2 * SWAP_CLUSTER, &note_ops, slot_freed);
	slot = swap_alloc(0);
	swap_put_entries_direct(slot, 1);
	cr_expect(host_expect_fault(swap_put_entries_direct(slot, 1)));
}

/* ---- unmapping ------------------------------------------------------------------------ */

static int swap_out(u32 slot, const void *page)
{
	return zram_write(device, slot, page);
}

static void fill(u64 index, void *page)
{
	pattern_page(index, page);
}

static const struct swap_device_ops zram_ops = { .slot_free_notify = zram_slot_free_notify };

static void start_swap(u32 slots)
{
	device = create_device(ZRAM_STATS_SHARED_ATOMIC, slots);
	swapon(slots, &zram_ops, device);
}

static void stop_swap(struct mm *mm)
{
	mm_destroy(mm);
	swapoff();
	zram_destroy(device);
	cr_expect_eq(host_slab_in_use(), 0);
}

/*
 * A region of two tables and a bit, paged out, is unmapped. Expect every slot
 * notified, the device empty, no TLB flush (nothing was present), and all
 * pages back, those of the tables too.
 */
Test(unmap, swapped_region)
{
	struct mm mm = { 0 };
	unsigned long pages = 2 * PTRS_PER_TABLE + 77, before;

	start_swap(8 * SWAP_CLUSTER);
	before = host_free_pages();
	mm_init(&mm, pages << PAGE_SHIFT, 1);
	mm_fill(&mm);
	cr_expect_eq(mm.anon_pages, (long)pages);
	cr_expect_eq(host_free_pages(), before - pages - 3);
	mm_page_out(&mm, fill, swap_out);
	cr_expect_eq(mm.anon_pages, 0);
	cr_expect_eq(swap_slots_in_use(), (long)pages);
	expect_counts(device, (struct counts){ .orig = pages, .compr = read_mm_stat(device).compr });
	mm_unmap(&mm);
	cr_expect_eq(swap_slots_in_use(), 0);
	cr_expect_eq(notified(device), pages);
	cr_expect_eq(works_done[hw_work_name("tlb_flush")], 0);
	expect_counts(device, (struct counts){ 0 });
	cr_expect_eq(host_free_pages(), before);
	cr_expect_eq(zone_page_state(NR_ANON_PAGES), 0);
	stop_swap(&mm);
}

/* What is stored for page i of the region is page i: swap in by hand and compare. */
Test(unmap, swapped_pages_hold_their_bytes)
{
	struct mm mm = { 0 };
	u64 page[PAGE_SIZE / 8];

	start_swap(4 * SWAP_CLUSTER);
	mm_init(&mm, 700ul << PAGE_SHIFT, 0);
	mm_fill(&mm);
	mm_page_out(&mm, fill, swap_out);
	for (u64 i = 0; i < 700; i++) {
		cr_assert(pte_is_swap(*mm_pte(&mm, i)));
		pattern_page(i, page);
		must_read(device, pte_slot(*mm_pte(&mm, i)), page);
	}
	mm_unmap(&mm);
	stop_swap(&mm);
}

/* Nothing was paged out. Expect flushes, one per full gather list and table end, and all pages back. */
Test(unmap, resident_region)
{
	struct mm mm = { 0 };
	unsigned long before;

	start_swap(2 * SWAP_CLUSTER);
	before = host_free_pages();
	mm_init(&mm, 1300ul << PAGE_SHIFT, 0);
	mm_fill(&mm);
	mm_unmap(&mm);
	cr_expect_geq(works_done[hw_work_name("tlb_flush")], 1300 / 510);
	cr_expect_eq(host_free_pages(), before);
	cr_expect_eq(zone_page_state(NR_ANON_PAGES), 0);
	stop_swap(&mm);
}

/*
 * Holes, resident pages and swap slots that are not in sequence, mixed at
 * random. Expect everything back, each slot notified once.
 */
Test(unmap, mixed_region)
{
	struct mm mm = { 0 };
	unsigned long before, swapped = 0;

	start_swap(8 * SWAP_CLUSTER);
	before = host_free_pages();
	mm_init(&mm, 3000ul << PAGE_SHIFT, 0);
	for (u64 i = 0; i < mm.nr_pages; i++) {
		u64 page[PAGE_SIZE / 8];
		u32 slot;

		if (rng() % 3 == 0) {
			*mm_pte(&mm, i) = pte_of_page(alloc_page(GFP_KERNEL));
			mod_zone_page_state(NR_ANON_PAGES, 1);
			mm.anon_pages++;
		} else if (rng() % 2) {
			/* the two CPUs' clusters alternate: runs are short */
			slot = swap_alloc(rng() % 8 == 0);
			pattern_page(i, page);
			must_write(device, slot, page);
			*mm_pte(&mm, i) = pte_of_slot(slot);
			mm.swap_entries++;
			swapped++;
		}
	}
	mm_unmap(&mm);
	cr_expect_eq(notified(device), swapped);
	cr_expect_eq(swap_slots_in_use(), 0);
	cr_expect_eq(host_free_pages(), before);
	cr_expect_eq(host_locks_held(), 0);
	stop_swap(&mm);
}

/* ---- the test program ------------------------------------------------------------------- */

/* Per page kind: bytes after lzo-rle, and the zspage of its class at chain size 8. */
static const struct {
	unsigned bytes, objs, pages;
} kinds[KINDS] = {
	{ 876, 32, 7 }, { 945, 17, 4 }, { 1004, 4, 1 }, { 1074, 15, 4 },
	{ 1137, 7, 2 }, { 1200, 10, 3 }, { 1274, 22, 7 }, { 1343, 3, 1 },
	{ 1399, 23, 8 }, { 1461, 11, 4 }, { 1529, 21, 8 }, { 1605, 5, 2 },
	{ 1658, 17, 7 }, { 1715, 7, 3 }, { 1776, 16, 7 }, { 1842, 11, 5 },
};

/* The header of the swap device, as mkswap leaves it; returns the bytes it is stored in. */
static size_t check_header(struct zram *zram, unsigned procs)
{
	u64 page[PAGE_SIZE / 8];
	const u32 *words = (const u32 *)page;

	cr_assert_eq(zram_read(zram, 0, page), 0);
	cr_expect_eq(words[256], 1, "version");
	cr_expect_geq(words[257], procs * 65536, "last page");
	cr_expect_eq(memcmp((char *)page + PAGE_SIZE - 10, "SWAPSPACE2", 10), 0);
	for (unsigned i = 258; i < PAGE_SIZE / 4 - 3; i++)
		cr_assert_eq(words[i], 0);
	return stored_bytes(page);
}

/*
 * Densely packed: the objects of a kind fill one zspage after the other. The
 * header is one more object, of 56 or 64 bytes with its word: class of 64
 * bytes, one page.
 */
static void expected_mm_stat(char *line, size_t bytes, unsigned procs, size_t header)
{
	unsigned long objects = 4096ul * procs, compr = header, pages = 1;

	for (unsigned k = 0; k < KINDS; k++) {
		compr += objects * kinds[k].bytes;
		pages += DIV_ROUND_UP(objects, kinds[k].objs) * kinds[k].pages;
	}
	snprintf(line, bytes, "%8lu %8lu %8lu %8d %8lu %8d %8d %8d %8d\n", (procs * 65536ul + 1) * 4096, compr,
		 pages * 4096, 0, pages * 4096, 0, 0, 0, 0);
}

static void run_program(const struct model_variant *variant, unsigned procs)
{
	struct model_config config = {
		.nr_cpus = 4, .chain_size = 8, .variant = *variant, .nr_procs = procs,
		.region_bytes = 256ull << 20,
	};
	char want[160], got[160];
	struct zram *zram;
	size_t header;

	host_boot(200000, 4, 3);
	workload_prepare(&config);
	zram = workload_zram();
	header = check_header(zram, procs);
	cr_assert(header > 40 && header <= 56, "header of %zu bytes", header);
	expected_mm_stat(want, sizeof(want), procs, header);
	zram_mm_stat(zram, got, sizeof(got));
	cr_expect_str_eq(got, want, "%s", got);
	zram_check_contents(zram);
	zs_check_pool(zram_pool(zram));
	cr_expect_eq(nr_woken, procs);
	cr_expect_eq(swap_slots_in_use(), procs * 65536l);
	run_tasks();
	host_run_work();
	/* only the header is left, and what waits in a batch that never filled */
	expect_counts(zram, (struct counts){ .orig = 1, .compr = header });
	cr_expect_lt(zs_deferred_objects(zram_pool(zram)), 64 * procs);
	cr_expect_eq(notified(zram), procs * 65536ull);
	workload_finish();
	cr_expect_eq(zone_page_state(NR_ZSPAGES), 0);
	cr_expect_eq(zone_page_state(NR_ANON_PAGES), 0);
	cr_expect_eq(host_slab_in_use(), 0);
}

/* Without the header 256 MB are known to show "268435456 89448448 91303936": the arithmetic here must say so too. */
Test(munmap_program, arithmetic_gives_the_known_line)
{
	char line[160];
	unsigned long orig, compr, used;

	expected_mm_stat(line, sizeof(line), 1, 0);
	cr_assert_eq(sscanf(line, "%lu %lu %lu", &orig, &compr, &used), 3);
	cr_expect_eq(orig, 268435456 + 4096);
	cr_expect_eq(compr, 89448448);
	cr_expect_eq(used, 91303936 + 4096);
}

Test(munmap_program, one_process_base)
{
	run_program(&base, 1);
	cr_expect_str_eq(marks, "munmap_begin 0;munmap_end 0;");
}

Test(munmap_program, two_processes_base)
{
	run_program(&base, 2);
	cr_expect_str_eq(marks, "munmap_begin 0;munmap_end 0;munmap_begin 1;munmap_end 1;");
}

Test(munmap_program, two_processes_deferred_percpu)
{
	struct model_variant variant = deferred(64);

	variant.zram_stats = ZRAM_STATS_PERCPU;
	run_program(&variant, 2);
}
