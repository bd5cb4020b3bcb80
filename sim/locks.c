/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * locks.c - the observer of locks: waits and holds by class, and two oracles.
 * A lock is released by the CPU that holds it, and the order in which classes
 * nest has no cycle.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/names.h"

#define MAX_HELD	64
#define TABLE_MIN	4096

struct lock_record {			/* of one lock word */
	uint64_t key;			/* address, 0: free slot */
	uint16_t cls;
	uint16_t holder;		/* CPU + 1 that holds it exclusively */
	uint16_t last_cpu;		/* CPU + 1 that took it last */
	uint16_t readers;
};

struct held {				/* by a CPU, in order of taking */
	uint64_t key;
	uint64_t since;
	unsigned cls;
};

static struct lock_stats classes[MAX_LOCK_CLASSES];
static unsigned nr_classes = 1;		/* 0: unnamed */
static struct lock_record *table;
static size_t table_size, table_used;
static struct held held[HW_MAX_CPUS][MAX_HELD];
static unsigned nr_held[HW_MAX_CPUS];
static uint64_t nests[MAX_LOCK_CLASSES];	/* bit b of a: b was taken while a was held */

unsigned hw_lock_class(const char *name)
{
	for (unsigned i = 1; i < nr_classes; i++)
		if (!strcmp(classes[i].name, name))
			return i;
	if (nr_classes == MAX_LOCK_CLASSES)
		hw_fault("more than %d lock classes", MAX_LOCK_CLASSES);
	classes[nr_classes].name = name;
	return nr_classes++;
}

static size_t slot_of(uint64_t key)
{
	return (key * 0x9e3779b97f4a7c15ull >> 20) & (table_size - 1);
}

static void table_grow(void)
{
	struct lock_record *old = table;
	size_t old_size = table_size;

	table_size = old_size ? old_size * 2 : TABLE_MIN;
	table = calloc(table_size, sizeof(*table));
	if (!table)
		abort();
	for (size_t i = 0; i < old_size; i++) {
		size_t s;

		if (!old[i].key)
			continue;
		for (s = slot_of(old[i].key); table[s].key; s = (s + 1) & (table_size - 1))
			;
		table[s] = old[i];
	}
	free(old);
}

static struct lock_record *record_get(const void *lock)
{
	uint64_t key = (uint64_t)lock;
	size_t s;

	if (table_used * 2 >= table_size)
		table_grow();
	for (s = slot_of(key); table[s].key; s = (s + 1) & (table_size - 1))
		if (table[s].key == key)
			return &table[s];
	table[s].key = key;
	table_used++;
	return &table[s];
}

void hw_lock_init(const void *lock, unsigned cls)
{
	struct lock_record *r = record_get(lock);

	*r = (struct lock_record){ .key = (uint64_t)lock, .cls = (uint16_t)cls };
}

/* ---- order of classes ---- */

/* Can class @to be reached from @from along the known nestings? */
static bool reaches(unsigned from, unsigned to)
{
	uint64_t seen = 1ull << from, more = seen;

	while (more) {
		unsigned a = (unsigned)__builtin_ctzll(more);

		more &= more - 1;
		if (nests[a] >> to & 1)
			return true;
		more |= nests[a] & ~seen;
		seen |= nests[a];
	}
	return false;
}

static void note_order(unsigned cpu, unsigned cls)
{
	_Static_assert(MAX_LOCK_CLASSES <= 64, "a class is a bit of a word");
	for (unsigned i = 0; i < nr_held[cpu]; i++) {
		unsigned outer = held[cpu][i].cls;

		if (outer == cls || nests[outer] >> cls & 1)
			continue;
		if (reaches(cls, outer))
			hw_fault("lock order: '%s' is taken while '%s' is held, but '%s' is also taken inside '%s'",
				 classes[cls].name, classes[outer].name, classes[outer].name, classes[cls].name);
		nests[outer] |= 1ull << cls;
	}
}

/* ---- waits ---- */

void hw_lock_contended(const void *lock, unsigned cls, enum hw_lock_mode mode)
{
	struct cpu *c = cur;
	struct lock_record *r;

	(void)mode;
	if (c->muted)
		return;
	if (!cls) {
		r = record_get(lock);
		cls = r->cls;
		if (r->holder == c->id + 1)
			hw_fault("deadlock: CPU %u waits for '%s', which it holds", c->id, classes[cls].name);
	}
	classes[cls].contentions++;
	if (c->wait_depth++)
		return;
	c->wait_begin = c->clock;
	memcpy(c->wait_cause, c->booked, sizeof(c->wait_cause));
}

/* All that was booked since the wait began is wait for this lock. */
static void wait_end(struct cpu *c, unsigned cls)
{
	uint64_t wait = c->clock - c->wait_begin;

	memcpy(c->booked, c->wait_cause, sizeof(c->booked));
	c->booked[CAUSE_LOCK(cls)] += wait;
	classes[cls].wait_ps += wait;
	if (wait > classes[cls].wait_max_ps)
		classes[cls].wait_max_ps = wait;
}

static bool held_remove(unsigned cpu, uint64_t key, uint64_t *since)
{
	for (unsigned i = nr_held[cpu]; i-- > 0;) {
		if (held[cpu][i].key != key)
			continue;
		*since = held[cpu][i].since;
		for (; i + 1 < nr_held[cpu]; i++)
			held[cpu][i] = held[cpu][i + 1];
		nr_held[cpu]--;
		return true;
	}
	return false;
}

/*
 * A word that is a lock has a record; a lock that is a bit of some word (there
 * are as many as pages and slots) is known only while a CPU holds it.
 */
static uint64_t held_key(const void *lock, unsigned cls)
{
	return (uint64_t)lock ^ (uint64_t)cls << 56;
}

/* Note who holds the lock word; returns its class. */
static unsigned record_acquired(struct cpu *c, const void *lock, enum hw_lock_mode mode)
{
	struct lock_record *r = record_get(lock);

	if (r->holder)
		hw_fault("lock '%s' is taken by CPU %u while CPU %u holds it", classes[r->cls].name, c->id,
			 r->holder - 1u);
	if (mode == HW_LOCK_EXCLUSIVE)
		r->holder = (uint16_t)(c->id + 1);
	else
		r->readers++;
	if (r->last_cpu && r->last_cpu != c->id + 1)
		classes[r->cls].bounces++;
	r->last_cpu = (uint16_t)(c->id + 1);
	return r->cls;
}

/* In functional mode one thing happens after the other: there is nothing to watch. */
void hw_lock_acquired(const void *lock, unsigned cls, enum hw_lock_mode mode, bool try)
{
	struct cpu *c = cur;
	uint64_t key = held_key(lock, cls);

	if (c->muted)
		return;
	if (!cls)
		cls = record_acquired(c, lock, mode);
	if (!try && c->wait_depth && --c->wait_depth == 0)
		wait_end(c, cls);
	if (!try)
		note_order(c->id, cls);
	if (nr_held[c->id] == MAX_HELD)
		hw_fault("CPU %u holds more than %d locks", c->id, MAX_HELD);
	held[c->id][nr_held[c->id]++] = (struct held){ key, c->clock, cls };
	classes[cls].acquisitions++;
	trace(c->clock ^ (uint64_t)cls << 40 ^ c->id);
}

static unsigned record_released(struct cpu *c, const void *lock, enum hw_lock_mode mode)
{
	struct lock_record *r = record_get(lock);
	const char *name = classes[r->cls].name;

	if (mode == HW_LOCK_SHARED) {
		if (!r->readers)
			hw_fault("lock '%s' is released by a reader, CPU %u, but has none", name, c->id);
		r->readers--;
		return r->cls;
	}
	if (!r->holder)
		hw_fault("lock '%s' is released by CPU %u but not held", name, c->id);
	if (r->holder != c->id + 1)
		hw_fault("lock '%s' is released by CPU %u but held by CPU %u", name, c->id, r->holder - 1u);
	r->holder = 0;
	return r->cls;
}

void hw_lock_released(const void *lock, unsigned cls, enum hw_lock_mode mode)
{
	struct cpu *c = cur;
	uint64_t key = held_key(lock, cls);
	uint64_t since, hold;

	if (c->muted)
		return;
	if (!cls)
		cls = record_released(c, lock, mode);
	if (!held_remove(c->id, key, &since))
		hw_fault("lock '%s' is released by CPU %u, which does not hold it", classes[cls].name, c->id);
	hold = c->clock - since;
	classes[cls].hold_ps += hold;
	if (hold > classes[cls].hold_max_ps)
		classes[cls].hold_max_ps = hold;
}

unsigned locks_count(void)
{
	return nr_classes;
}

const struct lock_stats *locks_stats(unsigned cls)
{
	return &classes[cls];
}

unsigned locks_held(void)
{
	unsigned n = 0;

	for (unsigned i = 0; i < HW_MAX_CPUS; i++)
		n += nr_held[i];
	return n;
}
