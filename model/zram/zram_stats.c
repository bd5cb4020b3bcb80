/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zram_stats.c - the two ways to count, and the files that show the sums. */
#include "model/zram/zram_internal.h"

/* Shared: one atomic for each counter that changes. Per CPU: one section without preemption for all. */
void zram_stats_add(struct zram *zram, const struct zram_delta *d)
{
	if (zram->percpu) {
		struct zram_cpu_stats *s = get_cpu_ptr(zram->cpu_stats);

		s->pages_stored += d->pages_stored;
		s->compr_data_size += d->compr_data_size;
		s->same_pages += d->same_pages;
		s->huge_pages += d->huge_pages;
		put_cpu_ptr(zram->cpu_stats);
		return;
	}
	if (d->huge_pages)
		atomic64_add(d->huge_pages, &zram->stats.huge_pages);
	if (d->same_pages)
		atomic64_add(d->same_pages, &zram->stats.same_pages);
	if (d->compr_data_size)
		atomic64_add(d->compr_data_size, &zram->stats.compr_data_size);
	if (d->pages_stored)
		atomic64_add(d->pages_stored, &zram->stats.pages_stored);
}

void zram_stats_notify_free(struct zram *zram)
{
	if (zram->percpu) {
		get_cpu_ptr(zram->cpu_stats)->notify_free++;
		put_cpu_ptr(zram->cpu_stats);
	} else {
		atomic64_inc(&zram->stats.notify_free);
	}
}

/* A sum taken while others count can be off for a moment; it is never shown negative. */
s64 zram_stats_read(struct zram *zram, const atomic64_t *shared, size_t percpu_offset)
{
	s64 sum = 0;
	int cpu;

	if (!zram->percpu)
		return atomic64_read(shared);
	for_each_possible_cpu(cpu)
		sum += *(s64 *)((char *)per_cpu_ptr(zram->cpu_stats, cpu) + percpu_offset);
	return max(sum, (s64)0);
}

size_t zram_mm_stat(struct zram *zram, char *buf, size_t bytes)
{
	return scnprintf(buf, bytes, "%8llu %8llu %8llu %8lu %8ld %8llu %8lu %8llu %8llu\n",
			 (unsigned long long)zram_stat(zram, pages_stored) << PAGE_SHIFT,
			 (unsigned long long)zram_stat(zram, compr_data_size),
			 (unsigned long long)zs_get_total_pages(zram->mem_pool) << PAGE_SHIFT,
			 (unsigned long)(zram->limit_pages << PAGE_SHIFT),
			 (long)(atomic_long_read(&zram->stats.max_used_pages) << PAGE_SHIFT),
			 (unsigned long long)zram_stat(zram, same_pages), zs_pages_compacted(zram->mem_pool),
			 (unsigned long long)zram_stat(zram, huge_pages),
			 (unsigned long long)atomic64_read(&zram->stats.huge_pages_since));
}

size_t zram_io_stat(struct zram *zram, char *buf, size_t bytes)
{
	return scnprintf(buf, bytes, "%8llu %8llu 0 %8llu\n",
			 (unsigned long long)atomic64_read(&zram->stats.failed_reads),
			 (unsigned long long)atomic64_read(&zram->stats.failed_writes),
			 (unsigned long long)zram_stat(zram, notify_free));
}
