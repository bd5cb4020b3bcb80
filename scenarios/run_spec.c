/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_spec.c - the fields of a run by their number, for those who go through all of them. */
#include "scenarios/run_spec.h"

#include <inttypes.h>
#include <stdlib.h>

#include "scenarios/mem.h"

/* Where each field stands; 0, where the name of the scenario is, for those that have no member of their own. */
static const size_t member_of[NR_FIELDS] = {
	[FIELD_MEMORY_MB] = offsetof(struct run_spec, memory_mb),
	[FIELD_PAGE_KB] = offsetof(struct run_spec, page_kb),
	[FIELD_CHAIN_SIZE] = offsetof(struct run_spec, chain_size),
	[FIELD_SAMPLE_US] = offsetof(struct run_spec, sample_us),
	[FIELD_WORKER_CPUS] = offsetof(struct run_spec, worker_cpus),
	[FIELD_JITTER] = offsetof(struct run_spec, jitter),
	[FIELD_PROCS] = offsetof(struct run_spec, procs),
	[FIELD_REGION_MB] = offsetof(struct run_spec, region_mb),
	[FIELD_OBJECTS] = offsetof(struct run_spec, objects),
	[FIELD_POOL_MB] = offsetof(struct run_spec, compaction.pool_mb),
	[FIELD_OBJECT_BYTES] = offsetof(struct run_spec, compaction.object_bytes),
	[FIELD_AGEING_ROUNDS] = offsetof(struct run_spec, compaction.ageing_rounds),
	[FIELD_AGEING_PERCENT] = offsetof(struct run_spec, compaction.ageing_percent),
	[FIELD_PASSES] = offsetof(struct run_spec, compaction.passes),
	[FIELD_GOAL_PAGES] = offsetof(struct run_spec, compaction.goal_pages),
	[FIELD_TASKS] = offsetof(struct run_spec, compaction.tasks),
	[FIELD_BURST] = offsetof(struct run_spec, compaction.burst),
	[FIELD_MANUAL_EVERY] = offsetof(struct run_spec, compaction.manual_every),
	[FIELD_KIND] = offsetof(struct run_spec, kind),
	[FIELD_USER] = offsetof(struct run_spec, user),
	[FIELD_ALGO] = offsetof(struct run_spec, algo),
};

unsigned run_cpus(const struct run_spec *spec)
{
	unsigned cpus = 0;

	for (unsigned i = 0; i < spec->nr_clusters; i++)
		cpus += spec->clusters[i].cpus;
	return cpus;
}

uint64_t run_field(const struct run_spec *spec, enum field field)
{
	if (field == FIELD_CPUS)
		return run_cpus(spec);
	if (field == FIELD_SEED)
		return spec->seed;
	return *(const unsigned *)((const char *)spec + member_of[field]);
}

void run_set_field(struct run_spec *spec, enum field field, uint64_t value)
{
	if (field == FIELD_SEED)
		spec->seed = value;
	else if (field != FIELD_CPUS)
		*(unsigned *)((char *)spec + member_of[field]) = (unsigned)value;
}

static bool same_pool(const struct run_spec *a, const struct run_spec *b)
{
	return a->pool && b->pool ? a->pool->dump->hash == b->pool->dump->hash : a->pool == b->pool;
}

static bool same_sizes(const struct run_spec *a, const struct run_spec *b)
{
	return a->sizes && b->sizes ? a->sizes->hash == b->sizes->hash : a->sizes == b->sizes;
}

static bool same_contents(const struct run_spec *a, const struct run_spec *b)
{
	return a->contents && b->contents ? a->contents->hash == b->contents->hash : a->contents == b->contents;
}

bool run_same_fields(const struct run_spec *a, const struct run_spec *b, enum field except)
{
	for (enum field i = 0; i < NR_FIELDS; i++) {
		if (i != except && field_of_kind(i, a->kind) && run_field(a, i) != run_field(b, i))
			return false;
	}
	return same_pool(a, b) && same_sizes(a, b) && same_contents(a, b);
}

/* @text and @which are taken over. */
static char *with_file(char *text, const char *key, char *which)
{
	char *more = scn_printf("%s;%s=%s", text, key, which);

	free(which);
	free(text);
	return more;
}

char *run_settings(const struct run_spec *spec)
{
	char *text = scn_strdup("");

	for (enum field i = 0; i < NR_FIELDS; i++) {
		const char *word = field_word(i, run_field(spec, i));
		char *more;

		if (!field_of_kind(i, spec->kind))
			continue;
		more = word ? scn_printf("%s%s%s=%s", text, *text ? ";" : "", field_info[i].key, word) :
			      scn_printf("%s%s%s=%" PRIu64, text, *text ? ";" : "", field_info[i].key,
					 run_field(spec, i));
		free(text);
		text = more;
	}
	if (spec->pool)
		text = with_file(text, "pool", field_pool_text(spec->pool));
	if (spec->sizes)
		text = with_file(text, "sizes", distribution_text(spec->sizes));
	if (spec->contents)
		text = with_file(text, "contents", contents_text(spec->contents));
	return text;
}
