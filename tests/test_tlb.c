/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Address translation: a first buffer of 4 pages and a second of 8 in two sets,
 * each access of this test driven by hand. Times are exact.
 */
#include <criterion/criterion.h>

#include "sim/access.h"
#include "sim/machine.h"
#include "sim/tlb.h"
#include "tests/module/host.h"

#define TLB_PS		3000u
#define LINES_PER_PAGE	64u

static struct profile *profile;
static struct cpu *cpu;

static void create(const char *name)
{
	struct machine_config config = { .nr_cpus = 1, .memory_bytes = 16 << 20 };

	profile = host_profile(name);
	profile->prefetch_streams = 0;
	profile->dtlb_entries = 4;
	profile->tlb_entries = 8;
	profile->tlb_ways = 4;
	profile->tlb_ps = TLB_PS;
	config.profile[0] = profile;
	machine_create(&config);
	cpu = &cpus[0];
	cpu->muted = 0;
	cpu->horizon = UINT64_MAX;
}

/* What translating a line of @page takes from now on, ps. */
static uint64_t cost(uint32_t page)
{
	uint64_t now = cpu->clock;

	return tlb_translate(cpu, page * LINES_PER_PAGE + 7, now) - now;
}

/*
 *	page	0 0 | 1 2 3 4 | 0	4 others between: out of the first buffer, still in the second
 *
 * Nobody said where the page table is, so a walk takes as long as a hit in the first-level cache.
 */
Test(tlb, two_levels)
{
	uint64_t walk;

	create(A76);
	walk = TLB_PS + profile->l1.latency_ps;
	cr_expect_eq(cost(0), walk, "the first time the table is looked at");
	cr_expect_eq(cost(0), 0, "the second time it is known");
	for (uint32_t page = 1; page <= 4; page++)
		cr_expect_eq(cost(page), walk);
	cr_expect_eq(cost(0), TLB_PS, "pushed out of the first level, not of the second");
	cr_expect_eq(cost(0), 0);
	/* Even pages share a set of four ways: four new ones push 0 out. */
	for (uint32_t page = 6; page <= 12; page += 2)
		cost(page);
	cr_expect_eq(cost(0), walk, "pushed out of both");
}

/* The entry of a page is a word in memory: eight pages share its line, and who walks fetches that line. */
Test(tlb, a_walk_is_a_load)
{
	uint64_t near = TLB_PS, miss;

	create(A76);
	near += profile->l1.latency_ps;
	hw_page_table((void *)(HW_MEM_BASE + (8 << 20)));
	miss = cost(1000);
	cr_expect_eq(miss, TLB_PS + profile->dram_ps, "the entry comes from memory: %lu", (unsigned long)miss);
	cr_expect_eq(cost(1001), near, "its neighbour is on the same line, in the first-level cache now");
	cr_expect_gt(cost(1008), near, "eight pages further there is another line");
	cr_expect_eq(machine_stats.dram_reads, 2);
}

/* What is mapped with blocks of 2 MiB takes one entry for 512 pages. */
Test(tlb, blocks)
{
	create(A76);
	hw_map_blocks((void *)(HW_MEM_BASE + (2 << 20)), 2 << 20);
	cr_expect_gt(cost(512), 0);
	for (uint32_t page = 513; page < 1024; page += 37)
		cr_expect_eq(cost(page), 0, "page %u is in the block", page);
	cr_expect_gt(cost(1024), 0, "the next page is not");
}

/* An in-order core waits, and it is booked; an out-of-order one goes on. */
Test(tlb, in_order_waits)
{
	create(A55);
	tlb_translate(cpu, 7, cpu->clock);
	cr_expect_eq(cpu->booked[CAUSE_TLB], TLB_PS + profile->l1.latency_ps);
	cr_expect_eq(cpu->clock, cpu->booked[CAUSE_TLB]);
	machine_destroy();
	create(A76);
	tlb_translate(cpu, 7, cpu->clock);
	cr_expect_eq(cpu->clock, 0);
}

/* x86 profiles have no such figures: kernels map memory with blocks there. */
Test(tlb, absent_figures_cost_nothing)
{
	create(X86);
	profile->dtlb_entries = 0;
	cr_expect_eq(cost(1), 0);
	cr_expect_eq(cost(100), 0);
}
