/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The allocator's layout and bookkeeping, on the host: the real sources of
 * model/zsmalloc/ without instrumentation, on the one-thread kernel of
 * tests/host_kernel/. Tables come from arithmetic done here, not from the
 * allocator's.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/host_kernel/pool_fixture.h"

#undef memcpy

TestSuite(zsmalloc_layout, .init = boot, .timeout = 120);

/* ---- classes ------------------------------------------------------------ */

struct row {
	int size, objs, pages;
};

/* Of all chain lengths the one with the least tail, of equals the shortest. A power of two needs one page. */
static struct row expected_row(int index, int chain)
{
	int size = 32 + 16 * index;
	int best = 1, best_tail = 4096 - 4096 / size * size;

	for (int pages = 2; pages <= chain && (size & (size - 1)); pages++) {
		int tail = pages * 4096 - pages * 4096 / size * size;

		if (tail < best_tail) {
			best_tail = tail;
			best = pages;
		}
	}
	return (struct row){ size, best * 4096 / size, best };
}

/* Index at the top of the group of neighbours that get as many objects from as many pages. */
static int expected_leader(int index, int chain)
{
	struct row mine = expected_row(index, chain);

	for (; index < 254; index++) {
		struct row above = expected_row(index + 1, chain);

		if (above.objs != mine.objs || above.pages != mine.pages)
			break;
	}
	return index;
}

/*
 * At each chain limit every index leads to the class that the rule gives it.
 * Expect the numbers of distinct classes known for 4 KiB pages.
 */
Test(zsmalloc_layout, class_table_at_every_chain_limit)
{
	static const int distinct[] = { 69, 86, 94, 110, 119, 136, 141, 153, 159, 173, 179, 186, 192 };

	for (int chain = 4; chain <= 16; chain++) {
		struct zs_pool *pool = create(&base, chain);
		int count = 0;

		for (int i = 0; i < 255; i++) {
			struct size_class *class = pool->size_class[i];
			int leader = expected_leader(i, chain);
			struct row row = expected_row(leader, chain);

			cr_assert_eq((int)class->index, leader, "chain %d index %d", chain, i);
			cr_assert_eq(class->size, row.size);
			cr_assert_eq(class->objs_per_zspage, row.objs);
			cr_assert_eq(class->pages_per_zspage, row.pages);
			count += leader == i;
		}
		cr_assert_eq(count, distinct[chain - 4], "chain %d: %d classes", chain, count);
		zs_destroy_pool(pool);
	}
}

static unsigned crc32_of(const char *text)
{
	unsigned crc = ~0u;

	for (; *text; text++) {
		crc ^= (unsigned char)*text;
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	}
	return ~crc;
}

static unsigned table_crc(struct zs_pool *pool)
{
	static char text[16384];
	size_t used = 0;

	for (int i = 0; i < 255; i++) {
		struct size_class *class = pool->size_class[i];

		if ((int)class->index == i)
			used += snprintf(text + used, sizeof(text) - used, "%s%d,%d,%d,%d",
					 used ? ";" : "", i, class->size, class->objs_per_zspage,
					 class->pages_per_zspage);
	}
	return crc32_of(text);
}

/* The whole tables as one number each, computed elsewhere from published tables. */
Test(zsmalloc_layout, class_table_checksums)
{
	struct zs_pool *pool8 = create(&base, 8), *pool4 = create(&base, 4);

	cr_expect_eq(table_crc(pool8), 0x6b4d40e3u);
	cr_expect_eq(table_crc(pool4), 0x2ec83101u);
	zs_destroy_pool(pool8);
	zs_destroy_pool(pool4);
}

/* The largest shared class is 3264, 3632, 3840 bytes: one header less, plus one. */
Test(zsmalloc_layout, huge_class_size)
{
	static const struct { int chain; size_t huge; } known[] = {
		{ 4, 3257 }, { 8, 3625 }, { 16, 3833 },
	};

	for (unsigned i = 0; i < 3; i++) {
		struct zs_pool *pool = create(&base, known[i].chain);

		cr_expect_eq(zs_huge_class_size(pool), known[i].huge);
		/* A request of that size is the first in the huge class. */
		cr_expect_eq(zs_lookup_class_index(pool, known[i].huge), 254u);
		cr_expect_neq(zs_lookup_class_index(pool, known[i].huge - 1), 254u);
		zs_destroy_pool(pool);
	}
}

/* 1 .. 24 bytes and the header fit 32; each 16 bytes more are a step; 4096 and its header still fit. */
Test(zsmalloc_layout, lookup_adds_the_header)
{
	struct zs_pool *pool = create(&base, 8);

	cr_expect_eq(zs_lookup_class_index(pool, 1), 0u);
	cr_expect_eq(zs_lookup_class_index(pool, 24), 0u);
	cr_expect_eq(zs_lookup_class_index(pool, 25), 1u);
	cr_expect_eq(zs_lookup_class_index(pool, 40), 1u);
	cr_expect_eq(zs_lookup_class_index(pool, 41), 2u);
	cr_expect_eq(zs_lookup_class_index(pool, 4096), 254u);
	zs_destroy_pool(pool);
}

/* ---- return values -------------------------------------------------------- */

Test(zsmalloc_layout, wrong_sizes_are_errors_and_wrong_handles_ignored)
{
	struct zs_pool *pool = create(&base, 8);

	cr_expect_eq((long)zs_malloc(pool, 0, GFP_TEST), -EINVAL);
	cr_expect_eq((long)zs_malloc(pool, 4097, GFP_TEST), -ENOSPC);
	zs_free(pool, 0);
	zs_free(pool, (unsigned long)-ENOMEM);
	zs_destroy_pool(pool);
}

/*
 * A malloc that needs a new zspage of n pages makes n + 2 allocations. Let
 * each fail in turn. Expect -ENOMEM, and all memory back as it was.
 */
Test(zsmalloc_layout, failed_malloc_leaves_nothing)
{
	struct zs_pool *pool = create(&base, 8);
	int pages = lookup_size_class(pool, 3600)->pages_per_zspage;
	unsigned long free_before = host_free_pages(), slab_before = host_slab_in_use();
	unsigned long handle;

	cr_assert_eq(pages, 8);
	for (int good = 0; good < pages + 2; good++) {
		host_fail_alloc(good);
		handle = zs_malloc(pool, 3600, GFP_TEST);
		host_fail_alloc(-1);
		cr_assert_eq((long)handle, -ENOMEM, "%d good allocations", good);
		cr_assert_eq(host_free_pages(), free_before);
		cr_assert_eq(host_slab_in_use(), slab_before);
		cr_assert_eq(host_gauge(GAUGE_ZSPAGE_PAGES), 0);
		zs_check_pool(pool);
	}
	host_fail_alloc(pages + 2);
	handle = zs_malloc(pool, 3600, GFP_TEST);
	host_fail_alloc(-1);
	cr_assert(!IS_ERR_VALUE(handle));
	zs_free(pool, handle);
	zs_destroy_pool(pool);
}

/* Each allocation of creating a pool may fail: NULL and nothing left, or a pool that works. */
Test(zsmalloc_layout, failed_creation_leaves_nothing)
{
	struct model_variant variant = base;
	unsigned long before = host_slab_in_use();
	struct zs_pool *pool = NULL;
	int good;

	variant.free = FREE_DEFER_BATCH;
	variant.defer_batch = 64;
	for (good = 0; !pool; good++) {
		host_fail_alloc(good);
		pool = zs_create_pool("test", &variant, 8);
		host_fail_alloc(-1);
		if (!pool)
			cr_assert_eq(host_slab_in_use(), before, "%d good allocations", good);
	}
	/* The last to fail was the batches' record: the pool frees at once instead. */
	cr_assert_gt(good, 119);
	cr_assert_null(pool->defer);
	zs_free(pool, must_malloc(pool, 100));
	cr_assert_eq(zs_get_total_pages(pool), 0ul);
	zs_destroy_pool(pool);
	cr_assert_eq(host_slab_in_use(), before);
}

/* ---- bytes ------------------------------------------------------------------ */

static unsigned long word_at(struct zspage *zspage, unsigned long offset)
{
	struct page *page = zspage->first_page;

	for (; offset >= PAGE_SIZE; offset -= PAGE_SIZE)
		page = get_next_page(page);
	return *(unsigned long *)((char *)page_address(page) + offset);
}

/*
 * Class 42: 704 bytes, 29 objects in 5 pages, 64 bytes of tail. One object
 * is taken from a fresh zspage:
 *
 *   |0: header|1: ->2|2: ->3| ... |28: ->29|tail: end|
 *
 * Expect objects in address order, the end of the list in the tail, and
 * object starts noted in each page.
 */
Test(zsmalloc_layout, fresh_zspage_is_threaded_in_address_order)
{
	struct zs_pool *pool = create(&base, 8);
	unsigned long handle = must_malloc(pool, 696);
	struct zspage *zspage = zspage_of(handle);
	struct page *page = zspage->first_page;

	cr_assert_eq(zspage->class, 42u);
	cr_assert_eq(word_at(zspage, 0), handle | 1);
	cr_assert_eq(zspage->freeobj, 1u);
	for (unsigned i = 1; i < 29; i++)
		cr_assert_eq(word_at(zspage, i * 704), (i + 1ul) << 1, "object %u", i);
	cr_assert_eq(word_at(zspage, 29 * 704), ~0ul << 1);
	/* Starts: 0; 6*704 - 4096; 12*704 - 8192; 18*704 - 12288; 24*704 - 16384. */
	for (unsigned i = 0; i < 5; i++, page = get_next_page(page))
		cr_assert_eq(get_first_obj_offset(page), i * (6 * 704 - 4096));
	cr_assert_null(page);
	zs_free(pool, handle);
	zs_destroy_pool(pool);
}

/*
 * The obj value names the page in which the object starts, its index, and its
 * class if the variant says so.
 */
Test(zsmalloc_layout, obj_value_encoding)
{
	for (int lookup = LOOKUP_POOL_LOCK; lookup <= LOOKUP_CLASS_IN_OBJ; lookup++) {
		struct model_variant variant = base;
		unsigned long handles[29];
		struct zs_pool *pool;
		struct page *page;

		variant.lookup = lookup;
		pool = create(&variant, 8);
		for (int i = 0; i < 29; i++)
			handles[i] = must_malloc(pool, 696);
		page = zspage_of(handles[0])->first_page;
		for (unsigned long i = 0; i < 29; i++) {
			unsigned long class_bits = lookup == LOOKUP_CLASS_IN_OBJ ? 42ul << 15 : 0;

			if (i && i * 704 / 4096 != (i - 1) * 704 / 4096)
				page = get_next_page(page);
			cr_assert_eq(*(unsigned long *)handles[i],
				     (unsigned long)(page - mem_map) << 24 | class_bits | i);
		}
		for (int i = 0; i < 29; i++)
			zs_free(pool, handles[i]);
		zs_destroy_pool(pool);
	}
}

/* The last freed is the first used again. */
Test(zsmalloc_layout, free_list_is_last_in_first_out)
{
	struct zs_pool *pool = create(&base, 8);
	unsigned long handles[10], places[10];

	for (int i = 0; i < 10; i++) {
		handles[i] = must_malloc(pool, 696);
		places[i] = *(unsigned long *)handles[i];
	}
	for (int i = 2; i < 8; i += 2)
		zs_free(pool, handles[i]);
	for (int i = 6; i >= 2; i -= 2) {
		handles[i] = must_malloc(pool, 696);
		cr_assert_eq(*(unsigned long *)handles[i], places[i]);
	}
	for (int i = 0; i < 10; i++)
		zs_free(pool, handles[i]);
	zs_destroy_pool(pool);
}

/* An incompressible page keeps all its bytes; who owns it is in the descriptor. */
Test(zsmalloc_layout, huge_object_has_no_header)
{
	struct zs_pool *pool = create(&base, 8);
	unsigned long handle = must_malloc(pool, 4096);
	struct page *page = obj_to_page(*(unsigned long *)handle);
	char bytes[4096], local[4096];
	char *seen;

	memset(bytes, 0xee, sizeof(bytes));
	zs_obj_write(pool, handle, bytes, sizeof(bytes));
	seen = zs_obj_read_begin(pool, handle, 4096, local);
	cr_assert_eq(seen, page_address(page));
	cr_assert_eq(memcmp(seen, bytes, 4096), 0);
	zs_obj_read_end(pool, handle, 4096, seen);
	cr_assert_eq(page->index, handle | 1);
	zs_check_pool(pool);
	zs_free(pool, handle);
	cr_assert_eq(zs_get_total_pages(pool), 0ul);
	zs_destroy_pool(pool);
}

/*
 * Object 5 of class 42 starts at 3520 and has 576 of its 704 bytes in the
 * first page. A payload of up to 568 bytes behind the header is read in place,
 * one byte more is copied.
 */
Test(zsmalloc_layout, spanning_depends_on_the_length_read)
{
	struct zs_pool *pool = create(&base, 8);
	unsigned long handles[6];
	char bytes[696], local[4096];
	char *seen;

	for (int i = 0; i < 6; i++)
		handles[i] = must_malloc(pool, 696);
	for (int i = 0; i < 696; i++)
		bytes[i] = i;
	zs_obj_write(pool, handles[5], bytes, 696);
	seen = zs_obj_read_begin(pool, handles[5], 568, local);
	cr_assert_eq(seen, (char *)page_address(obj_to_page(*(unsigned long *)handles[5])) + 3528);
	zs_obj_read_end(pool, handles[5], 568, seen);
	seen = zs_obj_read_begin(pool, handles[5], 569, local);
	cr_assert_eq(seen, local + 8);
	cr_assert_eq(memcmp(seen, bytes, 569), 0);
	zs_obj_read_end(pool, handles[5], 569, seen);
	for (int i = 0; i < 6; i++)
		zs_free(pool, handles[i]);
	zs_destroy_pool(pool);
}

/* ---- fullness ------------------------------------------------------------ */

/* Group 0 empty, 11 full, else tenths of the percentage rounded down, plus one. */
static int expected_group(unsigned inuse, unsigned objs)
{
	if (inuse == 0 || inuse == objs)
		return inuse ? 11 : 0;
	return (int)(inuse * 100 / objs) / 10 + 1;
}

/*
 * Fill a zspage of class 6 (32 objects) and of class 168 (3 objects) and
 * empty it again. Expect the group right at each step, and min(n, 11) changes
 * of group on the way down.
 */
Test(zsmalloc_layout, groups_follow_use)
{
	static const struct { size_t size; unsigned objs; } known[] = { { 120, 32 }, { 2712, 3 } };

	for (int k = 0; k < 2; k++) {
		struct zs_pool *pool = create(&base, 8);
		unsigned objs = known[k].objs, changes = 0;
		unsigned long handles[32] = { 0 };
		int last = 11;

		for (unsigned i = 0; i < objs; i++) {
			handles[i] = must_malloc(pool, known[k].size);
			cr_assert_eq((int)zspage_of(handles[0])->fullness, expected_group(i + 1, objs));
		}
		for (unsigned i = objs; i-- > 1; ) {
			zs_free(pool, handles[i]);
			cr_assert_eq((int)zspage_of(handles[0])->fullness, expected_group(i, objs));
			changes += last != expected_group(i, objs);
			last = expected_group(i, objs);
		}
		zs_free(pool, handles[0]);
		cr_assert_eq(changes + 1, objs < 11 ? objs : 11);
		cr_assert_eq(zs_get_total_pages(pool), 0ul);
		zs_destroy_pool(pool);
	}
}

/* Of two zspages of class 168 with room, 2/3 and 1/3 full, the fuller one gets the next object. */
Test(zsmalloc_layout, fullest_zspage_is_filled_first)
{
	struct zs_pool *pool = create(&base, 8);
	unsigned long handles[7];

	for (int i = 0; i < 6; i++)
		handles[i] = must_malloc(pool, 2712);
	zs_free(pool, handles[2]);
	zs_free(pool, handles[3]);
	zs_free(pool, handles[4]);
	handles[6] = must_malloc(pool, 2712);
	cr_assert_eq(zspage_of(handles[6]), zspage_of(handles[0]));
	cr_assert_neq(zspage_of(handles[6]), zspage_of(handles[5]));
	zs_free(pool, handles[0]);
	zs_free(pool, handles[1]);
	zs_free(pool, handles[5]);
	zs_free(pool, handles[6]);
	zs_destroy_pool(pool);
}

/* ---- pages locked by others ------------------------------------------------- */

/*
 * Somebody holds the lock of the second page of a zspage whose last object
 * goes. Expect it on list 0 with its pages still counted; the next malloc uses
 * it again; emptied once more, the worker frees it when the page is unlocked.
 */
Test(zsmalloc_layout, empty_zspage_with_a_locked_page_waits)
{
	for (int where = 0; where <= PAGE_RELEASE_OUTSIDE_CLASS_LOCK; where++) {
		struct model_variant variant = base;
		unsigned long handle, other, free_before;
		struct zs_pool *pool;
		struct zspage *zspage;
		struct page *second;

		variant.page_release = where;
		pool = create(&variant, 8);
		free_before = host_free_pages();
		handle = must_malloc(pool, 2712);
		zspage = zspage_of(handle);
		second = get_next_page(zspage->first_page);
		cr_assert(trylock_page(second));
		zs_free(pool, handle);
		cr_assert_eq(pool->size_class[168]->stats[ZS_INUSE_RATIO_0], 1ul);
		cr_assert_eq(zs_get_total_pages(pool), 2ul);
		cr_assert(!PageLocked(zspage->first_page));

		other = must_malloc(pool, 2712);
		cr_assert_eq(zspage_of(other), zspage);
		zs_free(pool, other);
		cr_assert_eq(host_run_work(), 1u);
		cr_assert_eq(zs_get_total_pages(pool), 0ul);
		cr_assert_eq(host_free_pages(), free_before);
		zs_check_pool(pool);
		zs_destroy_pool(pool);
	}
}

/* ---- moving objects --------------------------------------------------------- */

/*
 * Four zspages of class 168 hold one object of three each.
 *
 *   |x..|x..|x..|x..|  ->  |xxx|x..|
 *
 * (12 - 4) / 3 = 2 zspages of 2 pages are too many. Expect the shrinker to
 * count 4 pages and compaction to free them, with the bytes intact.
 */
Test(zsmalloc_layout, compaction_packs_and_keeps_bytes)
{
	struct zs_pool *pool = create(&base, 8);
	unsigned long handles[12];
	char bytes[2712], local[4096];
	char *seen;

	for (int i = 0; i < 12; i++) {
		handles[i] = must_malloc(pool, 2712);
		memset(bytes, i, sizeof(bytes));
		zs_obj_write(pool, handles[i], bytes, sizeof(bytes));
	}
	for (int i = 0; i < 12; i++) {
		if (i % 3)
			zs_free(pool, handles[i]);
	}
	cr_assert_eq(zs_get_total_pages(pool), 8ul);
	cr_assert_eq(zs_shrinker_count(pool), 4ul);
	cr_assert_eq(zs_shrinker_scan(pool, 1), 4ul);
	cr_assert_eq(zs_pages_compacted(pool), 4ul);
	cr_assert_eq(zs_get_total_pages(pool), 4ul);
	cr_assert_eq(zs_shrinker_scan(pool, 1), SHRINK_STOP);
	zs_check_pool(pool);
	for (int i = 0; i < 12; i += 3) {
		seen = zs_obj_read_begin(pool, handles[i], 2712, local);
		memset(bytes, i, sizeof(bytes));
		cr_assert_eq(memcmp(seen, bytes, sizeof(bytes)), 0);
		zs_obj_read_end(pool, handles[i], 2712, seen);
		zs_free(pool, handles[i]);
	}
	zs_destroy_pool(pool);
}

/*
 * Two zspages of class 30 (8 objects) keep their first three. The one that
 * changed last heads its list, so it is the destination; its free list starts
 * with what was freed last: 7, 6, 5.
 *
 *   A |012.....|  B |012.....|  ->  B |012..ccc|
 *
 * Expect A's objects in ascending order in B's places 7, 6, 5.
 */
Test(zsmalloc_layout, compaction_moves_in_order_to_the_free_list)
{
	struct zs_pool *pool = create(&base, 8);
	unsigned long a[8], b[8];
	struct page *dst;

	for (int i = 0; i < 8; i++)
		a[i] = must_malloc(pool, 504);
	for (int i = 0; i < 8; i++)
		b[i] = must_malloc(pool, 504);
	for (int i = 3; i < 8; i++)
		zs_free(pool, a[i]);
	for (int i = 3; i < 8; i++)
		zs_free(pool, b[i]);
	dst = obj_to_page(*(unsigned long *)b[0]);
	cr_assert_eq(zs_compact(pool), 1ul);
	for (unsigned i = 0; i < 3; i++) {
		cr_assert_eq(obj_to_page(*(unsigned long *)a[i]), dst);
		cr_assert_eq(obj_to_index(pool, *(unsigned long *)a[i]), 7 - i);
		zs_free(pool, a[i]);
		zs_free(pool, b[i]);
	}
	zs_destroy_pool(pool);
}

/* A reader of the sparsest zspage ends the compaction of its class; without the reader it goes on. */
Test(zsmalloc_layout, compaction_gives_way_to_readers)
{
	struct zs_pool *pool = create(&base, 8);
	unsigned long a[8], b[8];
	char local[4096];
	void *seen;

	for (int i = 0; i < 8; i++)
		a[i] = must_malloc(pool, 504);
	for (int i = 0; i < 8; i++)
		b[i] = must_malloc(pool, 504);
	for (int i = 1; i < 8; i++)
		zs_free(pool, a[i]);
	for (int i = 4; i < 8; i++)
		zs_free(pool, b[i]);
	seen = zs_obj_read_begin(pool, a[0], 504, local);
	cr_assert_eq(zs_compact(pool), 0ul);
	zs_obj_read_end(pool, a[0], 504, seen);
	cr_assert_eq(zs_compact(pool), 1ul);
	zs_check_pool(pool);
	zs_free(pool, a[0]);
	for (int i = 0; i < 4; i++)
		zs_free(pool, b[i]);
	zs_destroy_pool(pool);
}

/* A page whose zspage has a reader is not migrated; without the reader it is. */
Test(zsmalloc_layout, migration_gives_way_to_readers)
{
	struct zs_pool *pool = create(&base, 8);
	unsigned long handle = must_malloc(pool, 100);
	struct page *page = obj_to_page(*(unsigned long *)handle);
	struct page *newpage = alloc_page(GFP_KERNEL);
	char local[4096];
	void *seen = zs_obj_read_begin(pool, handle, 100, local);

	get_page(page);
	cr_assert(trylock_page(page) && trylock_page(newpage));
	cr_assert_eq(zs_page_migrate(newpage, page), -EAGAIN);
	zs_obj_read_end(pool, handle, 100, seen);
	cr_assert_eq(zs_page_migrate(newpage, page), 0);
	unlock_page(page);
	unlock_page(newpage);
	put_page(page);
	put_page(newpage);
	cr_assert_eq(obj_to_page(*(unsigned long *)handle), newpage);
	zs_check_pool(pool);
	zs_free(pool, handle);
	zs_destroy_pool(pool);
}

/* ---- deferred frees ----------------------------------------------------------- */

/*
 * 63 objects freed on CPU 0, none elsewhere: nothing comes back. One freed on
 * CPU 1 does not help, its batch is another. The 64th on CPU 0 fills the batch;
 * expect all of that batch back when the worker has run, and the one object of
 * CPU 1 when the pool goes.
 *
 *   CPU 0  ...............63 | 64 -> pending -> worker
 *   CPU 1                  1 |
 */
Test(zsmalloc_layout, deferred_until_the_batch_is_full)
{
	struct model_variant variant = deferred(64);
	struct zs_pool *pool = create(&variant, 8);
	unsigned long handles[65], free_before = host_free_pages();

	for (int i = 0; i < 65; i++)
		handles[i] = must_malloc(pool, 4096);
	for (int i = 0; i < 63; i++)
		zs_free(pool, handles[i]);
	cr_assert_eq(host_run_work(), 0u);
	cr_assert_eq(zs_get_total_pages(pool), 65ul);
	cr_assert_eq(zs_deferred_objects(pool), 63ul);
	cr_assert_eq(host_gauge(GAUGE_DEFERRED_OBJECTS), 63);
	/* Each is alone in its page, so each pins it. */
	cr_assert_eq(host_gauge(GAUGE_PINNED_PAGES), 63);

	host_set_cpu(1);
	zs_free(pool, handles[63]);
	cr_assert_eq(host_run_work(), 0u);
	host_set_cpu(0);
	zs_free(pool, handles[64]);
	zs_check_pool(pool);
	cr_assert_eq(zs_deferred_objects(pool), 65ul);
	cr_assert_eq(host_run_work(), 1u);
	cr_assert_eq(zs_deferred_objects(pool), 1ul);
	cr_assert_eq(zs_get_total_pages(pool), 1ul);
	cr_assert_eq(host_gauge(GAUGE_PINNED_PAGES), 1);
	zs_destroy_pool(pool);
	cr_assert_eq(host_gauge(GAUGE_DEFERRED_OBJECTS), 0);
	cr_assert_eq(host_gauge(GAUGE_PINNED_PAGES), 0);
	cr_assert_eq(host_free_pages(), free_before);
}

/* A zspage of three objects is pinned only once all three wait, and no more when one is allocated in it. */
Test(zsmalloc_layout, pinned_when_all_in_use_wait)
{
	struct model_variant variant = deferred(64);
	struct zs_pool *pool = create(&variant, 8);
	unsigned long handles[3];

	handles[0] = must_malloc(pool, 2712);
	handles[1] = must_malloc(pool, 2712);
	zs_free(pool, handles[0]);
	cr_assert_eq(host_gauge(GAUGE_PINNED_PAGES), 0);
	zs_free(pool, handles[1]);
	cr_assert_eq(host_gauge(GAUGE_PINNED_PAGES), 2);
	handles[2] = must_malloc(pool, 2712);
	cr_assert_eq(host_gauge(GAUGE_PINNED_PAGES), 0);
	zs_free(pool, handles[2]);
	cr_assert_eq(host_gauge(GAUGE_PINNED_PAGES), 2);
	zs_destroy_pool(pool);
}

/* No memory for a batch: the free is done at once. */
Test(zsmalloc_layout, deferring_without_memory_frees_at_once)
{
	struct model_variant variant = deferred(64);
	struct zs_pool *pool = create(&variant, 8);
	unsigned long handle = must_malloc(pool, 4096);

	host_fail_alloc(0);
	zs_free(pool, handle);
	host_fail_alloc(-1);
	cr_assert_eq(zs_get_total_pages(pool), 0ul);
	cr_assert_eq(zs_deferred_objects(pool), 0ul);
	zs_destroy_pool(pool);
}

/* The smallest and the largest batch: each free is handed to the worker at once / 4096 at a time. */
Test(zsmalloc_layout, batch_sizes_at_the_limits)
{
	static const unsigned batches[] = { 1, 4096 };

	for (int b = 0; b < 2; b++) {
		struct model_variant variant = deferred(batches[b]);
		struct zs_pool *pool = create(&variant, 8);
		static unsigned long handles[4096];

		for (unsigned i = 0; i < batches[b]; i++)
			handles[i] = must_malloc(pool, 24);
		for (unsigned i = 0; i < batches[b]; i++) {
			cr_assert_eq(host_run_work(), 0u);
			zs_free(pool, handles[i]);
		}
		cr_assert_eq(host_run_work(), 1u);
		cr_assert_eq(zs_get_total_pages(pool), 0ul);
		zs_destroy_pool(pool);
	}
}

/* ---- statistics text ------------------------------------------------------------ */

/*
 * Three objects of class 168 and one of class 254, freed down to one of the
 * three. Expect the kernel's columns: widths 5 5, eleven of 9, 13 10 10 16 8.
 */
Test(zsmalloc_layout, classes_text)
{
	static char text[65536];
	static const char header[] =
		" class  size       10%       20%       30%       40%       50%       60%       70%"
		"       80%       90%       99%      100% obj_allocated   obj_used pages_used "
		"pages_per_zspage freeable\n";
	static const char row[] =
		"\n   168  2720         0         0         0         1         0         0         0"
		"         0         0         0         0             3          1          2 "
		"               2        0\n";
	static const char total[] =
		"\n\n Total               0         0         0         1         0         0         0"
		"         0         0         0         1             4          2          3 "
		"                        0\n";
	struct zs_pool *pool = create(&base, 8);
	unsigned long small[3], huge = must_malloc(pool, 4096);
	size_t length;
	int lines = 0;

	for (int i = 0; i < 3; i++)
		small[i] = must_malloc(pool, 2712);
	zs_free(pool, small[1]);
	zs_free(pool, small[2]);
	length = zs_classes_show(pool, text, sizeof(text));
	cr_assert_eq(length, strlen(text));
	cr_assert_eq(strncmp(text, header, strlen(header)), 0, "%.300s", text);
		cr_assert_not_null(strstr(text, row));
	cr_assert_str_eq(text + length - strlen(total), total);
	for (const char *c = text; *c; c++)
		lines += *c == '\n';
	cr_assert_eq(lines, 1 + 119 + 2);
	/* A buffer that is too short gets what fits and never more. */
	memset(text, 'x', sizeof(text));
	cr_assert_leq(zs_classes_show(pool, text, 100), 99u);
	cr_assert_eq(text[100], 'x');
	zs_free(pool, small[0]);
	zs_free(pool, huge);
	zs_destroy_pool(pool);
}
