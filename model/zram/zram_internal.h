/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zram_internal.h - the device's structures, laid out as the kernel's: the
 * counters that everybody touches lie on two neighbouring lines, A
 * (compr_data_size) and B (the others).
 */
#ifndef ZRAM_ZRAM_INTERNAL_H
#define ZRAM_ZRAM_INTERNAL_H

#include "model/kernel/kernel.h"
#include "model/zram/observer.h"
#include "model/zram/zram.h"
#include "model/zsmalloc/zsmalloc.h"

#define BIT(n) (1u << (n))

/* Low bits of a slot's flags hold the size, 0 .. PAGE_SIZE. */
#define ZRAM_FLAG_SHIFT (PAGE_SHIFT + 1)

enum zram_flag {
	ZRAM_SAME = ZRAM_FLAG_SHIFT,	/* filled with one word, kept in handle */
	ZRAM_ENTRY_LOCK,
	ZRAM_WB,
	ZRAM_PP_SLOT,
	ZRAM_HUGE,			/* stored uncompressed */
	ZRAM_IDLE,
	ZRAM_INCOMPRESSIBLE,
	ZRAM_COMP_PRIORITY_BIT1,
	ZRAM_COMP_PRIORITY_BIT2,
};

struct zram_table_entry {
	unsigned long handle;
	u32 flags;
	u32 ac_time;
};
_Static_assert(sizeof(struct zram_table_entry) == 16, "four entries share a line");

struct zram_stats {
	atomic64_t compr_data_size;
	atomic64_t failed_reads;
	atomic64_t failed_writes;
	atomic64_t notify_free;
	atomic64_t same_pages;
	atomic64_t huge_pages;
	atomic64_t huge_pages_since;
	atomic64_t pages_stored;
	atomic_long_t max_used_pages;
	atomic64_t miss_free;
};

/* The hot counters of one CPU; sums over CPUs are what counts. */
struct zram_cpu_stats {
	s64 pages_stored;
	s64 compr_data_size;
	s64 same_pages;
	s64 huge_pages;
	s64 notify_free;
};

struct zram {
	struct zram_table_entry *table;	/* @0 */
	struct zs_pool *mem_pool;	/* @8 */
	void *comps[4];			/* @16 */
	void *disk;			/* @48 */
	u64 init_lock[5];		/* @56: a rwsem, taken for writing at reset only */
	u64 claim;			/* @96 */
	u64 limit_pages;		/* @104 */
	struct zram_stats stats;	/* @112 */
	u64 disksize;
	/* what the kernel does not have, behind its lines */
	struct zram_cpu_stats __percpu *cpu_stats ____cacheline_aligned;
	bool percpu;
	unsigned slot_class, work_compress, work_decompress;
	u32 nr_slots;
	size_t huge_class_size;
	struct zram_observer *observer;
	struct page_pool *page_pool;	/* page_pool.c; NULL: there is none */
	struct zram_backing *backing;	/* backing.c; NULL: no device behind */
	bool better;			/* a better algorithm is known, see postproc.h */
} ____cacheline_aligned;
_Static_assert(offsetof(struct zram, limit_pages) == 104, "line A");
_Static_assert(offsetof(struct zram, stats.compr_data_size) == 112, "line A");
_Static_assert(offsetof(struct zram, stats.notify_free) == 136, "line B");
_Static_assert(offsetof(struct zram, stats.pages_stored) == 168, "line B");
_Static_assert(offsetof(struct zram, stats.miss_free) == 184, "line B");

/* Changes that one operation makes to the hot counters. */
struct zram_delta {
	int pages_stored, same_pages, huge_pages, compr_data_size;
};

/* Shared: one atomic for each counter that changes. Per CPU: one section without preemption for all. */
static __always_inline void zram_stats_add(struct zram *zram, struct zram_delta d)
{
	if (zram->percpu) {
		struct zram_cpu_stats *s = get_cpu_ptr(zram->cpu_stats);

		s->pages_stored += d.pages_stored;
		s->compr_data_size += d.compr_data_size;
		if (d.same_pages)
			s->same_pages += d.same_pages;
		if (d.huge_pages)
			s->huge_pages += d.huge_pages;
		put_cpu_ptr(zram->cpu_stats);
		return;
	}
	if (d.huge_pages)
		atomic64_add(d.huge_pages, &zram->stats.huge_pages);
	if (d.same_pages)
		atomic64_add(d.same_pages, &zram->stats.same_pages);
	if (d.compr_data_size)
		atomic64_add(d.compr_data_size, &zram->stats.compr_data_size);
	atomic64_add(d.pages_stored, &zram->stats.pages_stored);
}

static __always_inline void zram_stats_notify_free(struct zram *zram)
{
	if (zram->percpu) {
		get_cpu_ptr(zram->cpu_stats)->notify_free++;
		put_cpu_ptr(zram->cpu_stats);
	} else {
		atomic64_inc(&zram->stats.notify_free);
	}
}

/* After an allocation: the most pages that the pool ever had. */
void zram_raise_max_used(struct zram *zram);
/* Fetch the page of slot @index, which is locked and holds an object. */
void zram_read_object(struct zram *zram, u32 index, void *page);

s64 zram_stats_read(struct zram *zram, const atomic64_t *shared, size_t percpu_offset);
#define zram_stat(zram, name) \
	zram_stats_read(zram, &(zram)->stats.name, offsetof(struct zram_cpu_stats, name))

#endif
