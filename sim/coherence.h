/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * coherence.h - what happens when a private L1 cannot serve an access: L2,
 * the directory of line states, the shared cache of the cluster, memory.
 */
#ifndef ZSMSIM_COHERENCE_H
#define ZSMSIM_COHERENCE_H

#include "sim/machine.h"

void coherence_create(const struct machine_config *config);
void coherence_destroy(void);
/* Other shared caches, for machine_set_profiles(). */
void coherence_set_profiles(const struct machine_config *config);

/*
 * CPU @c asks for @line at time @t (ps), for writing if @exclusive. Updates
 * caches and directory and returns when the line is there (ps), with the
 * cause of the wait in *cause. The access itself happens at @use_at or later
 * (>= @t): a line that is on its way to another CPU serves it only if it is
 * still here then.
 */
uint64_t coherence_request(struct cpu *c, uint32_t line, bool exclusive, uint64_t t, uint64_t use_at,
			   uint32_t *cause);

/* As above for a line that a bulk operation streams over: states change, no time is paid here. */
void coherence_stream(struct cpu *c, uint32_t line, bool exclusive);

/* Other requests for @line queue until @when. */
static inline void coherence_hold(uint32_t line, uint64_t when)
{
	if (lines[line].busy_until < when)
		lines[line].busy_until = when;
}

/* Let @c, whose spin loop only reads @line, sleep on it; woken by the next writer. */
void coherence_park(struct cpu *c, uint32_t line);

/* Consistency of directory and caches for the lines that caches hold; a fault if violated. */
void coherence_check(void);

#endif
