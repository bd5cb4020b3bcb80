/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Swap slots, unmapping and the test program on the host: the real sources,
 * uninstrumented, on the one-thread kernel of tests/host_kernel/. What the
 * device should show comes from arithmetic done here.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "model/mm/pte.h"
#include "model/swap/swap.h"
#include "model/workload/workload.h"
#include "tests/zram_host.h"

#undef memcpy

TestSuite(swap, .init = boot, .timeout = 60);
TestSuite(unmap, .init = boot, .timeout = 60);
TestSuite(munmap_program, .timeout = 120);

static struct zram *device;

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

static const void *fill(u64 index)
{
	static u64 page[PAGE_SIZE / 8];

	pattern_page(index, page);
	return page;
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
	munmap_workload.prepare(&config);
	zram = munmap_workload.zram();
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
	munmap_workload.finish();
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
