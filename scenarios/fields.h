/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fields.h - the whole-number values of a scenario: where each stands, its
 * range, its unit and what it is when nobody says.
 */
#ifndef ZSMSIM_SCENARIOS_FIELDS_H
#define ZSMSIM_SCENARIOS_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenarios/source.h"

#define SWEEP_MAX 1024			/* values in one "sweep" */
#define SEED_MAX 9007199254740991	/* the last whole number that JSON's doubles tell from its neighbours */
#define DEFER_BATCH_MAX 4096
#define DEFER_BATCH_DEFAULT 64

/* FIELD(enum suffix, section or NULL, key, unit, least, most, default) */
#define SCENARIO_FIELDS(FIELD)							\
	FIELD(CPUS, "machine", "cpus", "CPUs", 1, 256, 8)			\
	FIELD(MEMORY_MB, "machine", "memory_mb", "MiB", 256, 65536, 4096)	\
	FIELD(PAGE_KB, "machine", "page_kb", "KiB", 4, 4, 4)			\
	FIELD(CHAIN_SIZE, "zsmalloc", "chain_size", "pages", 4, 16, 8)		\
	FIELD(SAMPLE_US, NULL, "sample_us", "us", 1, 1000000, 100)		\
	FIELD(PROCS, "workload", "procs", "processes", 1, 256, 1)		\
	FIELD(REGION_MB, "workload", "region_mb", "MiB", 1, 16384, 256)		\
	FIELD(SEED, NULL, "seed", "", 0, SEED_MAX, 1)

enum field {
#define FIELD(id, section, key, unit, least, most, fallback) FIELD_##id,
	SCENARIO_FIELDS(FIELD)
#undef FIELD
	NR_FIELDS
};

struct field_info {
	const char *section, *key, *unit;
	uint64_t least, most, fallback;
};

extern const struct field_info field_info[NR_FIELDS];

/* One value and the node it stands in (NULL: a default). */
struct choice {
	uint64_t value;
	const cJSON *item;
};

/* What a field may be within a block: one value, or those of a sweep. */
struct choices {
	struct choice *at;		/* free() it */
	size_t nr;
	bool shown;			/* swept or set on the command line: belongs into params */
};

/*
 * Is @item a whole number in @info's range, or {"sweep": [...]} of different
 * ones? Returns 0, or 2 with the error line written.
 */
int number_check(struct source *src, const cJSON *item, const struct field_info *info);

/*
 * The values of @item, which number_check() accepted; NULL gives the
 * default.
 */
struct choices number_choices(const struct source *src, const cJSON *item,
			      const struct field_info *info);

/* What @info accepts, for the second half of a message: "expected a whole number of ...". */
void number_wanted(const struct field_info *info, char *out, size_t bytes);

/* The kind of @item with its article: "a string", "an object". */
const char *kind_name(const cJSON *item);

#endif
