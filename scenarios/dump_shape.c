/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dump_shape.c - which size classes a pool has, and what their groups mean.
 *
 * The same rules as the allocator's (model/zsmalloc/size_class.c), which is
 * code of the simulated machine and so not for us to call; and the older rule
 * for the length of a chain, which dumps of older kernels follow.
 */
#include "scenarios/dump.h"

#define MIN_SIZE 32u
#define SIZE_STEP 16u

unsigned dump_class_size(unsigned index)
{
	unsigned size = MIN_SIZE + SIZE_STEP * index;

	return size < DUMP_PAGE ? size : DUMP_PAGE;
}

/* Until about 6.8: the first of the chains of which the greatest whole percentage is used. */
static unsigned by_percent(unsigned size, unsigned chain)
{
	unsigned best = 1, most = 0;

	for (unsigned pages = 1; pages <= chain; pages++) {
		unsigned bytes = pages * DUMP_PAGE, percent = (bytes - bytes % size) * 100 / bytes;

		if (percent > most) {
			most = percent;
			best = pages;
		}
	}
	return best;
}

/* Since: the first of those of which the fewest bytes are left over. */
static unsigned by_waste(unsigned size, unsigned chain)
{
	unsigned best = 1, least = size;

	if (!(size & (size - 1)))
		return 1;
	for (unsigned pages = 1; pages <= chain; pages++) {
		unsigned waste = pages * DUMP_PAGE % size;

		if (waste < least) {
			least = waste;
			best = pages;
		}
	}
	return best;
}

unsigned dump_chain_pages(unsigned size, unsigned chain, bool percent_rule)
{
	return percent_rule ? by_percent(size, chain) : by_waste(size, chain);
}

/* A class is merged into the next larger one if that has the same shape. */
bool dump_class_exists(unsigned index, unsigned chain, bool percent_rule)
{
	unsigned size = dump_class_size(index), pages = dump_chain_pages(size, chain, percent_rule);
	unsigned next, next_pages;

	if (index >= DUMP_CLASSES - 1)
		return index == DUMP_CLASSES - 1;
	next = dump_class_size(index + 1);
	next_pages = dump_chain_pages(next, chain, percent_rule);
	return next_pages != pages || next_pages * DUMP_PAGE / next != pages * DUMP_PAGE / size;
}

unsigned dump_class_serving(unsigned index, unsigned chain)
{
	while (!dump_class_exists(index, chain, false))
		index++;
	return index;
}

/* Group of today's layout: all in use is a group of its own. */
static unsigned group_of(unsigned inuse, unsigned objs)
{
	return inuse == objs ? DUMP_GROUPS - 1 : 100 * inuse / objs / 10;
}

static bool old_range(unsigned objs, unsigned group, unsigned *least, unsigned *most)
{
	unsigned sparse = 3 * objs / 4;

	*least = group == DUMP_FULL ? objs : group == DUMP_ALMOST_EMPTY ? 1 : sparse + 1;
	*most = group == DUMP_FULL ? objs : group == DUMP_ALMOST_EMPTY ? sparse : objs - 1;
	return *least <= *most;
}

bool dump_group_range(const struct dump *dump, unsigned objs, unsigned group, unsigned *least, unsigned *most)
{
	bool any = false;

	if (dump->old_groups)
		return old_range(objs, group, least, most);
	for (unsigned inuse = 1; inuse <= objs; inuse++) {
		if (group_of(inuse, objs) != group)
			continue;
		*least = any ? *least : inuse;
		*most = inuse;
		any = true;
	}
	return any;
}
