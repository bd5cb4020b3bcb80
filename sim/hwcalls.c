/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hwcalls.c - what the software asks of the hardware by name. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/access.h"
#include "sim/coherence.h"
#include "sim/context.h"
#include "sim/names.h"
#include "sim/order.h"

bool machine_no_park;

static const struct profile_work *work_cost[HW_MAX_CPUS][MAX_WORK_NAMES];

unsigned hw_cpu(void)
{
	return cur->id;
}

__thread uint64_t hw_base_now;

void hw_set_base(unsigned cpu, uint64_t base)
{
	cpus[cpu].base = base;
	if (cur == &cpus[cpu])
		hw_base_now = base;
}

uint64_t hw_base_read(void)
{
	return hw_base_now;
}

unsigned hw_nr_cpus(void)
{
	return nr_cpus;
}

/* ---- spinning ---- */

static void relax_remember(struct cpu *c)
{
	c->relax_clock = c->clock;
	c->relax_loads = c->loads;
	c->relax_stores = c->stores;
	c->relax_rmws = c->rmws;
	c->relax_misses = c->l1_misses;
	c->relax_insns = c->insns;
	c->relax_branches = c->branches;
	c->relax_history = c->history;
	c->relax_entered = c->entered;
	memcpy(c->relax_cause, c->booked, sizeof(c->relax_cause));
}

/*
 * The last round did nothing but one load that hit, no branch was
 * mispredicted, nothing that had entered the window before made it cheaper,
 * and the predictor is back in the state it had a round ago: all further
 * rounds will be like it.
 */
static bool round_repeats(const struct cpu *c)
{
	return c->loads - c->relax_loads == 1 && c->stores == c->relax_stores && c->rmws == c->relax_rmws &&
	       c->l1_misses == c->relax_misses && c->booked[CAUSE_MISPREDICT] == c->relax_cause[CAUSE_MISPREDICT] &&
	       c->history == c->relax_history && !c->relax_entered &&
	       c->last_line_clock >= c->relax_clock && !c->nr_flight && !c->stores_nr && !c->nr_pending;
}

void hw_relax(void)
{
	struct cpu *c = cur;

	if (c->muted)
		hw_fault("a spin loop in functional mode would never end");
	access_drain_loads(c);
	book_apart(c, CAUSE_SPIN, c->profile->relax_ps);
	if (c->stores_nr && c->stores_last <= c->clock)
		c->stores_nr = 0;
	if (!machine_no_park && round_repeats(c)) {
		c->park_period = c->clock - c->relax_clock;
		c->park_delta = c->last_line_clock - c->relax_clock;
		c->park_insns = c->insns - c->relax_insns;
		c->park_branches = c->branches - c->relax_branches;
		for (unsigned i = 0; i < NR_FIXED_CAUSES; i++)
			c->park_cause[i] = c->booked[i] - c->relax_cause[i];
		relax_remember(c);
		coherence_park(c, c->last_line);
	}
	relax_remember(c);
}

/* ---- fences, interrupts, contexts ---- */

void hw_fence(void)
{
	struct cpu *c = cur;

	if (c->muted)
		return;
	access_drain(c);
	book_stall(c, CAUSE_FENCE, c->profile->fence_ps);
}

void hw_idle(void)
{
	struct cpu *c = cur;

	if (c->muted)
		hw_fault("idle in functional mode");
	access_drain(c);
	order_check(c);
	if (!c->kicked) {
		c->idle = true;
		order_block(c);
		c->idle = false;
	}
	c->kicked = false;
	book_apart(c, CAUSE_IDLE, c->kick_at > c->clock ? c->kick_at - c->clock : 0);
}

void hw_kick(unsigned cpu)
{
	struct cpu *c = cur, *to = &cpus[cpu];

	if (c->muted)
		return;
	book_apart(c, CAUSE_KICK, c->profile->kick_ps);
	order_check(c);
	trace(c->clock ^ cpu);
	if (to->kicked)
		return;
	to->kicked = true;
	to->kick_at = c->clock + to->profile->kick_latency_ps;
	if (!to->idle)
		return;
	if (to->kick_at > to->clock)
		book_apart(to, CAUSE_IDLE, to->kick_at - to->clock);
	order_insert(to);
}

void *hw_context_create(void *stack, size_t stack_bytes, void (*fn)(void *), void *arg)
{
	return context_make(stack, stack_bytes, fn, arg);
}

void hw_context_switch(void **save, void *next)
{
	context_switch(save, next);
}

/* ---- bulk work ---- */

static void stream(const void *addr, size_t bytes, bool exclusive)
{
	uint64_t off = access_offset((uint64_t)addr);

	if (off == UINT64_MAX || !bytes)
		return;
	for (uint64_t line = off >> HW_LINE_SHIFT; line <= (off + bytes - 1) >> HW_LINE_SHIFT; line++) {
		if (cur->nr_pending)
			access_drain(cur);
		access_check_poison(cur, line << HW_LINE_SHIFT < off ? off : line << HW_LINE_SHIFT,
				    exclusive ? "copy to" : "copy from");
		coherence_stream(cur, (uint32_t)line, exclusive);
	}
}

void hw_copy(void *dst, const void *src, size_t bytes)
{
	struct cpu *c = cur;

	if (!c->muted) {
		order_check(c);
		stream(src, bytes, false);
		stream(dst, bytes, true);
		book_apart(c, CAUSE_STREAM, bytes * c->profile->copy_ps_per_kib / 1024);
		c->copies++;
		c->bytes_copied += bytes;
		order_check(c);
	}
	memcpy(dst, src, bytes);
}

void hw_zero(void *dst, size_t bytes)
{
	struct cpu *c = cur;

	if (!c->muted) {
		order_check(c);
		stream(dst, bytes, true);
		book_apart(c, CAUSE_STREAM, bytes * c->profile->zero_ps_per_kib / 1024);
		order_check(c);
	}
	memset(dst, 0, bytes);
}

void hwcalls_forget_work(void)
{
	memset(work_cost, 0, sizeof(work_cost));
}

void hw_work(unsigned id, uint64_t units)
{
	struct cpu *c = cur;

	if (c->muted)
		return;
	if (!work_cost[c->id][id]) {
		work_cost[c->id][id] = profile_work(c->profile, work_name(id));
		if (!work_cost[c->id][id])
			hw_fault("profile '%s' has no figure for work '%s'", c->profile->name, work_name(id));
	}
	book_apart(c, CAUSE_WORK(id), units * work_cost[c->id][id]->ps);
}

void hw_mute(void)
{
	cur->muted++;
}

void hw_unmute(void)
{
	cur->muted--;
}

/* @shift: bits of each value that do not count. */
static void note_derived(struct cpu *c, const void *ptr, uint64_t field, unsigned shift)
{
	for (uint32_t i = 0; i < c->nr_flight; i++)
		if (c->flight[i].value >> shift == field) {
			c->flight[i].derived[1] = c->flight[i].derived[0];
			c->flight[i].derived[0] = (uint64_t)ptr;
		}
}

void hw_derived(const void *ptr, uint64_t word)
{
	if (!cur->muted)
		note_derived(cur, ptr, word, 0);
}

void hw_derived_field(const void *ptr, uint64_t field, unsigned shift)
{
	if (!cur->muted)
		note_derived(cur, ptr, field, shift);
}

size_t hw_format(char *buf, size_t bytes, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(buf, bytes, fmt, ap);
	va_end(ap);
	if (n < 0 || !bytes)
		return 0;
	return (size_t)n < bytes ? (size_t)n : bytes - 1;
}
