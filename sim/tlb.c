/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tlb.c - address translation (see tlb.h). */
#include "sim/tlb.h"

#include "sim/access.h"
#include "sim/cache.h"
#include "sim/coherence.h"

#define PAGE_SHIFT	12
#define BLOCK_SHIFT	21
#define BLOCK		(1u << 28)	/* a number that no page of up to 2^40 bytes has */
#define MAX_RANGES	4

/* Mapped with blocks of 2 MiB, as offsets in memory. */
static struct {
	uint64_t from, to;
} ranges[MAX_RANGES];
static unsigned nr_ranges;
static uint64_t table;			/* offset of the entries, 8 bytes for each page; 0: nobody said */

void tlb_reset(void)
{
	nr_ranges = 0;
	table = 0;
}

void hw_page_table(const void *entries)
{
	table = access_offset((uint64_t)entries);
}

void hw_map_blocks(const void *addr, size_t bytes)
{
	uint64_t off = access_offset((uint64_t)addr);

	if (nr_ranges == MAX_RANGES)
		hw_fault("more than %d ranges are mapped with blocks", MAX_RANGES);
	ranges[nr_ranges].from = off;
	ranges[nr_ranges++].to = off + bytes;
}

void tlb_create(struct cpu *c)
{
	if (c->profile->dtlb_entries)
		cache_create(&c->tlb, c->profile->tlb_entries, c->profile->tlb_ways);
}

void tlb_destroy(struct cpu *c)
{
	if (c->profile->dtlb_entries)
		cache_destroy(&c->tlb);
}

/* Pages and blocks have numbers of their own. Software's own code and data are blocks, too. */
static uint32_t page_of(uint64_t off)
{
	if (off >= memory_bytes)
		return BLOCK | (uint32_t)(off >> BLOCK_SHIFT);
	for (unsigned i = 0; i < nr_ranges; i++)
		if (off >= ranges[i].from && off < ranges[i].to)
			return BLOCK | (uint32_t)(off >> BLOCK_SHIFT);
	return (uint32_t)(off >> PAGE_SHIFT);
}

/* Is @page in the first buffer? It is the first of it then, either way. */
static bool first_level(struct cpu *c, uint32_t page)
{
	uint32_t entries = c->profile->dtlb_entries, i = 0;

	while (i < entries - 1 && c->dtlb[i] != page + 1)
		i++;
	if (c->dtlb[i] == page + 1) {
		tags_to_front(c->dtlb, i);
		return true;
	}
	tags_insert(c->dtlb, entries, page + 1);
	return false;
}

static bool second_level(struct cpu *c, uint32_t page)
{
	uint32_t *set = cache_set(&c->tlb, page);
	int way = tags_find(set, c->tlb.ways, page);

	if (way >= 0)
		tags_to_front(set, (uint32_t)way);
	else
		tags_insert(set, c->tlb.ways, TAG(page, PERM_SHARED));
	return way >= 0;
}

static uint64_t walk(struct cpu *c, uint32_t page, uint64_t t)
{
	uint32_t line = (uint32_t)((table + (uint64_t)page * 8) >> HW_LINE_SHIFT), cause;

	/* The entries of all blocks together are a few lines. */
	if (!table || page & BLOCK || l1_lookup(c, line) != PERM_NONE)
		return t + c->profile->l1.latency_ps;
	return coherence_request(c, line, false, t, t, &cause);
}

uint64_t tlb_translate(struct cpu *c, uint32_t line, uint64_t t)
{
	uint32_t page;

	if (!c->profile->dtlb_entries)
		return t;
	page = page_of((uint64_t)line << HW_LINE_SHIFT);
	if (first_level(c, page))
		return t;
	t += c->profile->tlb_ps;
	if (!second_level(c, page))
		t = walk(c, page, t);
	/* In order nothing else goes on meanwhile. */
	if (!c->out_of_order)
		book_until(c, CAUSE_TLB, t);
	return t;
}
