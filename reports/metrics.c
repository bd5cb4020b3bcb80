/* SPDX-License-Identifier: GPL-3.0-or-later */
/* metrics.c - see metrics.h. */
#include "reports/metrics.h"

#include "model/model.h"

const struct metric_info metric_infos[] = {
	{ "munmap_ms", "ms", "p0, p1, ..., mean, max", "from the start of a process's unmapping to its return" },
	{ "release_t50_ms", "ms", "value", "from the first unmapping to half of the pool's pages being back" },
	{ "release_t90_ms", "ms", "value", "the same for 90 % of them" },
	{ "release_t99_ms", "ms", "value", "the same for 99 % of them" },
	{ "free_complete_ms", "ms", "value", "the same for the last page to come back" },
	{ "cpu_ms", "ms", "by task", "CPU time of a task, waiting for locks included" },
	{ "lock_wait_ms", "ms", "by lock", "time that CPUs waited for a lock of this class" },
	{ "line_transfers", "transfers", "total", "times a cache line came from another CPU's cache" },
	{ "dram_reads", "lines", "total", "times a cache line came from memory" },
	{ "instructions", "instructions", "total", "instructions executed" },
	{ "branches", "branches", "total", "branches executed" },
	{ "copies", "copies", "total", "times the streaming instructions copied something" },
	{ "bytes_copied", "bytes", "total", "bytes that they copied" },
	{ "mapping_ms", "ms", "read, write, sum", "mapping test: the pass for reading, that for writing, both" },
	{ "compact_us", "us", "count, sum, mean, p50, p95, p99, max", "field pool: time of zs_compact() over the whole pool" },
	{ "compact_freed_pages", "pages", "sum", "field pool: pages that it gave back" },
	{ "free_us", "us", "count, sum, mean, p50, p95, p99, max", "field pool: time of freeing all its objects after that, until the last zs_free() returned" },
	{ "dump_pages", "pages", "value", "field pool: pages_used of the dump" },
	{ "dump_objects", "objects", "value", "field pool: obj_used of the dump" },
	{ "dump_freeable", "pages", "value", "field pool: what the dump says that compaction would give back" },
	{ "dump_repacked", "classes, objects", "classes, objects", "field pool: of another shape at this chain size, so stored anew" },
	{ "dump_left_out", "zspages", "value", "field pool: empty zspages of the dump, which are not taken over" },
	{ "callback", "us", "count, sum, mean, p50, p95, p99, max", "compaction: time of one call of the pool's shrinker to free pages" },
	{ "callback_freed", "pages", "the same", "compaction: what such a call freed" },
	{ "compactable_ratio", "ppm", "the same", "compaction: share of the pool's pages that the shrinker counts, before each such call" },
	{ "compaction_hold", "us", "the same", "times for which compaction held pool->lock for writing without a break" },
	{ "given_back", "pages", "sum", "compaction: what all calls freed" },
	{ "manual_freed", "pages", "sum", "compaction: what compaction by hand freed" },
	{ "object_read", "us", "the same as callback", "compaction: time of reading an object, waiting included" },
	{ "object_free", "us", "the same", "compaction: of freeing one" },
	{ "object_store", "us", "the same", "compaction: of allocating and writing one" },
	{ "mispredicts", "branches", "total", "branches that were mispredicted" },
	{ "zspage_pages_start", "pages", "value", "pages of the pool when the unmapping began" },
	{ "zspage_pages_end", "pages", "value", "pages of the pool when all was quiet again" },
	{ "deferred_objects_end", "objects", "value", "objects freed by their owner that still waited then" },
	{ "pinned_pages_end", "pages", "value", "pages held by waiting objects only then" },
	{ "page_faults", "faults", "total", "native runs: of the host, in the measured part" },
	{ "preemptions", "switches", "total", "native runs: times that the host took a CPU away in the measured part" },
	{ "mm_stat", "bytes or pages", "by figure", "the figures of the device's mm_stat after the page-out" },
};

const size_t nr_metric_infos = sizeof(metric_infos) / sizeof(*metric_infos);

/* Names and units are the model's own; a gauge without a meaning here does not compile. */
#define MEANING_FREE_PAGES "free pages in the buddy allocator"
#define MEANING_PCP_PAGES "free pages in the per-CPU lists"
#define MEANING_ZSPAGE_PAGES "pages of the pool"
#define MEANING_DEFERRED_OBJECTS "objects freed by their owner that still wait, in a batch or another way"
#define MEANING_PINNED_PAGES "pages held by waiting objects only"

const struct metric_info series_infos[] = {
#define GAUGE(id, name, unit) { name, unit, "series", MEANING_##id },
	MODEL_GAUGES(GAUGE)
#undef GAUGE
};

const size_t nr_series_infos = sizeof(series_infos) / sizeof(*series_infos);
