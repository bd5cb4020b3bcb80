/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is done to stored pages later: idle marks, writeback, compressing anew.
 * On the host. Whatever is done, every page reads as it was written.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "model/zram/postproc.h"
#include "tests/zram_host.h"

#undef memcpy

TestSuite(zram_later, .init = boot, .timeout = 60);

#define SLOTS	64u
#define BLOCKS	64u

/* ---- the device behind ------------------------------------------------------------ */

static u64 disk[BLOCKS + 1][PAGE_SIZE / 8];
static u32 order[BLOCKS];		/* pages as they were written, by the tag in their last word */
static unsigned nr_written, nr_read;
static struct zram *zram;
static void (*meanwhile)(void);		/* what somebody does while a page is on its way */

static void disk_write(void *device, u32 block, const void *page)
{
	cr_assert_eq(device, (void *)disk);
	cr_assert(block >= 1 && block <= BLOCKS);
	cr_assert_eq(host_locks_held(), 0, "writing sleeps");
	memcpy(disk[block], page, PAGE_SIZE);
	if (nr_written < BLOCKS)
		order[nr_written] = (u32)disk[block][PAGE_SIZE / 8 - 1];
	nr_written++;
	if (meanwhile)
		meanwhile();
}

static void disk_read(void *device, u32 block, void *page)
{
	cr_assert_eq(device, (void *)disk);
	nr_read++;
	memcpy(page, disk[block], PAGE_SIZE);
}

static const struct zram_backing_ops disk_ops = { .write = disk_write, .read = disk_read };

/* Slots 0 .. 19: of one word, of one word, noise, noise and zeros, then the program's; the slot's number in the last word. */
static u64 pages[20][PAGE_SIZE / 8];

static void begin(u32 blocks)
{
	zram = create_device(ZRAM_STATS_SHARED_ATOMIC, SLOTS);
	if (blocks)
		cr_assert_eq(zram_set_backing(zram, blocks, &disk_ops, disk), 0);
	for (u32 i = 0; i < 20; i++) {
		make_page(i, pages[i]);
		if (i > 1)
			pages[i][PAGE_SIZE / 8 - 1] = i;
		must_write(zram, i, pages[i]);
	}
}

static void all_read_as_written(void)
{
	for (u32 i = 0; i < 20; i++)
		must_read(zram, i, pages[i]);
	zram_check_contents(zram);
}

static void end(void)
{
	zram_destroy(zram);
	cr_expect_eq(host_slab_in_use(), 0ul);
	cr_expect_eq(zone_page_state(NR_ZSPAGES), 0);
	cr_expect_eq(host_locks_held(), 0);
	cr_expect_eq(host_mute_depth(), 0);
}

struct bd {
	unsigned long long count, reads, writes;
};

static struct bd bd(void)
{
	char line[64];
	struct bd b;

	zram_bd_stat(zram, line, sizeof(line));
	cr_assert_eq(sscanf(line, "%llu %llu %llu", &b.count, &b.reads, &b.writes), 3, "%s", line);
	return b;
}

/* The letters of slot @index, "" if it holds nothing. */
static const char *state_of(u32 index)
{
	static char letters[8];
	char text[4096];
	u32 from = 0;
	unsigned long slot;
	const char *p = text;
	int used;

	zram_block_state(zram, &from, text, sizeof(text));
	cr_assert_eq(from, SLOTS);
	while (sscanf(p, "%lu %*u.%*u %6s\n%n", &slot, letters, &used) == 2) {
		if (slot == index)
			return letters;
		p += used;
	}
	return "";
}

/* ---- writeback ---------------------------------------------------------------------- */

/* Noise is stored as it is: that page alone goes, its object and bytes with it, and it is still a stored page. */
Test(zram_later, huge_pages_go_back)
{
	struct counts before, after;

	begin(BLOCKS);
	before = read_mm_stat(zram);
	cr_expect_str_eq(state_of(2), "..h...");
	cr_expect_eq(zram_writeback(zram, ZRAM_PP_HUGE), 1);
	after = read_mm_stat(zram);
	cr_expect_eq(after.orig, before.orig);
	cr_expect_eq(after.compr, before.compr - PAGE_SIZE);
	cr_expect_eq(after.huge, 0);
	cr_expect_eq(after.huge_since, before.huge_since);
	cr_expect_str_eq(state_of(2), ".wh...");
	cr_expect_eq(bd().count, 1);
	cr_expect_eq(bd().writes, 1);
	cr_expect_eq(nr_read, 0);
	all_read_as_written();
	cr_expect_eq(bd().reads, 1);
	cr_expect_eq(zram_writeback(zram, ZRAM_PP_HUGE), 0, "once is enough");
	zram_slot_free_notify(zram, 2);
	cr_expect_eq(bd().count, 0);
	cr_expect_str_eq(state_of(2), "");
	zram_check_contents(zram);
	end();
}

/* What was not used since it was marked goes, the largest page first; used ones and those of one word stay. */
Test(zram_later, idle_pages_go_back_largest_first)
{
	u32 last = ~0u;

	begin(BLOCKS);
	zram_mark_idle(zram);
	cr_expect_str_eq(state_of(0), "s.....");
	cr_expect_str_eq(state_of(7), "...i..");
	must_read(zram, 7, pages[7]);
	must_write(zram, 8, pages[8]);
	cr_expect_str_eq(state_of(7), "......");
	cr_expect_str_eq(state_of(8), "......");
	cr_expect_eq(zram_writeback(zram, ZRAM_PP_IDLE), 16);
	cr_expect_eq(nr_written, 16u);
	for (unsigned i = 0; i < 16; i++) {
		u32 bytes = order[i] == 2 ? PAGE_SIZE : (u32)stored_bytes(pages[order[i]]);

		cr_expect_neq(order[i], 7u);
		cr_expect_neq(order[i], 8u);
		cr_expect_leq(bytes / 64, last, "page %u of %u bytes after one of %u", order[i], bytes, last * 64);
		last = bytes / 64;
	}
	all_read_as_written();
	cr_expect_eq(bd().count, 16);
	must_write(zram, 9, pages[10]);
	cr_expect_eq(bd().count, 15, "a slot written again gives its block back");
	must_read(zram, 9, pages[10]);
	end();
}

static void read_chosen(void)
{
	must_read(zram, 2, pages[2]);
}

static void free_chosen(void)
{
	zram_slot_free_notify(zram, 2);
}

static void rewrite_chosen(void)
{
	must_write(zram, 2, pages[5]);
}

/* Who uses a page while it is on its way to the device keeps it, and the block is free again. */
Test(zram_later, pages_used_meanwhile_stay)
{
	void (*const uses[])(void) = { read_chosen, free_chosen, rewrite_chosen };

	for (unsigned i = 0; i < 3; i++) {
		begin(BLOCKS);
		meanwhile = uses[i];
		cr_expect_eq(zram_writeback(zram, ZRAM_PP_HUGE), 0);
		meanwhile = NULL;
		cr_expect_eq(bd().count, 0);
		cr_expect_eq(bd().writes, 1);
		cr_expect_str_eq(state_of(2), i == 0 ? "..h..." : i == 1 ? "" : "......");
		if (i == 0)
			all_read_as_written();
		else if (i == 2)
			must_read(zram, 2, pages[5]);
		zram_check_contents(zram);
		end();
	}
}

/* A full device: those that fitted are there, the others as they were, to be chosen again. */
Test(zram_later, a_full_device_ends_it)
{
	begin(5);
	zram_mark_idle(zram);
	cr_expect_eq(zram_writeback(zram, ZRAM_PP_IDLE), 5);
	cr_expect_eq(bd().count, 5);
	cr_expect_eq(zram_writeback(zram, ZRAM_PP_IDLE | ZRAM_PP_HUGE), 0);
	all_read_as_written();
	for (u32 i = 0; i < 20; i++)
		zram_slot_free_notify(zram, i);
	cr_expect_eq(bd().count, 0);
	end();
}

Test(zram_later, devices_that_are_not_there)
{
	begin(0);
	cr_expect_eq(zram_writeback(zram, ZRAM_PP_HUGE), -ENODEV);
	cr_expect_eq(bd().count + bd().reads + bd().writes, 0);
	cr_assert_eq(zram_set_backing(zram, BLOCKS, &disk_ops, disk), 0);
	cr_expect_eq(zram_set_backing(zram, BLOCKS, &disk_ops, disk), -EBUSY);
	cr_expect_eq(zram_writeback(zram, ZRAM_PP_HUGE), 1);
	end();
}

/* Blocks that nobody gave back. */
Test(zram_later, a_block_in_use_at_the_end_is_a_fault)
{
	begin(BLOCKS);
	cr_assert_eq(zram_writeback(zram, ZRAM_PP_HUGE), 1);
	zram->table[2].flags = 0;
	zram->table[2].handle = 0;
	cr_assert(host_expect_fault(zram_destroy(zram)));
	cr_assert_not_null(strstr(host_fault_text, "1 blocks of the device behind zram are still in use"), "%s", host_fault_text);
}

/* Each allocation fails in turn: nothing is done, nothing lost, nothing stays chosen. */
Test(zram_later, without_memory)
{
	long done = -ENOMEM;

	zram = create_device(ZRAM_STATS_SHARED_ATOMIC, SLOTS);
	host_fail_alloc(0);
	cr_expect_eq(zram_set_backing(zram, BLOCKS, &disk_ops, disk), -ENOMEM);
	host_fail_alloc(1);
	cr_expect_eq(zram_set_backing(zram, BLOCKS, &disk_ops, disk), -ENOMEM);
	host_fail_alloc(-1);
	end();
	begin(BLOCKS);
	for (long after = 0; done == -ENOMEM; after++) {
		cr_assert_leq(after, 10);
		host_fail_alloc(after);
		done = zram_writeback(zram, ZRAM_PP_HUGE);
		host_fail_alloc(-1);
		cr_expect_str_eq(state_of(2), done < 0 ? "..h..." : ".wh...");
	}
	cr_expect_eq(done, 1);
	all_read_as_written();
	end();
}

/* ---- compressing anew ------------------------------------------------------------------ */

#define BETTER_SAME	1u		/* page whose better form is in the same size class */

/* The contents' pages again, in forms of 1, 699, 1500, 2000 and PAGE_SIZE bytes. */
static const struct model_contents *better_than(const struct model_contents *c)
{
	static u8 data[CONTENTS_PAGES][PAGE_SIZE];
	static const u8 *at[CONTENTS_PAGES];
	static const u32 len[CONTENTS_PAGES] = { 1, 699, 1500, 2000, PAGE_SIZE };
	static struct model_contents better;

	for (u32 i = 0; i < CONTENTS_PAGES; i++) {
		for (u32 b = 0; b < PAGE_SIZE; b++)
			data[i][b] = (u8)rng();
		at[i] = data[i];
	}
	better = (struct model_contents){ .nr = c->nr, .pages = c->pages, .len = len, .data = at };
	return &better;
}

static const struct model_contents *contents;

static void must_be_contents(u32 i)
{
	must_read(zram, i, (const u64 *)(contents->pages + i * PAGE_SIZE));
}

static void begin_contents(void)
{
	zram = create_device(ZRAM_STATS_SHARED_ATOMIC, SLOTS);
	contents = some_contents();
	zram_use_contents(zram, contents);
	zram_use_better(zram, better_than(contents));
	for (u32 i = 0; i < CONTENTS_PAGES; i++)
		must_write(zram, i, (const u64 *)(contents->pages + i * PAGE_SIZE));
}

/*
 * Pages of 3000 bytes, and of 4000 and 4096 stored whole: the first two become 1500 and 2000, the third
 * does not, nor those that would stay in their size class. What was tried is not tried again.
 */
Test(zram_later, pages_become_smaller)
{
	begin_contents();
	cr_expect_eq(read_mm_stat(zram).compr, 1 + 700 + 3000 + PAGE_SIZE + PAGE_SIZE);
	cr_expect_eq(read_mm_stat(zram).huge, 2);
	cr_expect_eq(zram_recompress(zram, 0, 0), 2);
	cr_expect_eq(read_mm_stat(zram).compr, 1 + 700 + 1500 + 2000 + PAGE_SIZE);
	cr_expect_eq(read_mm_stat(zram).huge, 1);
	cr_expect_str_eq(state_of(0), ".....n");
	cr_expect_str_eq(state_of(BETTER_SAME), ".....n");
	cr_expect_str_eq(state_of(2), "....r.");
	cr_expect_str_eq(state_of(3), "....r.");
	cr_expect_str_eq(state_of(4), "..h..n");
	for (u32 i = 0; i < CONTENTS_PAGES; i++)
		must_be_contents(i);
	cr_expect_eq(zram_recompress(zram, 0, 0), 0);
	zram_check_contents(zram);
	must_write(zram, 2, (const u64 *)contents->pages);
	cr_expect_str_eq(state_of(2), "......", "marks do not outlive the content");
	end();
}

Test(zram_later, recompression_chooses)
{
	begin_contents();
	cr_expect_eq(zram_recompress(zram, ZRAM_PP_IDLE, 0), 0, "none is idle");
	cr_expect_eq(zram_recompress(zram, 0, PAGE_SIZE), 1, "of a page or more");
	cr_expect_str_eq(state_of(2), "......");
	zram_mark_idle(zram);
	must_be_contents(3);
	cr_expect_eq(zram_recompress(zram, ZRAM_PP_IDLE, 0), 1);
	cr_expect_str_eq(state_of(2), "....r.");
	for (u32 i = 0; i < CONTENTS_PAGES; i++)
		must_be_contents(i);
	end();
	begin(0);
	cr_expect_eq(zram_recompress(zram, 0, 0), -EINVAL, "no better algorithm is known");
	end();
}

/* Each allocation fails in turn: what was not done is as it was. */
Test(zram_later, recompression_without_memory)
{
	long total = 0, done;
	long after = 0;

	begin_contents();
	do {
		cr_assert_leq(after, 20);
		host_fail_alloc(after++);
		done = zram_recompress(zram, 0, 2048);
		host_fail_alloc(-1);
		total += done > 0 ? done : 0;
		for (u32 i = 0; i < CONTENTS_PAGES; i++)
			must_be_contents(i);
		zram_check_contents(zram);
	} while (total < 2);
	cr_expect_geq(after, 3, "a list, a page, an object");
	end();
}

/* ---- block_state --------------------------------------------------------------------- */

Test(zram_later, the_text_of_block_state)
{
	char text[256];
	u32 from = 0;

	begin(BLOCKS);
	zram_block_state(zram, &from, text, 80);
	cr_expect_str_eq(text, "           0            0.000000 s.....\n");
	cr_expect_eq(from, 1u);
	zram_block_state(zram, &from, text, 82);
	cr_expect_str_eq(text, "           1            0.000000 s.....\n           2            0.000000 ..h...\n");
	cr_expect_eq(from, 3u);
	end();
}
