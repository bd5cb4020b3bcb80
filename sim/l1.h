/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * l1.h - the first-level cache of one CPU: true least recently used, by a
 * stamp per way. Most accesses find their line through a direct-mapped filter
 * that remembers in which slot it is, so a hit is one comparison and one
 * stamp, whatever the number of ways.
 *
 * What always holds: a filter entry that names a line agrees with the slot it
 * points to.
 */
#ifndef ZSMSIM_L1_H
#define ZSMSIM_L1_H

#include "sim/machine.h"

/* Hashed: what starts at a page boundary is hot, and would meet in a few entries. */
static inline struct l1_filter *l1_filter_of(struct cpu *c, uint32_t line)
{
	_Static_assert(L1_FILTER == 1u << 9, "the index has 9 bits");
	return &c->l1_filter[line * 0x9e3779b1u >> 23];
}

/* Does the filter know @line with at least permission @least? */
static inline bool l1_filter_hit(const struct l1_filter *f, uint32_t line, enum permission least)
{
	return f->tag - (line << 2) - least < 3u - least;
}

static inline void l1_use(struct cpu *c, const struct l1_filter *f)
{
	c->l1_used[f->slot] = ++c->l1_tick;
}

/* Slot of @line, or -1. */
static inline int l1_find(const struct cpu *c, uint32_t line)
{
	uint32_t first = (line & c->l1_mask) * c->l1_ways;

	for (uint32_t i = first; i < first + c->l1_ways; i++)
		if (c->l1_tags[i] - (line << 2) - 1 < 2)
			return (int)i;
	return -1;
}

/* Permission with which L1 holds @line (PERM_NONE: it does not); the line becomes the most recent. */
static inline enum permission l1_lookup(struct cpu *c, uint32_t line)
{
	struct l1_filter *f = l1_filter_of(c, line);
	int slot;

	if (!l1_filter_hit(f, line, PERM_SHARED)) {
		slot = l1_find(c, line);
		if (slot < 0)
			return PERM_NONE;
		*f = (struct l1_filter){ c->l1_tags[slot], (uint32_t)slot };
	}
	l1_use(c, f);
	return TAG_PERM(f->tag);
}

static inline void l1_forget(struct cpu *c, uint32_t line)
{
	struct l1_filter *f = l1_filter_of(c, line);

	if (f->tag >> 2 == line)
		f->tag = 0;
}

static inline void l1_remove(struct cpu *c, uint32_t line)
{
	int slot = l1_find(c, line);

	if (slot < 0)
		return;
	c->l1_tags[slot] = 0;
	c->l1_used[slot] = 0;
	l1_forget(c, line);
}

static inline void l1_set_permission(struct cpu *c, uint32_t line, enum permission perm)
{
	int slot = l1_find(c, line);

	if (slot < 0)
		return;
	c->l1_tags[slot] = TAG(line, perm);
	l1_forget(c, line);
}

/* Put @line, which is not there, in the place of the one that was not used for the longest time. */
static inline void l1_insert(struct cpu *c, uint32_t line, enum permission perm)
{
	uint32_t first = (line & c->l1_mask) * c->l1_ways, slot = first;

	for (uint32_t i = first + 1; i < first + c->l1_ways; i++)
		if (c->l1_used[i] < c->l1_used[slot])
			slot = i;
	l1_forget(c, TAG_LINE(c->l1_tags[slot]));
	c->l1_tags[slot] = TAG(line, perm);
	*l1_filter_of(c, line) = (struct l1_filter){ TAG(line, perm), slot };
	c->l1_used[slot] = ++c->l1_tick;
}

#endif
