/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * order.h - who is next. A winner tree over (clock, number) of the runnable
 * CPUs and of the sampler, so finding the next one costs the logarithm of
 * their number.
 */
#ifndef ZSMSIM_ORDER_H
#define ZSMSIM_ORDER_H

#include "sim/machine.h"

/* Stands in for the current CPU while there is no machine. */
extern struct cpu order_nobody;

/* Called by order_* when simulated time reaches a sample; returns the next sample's time. */
typedef uint64_t (*order_sample_fn)(uint64_t now);

/* Called when the oldest pending store of @c is due; makes it visible and returns when the next one is, or UINT64_MAX. */
typedef uint64_t (*order_commit_fn)(struct cpu *c);

void order_create(unsigned nr, order_sample_fn sample, uint64_t first_sample, order_commit_fn commit);
void order_destroy(void);

/* @c may run at its clock, as of now. Not for the current CPU. */
void order_insert(struct cpu *c);
/* The oldest pending store of @c, the current CPU, becomes visible at @when; UINT64_MAX: there is none. */
void order_commit_at(struct cpu *c, uint64_t when);
/* Let the first CPU run; returns when this one is first again. */
void order_yield(struct cpu *c);
/* The current CPU stops being runnable; returns after an order_insert() of it when it is first. */
void order_block(struct cpu *c);
/* Start with the first CPU; returns to the host when no CPU is runnable. */
void order_run(void);

/* An effect of the current CPU is due: wait until no other CPU is earlier. */
static inline void order_check(struct cpu *c)
{
	if (unlikely(c->clock > c->horizon))
		order_yield(c);
}

#endif
