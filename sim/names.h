/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * names.h - what the software calls its memory and its locks, and what was
 * counted under each name.
 */
#ifndef ZSMSIM_NAMES_H
#define ZSMSIM_NAMES_H

#include "sim/machine.h"

#define MAX_GROUPS 256

struct group_stats {
	const char *name;
	uint64_t transfers, transfer_ps, misses;
};

struct lock_stats {
	const char *name;
	uint64_t acquisitions, contentions, bounces;
	uint64_t wait_ps, wait_max_ps, hold_ps, hold_max_ps;
};

extern struct group_stats names_groups[MAX_GROUPS] hot_hidden;
extern unsigned names_nr_groups hot_hidden;
extern uint8_t *names_page_group hot_hidden;	/* by page of memory: index in names_groups */

void names_create(void);
void names_destroy(void);

static inline struct group_stats *names_group(uint32_t line)
{
	unsigned group = line_extra_of(line)->group;
	uint64_t page = line >> 6;

	if (!group && page < memory_bytes >> 12)
		group = names_page_group[page];
	return &names_groups[group];
}

static inline void names_count_transfer(uint32_t line, uint64_t ps)
{
	struct group_stats *g = names_group(line);

	g->transfers++;
	g->transfer_ps += ps;
}

static inline void names_count_miss(uint32_t line)
{
	names_group(line)->misses++;
}

/* Results: classes and groups in use are [0, n). */
unsigned locks_count(void);
const struct lock_stats *locks_stats(unsigned cls);
unsigned work_count(void);
const char *work_name(unsigned id);
const char *cause_name(unsigned cause);

/* Locks that are held now; after a run none may be. */
unsigned locks_held(void);

#endif
