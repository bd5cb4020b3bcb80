/* SPDX-License-Identifier: GPL-3.0-or-later */
/* access.c - loads, stores and atomics that need more than a look at L1. */
#include "sim/access.h"

#include "sim/cache.h"
#include "sim/coherence.h"
#include "sim/jitter.h"
#include "sim/tlb.h"

/* ---- the full way ---- */

static void load_missed(struct cpu *c, uint32_t line, uint64_t addr);
static void load_in_flight(struct cpu *c, uint64_t addr);
static void store_missed(struct cpu *c, uint32_t line, uint64_t addr);
static void store_buffered(struct cpu *c);

/* What comes before any plain access: its place in simulated memory when it is due, or UINT64_MAX for host memory. */
static uint64_t access_due(struct cpu *c, uint64_t addr, const char *what)
{
	uint64_t off = access_offset(addr);

	if (off == UINT64_MAX)
		return off;
	order_check(c);
	if (c->nr_pending)
		access_pending(c, addr);
	access_check_poison(c, off, what);
	return off;
}

void access_load_full(uint64_t addr)
{
	struct cpu *c = cur;
	uint64_t off = access_due(c, addr, "load");
	uint32_t line = (uint32_t)(off >> HW_LINE_SHIFT);

	if (off == UINT64_MAX)
		return;
	c->loads++;
	if (l1_lookup(c, line) == PERM_NONE)
		load_missed(c, line, addr);
	else if (c->nr_flight)
		load_in_flight(c, addr);
	else if (c->l1_stall_ps)
		book(c, CAUSE_L1, c->l1_stall_ps);
}

void access_store_full(uint64_t addr)
{
	struct cpu *c = cur;
	uint64_t off = access_due(c, addr, "store");
	uint32_t line = (uint32_t)(off >> HW_LINE_SHIFT);

	if (off == UINT64_MAX)
		return;
	c->stores++;
	if (l1_lookup(c, line) != PERM_EXCLUSIVE)
		store_missed(c, line, addr);
	else if (c->stores_nr)
		store_buffered(c);
}

/* ---- loads in flight ---- */

/* So many loads are looked through before those that have arrived are taken out. */
#define FLIGHT_LOOSE 4

static uint64_t window_entered(const struct cpu *c);

/* Forget loads that have arrived; keeps the order of issue. */
static void flight_prune(struct cpu *c)
{
	uint64_t now = c->runs_ahead ? window_entered(c) : c->clock;
	uint32_t kept = 0;

	if (c->flight_max <= now) {
		c->nr_flight = 0;
		return;
	}
	for (uint32_t i = 0; i < c->nr_flight; i++)
		if (c->flight[i].done > now) {
			if (kept != i)
				c->flight[kept] = c->flight[i];
			kept++;
		}
	c->nr_flight = kept;
}

static void flight_drop_first(struct cpu *c)
{
	c->nr_flight--;
	for (uint32_t i = 0; i < c->nr_flight; i++)
		c->flight[i] = c->flight[i + 1];
}

/* The window holds so many instructions: wait for loads that are further back. */
static void flight_window(struct cpu *c)
{
	while (c->nr_flight && c->insns - c->flight[0].seq > c->profile->window) {
		if (c->flight[0].done > c->clock) {
			book_until(c, c->flight[0].cause, c->flight[0].done);
			/* it was the load that held up what is a window behind it */
			c->stalls[(c->stall_at + MAX_STALLS - 1) % MAX_STALLS].insns = c->flight[0].seq;
		}
		flight_drop_first(c);
	}
}

/* Every missing line needs a buffer: with all of them in use, wait for the one in use the longest. */
static void flight_make_room(struct cpu *c)
{
	uint32_t most = c->profile->miss_buffers < MAX_IN_FLIGHT ? c->profile->miss_buffers : MAX_IN_FLIGHT;
	uint32_t out = 0;

	for (uint32_t i = 0; i < c->nr_flight; i++)
		out += c->flight[i].done > c->clock;
	for (uint32_t i = 0; i < c->nr_flight && out >= most; i++) {
		if (c->flight[i].done <= c->clock)
			continue;
		book_until(c, c->flight[i].cause, c->flight[i].done);
		out--;
	}
	if (c->nr_flight == MAX_IN_FLIGHT)
		flight_drop_first(c);
}

static bool depends(const struct in_flight *f, uint64_t addr)
{
	return addr - f->value + 4096 < 8192 || addr - f->derived[0] + 4096 < 8192 ||
	       addr - f->derived[1] + 4096 < 8192;
}

/*
 * When the youngest instruction entered the window: when the one that is a
 * window before it left. That is so many instructions after the latest stall
 * that far back; and not before the last mispredicted branch was known.
 */
static uint64_t window_entered(const struct cpu *c)
{
	uint64_t entered = 0;

	for (uint32_t i = 1; i <= MAX_STALLS; i++) {
		uint32_t at = (c->stall_at + MAX_STALLS - i) % MAX_STALLS;
		uint64_t left = c->stalls[at].insns + c->profile->window;

		entered = c->stalls[at].end;
		if (left <= c->insns) {
			entered += (c->insns - left) * c->insn_fp >> 8;
			break;
		}
	}
	if (entered < c->refetched)
		entered = c->refetched;
	return entered < c->clock ? entered : c->clock;
}

/* When the load that @addr was computed from is done, if that is after @t. */
static uint64_t after_dependence(const struct cpu *c, uint64_t addr, uint64_t t)
{
	for (uint32_t i = 0; i < c->nr_flight; i++)
		if (c->flight[i].done > t && depends(&c->flight[i], addr))
			t = c->flight[i].done;
	return t;
}

static void flight_tidy(struct cpu *c)
{
	if (c->nr_flight > FLIGHT_LOOSE || c->flight_max <= c->clock)
		flight_prune(c);
	if (c->nr_flight && c->insns - c->flight[0].seq > c->profile->window) {
		flight_window(c);
		order_check(c);
	}
}

/*
 * When an access to @addr can start: its instruction is in the window (since
 * the last stall if it entered during that), and the load that its address
 * was computed from is done.
 */
static uint64_t address_ready(struct cpu *c, uint64_t addr)
{
	flight_tidy(c);
	return after_dependence(c, addr, c->entered ? c->stall_end : c->clock);
}

/* When a buffer for another missing line is free: when the load is done that is so many misses back. */
static uint64_t buffer_free(const struct cpu *c)
{
	uint32_t most = c->profile->miss_buffers, misses = 0;

	for (uint32_t i = c->nr_flight; i > 0; i--)
		if (c->flight[i - 1].cause != CAUSE_L1 && ++misses == most)
			return c->flight[i - 1].done;
	return 0;
}

/*
 * When a load or store asks for its line. Where younger ones need not wait for
 * an atomic to ask (only for it to be done before they count), that is when
 * they entered the window.
 */
static uint64_t line_asked(struct cpu *c, uint64_t addr)
{
	uint64_t t, room;

	if (c->runs_ahead) {
		flight_tidy(c);
		t = after_dependence(c, addr, window_entered(c));
	} else {
		t = address_ready(c, addr);
	}
	room = buffer_free(c);
	return t > room ? t : room;
}

static void flight_add(struct cpu *c, uint64_t addr, uint64_t done, uint32_t cause)
{
	flight_prune(c);
	flight_make_room(c);
	if (done <= c->clock && !c->runs_ahead)
		return;
	if (!c->nr_flight)
		c->flight_max = 0;
	c->flight[c->nr_flight++] = (struct in_flight){
		.done = done,
		.seq = c->insns,
		.value = *(const uint64_t *)(addr & ~7ull),
		.cause = cause,
	};
	if (done > c->flight_max) {
		c->flight_max = done;
		c->flight_cause = cause;
	}
	c->last_load_done = done;
}

void access_drain_loads(struct cpu *c)
{
	if (!c->nr_flight)
		return;
	book_until(c, c->flight_cause, c->flight_max);
	flight_prune(c);
}

/* A hit while others are in flight: late only if its address is. */
static void load_in_flight(struct cpu *c, uint64_t addr)
{
	uint64_t t = address_ready(c, addr);

	if (t > c->clock) {
		flight_add(c, addr, t + c->profile->l1.latency_ps, CAUSE_L1);
		order_check(c);
	} else {
		c->last_load_done = 0;
	}
}

/* The load has its effect after whatever it had to wait for, in order. */
static void load_timed(struct cpu *c, uint64_t addr, uint64_t done, uint32_t cause)
{
	if (c->out_of_order)
		flight_add(c, addr, done, cause);
	else
		book_until(c, cause, done);
	order_check(c);
}

static void load_missed(struct cpu *c, uint32_t line, uint64_t addr)
{
	uint64_t t = tlb_translate(c, line, line_asked(c, addr));
	uint32_t cause;
	uint64_t done = coherence_request(c, line, false, t, t, &cause);

	load_timed(c, addr, done, cause);
}

/*
 * Code that synchronises reads a value at the moment the line is there; what
 * follows depends on it.
 */
void access_load_acquire(struct cpu *c, uint64_t off, uint64_t addr)
{
	uint32_t line = (uint32_t)(off >> HW_LINE_SHIFT);

	c->last_line = line;
	c->last_line_clock = c->clock;
	access_load(addr);
	if (c->nr_flight && c->last_load_done > c->clock) {
		book_until(c, c->flight[c->nr_flight - 1].cause, c->last_load_done);
		order_check(c);
	}
}

/* ---- stores ---- */

static void stores_prune(struct cpu *c)
{
	while (c->stores_nr && c->store_drain[c->stores_head] <= c->clock) {
		c->stores_head = (c->stores_head + 1) % MAX_STORES;
		c->stores_nr--;
	}
}

/*
 * Wait for a free entry; a full buffer stalls the program. Before the line is
 * asked for: from then on until the store counts nothing may come between.
 */
static void store_buffer_room(struct cpu *c)
{
	uint32_t most = c->profile->store_buffer < MAX_STORES ? c->profile->store_buffer : MAX_STORES;

	stores_prune(c);
	if (c->stores_nr < most)
		return;
	book_until(c, CAUSE_STORE_BUFFER, c->store_drain[c->stores_head]);
	stores_prune(c);
	order_check(c);
}

/* Put a store that leaves the buffer at @drain at the earliest into it; returns when it does. */
static uint64_t store_buffer_add(struct cpu *c, uint64_t drain)
{
	/* total store order: behind the older stores and, retired in order, the older loads */
	if (c->profile->atomic_is_fence) {
		if (drain < c->stores_last)
			drain = c->stores_last;
		if (c->nr_flight && drain < c->flight_max)
			drain = c->flight_max;
	}
	if (drain <= c->clock)
		return drain;
	c->store_drain[(c->stores_head + c->stores_nr++) % MAX_STORES] = drain;
	if (drain > c->stores_last)
		c->stores_last = drain;
	return drain;
}

static void store_buffered(struct cpu *c)
{
	stores_prune(c);
	if (c->stores_nr && c->profile->atomic_is_fence) {
		store_buffer_room(c);
		store_buffer_add(c, c->clock);
	}
}

/* Ask for the line of a store that may happen at @use_at; when it is there. */
static uint64_t store_line(struct cpu *c, uint32_t line, uint64_t addr, uint64_t use_at)
{
	uint32_t cause;
	uint64_t t;

	if (l1_lookup(c, line) == PERM_EXCLUSIVE)
		return c->clock;
	t = tlb_translate(c, line, line_asked(c, addr));
	return coherence_request(c, line, true, t, use_at > t ? use_at : t, &cause);
}

static void store_missed(struct cpu *c, uint32_t line, uint64_t addr)
{
	store_buffer_room(c);
	store_buffer_add(c, store_line(c, line, addr, 0));
}

/* ---- atomic stores, invisible until their line is there ---- */

static void store_value(uint64_t addr, uint32_t bytes, uint64_t value)
{
	switch (bytes) {
	case 1:
		*(volatile uint8_t *)addr = (uint8_t)value;
		break;
	case 2:
		*(volatile uint16_t *)addr = (uint16_t)value;
		break;
	case 4:
		*(volatile uint32_t *)addr = (uint32_t)value;
		break;
	default:
		*(volatile uint64_t *)addr = value;
	}
}

uint64_t access_commit(struct cpu *c)
{
	store_value(c->pending[0].addr, c->pending[0].bytes, c->pending[0].value);
	c->nr_pending--;
	for (uint32_t i = 0; i < c->nr_pending; i++)
		c->pending[i] = c->pending[i + 1];
	return c->nr_pending ? c->pending[0].when : UINT64_MAX;
}

/*
 * Wait until the first @n pending stores are visible: until just after the
 * time at which they are made so, in their place in the order of time.
 */
static void pending_wait(struct cpu *c, uint32_t n)
{
	book_until(c, CAUSE_STORE_BUFFER, c->pending[n - 1].when + 1);
	order_check(c);
}

void access_pending(struct cpu *c, uint64_t addr)
{
	for (uint32_t i = c->nr_pending; i > 0; i--)
		if (c->pending[i - 1].addr >> 3 == addr >> 3) {
			pending_wait(c, i);
			return;
		}
}

static void pending_add(struct cpu *c, struct pending_store store)
{
	if (c->nr_pending && store.when < c->pending[c->nr_pending - 1].when)
		store.when = c->pending[c->nr_pending - 1].when;
	c->pending[c->nr_pending++] = store;
	if (c->nr_pending == 1)
		order_commit_at(c, store.when);
}

void access_store_atomic(struct cpu *c, uint64_t off, uint64_t addr, uint32_t bytes, uint64_t value, bool release)
{
	uint32_t line = (uint32_t)(off >> HW_LINE_SHIFT);
	uint64_t after, drain;

	c->stores++;
	if (c->nr_pending == MAX_PENDING)
		pending_wait(c, 1);
	store_buffer_room(c);
	after = c->clock;
	if (release && c->nr_flight && after < c->flight_max)
		after = c->flight_max;
	if (release && c->stores_nr && after < c->stores_last)
		after = c->stores_last;
	if (c->nr_pending && after < c->pending[c->nr_pending - 1].when)
		after = c->pending[c->nr_pending - 1].when;
	drain = store_line(c, line, addr, after);
	drain = drain > after ? drain : after;
	drain = store_buffer_add(c, drain);
	if (drain <= c->clock) {
		store_value(addr, bytes, value);
		return;
	}
	coherence_hold(line, drain);
	pending_add(c, (struct pending_store){ .addr = addr, .value = value, .when = drain, .bytes = bytes });
}

static void drain_stores(struct cpu *c)
{
	if (c->stores_nr)
		book_until(c, CAUSE_STORE_BUFFER, c->stores_last);
	c->stores_nr = 0;
}

void access_drain(struct cpu *c)
{
	access_drain_loads(c);
	drain_stores(c);
}

/* ---- atomics ---- */

/* Whether the operation, on this CPU, waits for what is older and holds up what is younger. */
static bool rmw_waits(const struct cpu *c, int order, bool result_used)
{
	if (c->profile->atomic_is_fence)
		return true;
	return order != __ATOMIC_RELAXED || result_used || !c->profile->lse || !c->out_of_order;
}

void access_rmw(struct cpu *c, uint64_t off, uint64_t addr, int order, bool result_used)
{
	uint32_t line = (uint32_t)(off >> HW_LINE_SHIFT);
	bool all = c->profile->atomic_is_fence || order == __ATOMIC_SEQ_CST || order == __ATOMIC_ACQ_REL ||
		   order == __ATOMIC_RELEASE;
	uint32_t cause = CAUSE_ATOMIC;
	uint64_t there;

	jitter(c);
	order_check(c);
	if (unlikely(c->nr_pending))
		access_pending(c, addr);
	access_check_poison(c, off, "atomic");
	c->rmws++;
	if (!rmw_waits(c, order, result_used))
		store_buffer_room(c);
	there = c->clock;
	/* the line is asked for as soon as the address is known, before the wait for older accesses */
	if (l1_lookup(c, line) != PERM_EXCLUSIVE) {
		uint64_t t = tlb_translate(c, line, address_ready(c, addr)), use_at = t;

		if (all && c->nr_flight && use_at < c->flight_max)
			use_at = c->flight_max;
		if (all && c->stores_nr && use_at < c->stores_last)
			use_at = c->stores_last;
		there = coherence_request(c, line, true, t, use_at, &cause);
	}
	trace(c->clock ^ (uint64_t)line << 20 ^ c->id ^ 0x5555);
	if (!rmw_waits(c, order, result_used)) {
		store_buffer_add(c, (there > c->clock ? there : c->clock) + c->profile->atomic_ps);
		return;
	}
	if (all)
		access_drain(c);
	book_until(c, cause, there);
	book_stall(c, CAUSE_ATOMIC, c->profile->atomic_ps);
	coherence_hold(line, c->clock);
	order_check(c);
}
