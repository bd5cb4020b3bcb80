/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fields.h - the values of a scenario that are whole numbers or one word of a
 * list: where each stands, its range, its unit and what it is when nobody says.
 */
#ifndef ZSMSIM_SCENARIOS_FIELDS_H
#define ZSMSIM_SCENARIOS_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"
#include "scenarios/source.h"

#define SWEEP_MAX 1024			/* values in one "sweep" */
#define SEED_MAX 9007199254740991	/* the last whole number that JSON's doubles tell from its neighbours */
#define DEFER_BATCH_MAX 4096
#define DEFER_BATCH_DEFAULT 64
#define SHRINKER_RATIO_DEFAULT 1

/*
 * FIELD(enum suffix, section or NULL, key, unit, least, most, default, kinds).
 * The order is that of the dimensions of a block, slowest first. @kinds: the
 * workloads that use the field, KIND_ANY for all.
 */
#define KIND_ANY		0u
#define KIND(name)		(1u << WORKLOAD_##name)
#define SCENARIO_NUMBERS(FIELD)							\
	FIELD(CPUS, "machine", "cpus", "CPUs", 1, 256, 8, KIND_ANY)		\
	FIELD(MEMORY_MB, "machine", "memory_mb", "MiB", 256, 65536, 4096, KIND_ANY) \
	FIELD(PAGE_KB, "machine", "page_kb", "KiB", 4, 4, 4, KIND_ANY)		\
	FIELD(CHAIN_SIZE, "zsmalloc", "chain_size", "pages", 4, 16, 8, KIND_ANY) \
	FIELD(SAMPLE_US, NULL, "sample_us", "us", 1, 1000000, 100, KIND_ANY)	\
	FIELD(PROCS, "workload", "procs", "processes", 1, 256, 1, KIND(MUNMAP))	\
	FIELD(REGION_MB, "workload", "region_mb", "MiB", 1, 16384, 256, KIND(MUNMAP)) \
	FIELD(OBJECTS, "workload", "objects", "objects", 1, 1000000, 65536, KIND(MAPPING)) \
	FIELD(POOL_MB, "workload", "pool_mb", "MiB", 1, 16384, 512, KIND(COMPACTION)) \
	FIELD(OBJECT_BYTES, "workload", "object_bytes", "bytes", 64, 2048, 1365, KIND(COMPACTION)) \
	FIELD(AGEING_ROUNDS, "workload", "ageing_rounds", "rounds", 0, 1000, 10, KIND(COMPACTION)) \
	FIELD(AGEING_PERCENT, "workload", "ageing_percent", "per cent", 1, 90, 20, KIND(COMPACTION)) \
	FIELD(PASSES, "workload", "passes", "passes", 1, 1000, 20, KIND(COMPACTION)) \
	FIELD(GOAL_PAGES, "workload", "goal_pages", "pages", 1, 1000000, 128, KIND(COMPACTION)) \
	FIELD(TASKS, "workload", "tasks", "tasks", 1, 255, 3, KIND(COMPACTION)) \
	FIELD(BURST, "workload", "burst", "objects", 1, 1000000, 1500, KIND(COMPACTION)) \
	FIELD(MANUAL_EVERY, "workload", "manual_every", "passes", 0, 1000, 0, KIND(COMPACTION)) \
	FIELD(WORKER_CPUS, "workload", "worker_cpus", "CPUs", 0, 256, 0, KIND_ANY) \
	FIELD(JITTER, NULL, "jitter", "", 0, 1000000000, 0, KIND_ANY)		\
	FIELD(SEED, NULL, "seed", "", 0, SEED_MAX, 1, KIND_ANY)

/*
 * Values that are words: WORD(enum suffix, section, key, words, later words,
 * default, kinds), with the lists of words in fields.c. The value of such a
 * field is the place of its word in the list, which is that of an enum of
 * model/model.h.
 */
#define SCENARIO_WORDS(WORD)							\
	WORD(KIND, "workload", "kind", kind_words, kind_later, WORKLOAD_MUNMAP, KIND_ANY) \
	WORD(USER, "workload", "user", user_words, user_later, USER_ZRAM, KIND(MUNMAP)) \
	WORD(ALGO, "workload", "algo", algo_words, algo_later, 0, KIND(MUNMAP))

enum field {
#define FIELD(id, section, key, unit, least, most, fallback, kinds) FIELD_##id,
#define WORD(id, section, key, words, later, fallback, kinds) FIELD_##id,
	SCENARIO_NUMBERS(FIELD)
	SCENARIO_WORDS(WORD)
#undef WORD
#undef FIELD
	NR_FIELDS
};

struct field_info {
	const char *section, *key, *unit;
	uint64_t least, most, fallback;
	unsigned kinds;
	const char *const *words;	/* NULL: a number */
	const char *const *later;	/* words that the design has, not built yet */
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
 * Is @item a whole number in @info's range (one of its words), or
 * {"sweep": [...]} of different ones? Returns 0, or 2 with the error line written.
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

/* Does a workload of @kind use the field? */
bool field_of_kind(enum field field, enum model_workload kind);
/* The word that @value of a field of words stands for; NULL for numbers. */
const char *field_word(enum field field, uint64_t value);

/* The kind of @item with its article: "a string", "an object". */
const char *kind_name(const cJSON *item);

#endif
