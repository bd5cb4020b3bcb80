/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zswap on the host: what it keeps it gives back to the byte, what is gone
 * leaves the tree, the LRU and the charge, and what fails changes nothing.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "model/mm/memcg.h"
#include "model/zswap/zswap_internal.h"
#include "tests/zram_host.h"

#undef memcpy

#define SLOTS (3 * TREE_SLOTS)

static struct zswap *zswap;
static struct mem_cgroup *root, *memcg[2];
static struct zswap_lru *lru[2];

/* The disk behind: the slots in the order in which they were written, and their pages. */
static u32 written[64];
static u64 disk[64][PAGE_SIZE / 8];
static unsigned nr_written;

static void write_to_disk(void *device, u32 slot, const void *page)
{
	cr_assert_eq(device, (void *)&nr_written);
	cr_assert_eq(host_locks_held(), 0, "writing sleeps");
	if (nr_written < 64) {
		written[nr_written] = slot;
		memcpy(disk[nr_written], page, PAGE_SIZE);
	}
	nr_written++;
}

static void begin_as(const struct model_variant *variant, unsigned max_pool_percent)
{
	zswap = zswap_create(SLOTS, variant, 8, max_pool_percent, write_to_disk, &nr_written);
	memcg_init();
	root = memcg_create(NULL);
	for (int i = 0; i < 2; i++) {
		memcg[i] = memcg_create(root);
		lru[i] = zswap_lru_create(zswap, memcg[i]);
	}
	nr_written = 0;
}

static void begin(void)
{
	boot();
	begin_as(&base, 20);
}

/* All must be gone: the oracles of each part say so if not. */
static void end(void)
{
	for (int i = 0; i < 2; i++)
		zswap_lru_destroy(lru[i]);
	zswap_destroy(zswap);
	memcg_drain_stocks();
	for (int i = 0; i < 2; i++)
		memcg_destroy(memcg[i]);
	cr_assert_eq(memcg_usage(root), 0);
	memcg_destroy(root);
	memcg_exit();
	cr_assert_eq(host_slab_in_use(), 0ul);
	cr_assert_eq(host_locks_held(), 0);
	cr_assert_eq(host_mute_depth(), 0);
}

TestSuite(zswap, .init = begin, .timeout = 60);
/* These begin by themselves. */
TestSuite(zswap_as, .init = boot, .timeout = 60);

static struct zswap_counts counts(void)
{
	struct zswap_counts c;

	zswap_count(zswap, &c);
	return c;
}

static void page_of(u64 index, u64 *page)
{
	pattern_page(index, page);
	page[PAGE_SIZE / 8 - 1] = index;	/* tells pages of one kind apart */
}

static void must_store(int owner, u32 slot, u64 index)
{
	u64 page[PAGE_SIZE / 8];

	page_of(index, page);
	cr_assert_eq(zswap_store(zswap, lru[owner], slot, page), 0);
}

static void must_load(u32 slot, u64 index, bool exclusive)
{
	u64 page[PAGE_SIZE / 8], want[PAGE_SIZE / 8];

	page_of(index, want);
	memset(page, 0x55, sizeof(page));
	cr_assert(zswap_load(zswap, slot, page, exclusive), "slot %u is not there", slot);
	cr_assert_eq(memcmp(page, want, sizeof(page)), 0, "slot %u reads otherwise", slot);
}

static void must_be_absent(u32 slot)
{
	u64 page[PAGE_SIZE / 8];

	cr_assert_not(zswap_load(zswap, slot, page, false), "slot %u is there", slot);
}

/* ---- store, load, invalidate ------------------------------------------------- */

Test(zswap, gives_back_what_was_stored)
{
	for (u32 i = 0; i < 200; i++)
		must_store(i % 2, i * 241 % SLOTS, i);
	zswap_check_contents(zswap);
	cr_expect_eq(counts().stored_pages, 200ul);
	cr_expect_eq(counts().stored, 200ul);
	cr_expect_eq(zswap_lru_count(lru[0]), 100ul);
	for (u32 i = 0; i < 200; i++)
		must_load(i * 241 % SLOTS, i, false);
	must_be_absent(1);
	for (u32 i = 0; i < 200; i++)
		zswap_invalidate(zswap, i * 241 % SLOTS);
	zswap_invalidate(zswap, 5);
	cr_expect_eq(counts().stored_pages, 0ul);
	cr_expect_eq(counts().stored, 200ul);
	cr_expect_eq(zs_get_total_pages(zswap_pool(zswap)), 0ul);
	end();
}

/* The page in memory is newer than the copy from then on, so there is none. */
Test(zswap, exclusive_load_takes_the_entry)
{
	must_store(0, 7, 1);
	must_load(7, 1, true);
	must_be_absent(7);
	cr_expect_eq(counts().stored_pages, 0ul);
	cr_expect_eq(zswap_lru_count(lru[0]), 0ul);
	end();
}

/* Another tenant may get the slot: the old entry leaves the old tenant's list and bill. */
Test(zswap, a_slot_stored_again_has_the_new_page_only)
{
	must_store(0, 7, 1);
	must_store(1, 7, 2);
	cr_expect_eq(counts().stored_pages, 1ul);
	cr_expect_eq(zswap_lru_count(lru[0]), 0ul);
	cr_expect_eq(zswap_lru_count(lru[1]), 1ul);
	cr_expect_eq(memcg_zswapped(memcg[0]), 0);
	cr_expect_eq(memcg_zswap_bytes(memcg[0]), 0);
	must_load(7, 2, true);
	end();
}

/* A page of one word takes no object and no bytes, but an entry, a place on the list and a count. */
Test(zswap, pages_of_one_word)
{
	static const u64 words[] = { 0, 1, ~0ul };
	u64 page[PAGE_SIZE / 8], seen[PAGE_SIZE / 8];

	for (u32 w = 0; w < 3; w++) {
		for (unsigned i = 0; i < PAGE_SIZE / 8; i++)
			page[i] = words[w];
		cr_assert_eq(zswap_store(zswap, lru[0], w, page), 0);
		cr_assert(zswap_load(zswap, w, seen, false));
		cr_assert_eq(memcmp(page, seen, sizeof(page)), 0);
	}
	cr_expect_eq(counts().same_filled_pages, 3ul);
	cr_expect_eq(memcg_zswapped(memcg[0]), 3);
	cr_expect_eq(memcg_zswap_bytes(memcg[0]), 0);
	cr_expect_eq(zs_get_total_pages(zswap_pool(zswap)), 0ul);
	/* almost: a single word differs */
	page[100] ^= 1;
	cr_assert_eq(zswap_store(zswap, lru[0], 3, page), 0);
	cr_expect_eq(counts().same_filled_pages, 3ul);
	zswap_check_contents(zswap);
	for (u32 w = 0; w < 4; w++)
		zswap_invalidate(zswap, w);
	cr_expect_eq(counts().same_filled_pages, 0ul);
	end();
}

/* What does not become smaller goes to the disk, and the slot's old content must not survive it. */
Test(zswap, incompressible_pages_are_refused)
{
	u64 page[PAGE_SIZE / 8];

	must_store(0, 9, 1);
	make_page(2, page);
	cr_expect_eq(zswap_store(zswap, lru[0], 9, page), -ENOSPC);
	must_be_absent(9);
	cr_expect_eq(counts().rejected, 1ul);
	cr_expect_eq(counts().stored_pages, 0ul);
	end();
}

/*
 * 1 % of memory: after the limit was reached nothing is taken until the pool
 * is down to nine tenths of it.
 */
Test(zswap_as, the_limit_and_its_hysteresis)
{
	unsigned long most;
	u32 nr = 0, gone = 0;

	begin_as(&base, 1);
	most = managed_pages() / 100;
	for (;; nr++) {
		u64 page[PAGE_SIZE / 8];
		int error;

		page_of(nr, page);
		error = zswap_store(zswap, lru[0], nr, page);
		if (error) {
			cr_assert_eq(error, -ENOSPC);
			break;
		}
	}
	cr_expect_geq(zs_get_total_pages(zswap_pool(zswap)), most);
	cr_expect_lt(zs_get_total_pages(zswap_pool(zswap)), most + 8, "one zspage at the most above the limit");
	while (zs_get_total_pages(zswap_pool(zswap)) > most * 90 / 100) {
		u64 page[PAGE_SIZE / 8];

		page_of(0, page);
		cr_expect_eq(zswap_store(zswap, lru[0], SLOTS - 1, page), -ENOSPC, "%lu of %lu pages",
			     zs_get_total_pages(zswap_pool(zswap)), most);
		zswap_invalidate(zswap, gone++);
	}
	must_store(0, SLOTS - 1, 0);
	for (; gone < nr; gone++)
		zswap_invalidate(zswap, gone);
	zswap_invalidate(zswap, SLOTS - 1);
	end();
}

/* Pages of a file, in the bytes that others made of them; those that did not become smaller are refused. */
Test(zswap, contents_come_back)
{
	const struct model_contents *c = some_contents();
	u64 page[PAGE_SIZE / 8];

	zswap_use_contents(zswap, c);
	for (u32 i = 0; i < CONTENTS_PAGES; i++) {
		const u8 *from = c->pages + i * PAGE_SIZE;

		cr_assert_eq(zswap_store(zswap, lru[0], i, from), c->len[i] < PAGE_SIZE ? 0 : -ENOSPC);
		if (c->len[i] == PAGE_SIZE)
			continue;
		cr_assert(zswap_load(zswap, i, page, false));
		cr_expect_eq(memcmp(page, from, PAGE_SIZE), 0, "page %u", i);
	}
	must_store(0, 0, 3);
	must_load(0, 3, true);
	cr_expect_eq(memcg_zswap_bytes(memcg[0]), 700 + 3000 + 4000);
	zswap_check_contents(zswap);
	for (u32 i = 1; i < CONTENTS_PAGES; i++)
		zswap_invalidate(zswap, i);
	end();
}

/* ---- writeback ------------------------------------------------------------------ */

/* All were referenced when they came, so the first look spares them, in order; the second takes the oldest. */
Test(zswap, writeback_takes_the_oldest_unused)
{
	static const u32 order[] = { 0, 1, 3, 5 };
	u64 want[PAGE_SIZE / 8];

	for (u32 i = 0; i < 6; i++)
		must_store(0, i, i);
	must_store(1, 100, 100);
	cr_assert_eq(zswap_writeback(zswap, lru[0], 2), 2ul);
	must_load(2, 2, false);			/* used: spared once more */
	zswap_invalidate(zswap, 4);		/* gone before its turn */
	cr_assert_eq(zswap_writeback(zswap, lru[0], 2), 2ul);
	cr_assert_eq(nr_written, 4u);
	for (u32 i = 0; i < 4; i++) {
		cr_expect_eq(written[i], order[i], "write %u is of slot %u, not %u", i, written[i], order[i]);
		page_of(order[i], want);
		cr_expect_eq(memcmp(disk[i], want, PAGE_SIZE), 0, "slot %u is on the disk otherwise", written[i]);
		must_be_absent(order[i]);
	}
	cr_expect_eq(counts().written_back, 4ul);
	cr_expect_eq(zswap_lru_count(lru[0]), 1ul);
	cr_expect_eq(zswap_lru_count(lru[1]), 1ul, "another tenant's page is not touched");
	cr_expect_eq(zswap_writeback(zswap, lru[0], 10), 1ul, "then there is none left");
	cr_expect_eq(zswap_writeback(zswap, lru[0], 10), 0ul);
	zswap_invalidate(zswap, 100);
	end();
}

/* ---- who pays ------------------------------------------------------------------- */

/*
 * Bytes are charged as they are, pages of memory rounded up by CPU: the group,
 * its parent, and what each says after a CPU other than the one that charged
 * has uncharged.
 */
Test(zswap, the_group_and_its_parent_pay)
{
	u64 page[PAGE_SIZE / 8];
	s64 bytes = 0;

	for (u32 i = 0; i < 64; i++) {
		page_of(i, page);
		bytes += (s64)stored_bytes(page);
		host_set_cpu(i % 4);
		must_store(0, i, i);
	}
	cr_expect_eq(memcg_zswapped(memcg[0]), 64);
	cr_expect_eq(memcg_zswap_bytes(memcg[0]), bytes);
	cr_expect_eq(memcg_zswapped(memcg[1]), 0);
	cr_expect_geq(memcg_usage(memcg[0]) * (long)PAGE_SIZE, bytes);
	cr_expect_leq(memcg_usage(memcg[0]), bytes / (long)PAGE_SIZE + 1 + 4, "at most a page in stock on each CPU");
	cr_expect_eq(memcg_usage(root), memcg_usage(memcg[0]));
	for (u32 i = 0; i < 64; i++) {
		host_set_cpu((i + 1) % 4);
		zswap_invalidate(zswap, i);
	}
	cr_expect_eq(memcg_zswap_bytes(memcg[0]), 0);
	cr_expect_eq(memcg_zswapped(memcg[0]), 0);
	cr_expect_leq(memcg_usage(memcg[0]), 4, "what the CPUs keep in stock");
	host_set_cpu(0);
	end();
}

/* Two groups on one CPU take turns in its stock, which must not mix them up. */
Test(zswap, groups_do_not_share_a_stock)
{
	for (u32 i = 0; i < 100; i++)
		must_store(i % 2, i, i);
	cr_expect_eq(memcg_usage(root), memcg_usage(memcg[0]) + memcg_usage(memcg[1]));
	for (u32 i = 0; i < 100; i++)
		zswap_invalidate(zswap, i);
	cr_expect_eq(memcg_usage(root), memcg_usage(memcg[0]) + memcg_usage(memcg[1]));
	end();
}

/* ---- ends that are too early ------------------------------------------------------ */

Test(zswap, an_lru_with_entries_may_not_go)
{
	must_store(0, 1, 1);
	cr_assert(host_expect_fault(zswap_lru_destroy(lru[0])));
	cr_assert_not_null(strstr(host_fault_text, "1 entries are on the LRU"), "%s", host_fault_text);
}

Test(zswap, zswap_with_entries_may_not_go)
{
	must_store(0, TREE_SLOTS + 1, 1);
	cr_assert(host_expect_fault(zswap_destroy(zswap)));
	cr_assert_not_null(strstr(host_fault_text, "tree of slots 16384"), "%s", host_fault_text);
}

Test(zswap, a_group_that_still_pays_may_not_go)
{
	must_store(0, 1, 1);
	memcg_drain_stocks();
	cr_assert(host_expect_fault(memcg_destroy(memcg[0])));
	cr_assert_not_null(strstr(host_fault_text, "1 compressed pages"), "%s", host_fault_text);
}

/* A counter that lost an entry. */
Test(zswap, contents_and_counters_are_compared)
{
	must_store(0, 1, 1);
	zswap_check_contents(zswap);
	atomic_long_inc(&zswap->stored_pages);
	cr_assert(host_expect_fault(zswap_check_contents(zswap)));
	cr_assert_not_null(strstr(host_fault_text, "the counters say 2"), "%s", host_fault_text);
}

/* ---- deferred frees ----------------------------------------------------------------- */

/*
 * Whoever defers, a tenant's entries are off its LRU when they are invalidated,
 * so that its list can go at once, work still pending. With the page pool the
 * entries themselves wait, and the tenant's bill with them; else only objects do.
 * What no worker has come to the pool drains when it goes.
 */
static void tear_down_tenant(const struct model_variant *variant, u32 nr, bool drained)
{
	bool entries_wait = variant->free == FREE_DEFER_PAGE_POOL;

	begin_as(variant, 20);
	for (u32 i = 0; i < nr; i++)
		must_store(0, i, i);
	for (u32 i = 0; i < nr; i++) {
		host_set_cpu(i / 100 % 4);
		zswap_invalidate(zswap, i);
	}
	cr_expect_eq(zswap_lru_count(lru[0]), 0ul);
	cr_expect_eq(memcg_zswapped(memcg[0]), entries_wait ? (s64)nr : 0);
	if (!entries_wait)
		cr_expect_eq(memcg_zswap_bytes(memcg[0]), 0);
	for (u32 i = 0; i < nr; i++)
		must_be_absent(i);
	zswap_check_contents(zswap);
	if (drained)
		host_run_work();
	end();
	cr_expect_eq(host_run_work(), 0u, "work is pending of a pool that is gone");
	cr_expect_eq(host_gauge(GAUGE_DEFERRED_OBJECTS), 0);
}

Test(zswap_as, deferred_frees_leave_the_lru_at_once)
{
	static const u32 numbers[] = { 1, 3, 4, 5, 63, 64, 65, 200, 511, 512, 513, 3000, 17000 };
	static const enum axis_free schemes[] = { FREE_SYNC, FREE_DEFER_BATCH, FREE_DEFER_PAGE_POOL, FREE_DEFER_GLOBAL_LIST };

	for (unsigned s = 0; s < sizeof(schemes) / sizeof(schemes[0]); s++) {
		struct model_variant variant = deferred(4);

		variant.free = schemes[s];
		for (unsigned i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
			tear_down_tenant(&variant, numbers[i], false);
			tear_down_tenant(&variant, numbers[i], true);
		}
	}
}

/* One CPU, 65 pages of 512 entries, and no worker: what is more is freed at once. */
Test(zswap_as, page_pool_without_a_page)
{
	struct model_variant variant = base;
	const u32 room = 65 * 512;

	variant.free = FREE_DEFER_PAGE_POOL;
	begin_as(&variant, 100);
	for (u32 i = 0; i < room + 10; i++)
		must_store(0, i, i);
	for (u32 i = 0; i < room + 10; i++)
		zswap_invalidate(zswap, i);
	cr_expect_eq(counts().stored_pages, room);
	cr_expect_eq(host_gauge(GAUGE_DEFERRED_OBJECTS), (long)room);
	zswap_flush(zswap);
	cr_expect_eq(counts().stored_pages, 0);
	cr_expect_eq(host_gauge(GAUGE_DEFERRED_OBJECTS), 0);
	host_run_work();
	end();
}

/* ---- lack of memory -------------------------------------------------------------------- */

/* Each allocation of a store fails in turn: the store says so, the slot is empty, nothing is lost. */
Test(zswap, a_store_without_memory)
{
	u64 page[PAGE_SIZE / 8];
	long after = 0;
	int error;

	must_store(0, 20, 20);
	page_of(1, page);
	do {
		must_store(0, 5, 5);		/* something old in the slot's tree and place */
		if (after % 2)
			zswap_invalidate(zswap, 5);
		host_fail_alloc(after);
		error = zswap_store(zswap, lru[1], SLOTS - 1, page);
		host_fail_alloc(-1);
		cr_assert(!error || error == -ENOMEM, "%d", error);
		if (error)
			must_be_absent(SLOTS - 1);
		cr_assert_eq(zswap_lru_count(lru[1]), error ? 0ul : 1ul);
		zswap_check_contents(zswap);
		zs_check_pool(zswap_pool(zswap));
		after++;
	} while (error);
	cr_expect_geq(after, 5, "an entry, a handle, a zspage and its page, tree nodes");
	must_load(20, 20, true);
	must_load(SLOTS - 1, 1, true);
	zswap_invalidate(zswap, 5);
	end();
}

/* Without a page to decompress into there is no writeback, and nothing is lost. */
Test(zswap, writeback_without_memory)
{
	must_store(0, 1, 1);
	host_fail_alloc(0);
	cr_expect_eq(zswap_writeback(zswap, lru[0], 1), 0ul);
	host_fail_alloc(-1);
	must_load(1, 1, true);
	end();
}

/* ---- trees ---------------------------------------------------------------------------- */

#define INDICES 300

static u64 index_of(unsigned i)
{
	return i < 100 ? i : i < 200 ? 5000ul + i * 64 : 1ul << 30 | (u64)i << 12;
}

static void count_entry(void *arg, u64 index, void *entry)
{
	cr_assert_eq(entry, (void *)(uintptr_t)(index * 2 + 2));
	++*(unsigned *)arg;
}

/* Against a plain table, at random, over one to six levels; nodes go with their last entry. */
Test(zswap, trees_hold_what_a_table_holds)
{
	struct kmem_cache *nodes = kmem_cache_create("nodes", XA_NODE_BYTES, 0);
	bool there[INDICES] = { false };
	struct xarray xa;
	unsigned nr = 0, seen = 0;

	xa_init(&xa, "test");
	for (unsigned step = 0; step < 20000; step++) {
		unsigned i = rng() % INDICES, more = step / 5000 % 2 ? 1 : 3;
		u64 index = index_of(i);
		void *entry = (void *)(uintptr_t)(index * 2 + 2);

		cr_assert_eq(xa_load(&xa, index), there[i] ? entry : NULL);
		if (rng() % 4 < more) {
			cr_assert_eq(xa_store(&xa, nodes, index, entry, GFP_KERNEL), there[i] ? entry : NULL);
			nr += !there[i];
			there[i] = true;
		} else {
			cr_assert_not(xa_erase_entry(&xa, nodes, index, &xa), "another entry");
			cr_assert_eq(xa_erase(&xa, nodes, index), there[i] ? entry : NULL);
			nr -= there[i];
			there[i] = false;
		}
		cr_assert_eq(xa_empty(&xa), !nr);
	}
	xa_for_all(&xa, count_entry, &seen);
	cr_expect_eq(seen, nr);
	for (unsigned i = 0; i < INDICES; i++)
		if (there[i])
			cr_assert(xa_erase_entry(&xa, nodes, index_of(i), (void *)(uintptr_t)(index_of(i) * 2 + 2)));
	cr_expect(xa_empty(&xa));
	kmem_cache_destroy(nodes);
	end();
}

/* A store that lacks memory for any of its nodes leaves the tree as it was. */
Test(zswap, trees_without_memory)
{
	struct kmem_cache *nodes = kmem_cache_create("nodes", XA_NODE_BYTES, 0);
	struct xarray xa;
	int value, failed = 0;

	for (int filled = 0; filled < 2; filled++) {
		void *old;

		xa_init(&xa, "test");
		if (filled)
			cr_assert_null(xa_store(&xa, nodes, 3, &value, GFP_KERNEL));
		for (long after = 0;; after++) {
			host_fail_alloc(after);
			old = xa_store(&xa, nodes, 1ul << 20, &failed, GFP_KERNEL);
			host_fail_alloc(-1);
			if (!old)
				break;
			failed++;
			cr_assert_eq(PTR_ERR(old), -ENOMEM);
			cr_assert_null(xa_load(&xa, 1ul << 20));
			cr_assert_eq(xa_load(&xa, 3), filled ? &value : NULL);
			cr_assert_eq(xa_empty(&xa), !filled);
		}
		cr_assert_eq(xa_load(&xa, 1ul << 20), (void *)&failed);
		cr_assert_eq(xa_erase(&xa, nodes, 1ul << 20), (void *)&failed);
		if (filled)
			cr_assert_eq(xa_erase(&xa, nodes, 3), &value);
		cr_expect(xa_empty(&xa));
	}
	cr_expect_geq(failed, 4 + 3, "1 << 20 needs four levels, of which a tree with 3 in it has one");
	kmem_cache_destroy(nodes);
	end();
}
