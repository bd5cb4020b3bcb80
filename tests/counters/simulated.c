/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * simulated.c - the unmapping that tests/bench/native_hw.c runs on the host,
 * on a simulated machine of one CPU; says what the machine counted.
 *
 * usage: simulated MODULE PROFILE REGION_MB [L1_KB L1_WAYS LAST_KB LAST_WAYS]
 *
 * With the sizes of two caches the machine has these, no other cache and no
 * prefetcher, as the tool it is compared with.
 *
 * Output: "block FUNCTION TIMES INSNS BRANCHES" for each basic block, and
 * "machine NAME COUNT" for what is counted of the whole.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "sim/coherence.h"
#include "sim/machine.h"
#include "sim/module.h"
#include "sim/observe.h"
#include "sim/oracle.h"
#include "sim/symbols.h"
#include "tests/counters/hooks.h"

static void on_fault(const char *report)
{
	fprintf(stderr, "%s\n", report);
	exit(1);
}

static struct profile *load_profile(const char *name)
{
	char error[512];
	struct profile *p = profile_load(name, error, sizeof(error));

	if (!p) {
		fprintf(stderr, "simulated: %s\n", error);
		exit(2);
	}
	/* page walks are loads that no other counter knows */
	p->dtlb_entries = 0;
	return p;
}

static void set_cache(struct profile_cache *cache, const char *kb, const char *ways)
{
	cache->lines = (uint32_t)atoi(kb) * 1024 / HW_LINE_SIZE;
	cache->ways = (uint32_t)atoi(ways);
}

static void two_caches(struct profile *p, char **sizes)
{
	set_cache(&p->l1, sizes[0], sizes[1]);
	set_cache(&p->l2, sizes[2], sizes[3]);
	p->llc.lines = 0;
	p->prefetch_streams = 0;
}

static const struct model_ops *load_module(const char *file)
{
	char error[512];
	const struct model_ops *ops = module_load(file, "zsmsim_model", error, sizeof(error));

	if (!ops) {
		fprintf(stderr, "simulated: %s\n", error);
		exit(2);
	}
	return ops;
}

static void print_block(const struct counted_block *b)
{
	char *text = symbol_text(b->mark);

	if (!text)
		return;
	text[strcspn(text, " ")] = '\0';
	printf("block %s %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", text, b->executed, b->insns, b->branches);
	free(text);
}

static void print_machine(void)
{
	printf("machine insns %" PRIu64 "\n", cpus[0].insns);
	printf("machine branches %" PRIu64 "\n", cpus[0].branches);
	printf("machine l1_misses %" PRIu64 "\n", cpus[0].l1_misses);
	printf("machine dram_reads %" PRIu64 "\n", machine_stats.dram_reads);
}

int main(int argc, char **argv)
{
	/* as in native_hw.c */
	struct model_config config = {
		.nr_cpus = 1,
		.memory_bytes = 4096ull << 20,
		.chain_size = 8,
		.variant = { LOOKUP_CLASS_IN_OBJ, PAGE_RELEASE_OUTSIDE_CLASS_LOCK, FREE_SYNC, 64,
			     ZRAM_STATS_SHARED_ATOMIC },
		.nr_procs = 1,
		.region_bytes = (uint64_t)(argc > 3 ? atoi(argv[3]) : 0) << 20,
		.seed = 1,
	};
	struct machine_config machine = { .nr_cpus = 1, .memory_bytes = config.memory_bytes };
	struct model_report report = { 0 };
	const struct model_ops *ops;
	struct profile *profile;

	if (!config.region_bytes) {
		fprintf(stderr, "usage: simulated MODULE PROFILE REGION_MB\n");
		return 2;
	}
	ops = load_module(argv[1]);
	profile = load_profile(argv[2]);
	if (argc > 7)
		two_caches(profile, argv + 4);
	machine.profile[0] = profile;
	machine_create(&machine);
	observe_create(MODEL_NR_GAUGES, 0);
	oracle_on_fault(on_fault);
	ops->prepare(&config);
	counters_begin();
	machine_run(ops->cpu_main);
	machine_check();
	counters_each_block(print_block);
	print_machine();
	ops->finish(&report);
	return 0;
}
