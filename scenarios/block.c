/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * block.c - from one block to its runs.
 *
 * A block is a cross product. Its dimensions, slowest first, are: hardware
 * (profile or cluster list), the fields in the order of their table, variant,
 * seed - so neighbours in the result table differ in
 * what people compare: the variant.
 */
#include "scenarios/loader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/breaks.h"
#include "scenarios/mem.h"
#include "sim/profile.h"

/* The hardware, the fields in the order of their table but the seed, the variant, the seed. */
enum { DIM_HARDWARE, DIM_FIELDS, DIM_VARIANT = DIM_FIELDS + NR_FIELDS, DIM_SEED, NR_DIMS };

static unsigned field_dim(enum field field)
{
	return field == FIELD_SEED ? DIM_SEED : DIM_FIELDS + field;
}

struct block {
	const cJSON *item, *top;	/* the block, and the level above (may be the same) */
	const cJSON *clusters;		/* NULL: profiles decide */
	const cJSON *profiles;
	const cJSON *break_item;
	enum model_workload kind;
	const struct field_pool *pool;	/* of a workload that begins with one */
	const struct distribution *sizes;	/* of its objects, or NULL */
	const struct contents *contents;	/* of its processes' memory, or NULL */
	struct choices fields[NR_FIELDS];
	struct variant_choices variants;
	const cJSON **variant_items;	/* where each of them stands */
	size_t nr[NR_DIMS], at[NR_DIMS];
};

static const cJSON *member(const cJSON *object, const char *section, const char *key)
{
	if (section)
		object = cJSON_GetObjectItemCaseSensitive(object, section);
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* The block's own value, else that of the top level, else NULL. */
static const cJSON *inherited(const struct block *b, const char *section, const char *key)
{
	const cJSON *own = member(b->item, section, key);

	return own ? own : member(b->top, section, key);
}

/* A --set that a block's own cluster list would silently override. */
static int hidden_set_check(struct loader *ld, const struct block *b)
{
	const cJSON *cpus = inherited(b, "machine", "cpus");
	const cJSON *profiles = inherited(b, NULL, "profiles");
	const cJSON *hidden = source_is_set(&ld->src, cpus) ? cpus : profiles;

	if (!source_is_set(&ld->src, hidden))
		return 0;
	return source_fault(&ld->src, hidden,
			    "has no effect on a block with machine.clusters; set those instead");
}

/*
 * Clusters or profiles: the block's own word counts, else the top level's.
 * A block that names profiles or a number of CPUs does not want the top
 * level's clusters.
 */
static int decide_hardware(struct loader *ld, struct block *b)
{
	b->clusters = member(b->item, "machine", "clusters");
	if (!b->clusters && !member(b->item, NULL, "profiles") && !member(b->item, "machine", "cpus"))
		b->clusters = member(b->top, "machine", "clusters");
	b->profiles = inherited(b, NULL, "profiles");
	if (b->clusters)
		return hidden_set_check(ld, b);
	if (b->profiles)
		return 0;
	return source_fault(&ld->src, b->item,
			    "no CPU is named; add \"profiles\": [...] or \"machine\": {\"clusters\": [...]}");
}

/* Which fields count depends on the kind, so that comes first. */
static void decide_kind(struct loader *ld, struct block *b)
{
	struct choices kind = number_choices(&ld->src, inherited(b, "workload", "kind"), &field_info[FIELD_KIND]);

	b->kind = kind.at[0].value;
	free(kind.at);
}

/* A pool beside a workload that has none would be silently without effect. */
static int decide_pool(struct loader *ld, struct block *b)
{
	const cJSON *classes = inherited(b, "pool", "classes"), *own = member(b->item, NULL, "pool");

	if (b->kind != WORKLOAD_FIELD_POOL)
		return own ? source_key_fault(&ld->src, own, "a pool, which only a workload of kind \"field-pool\" begins with; leave it out") : 0;
	if (!classes)
		return source_fault(&ld->src, b->item,
				    "no dump of a pool is named; add \"pool\": {\"classes\": \"FILE\"}");
	b->pool = field_pool_read(&ld->src, &ld->pools, classes, inherited(b, "pool", "mm_stat"));
	return b->pool ? 0 : 2;
}

/* A file with sizes, and then no mean beside it. */
static int decide_sizes(struct loader *ld, struct block *b)
{
	const cJSON *sizes = inherited(b, "workload", "sizes"), *mean = inherited(b, "workload", "object_bytes");

	if (!sizes || b->kind != WORKLOAD_COMPACTION)
		return 0;
	if (mean)
		return source_key_fault(&ld->src, mean, "a mean size beside \"sizes\"; leave one of the two out");
	b->sizes = distribution_read(&ld->src, &ld->distributions, sizes);
	return b->sizes ? 0 : 2;
}

/* The pattern of the test program is compressed with lzo-rle, so another algorithm needs a file. */
static int decide_contents(struct loader *ld, struct block *b)
{
	const cJSON *contents = inherited(b, "workload", "contents"), *algo = inherited(b, "workload", "algo");

	if (b->kind != WORKLOAD_MUNMAP)
		return 0;
	if (!contents)
		return algo ? source_key_fault(&ld->src, algo, "an algorithm without contents; add \"contents\": \"FILE\" or leave it out") : 0;
	b->contents = contents_read(&ld->src, &ld->contents, contents);
	return b->contents ? 0 : 2;
}

static void decide_fields(struct loader *ld, struct block *b)
{
	for (int i = 0; i < NR_FIELDS; i++) {
		const struct field_info *info = &field_info[i];
		const cJSON *item = inherited(b, info->section, info->key);

		if ((i == FIELD_CPUS && b->clusters) || (i == FIELD_SEED && ld->seed_given) ||
		    !field_of_kind(i, b->kind))
			item = NULL;
		b->fields[i] = number_choices(&ld->src, item, info);
		ld->shown[i] |= b->fields[i].shown;
	}
	if (ld->seed_given)
		b->fields[FIELD_SEED].at[0].value = ld->seed;
	ld->clusters_shown |= source_is_set(&ld->src, b->clusters);
}

/* The list of variants of one level, or the one that stands in its place, or NULL. */
static const cJSON *variants_at(const cJSON *level)
{
	const cJSON *list = member(level, NULL, "variants");

	return list ? list : member(level, NULL, "variant");
}

static void add_variant(struct loader *ld, struct block *b, const cJSON *item)
{
	size_t before = b->variants.nr;

	variant_expand(&ld->src, &ld->variants, item, &b->variants);
	for (size_t i = before; i < b->variants.nr; i++) {
		b->variant_items = scn_grow(b->variant_items, i, sizeof(*b->variant_items));
		b->variant_items[i] = item;
	}
}

static int decide_variants(struct loader *ld, struct block *b)
{
	const cJSON *own = variants_at(b->item), *list = own ? own : variants_at(b->top), *item;

	if (!list)
		return source_fault(&ld->src, b->item, "no variant is named; add \"variants\": [...]");
	if (!cJSON_IsArray(list)) {
		add_variant(ld, b, list);
		return 0;
	}
	cJSON_ArrayForEach(item, list)
		add_variant(ld, b, item);
	return 0;
}

/* Set up the odometer; refuse one that would run for ever. */
static int decide_size(struct loader *ld, struct block *b)
{
	size_t total = 1;

	b->nr[DIM_HARDWARE] = b->clusters ? 1 : cJSON_GetArraySize(b->profiles);
	b->nr[DIM_VARIANT] = b->variants.nr;
	b->nr[DIM_FIELDS + FIELD_SEED] = 1;
	for (int i = 0; i < NR_FIELDS; i++)
		b->nr[field_dim(i)] = b->fields[i].nr;
	for (int i = 0; i < NR_DIMS; i++) {
		/* Each factor is far below 2^31, so the product of two cannot wrap. */
		total *= b->nr[i];
		if (total + ld->nr_runs > RUNS_MAX)
			return source_fault(&ld->src, b->item,
					    "more runs than the %d that one scenario may have; sweep less", RUNS_MAX);
	}
	return 0;
}

static const struct choice *chosen(const struct block *b, enum field field)
{
	return &b->fields[field].at[b->at[field_dim(field)]];
}

static void add_cluster(struct planned_run *run, const char *profile, unsigned cpus)
{
	struct run_cluster *cluster = &run->spec.clusters[run->spec.nr_clusters++];
	char *text = scn_printf("%s%s%s:%u", run->clusters ? run->clusters : "",
				run->clusters ? "+" : "", profile, cpus);

	cluster->profile = scn_strdup(profile);
	cluster->cpus = cpus;
	free(run->clusters);
	run->clusters = text;
}

/* The CPUs of the run, and how many there are. */
static unsigned fill_hardware(const struct block *b, struct planned_run *run)
{
	const cJSON *cluster;
	unsigned cpus = 0;

	if (!b->clusters) {
		cpus = chosen(b, FIELD_CPUS)->value;
		add_cluster(run, cJSON_GetArrayItem(b->profiles, b->at[DIM_HARDWARE])->valuestring, cpus);
		return cpus;
	}
	cJSON_ArrayForEach(cluster, b->clusters) {
		unsigned nr = member(cluster, NULL, "cpus")->valuedouble;

		add_cluster(run, member(cluster, NULL, "profile")->valuestring, nr);
		cpus += nr;
	}
	return cpus;
}

/* After chain_size: a module brings its own. */
static void fill_software(const struct variant_choice *variant, struct run_spec *spec)
{
	spec->axes = variant->axes;
	if (!variant->kernel) {
		spec->variant_text = variant_text(variant->name, &variant->axes);
		return;
	}
	spec->kernel = variant->kernel->path;
	spec->kernel_info = &variant->kernel->info;
	spec->chain_size = variant->kernel->info.chain_size;
	spec->variant_text = kernel_variant_text(variant->name, variant->kernel, &variant->axes);
}

static void fill_run(struct loader *ld, const struct block *b, struct planned_run *run)
{
	const struct variant_choice *variant = &b->variants.at[b->at[DIM_VARIANT]];
	struct run_spec *spec = &run->spec;

	spec->scenario = scn_strdup(member(ld->src.root, NULL, "name")->valuestring);
	spec->variant = scn_strdup(variant->name);
	spec->profile = profile_short_name(spec->clusters[0].profile);
	for (int i = 0; i < NR_FIELDS; i++)
		run_set_field(spec, i, chosen(b, i)->value);
	spec->pool = b->pool;
	spec->sizes = b->sizes;
	spec->contents = b->contents;
	spec->break_what = break_value(b->break_item);
	fill_software(variant, spec);
	run->batch_shown = variant->batch_shown;
	run->variant_item = b->variant_items[b->at[DIM_VARIANT]];
}

/* The place to blame for @field: its value, or the block if that is a default. */
static const cJSON *blame(const struct block *b, enum field field)
{
	const cJSON *item = chosen(b, field)->item;

	return item ? item : b->item;
}

static int cpus_check(struct loader *ld, const struct block *b, const struct run_spec *spec,
		      unsigned cpus)
{
	if (cpus > field_info[FIELD_CPUS].most)
		return source_fault(&ld->src, b->clusters, "clusters of %u CPUs in all; at most %" PRIu64 " are possible",
				    cpus, field_info[FIELD_CPUS].most);
	if (spec->kind == WORKLOAD_MUNMAP && spec->procs > cpus)
		return source_fault(&ld->src, blame(b, FIELD_PROCS),
				    "%u processes on %u CPUs, but each has its own; at most %u processes or at least %u CPUs",
				    spec->procs, cpus, cpus, spec->procs);
	if (spec->worker_cpus > cpus)
		return source_fault(&ld->src, blame(b, FIELD_WORKER_CPUS),
				    "workers on %u of %u CPUs; at most %u, or 0 for all", spec->worker_cpus, cpus, cpus);
	if (spec->kind == WORKLOAD_COMPACTION && spec->compaction.tasks >= cpus)
		return source_fault(&ld->src, blame(b, FIELD_TASKS),
				    "%u tasks and kswapd on %u CPUs, but each has its own; at most %u tasks or at least %u CPUs",
				    spec->compaction.tasks, cpus, cpus - 1, spec->compaction.tasks + 1);
	return 0;
}

/*
 * While a region is filled it is all in memory; paged out it takes at most
 * half of that in the pool; 1/32 of memory describes its pages, and the
 * kernel itself takes 64 MiB.
 */
static int memory_check(struct loader *ld, const struct block *b, const struct run_spec *spec)
{
	uint64_t region_mb = (uint64_t)spec->procs * spec->region_mb;
	/* 1.5 * region + memory / 32 + 64 <= memory, in whole numbers */
	uint64_t needed_mb = (48 * region_mb + 64 * 32 + 30) / 31;
	const cJSON *item = blame(b, FIELD_REGION_MB);

	if (spec->kind != WORKLOAD_MUNMAP || spec->memory_mb >= needed_mb)
		return 0;
	if (item == b->item)
		item = blame(b, FIELD_PROCS);
	if (item == b->item)
		item = blame(b, FIELD_MEMORY_MB);
	return source_fault(&ld->src, item,
			    "%u x %u MiB do not fit %u MiB of simulated memory (1.5 x regions + memory / 32 + 64 MiB); memory_mb of at least %"
			    PRIu64 " or smaller regions", spec->procs, spec->region_mb, spec->memory_mb,
			    needed_mb);
}

/* As it is: a dump is not scaled. */
static int pool_check(struct loader *ld, const struct block *b, const struct run_spec *spec)
{
	uint64_t needed_mb = spec->pool ? dump_memory_mb(spec->pool->dump, spec->chain_size) : 0;

	if (spec->memory_mb >= needed_mb)
		return 0;
	return source_fault(&ld->src, blame(b, FIELD_MEMORY_MB),
			    "the pool of %" PRIu64 " pages does not fit %u MiB of simulated memory; memory_mb of at least %" PRIu64,
			    spec->pool->dump->total.pages_used, spec->memory_mb, needed_mb);
}

/*
 * The pool's pages, up to a third as much for handles, zspages and the test's
 * own tables where objects are small, 1/32 of memory for the descriptors, and
 * 64 MiB for the kernel itself.
 */
static int aged_pool_check(struct loader *ld, const struct block *b, const struct run_spec *spec)
{
	/* 4/3 * pool + memory / 32 + 64 <= memory, in whole numbers */
	uint64_t needed_mb = (128 * (uint64_t)spec->compaction.pool_mb + 96 * 64 + 92) / 93;
	const cJSON *item = blame(b, FIELD_POOL_MB);

	if (spec->kind != WORKLOAD_COMPACTION || spec->memory_mb >= needed_mb)
		return 0;
	if (item == b->item)
		item = blame(b, FIELD_MEMORY_MB);
	return source_fault(&ld->src, item,
			    "a pool of %u MiB does not fit %u MiB of simulated memory (4/3 x pool + memory / 32 + 64 MiB); memory_mb of at least %"
			    PRIu64 " or a smaller pool", spec->compaction.pool_mb, spec->memory_mb, needed_mb);
}

/* The deliberate faults are made through zram. */
static int user_check(struct loader *ld, const struct block *b, const struct run_spec *spec)
{
	if (spec->user == USER_ZRAM || spec->break_what == BREAK_NOTHING)
		return 0;
	return source_fault(&ld->src, blame(b, FIELD_USER), "\"break\" needs the user zram; leave one of the two out");
}

/* Where nobody lets swap slots go these schemes would be silently the same as sync. */
static int deferral_check(struct loader *ld, const struct block *b, const struct run_spec *spec)
{
	bool above = spec->axes.free != FREE_SYNC && spec->axes.free != FREE_DEFER_BATCH;

	if (!above || spec->kind == WORKLOAD_MUNMAP)
		return 0;
	return source_fault(&ld->src, blame(b, FIELD_KIND),
			    "variant \"%s\" defers what the swap code lets go; use kind \"munmap\", or another variant",
			    spec->variant);
}

/* A module with the tree's own zram has its compressor in it. */
static int contents_check(struct loader *ld, const struct block *b, const struct run_spec *spec)
{
	if (!spec->contents || !spec->kernel || !spec->kernel_info->with_zram)
		return 0;
	return source_fault(&ld->src, inherited(b, "workload", "contents"),
			    "contents with variant \"%s\", whose zram compresses by itself; build the module without --with-zram",
			    spec->variant);
}

static int add_run(struct loader *ld, const struct block *b)
{
	struct planned_run *run;
	unsigned cpus;

	ld->runs = scn_grow(ld->runs, ld->nr_runs, sizeof(*ld->runs));
	run = &ld->runs[ld->nr_runs++];
	memset(run, 0, sizeof(*run));
	cpus = fill_hardware(b, run);
	fill_run(ld, b, run);
	if (user_check(ld, b, &run->spec) || contents_check(ld, b, &run->spec) ||
	    deferral_check(ld, b, &run->spec) || cpus_check(ld, b, &run->spec, cpus) ||
	    memory_check(ld, b, &run->spec) || pool_check(ld, b, &run->spec))
		return 2;
	return aged_pool_check(ld, b, &run->spec);
}

/* Next point of the cross product; false after the last. */
static bool advance(struct block *b)
{
	for (int i = NR_DIMS; i-- > 0;) {
		if (++b->at[i] < b->nr[i])
			return true;
		b->at[i] = 0;
	}
	return false;
}

static int add_runs(struct loader *ld, struct block *b)
{
	do {
		if (add_run(ld, b))
			return 2;
	} while (advance(b));
	return 0;
}

static void block_free(struct block *b)
{
	for (int i = 0; i < NR_FIELDS; i++)
		free(b->fields[i].at);
	variant_choices_free(&b->variants);
	free(b->variant_items);
}

int block_expand(struct loader *ld, const cJSON *block)
{
	struct block b = { .item = block, .top = ld->src.root };
	int status = decide_hardware(ld, &b);

	b.break_item = inherited(&b, NULL, "break");
	if (status == 0)
		status = decide_variants(ld, &b);
	if (status == 0) {
		decide_kind(ld, &b);
		status = decide_pool(ld, &b);
	}
	if (status == 0)
		status = decide_sizes(ld, &b);
	if (status == 0)
		status = decide_contents(ld, &b);
	if (status == 0) {
		decide_fields(ld, &b);
		status = decide_size(ld, &b);
	}
	if (status == 0)
		status = add_runs(ld, &b);
	block_free(&b);
	return status;
}
