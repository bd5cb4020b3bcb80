/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zram_host.h - what tests of zram and of those who use it have in common: the
 * part of the kernel that tests/host_kernel/ lacks, pages to store, and the
 * device's statistics as numbers.
 */
#ifndef TESTS_ZRAM_HOST_H
#define TESTS_ZRAM_HOST_H

#include "tests/host_kernel/pool_fixture.h"
#include "model/zram/zram_internal.h"

#define KINDS	16u		/* different pages of the test program */

/* Units of each kind of work paid so far, by the id from hw_work_name(). */
extern unsigned long works_done[8];
/* "name index;" of each hw_mark(), in order. */
extern char marks[256];
/* Tasks woken; run_tasks() runs all that were created, each as the CPU it is pinned to. */
extern unsigned nr_woken;
void run_tasks(void);
/* Runs the task @name from its beginning, until it ends or sleeps; as CPU 0 if it is pinned to none. */
void run_task(const char *name);

u32 rng(void);
/* Page @index of the test program's region. */
void pattern_page(u64 index, u64 *page);
/* Of @what: 0 zeros, 1 one word, 2 noise, 3 noise and a tail of zeros, else the program's pattern. */
void make_page(unsigned what, u64 *page);
/* What zram stores a page that is not of one word in, at chain size 8. */
size_t stored_bytes(const u64 *page);

/* Pages of noise that are said to become what no compressor made of them. */
const struct model_contents *some_contents(void);
#define CONTENTS_PAGES 5u

struct zram *create_device(enum axis_zram_stats stats, unsigned pages);
void must_write(struct zram *zram, u32 index, const u64 *page);
void must_read(struct zram *zram, u32 index, const u64 *page);

/* Of mm_stat. */
struct counts {
	unsigned long long orig, compr, used, same, huge, huge_since;
};
struct counts read_mm_stat(struct zram *zram);
/* As @want, whose orig counts pages; `used` is not compared. */
void expect_counts(struct zram *zram, struct counts want);
/* notify_free of io_stat. */
unsigned long long notified(struct zram *zram);

#endif
