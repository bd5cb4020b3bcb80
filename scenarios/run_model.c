/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_model.c - see run_model.h. */
#include "scenarios/run_model.h"

#include <stdlib.h>

static struct model_compaction compaction_of(const struct run_spec *spec)
{
	struct model_compaction c = spec->compaction;

	if (spec->sizes) {
		c.sizes = spec->sizes->at;
		c.nr_sizes = (unsigned)spec->sizes->nr;
		c.object_bytes = spec->sizes->mean;
	}
	return c;
}

struct model_config run_model_config(const struct run_spec *spec, unsigned cpus)
{
	return (struct model_config){
		.nr_cpus = cpus,
		.memory_bytes = (uint64_t)spec->memory_mb << 20,
		.chain_size = spec->chain_size,
		.variant = spec->axes,
		.workload = spec->kind,
		.user = spec->user,
		.nr_procs = spec->procs,
		.nr_objects = spec->objects,
		.pool = spec->pool ? dump_fill(spec->pool->dump, spec->chain_size) : NULL,
		.compaction = compaction_of(spec),
		.contents = spec->contents ? contents_compress(spec->contents, field_word(FIELD_ALGO, spec->algo)) : NULL,
		.region_bytes = (uint64_t)spec->region_mb << 20,
		.worker_cpus = spec->worker_cpus,
		.seed = spec->seed,
		.break_what = spec->break_what,
	};
}

void result_add_mm_stat(struct result *r, const char *mm_stat)
{
	static const struct {
		const char *name, *unit;
	} figures[] = {
		{ "orig_data_size", "bytes" }, { "compr_data_size", "bytes" }, { "mem_used_total", "bytes" },
		{ "mem_limit", "bytes" }, { "mem_used_max", "bytes" }, { "same_pages", "pages" },
		{ "pages_compacted", "pages" }, { "huge_pages", "pages" }, { "huge_pages_since", "pages" },
	};
	const char *p = mm_stat;

	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
		char *end;
		long long value = strtoll(p, &end, 10);

		if (end == p)
			return;
		result_add_metric(r, "mm_stat", figures[i].unit, figures[i].name, value, 0);
		p = end;
	}
}
