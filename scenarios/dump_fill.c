/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dump_fill.c - from the rows of a dump to zspages and their objects.
 *
 * A dump says how many zspages are in each group and how many objects they
 * hold together, not which zspage holds how many. Each group gets the least
 * it can hold; the rest is spread over the groups by the room they have, and
 * within a group evenly. So a group becomes at most two spans.
 */
#include <stdlib.h>

#include "scenarios/dump.h"
#include "scenarios/mem.h"

#define HEADER_BYTES 8u		/* of an object in a zspage that others share */

static bool is_used(const struct dump_row *row)
{
	return row->used != 0;
}

/* Does the pool's class hold the row's zspages as they are, and nobody else's objects? */
static bool is_same_class(const struct dump *dump, const struct dump_row *row, unsigned chain)
{
	if (dump_class_serving(row->index, chain) != row->index ||
	    dump_chain_pages(row->size, chain, false) != row->pages)
		return false;
	for (size_t i = 0; i < dump->nr_rows; i++) {
		const struct dump_row *other = &dump->rows[i];

		if (other != row && is_used(other) && dump_class_serving(other->index, chain) == row->index)
			return false;
	}
	return true;
}

static void add_span(struct model_pool_class *class, uint64_t zspages, unsigned inuse)
{
	if (zspages)
		class->spans[class->nr_spans++] = (struct model_span){ zspages, inuse };
}

/* @share of @rest, without overflow: both are below 2^40, the quotient's terms are not multiplied. */
static uint64_t portion(uint64_t rest, uint64_t part, uint64_t whole)
{
	return whole ? (uint64_t)((unsigned __int128)rest * part / whole) : 0;
}

static void add_spans(const struct dump *dump, const struct dump_row *row, struct model_pool_class *class)
{
	uint64_t fewest = 0, room = 0, before = 0, given = 0;
	unsigned least, most;

	for (unsigned g = 0; g < DUMP_GROUPS; g++) {
		if (!row->zspages[g] || !dump_group_range(dump, row->objs, g, &least, &most))
			continue;
		fewest += row->zspages[g] * least;
		room += row->zspages[g] * (most - least);
	}
	for (unsigned g = 0; g < DUMP_GROUPS; g++) {
		uint64_t upto, more;

		if (!row->zspages[g] || !dump_group_range(dump, row->objs, g, &least, &most))
			continue;
		before += row->zspages[g] * (most - least);
		upto = portion(row->used - fewest, before, room);
		more = upto - given;
		given = upto;
		least += (unsigned)(more / row->zspages[g]);
		more %= row->zspages[g];
		add_span(class, row->zspages[g] - more, least);
		add_span(class, more, least + 1);
	}
}

struct model_pool *dump_fill(const struct dump *dump, unsigned chain)
{
	struct model_pool *pool = scn_zalloc(1, sizeof(*pool) + dump->nr_rows * sizeof(pool->classes[0]));

	for (size_t i = 0; i < dump->nr_rows; i++) {
		const struct dump_row *row = &dump->rows[i];
		struct model_pool_class *class = &pool->classes[pool->nr];

		if (!is_used(row))
			continue;
		pool->nr++;
		class->request = row->size == DUMP_PAGE ? DUMP_PAGE : row->size - HEADER_BYTES;
		class->objs = row->objs;
		class->objects = row->used;
		if (is_same_class(dump, row, chain)) {
			add_spans(dump, row, class);
			continue;
		}
		pool->repacked_classes++;
		pool->repacked_objects += row->used;
	}
	return pool;
}

/* The pages of the row's objects, when each zspage is full but one. */
static uint64_t packed_pages(const struct dump_row *row, unsigned chain)
{
	unsigned size = dump_class_size(dump_class_serving(row->index, chain));
	unsigned pages = dump_chain_pages(size, chain, false), objs = pages * DUMP_PAGE / size;

	return (row->used + objs - 1) / objs * pages;
}

/*
 * Each object that fits has a handle; 64 bytes for a zspage. 1/32 of memory
 * describes its pages, and the kernel itself takes 64 MiB. Of that 1/32 half
 * is free for tables: one of all objects in use, and while a class is made one
 * of its objects and one of its zspages.
 */
uint64_t dump_memory_mb(const struct dump *dump, unsigned chain)
{
	uint64_t bytes = 0, tables = 0, most = 0, mb, tables_mb;

	for (size_t i = 0; i < dump->nr_rows; i++) {
		const struct dump_row *row = &dump->rows[i];
		uint64_t pages = is_same_class(dump, row, chain) ? row->pages_used : packed_pages(row, chain);
		uint64_t zspages = row->allocated / row->objs, own = 8 * (row->allocated + zspages);

		bytes += pages * DUMP_PAGE + row->allocated * 8 + zspages * 64;
		tables += 8 * row->used;
		most = own > most ? own : most;
	}
	mb = ((bytes >> 20) + 1 + 64) * 32 / 31 + 1;
	tables_mb = (((tables + most) >> 20) + 1) * 64;
	return mb > tables_mb ? mb : tables_mb;
}
