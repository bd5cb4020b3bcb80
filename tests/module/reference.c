/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reference.c - see reference.h. */
#include "tests/module/reference.h"

#include <string.h>

/* ---- a cache: sets of lines in order of use -------------------------------------- */

static struct ref_set *set_of(struct ref_cache *cache, uint32_t line)
{
	return &cache->set[line % cache->sets];
}

static int position(const struct ref_set *set, uint32_t line)
{
	for (uint32_t i = 0; i < set->nr; i++)
		if (set->line[i] == line)
			return (int)i;
	return -1;
}

static bool holds(struct ref_cache *cache, uint32_t line)
{
	return position(set_of(cache, line), line) >= 0;
}

static void drop(struct ref_cache *cache, uint32_t line)
{
	struct ref_set *set = set_of(cache, line);
	int at = position(set, line);

	if (at < 0)
		return;
	memmove(&set->line[at], &set->line[at + 1], (set->nr - (uint32_t)at - 1) * sizeof(set->line[0]));
	set->nr--;
}

/* @line is the most recent one now; returns the line that had to go, or -1. */
static int use(struct ref_cache *cache, uint32_t line)
{
	struct ref_set *set = set_of(cache, line);
	int out = -1;

	drop(cache, line);
	if (set->nr == cache->ways)
		out = (int)set->line[--set->nr];
	memmove(&set->line[1], &set->line[0], set->nr * sizeof(set->line[0]));
	set->line[0] = line;
	set->nr++;
	return out;
}

/* ---- all of them together -------------------------------------------------------- */

void ref_create(struct ref *r, unsigned nr_cpus, const unsigned *cluster, const uint32_t shape[3][2])
{
	memset(r, 0, sizeof(*r));
	r->nr_cpus = nr_cpus;
	for (unsigned i = 0; i < REF_CPUS; i++) {
		r->cluster[i] = i < nr_cpus ? cluster[i] : 0;
		r->l1[i] = (struct ref_cache){ .sets = shape[0][0] / shape[0][1], .ways = shape[0][1] };
		r->l2[i] = (struct ref_cache){ .sets = shape[1][0] / shape[1][1], .ways = shape[1][1] };
		r->llc[i] = (struct ref_cache){ .sets = shape[2][0] / shape[2][1], .ways = shape[2][1] };
	}
	for (unsigned i = 0; i < REF_LINES; i++)
		r->owner[i] = -1;
}

static void fill(struct ref *r, unsigned cpu, uint32_t line)
{
	int out = use(&r->l2[cpu], line);

	if (out >= 0) {
		drop(&r->l1[cpu], (uint32_t)out);
		if (r->owner[out] == (int)cpu)
			r->owner[out] = -1;
		r->sharers[out] &= ~(1u << cpu);
		use(&r->llc[r->cluster[cpu]], (uint32_t)out);
	}
	use(&r->l1[cpu], line);
}

static enum ref_kind below(struct ref *r, unsigned cpu, uint32_t line)
{
	struct ref_cache *llc = &r->llc[r->cluster[cpu]];
	bool there = holds(llc, line);

	use(llc, line);
	return there ? REF_LLC : REF_DRAM;
}

struct ref_access ref_load(struct ref *r, unsigned cpu, uint32_t line)
{
	struct ref_access a = { .kind = REF_TRANSFER };
	int owner = r->owner[line];

	if (holds(&r->l1[cpu], line)) {
		use(&r->l1[cpu], line);
		a.kind = REF_L1;
		return a;
	}
	if (holds(&r->l2[cpu], line)) {
		use(&r->l2[cpu], line);
		use(&r->l1[cpu], line);
		a.kind = REF_L2;
		return a;
	}
	if (owner >= 0) {
		a.far = r->cluster[owner] != r->cluster[cpu];
		r->owner[line] = -1;
		r->sharers[line] = 1u << owner | 1u << cpu;
		use(&r->llc[r->cluster[owner]], line);
	} else {
		a.kind = below(r, cpu, line);
		if (r->sharers[line])
			r->sharers[line] |= 1u << cpu;
		else
			r->owner[line] = (int)cpu;
	}
	fill(r, cpu, line);
	return a;
}

static void take_from_sharers(struct ref *r, unsigned cpu, uint32_t line, struct ref_access *a)
{
	a->kind = REF_UPGRADE;
	a->held = r->sharers[line] >> cpu & 1;
	for (unsigned i = 0; i < r->nr_cpus; i++) {
		if (i == cpu || !(r->sharers[line] >> i & 1))
			continue;
		a->others = true;
		a->far |= r->cluster[i] != r->cluster[cpu];
		drop(&r->l1[i], line);
		drop(&r->l2[i], line);
	}
	r->sharers[line] = 0;
}

struct ref_access ref_store(struct ref *r, unsigned cpu, uint32_t line)
{
	struct ref_access a = { .kind = REF_TRANSFER };
	int owner = r->owner[line];

	if (owner == (int)cpu) {
		a.kind = holds(&r->l1[cpu], line) ? REF_L1 : REF_L2;
		if (a.kind == REF_L2)
			use(&r->l2[cpu], line);
		use(&r->l1[cpu], line);
		return a;
	}
	if (owner >= 0) {
		a.far = r->cluster[owner] != r->cluster[cpu];
		drop(&r->l1[owner], line);
		drop(&r->l2[owner], line);
	} else if (r->sharers[line]) {
		take_from_sharers(r, cpu, line, &a);
	} else {
		a.kind = below(r, cpu, line);
	}
	r->owner[line] = (int)cpu;
	fill(r, cpu, line);
	return a;
}
