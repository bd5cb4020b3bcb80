/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * run_spec.h - one run, fully decided: what the loader makes of a scenario
 * file and what the experiment executes. One variant, one profile, one seed,
 * one point of the parameter space.
 */
#ifndef ZSMSIM_RUN_SPEC_H
#define ZSMSIM_RUN_SPEC_H

#include <stdint.h>
#include <stddef.h>

#include "model/model.h"
#include "scenarios/contents.h"
#include "scenarios/distribution.h"
#include "scenarios/field_pool.h"
#include "scenarios/fields.h"
#include "trees/module_info.h"

#define RUN_MAX_CLUSTERS 16

/* CPUs of one kind that share a last-level cache; numbered in order of the list. */
struct run_cluster {
	char *profile;			/* name, as in data/profiles */
	unsigned cpus;
};

struct run_spec {
	char *scenario;			/* its "name" */
	char *variant;			/* name of the variant */
	char *profile;			/* name shown for the run: the profile of CPU 0 */
	uint64_t seed;
	char *params;			/* "key=value;key=value", keys sorted: the swept values and procs, region_mb */
	struct model_variant axes;
	char *kernel;			/* the module to run, as it is to be opened; NULL: the project's own allocator */
	struct module_info *kernel_info;	/* what it says about itself; both are shared between runs */
	const struct field_pool *pool;	/* to begin with, of field-pool; shared between runs; NULL: none */
	const struct contents *contents;	/* of processes' memory, of munmap; shared likewise; NULL: the pattern */
	const struct distribution *sizes;	/* of objects, of compaction; shared likewise; NULL: by object_bytes */
	struct run_cluster clusters[RUN_MAX_CLUSTERS];
	unsigned nr_clusters;
	unsigned memory_mb;		/* simulated memory */
	unsigned page_kb;		/* 4 (16 comes later) */
	unsigned chain_size;		/* 4 .. 16; of a module what was compiled in */
	unsigned kind;			/* of the workload: enum model_workload */
	unsigned user;			/* of the allocator: enum model_user */
	unsigned algo;			/* that compresses contents: place of its word */
	unsigned procs;			/* processes that unmap at once, pinned to CPUs 0 .. procs-1 */
	unsigned region_mb;		/* each process's region */
	unsigned objects;		/* of the mapping test */
	struct model_compaction compaction;
	unsigned worker_cpus;		/* the last CPUs, on which unbound workers may run; 0: all */
	unsigned jitter;		/* seed of a random schedule; 0: none */
	unsigned sample_us;		/* simulated time between two samples of the series */
	enum model_break break_what;	/* test hook: "break" key, absent from the schema's documentation */
	char *variant_text;		/* the variant as JSON, canonical */
	char *scenario_text;		/* the whole scenario file as read */
};

/* CPUs of all clusters. */
unsigned run_cpus(const struct run_spec *spec);
/* What the scenario's field is in this run; of a field of words the place of the word. */
uint64_t run_field(const struct run_spec *spec, enum field field);
/* Make @field of @spec @value; not for CPUs, which the clusters have. */
void run_set_field(struct run_spec *spec, enum field field, uint64_t value);
/* Do all fields agree that the run's workload uses, @except left out, and the files that they read? */
bool run_same_fields(const struct run_spec *a, const struct run_spec *b, enum field except);
/* "key=value;..." of all those fields in the order of their table, and the files, newly allocated: what a run is, as text. */
char *run_settings(const struct run_spec *spec);

#endif
