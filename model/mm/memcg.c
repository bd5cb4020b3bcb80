/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memcg.c - see memcg.h; what is left out of it is said in doc/model.md. */
#include "model/mm/memcg.h"

#include "model/kernel/kernel.h"

/* Of one CPU. */
struct memcg_vmstats {
	s64 zswap_bytes, zswapped;
};

struct mem_cgroup {
	struct mem_cgroup *parent;
	struct memcg_vmstats __percpu *vmstats;
	atomic_long_t nr_charged_bytes;	/* charged, in no CPU's stock: less than a page from each that let go */
	atomic_long_t usage ____cacheline_aligned;	/* pages */
};

/* What a CPU holds ready of one group: bytes of pages that the group's counter has already. */
struct obj_stock {
	struct mem_cgroup *cached;
	u32 nr_bytes;
};

static struct obj_stock __percpu *stocks;

void memcg_init(void)
{
	stocks = alloc_percpu(struct obj_stock);
	BUG_ON(!stocks);
}

void memcg_exit(void)
{
	free_percpu(stocks);
}

struct mem_cgroup *memcg_create(struct mem_cgroup *parent)
{
	struct mem_cgroup *memcg = vzalloc(sizeof(*memcg));

	BUG_ON(!memcg);
	memcg->parent = parent;
	memcg->vmstats = alloc_percpu(struct memcg_vmstats);
	BUG_ON(!memcg->vmstats);
	hw_name_lines(&memcg->usage, SMP_CACHE_BYTES, "memcg usage");
	return memcg;
}

/* The group and all above it. */
static void charge_pages(struct mem_cgroup *memcg, long pages)
{
	for (; memcg; memcg = memcg->parent)
		atomic_long_add(pages, &memcg->usage);
}

/* Whole pages go back to the group's counter; the rest waits with the group for whoever holds a stock of it next. */
static void drain_stock(struct obj_stock *stock)
{
	struct mem_cgroup *memcg = stock->cached;

	if (!memcg)
		return;
	if (stock->nr_bytes >> PAGE_SHIFT)
		charge_pages(memcg, -(long)(stock->nr_bytes >> PAGE_SHIFT));
	if (stock->nr_bytes & (PAGE_SIZE - 1))
		atomic_long_add(stock->nr_bytes & (PAGE_SIZE - 1), &memcg->nr_charged_bytes);
	stock->nr_bytes = 0;
	stock->cached = NULL;
}

/* Put @bytes into this CPU's stock; with @uncharge whole pages do not stay in it. */
static void refill_stock(struct mem_cgroup *memcg, u32 bytes, bool uncharge)
{
	struct obj_stock *stock = get_cpu_ptr(stocks);
	u32 pages = 0;

	if (stock->cached != memcg) {
		drain_stock(stock);
		stock->cached = memcg;
		if (atomic_long_read(&memcg->nr_charged_bytes))
			stock->nr_bytes = (u32)atomic_long_xchg(&memcg->nr_charged_bytes, 0);
		uncharge = true;
	}
	stock->nr_bytes += bytes;
	if (uncharge && stock->nr_bytes > PAGE_SIZE) {
		pages = stock->nr_bytes >> PAGE_SHIFT;
		stock->nr_bytes &= PAGE_SIZE - 1;
	}
	put_cpu_ptr(stocks);
	if (pages)
		charge_pages(memcg, -(long)pages);
}

static bool consume_stock(struct mem_cgroup *memcg, u32 bytes)
{
	struct obj_stock *stock = get_cpu_ptr(stocks);
	bool enough = stock->cached == memcg && stock->nr_bytes >= bytes;

	if (enough)
		stock->nr_bytes -= bytes;
	put_cpu_ptr(stocks);
	return enough;
}

static void count_zswap(struct mem_cgroup *memcg, s64 bytes, s64 pages)
{
	struct memcg_vmstats *s = get_cpu_ptr(memcg->vmstats);

	s->zswap_bytes += bytes;
	s->zswapped += pages;
	put_cpu_ptr(memcg->vmstats);
}

void obj_cgroup_charge_zswap(struct mem_cgroup *memcg, size_t bytes)
{
	if (bytes && !consume_stock(memcg, (u32)bytes)) {
		charge_pages(memcg, (long)DIV_ROUND_UP(bytes, PAGE_SIZE));
		if (bytes & (PAGE_SIZE - 1))
			refill_stock(memcg, (u32)(PAGE_SIZE - bytes % PAGE_SIZE), false);
	}
	count_zswap(memcg, (s64)bytes, 1);
}

void obj_cgroup_uncharge_zswap(struct mem_cgroup *memcg, size_t bytes)
{
	if (bytes)
		refill_stock(memcg, (u32)bytes, true);
	count_zswap(memcg, -(s64)bytes, -1);
}

void memcg_drain_stocks(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		drain_stock(per_cpu_ptr(stocks, cpu));
}

/* Charged bytes that nobody has in use are whole pages once all CPUs have let go. */
void memcg_destroy(struct mem_cgroup *memcg)
{
	long bytes = atomic_long_read(&memcg->nr_charged_bytes);

	if (bytes % (long)PAGE_SIZE || bytes >> PAGE_SHIFT != memcg_usage(memcg) || memcg_zswapped(memcg) ||
	    memcg_zswap_bytes(memcg))
		hw_fault("a memory control group goes with %ld pages charged, %ld bytes of them unused, and %ld compressed "
			 "pages of %ld bytes", memcg_usage(memcg), bytes, (long)memcg_zswapped(memcg),
			 (long)memcg_zswap_bytes(memcg));
	charge_pages(memcg, -(bytes >> PAGE_SHIFT));
	free_percpu(memcg->vmstats);
	vfree(memcg);
}

long memcg_usage(const struct mem_cgroup *memcg)
{
	return atomic_long_read(&memcg->usage);
}

s64 memcg_zswap_bytes(const struct mem_cgroup *memcg)
{
	s64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += per_cpu_ptr(memcg->vmstats, cpu)->zswap_bytes;
	return sum;
}

s64 memcg_zswapped(const struct mem_cgroup *memcg)
{
	s64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += per_cpu_ptr(memcg->vmstats, cpu)->zswapped;
	return sum;
}
