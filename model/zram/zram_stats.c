/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zram_stats.c - sums of the counters, and the files that show them. */
#include "model/zram/zram_internal.h"

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
