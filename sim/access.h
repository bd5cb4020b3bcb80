/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * access.h - one load, store or atomic of the simulated software: order,
 * caches, overlap. The hooks of tsan.c and the calls of hwcalls.c are made
 * of these.
 *
 * Overlap on an out-of-order core: its clock is the time at which the next
 * instruction enters the window. A load that misses goes into the list of
 * loads in flight and the clock goes on, until the window is full, a later
 * address depends on the loaded value, a branch that waits for it is
 * mispredicted, or an ordering point waits for all of them.
 */
#ifndef ZSMSIM_ACCESS_H
#define ZSMSIM_ACCESS_H

#include "sim/l1.h"
#include "sim/machine.h"
#include "sim/order.h"

void access_poisoned(struct cpu *c, uint64_t off, const char *what);

/* A read-modify-write. Returns when it has its effect. @order: __ATOMIC_*. */
void access_rmw(struct cpu *c, uint64_t off, uint64_t addr, int order, bool result_used);
/*
 * An atomic store: takes effect, seen by all, when its line is there and, with
 * release order, all older accesses are done. The program does not wait.
 */
void access_store_atomic(struct cpu *c, uint64_t off, uint64_t addr, uint32_t bytes, uint64_t value, bool release);
/* The CPU itself touches what it has stored and nobody sees yet: wait for the store. */
void access_pending(struct cpu *c, uint64_t addr);
/* order.h: make the oldest pending store visible. */
uint64_t access_commit(struct cpu *c);
/* A load with acquire order. */
void access_load_acquire(struct cpu *c, uint64_t off, uint64_t addr);
/* Older loads and stores are done. */
void access_drain(struct cpu *c);
/* Older loads are done. */
void access_drain_loads(struct cpu *c);

/* Offset of @addr in simulated memory (the module's data follows it), or UINT64_MAX for host memory. */
static inline uint64_t access_offset(uint64_t addr)
{
	uint64_t off = addr - HW_MEM_BASE;

	if (likely(off < memory_bytes))
		return off;
	off = addr - module_base;
	return off < module_bytes ? memory_bytes + off : UINT64_MAX;
}

static inline void access_check_poison(struct cpu *c, uint64_t off, const char *what)
{
	if (unlikely(shadow[off >> 3]) && !c->poison_off)
		access_poisoned(c, off, what);
}

/*
 * The usual access: nothing else is going on, no other CPU is earlier, memory
 * is not poisoned, and the filter finds the line in L1. Returns false, with
 * nothing done, if it is not that simple. Kept free of calls so that the hooks
 * need no stack frame.
 */
static inline __attribute__((always_inline)) bool access_simple(struct cpu *c, uint64_t off, enum permission least)
{
	uint32_t line = (uint32_t)(off >> HW_LINE_SHIFT);
	struct l1_filter *f = l1_filter_of(c, line);

	if (unlikely(c->attention))
		return false;
	if (unlikely(off >> MEMORY_SPACE_SHIFT) || unlikely(c->clock > c->horizon))
		return false;
	if (unlikely(shadow[off >> 3]) || unlikely(!l1_filter_hit(f, line, least)))
		return false;
	l1_use(c, f);
	return true;
}

/* The same accesses in full. */
void access_load_full(uint64_t addr);
void access_store_full(uint64_t addr);

static inline void access_load(uint64_t addr)
{
	struct cpu *c = cur;

	if (unlikely(!access_simple(c, addr - HW_MEM_BASE, PERM_SHARED))) {
		if (!c->muted)
			access_load_full(addr);
		return;
	}
	c->loads++;
	book(c, CAUSE_L1, c->l1_stall_ps);
}

static inline void access_store(uint64_t addr)
{
	struct cpu *c = cur;

	if (likely(!c->stores_nr) && likely(access_simple(c, addr - HW_MEM_BASE, PERM_EXCLUSIVE)))
		c->stores++;
	else if (!c->muted)
		access_store_full(addr);
}

#endif
