/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * model.h - what an experiment tells the software before it runs, and what
 * it may ask afterwards. Included by model/ and by its host; plain data.
 */
#ifndef ZSMSIM_MODEL_H
#define ZSMSIM_MODEL_H

#include <stddef.h>
#include <stdint.h>

/* Quantities kept by the observer: GAUGE(enum suffix, series name, unit) */
#define MODEL_GAUGES(GAUGE)						\
	GAUGE(FREE_PAGES, "free_pages", "pages")			\
	GAUGE(PCP_PAGES, "pcp_pages", "pages")				\
	GAUGE(ZSPAGE_PAGES, "zspage_pages", "pages")			\
	GAUGE(DEFERRED_OBJECTS, "deferred_objects", "objects")		\
	GAUGE(PINNED_PAGES, "pinned_pages", "pages")

enum model_gauge {
#define GAUGE(id, name, unit) GAUGE_##id,
	MODEL_GAUGES(GAUGE)
#undef GAUGE
	MODEL_NR_GAUGES
};

/* The axes of a variant: see data/variants.json and doc/model.md. */
enum axis_lookup { LOOKUP_POOL_LOCK, LOOKUP_CLASS_IN_OBJ };
enum axis_page_release { PAGE_RELEASE_UNDER_CLASS_LOCK, PAGE_RELEASE_OUTSIDE_CLASS_LOCK };
enum axis_free { FREE_SYNC, FREE_DEFER_BATCH, FREE_DEFER_PAGE_POOL, FREE_DEFER_GLOBAL_LIST, FREE_DEFER_MM_THREAD };
enum axis_zram_stats { ZRAM_STATS_SHARED_ATOMIC, ZRAM_STATS_PERCPU };
enum axis_mapping { MAPPING_DIRECT, MAPPING_PERCPU_COPY };
enum axis_shrinker { SHRINKER_FULL_POOL, SHRINKER_BUDGET_CURSOR, SHRINKER_RATIO_SKIP, SHRINKER_OFF };

/* Who uses the allocator, and what is done with it. */
enum model_user { USER_ZRAM, USER_ZSWAP };
enum model_workload { WORKLOAD_MUNMAP, WORKLOAD_MAPPING, WORKLOAD_FIELD_POOL, WORKLOAD_COMPACTION, WORKLOAD_STRESS };

struct model_variant {
	enum axis_lookup lookup;
	enum axis_page_release page_release;
	enum axis_free free;
	unsigned defer_batch;		/* handles in a batch, 1 .. 4096 */
	enum axis_zram_stats zram_stats;
	enum axis_mapping mapping;
	enum axis_shrinker shrinker;
	unsigned shrinker_ratio;	/* per cent: with ratio-skip, classes with less to gain are left alone */
};

/* Deliberate faults, so that each oracle can be seen to fire. */
enum model_break {
	BREAK_NOTHING,
	BREAK_DOUBLE_FREE,		/* free one handle twice */
	BREAK_USE_FREED_PAGE,		/* write into a page after it was freed */
	BREAK_USE_FREED_HANDLE,		/* read a handle slot after it was freed */
	BREAK_CONTENT,			/* change a byte of a stored object */
	BREAK_UNLOCK_OTHER,		/* release a lock that another CPU holds */
	BREAK_LOCK_ORDER,		/* take two locks in both orders */
	BREAK_LEAK,			/* lose one object */
	BREAK_LOSE_PAGE,		/* lose one page */
	BREAK_DEADLOCK,			/* take a spinlock twice */
};

/* A pool to begin with: zspages of one class that have the same number of objects in use. */
struct model_span {
	uint64_t zspages;
	unsigned inuse;			/* 1 .. objects of a zspage */
};

#define MODEL_SPANS_MAX 24

/* Without spans the objects are stored one after another, and their zspages are as they come. */
struct model_pool_class {
	unsigned request;		/* bytes to ask for */
	unsigned objs;			/* in a zspage */
	uint64_t objects;		/* in use */
	unsigned nr_spans;
	struct model_span spans[MODEL_SPANS_MAX];
};

struct model_pool {
	unsigned nr;
	/* what could not be taken over as it was: classes that this chain size has not, and their objects */
	uint64_t repacked_classes, repacked_objects;
	struct model_pool_class classes[];
};

/* Pages of a file, and what each becomes when it is compressed, which was tried before: by index. */
struct model_contents {
	uint64_t nr;
	const uint8_t *pages;
	const uint32_t *len;		/* bytes of data[i]; those of a page: it did not become smaller */
	const uint8_t *const *data;
};

/* One size of objects, of which there are as many as its running total is above that of the size before. */
struct model_size {
	unsigned bytes;
	uint64_t upto;
};

/* What the compaction workload does. */
struct model_compaction {
	unsigned pool_mb;		/* filled until the pool has this many MiB of pages */
	unsigned object_bytes;		/* mean size */
	const struct model_size *sizes;	/* which there are, ascending; NULL: a triangle from nothing to twice the mean */
	unsigned nr_sizes;
	unsigned ageing_rounds;		/* of each of which ... */
	unsigned ageing_percent;	/* ... so much of all objects is freed, then as many are stored */
	unsigned passes;		/* of reclaim */
	unsigned goal_pages;		/* what one pass wants */
	unsigned tasks;			/* that read, free and store meanwhile, on CPUs 1 .. tasks */
	unsigned burst;			/* mean of what a task reads and frees, then stores, in a pass */
	unsigned manual_every;		/* compaction by hand in each such pass; 0: in none */
};

struct model_config {
	unsigned nr_cpus;
	uint64_t memory_bytes;		/* simulated physical memory */
	unsigned chain_size;		/* most pages in a zspage, 4 .. 16 */
	struct model_variant variant;
	enum model_workload workload;
	enum model_user user;
	unsigned nr_procs;		/* process i is pinned to CPU i */
	uint64_t region_bytes;		/* unmapped by each process */
	uint64_t nr_objects;		/* of the mapping test */
	const struct model_pool *pool;	/* of field-pool; NULL: none */
	const struct model_contents *contents;	/* of processes' memory, again and again; NULL: the test program's pattern */
	struct model_compaction compaction;
	unsigned worker_cpus;		/* on so many CPUs, the last ones, unbound workers may run; 0: on all */
	uint64_t seed;
	enum model_break break_what;
};

/* What the software knows about itself when all is quiet. */
struct model_report {
	char mm_stat[128];		/* the line after the page-out */
	char mm_stat_end[128];		/* the line at the end */
	uint64_t objects_left;		/* still waiting in a batch */
};

/*
 * The entry points that the software's module exports as `zsmsim_model`.
 * All run on CPU 0 in functional mode, except start(), whose tasks the
 * machine then runs.
 */
struct model_ops {
	/* boot the kernel, create the device, fill and page out the regions */
	void (*prepare)(const struct model_config *config);
	/* first function of each CPU: never returns; idles when nothing runs */
	void (*cpu_main)(void *unused);
	/* after the last task finished: tear down, check that nothing leaked */
	void (*finish)(struct model_report *report);
	/* pages that exist in each place; a fault if they do not add up */
	void (*check_pages)(void);
	/* debugfs "classes" text of the device's pool; returns its length */
	size_t (*classes)(char *buf, size_t bytes);
};

#endif
