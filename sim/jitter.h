/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * jitter.h - schedules by chance: CPUs are held up at atomic operations, and
 * those that are equally early take turns in another order. One seed gives one
 * schedule, the same each time. Times are then no prediction: what may happen
 * at all is looked for, not how long it takes.
 */
#ifndef ZSMSIM_JITTER_H
#define ZSMSIM_JITTER_H

#include "sim/machine.h"

/* 0: nobody is held up. Else what the next delay comes from. */
extern uint64_t jitter_state hot_hidden;

/* Of @seed, before the machine's CPUs are made; 0 turns it off. */
void jitter_begin(uint64_t seed);
/* The place of each of @nr CPUs among those that are equally early: 0 .. nr - 1, each once. */
void jitter_ranks(uint32_t *rank, unsigned nr);
/* Hold up @c, or not. */
void jitter_delay(struct cpu *c);

/* Before an atomic operation of the current CPU. */
static inline void jitter(struct cpu *c)
{
	if (unlikely(jitter_state))
		jitter_delay(c);
}

#endif
