/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lines.c - what a cache line costs that another CPU has (see measure.h).
 *
 * Two methods. A ping-pong is what published tables are made by: its figure
 * has the atomic operation in it. For reading alone, and for lines that both
 * have already, one CPU puts lines into the state wanted and the other then
 * goes through them, each address coming out of the line before.
 */
#include "native/measure.h"

#include <stdlib.h>

#define HANDS		2000
#define LINES		128		/* fit any first-level cache */
#define SETS		20
#define CONTENDED	20000
#define PAUSE		100		/* cycles or so: less than a line takes to come back */

struct padded {
	uint64_t word;
} __attribute__((aligned(2 * MEASURE_LINE)));	/* neighbours may be fetched together */

/* ---- ping-pong ---- */

struct ping_pong {
	struct padded ball;
	uint64_t ns;
};

/* Player i hits when the count has his parity. */
static void play(unsigned index, void *arg)
{
	struct ping_pong *p = arg;
	uint64_t began = bench_now_ns();

	for (uint64_t turn = index; turn < 2 * HANDS; turn += 2) {
		uint64_t expected = turn;

		while (!__atomic_compare_exchange_n(&p->ball.word, &expected, turn + 1, false, __ATOMIC_SEQ_CST,
						    __ATOMIC_SEQ_CST))
			expected = turn;
	}
	if (index)
		p->ns = bench_now_ns() - began;
}

static void together(struct bench *b, size_t pair, void (*fn)(unsigned, void *), void *arg)
{
	const int cpu[2] = { b->cpus->at[PAIR_FIRST(pair)], b->cpus->at[PAIR_SECOND(pair)] };

	bench_together(cpu, 2, fn, arg);
}

double sample_ping_pong_ns(struct bench *b, size_t pair)
{
	static struct ping_pong p;

	p.ball.word = 0;
	together(b, pair, play, &p);
	return (double)p.ns / (2 * HANDS);
}

/* ---- lines in a state that the other has made ---- */

enum way { READ_DIRTY, UPGRADE_SHARED };

struct relay {
	enum way way;
	struct padded line[LINES];	/* each holds the number of the next, in random order */
	struct padded turn;		/* even: the first CPU's; odd: the second's */
	double ns[SETS];
};

static void ring_init(struct relay *r)
{
	uint32_t order[LINES];
	uint64_t state = 521288629546311ull;

	for (uint32_t i = 0; i < LINES; i++)
		order[i] = i;
	for (uint32_t i = LINES - 1; i > 0; i--) {
		uint32_t k = (uint32_t)(bench_random(&state) % i), other = order[k];

		order[k] = order[i];
		order[i] = other;
	}
	for (uint32_t i = 0; i < LINES; i++)
		r->line[order[i]].word = order[(i + 1) % LINES];
	r->turn.word = 0;
}

static void wait_turn(struct relay *r, uint64_t turn)
{
	while (__atomic_load_n(&r->turn.word, __ATOMIC_ACQUIRE) != turn)
		;
}

static void pass_turn(struct relay *r, uint64_t turn)
{
	__atomic_store_n(&r->turn.word, turn + 1, __ATOMIC_RELEASE);
}

static uint64_t go_round_reading(struct relay *r)
{
	uint64_t at = 0;

	for (int i = 0; i < LINES; i++)
		at = __atomic_load_n(&r->line[at].word, __ATOMIC_RELAXED);
	return at;
}

/* An atomic that changes nothing needs the line for itself all the same. */
static uint64_t go_round_owning(struct relay *r)
{
	uint64_t at = 0;

	for (int i = 0; i < LINES; i++)
		at = __atomic_fetch_add(&r->line[at].word, 0, __ATOMIC_SEQ_CST);
	return at;
}

static void modify_all(struct relay *r)
{
	go_round_owning(r);
}

static void prepare_lines(struct relay *r, uint64_t set)
{
	wait_turn(r, 4 * set);
	modify_all(r);
	pass_turn(r, 4 * set);
	/* The other has read them meanwhile; where that moved them, now both have them. */
	wait_turn(r, 4 * set + 2);
	go_round_reading(r);
	pass_turn(r, 4 * set + 2);
}

static void use_lines(struct relay *r, uint64_t set)
{
	uint64_t began;

	wait_turn(r, 4 * set + 1);
	began = bench_now_ns();
	go_round_reading(r);
	r->ns[set] = (double)(bench_now_ns() - began) / LINES;
	pass_turn(r, 4 * set + 1);
	wait_turn(r, 4 * set + 3);
	if (r->way == UPGRADE_SHARED) {
		began = bench_now_ns();
		go_round_owning(r);
		r->ns[set] = (double)(bench_now_ns() - began) / LINES;
	}
	pass_turn(r, 4 * set + 3);
}

static void run_relay(unsigned index, void *arg)
{
	for (uint64_t set = 0; set < SETS; set++) {
		if (index)
			use_lines(arg, set);
		else
			prepare_lines(arg, set);
	}
}

static double relay_ns(struct bench *b, size_t pair, enum way way)
{
	static struct relay r;

	ring_init(&r);
	r.way = way;
	together(b, pair, run_relay, &r);
	return spread_of(r.ns, SETS).value;
}

double sample_read_dirty_ns(struct bench *b, size_t pair)
{
	return relay_ns(b, pair, READ_DIRTY);
}

double sample_upgrade_ns(struct bench *b, size_t pair)
{
	return relay_ns(b, pair, UPGRADE_SHARED);
}

/* ---- many on one line ---- */

struct crowd {
	struct padded line;
	uint64_t began[MEASURE_THREADS], ended[MEASURE_THREADS];
};

static void push(unsigned index, void *arg)
{
	struct crowd *c = arg;

	c->began[index] = bench_now_ns();
	for (int i = 0; i < CONTENDED; i++) {
		__atomic_fetch_add(&c->line.word, 1, __ATOMIC_SEQ_CST);
		for (int k = 0; k < PAUSE; k++)
			__asm__ volatile("" ::: "memory");
	}
	c->ended[index] = bench_now_ns();
}

/* Counted while all take part: from the last one's start to the first one's end. */
double sample_contended_ns(struct bench *b, size_t cpus)
{
	static struct crowd c;
	double operations = 0;
	uint64_t from = 0, to = UINT64_MAX;

	bench_together(b->cpus->at, (unsigned)cpus, push, &c);
	for (size_t i = 0; i < cpus; i++) {
		from = c.began[i] > from ? c.began[i] : from;
		to = c.ended[i] < to ? c.ended[i] : to;
	}
	if (to <= from)
		return 0;
	for (size_t i = 0; i < cpus; i++)
		operations += CONTENDED * (double)(to - from) / (double)(c.ended[i] - c.began[i]);
	return (double)(to - from) / operations;
}
