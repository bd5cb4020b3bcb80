/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * order.c - strict order of simulated time.
 *
 * Leaves hold clock << 10 | number, or NEVER (a CPU's number is its rank); an inner node is the smaller of
 * its two children, so the root names the CPU that is next. The leaf of the
 * current CPU keeps the value with which it won: it stays the smallest until
 * the CPU gives way, and its horizon is the smallest of the others.
 */
#include "sim/order.h"

#include <stdlib.h>

#include "sim/context.h"

#define KEY_BITS	10
#define NEVER		UINT64_MAX

/* Code of the module that runs when there is no machine (its constructors) runs on nobody. */
struct cpu order_nobody = { .muted = 1, .horizon = UINT64_MAX };
struct cpu *cur = &order_nobody;

static uint64_t *tree;			/* 1-based; leaves at [size, 2 * size) */
static uint32_t size;
static uint32_t sampler;		/* leaf of the sampler; behind it, one per CPU for its pending stores */
static order_sample_fn sample_fn;
static order_commit_fn commit_fn;
static void *host_sp;
static struct cpu *by_rank[HW_MAX_CPUS];

static inline uint64_t key_of(const struct cpu *c)
{
	return c->clock << KEY_BITS | c->rank;
}

static inline void leaf_set(uint32_t leaf, uint64_t key)
{
	uint32_t i = leaf + size;

	tree[i] = key;
	while (i > 1) {
		uint64_t a = tree[i], b = tree[i ^ 1];

		i >>= 1;
		tree[i] = a < b ? a : b;
	}
}

/* Smallest key of all leaves but @leaf. */
static inline uint64_t smallest_other(uint32_t leaf)
{
	uint64_t best = NEVER;

	for (uint32_t i = leaf + size; i > 1; i >>= 1)
		if (tree[i ^ 1] < best)
			best = tree[i ^ 1];
	return best;
}

static inline void set_horizon(struct cpu *c)
{
	uint64_t other = smallest_other(c->rank);
	uint64_t number = other & ((1u << KEY_BITS) - 1);

	/* at equal clocks the lower number goes first */
	c->horizon = other == NEVER ? NEVER : (other >> KEY_BITS) - (number < c->rank);
}

static void commit(uint32_t number)
{
	uint64_t next = commit_fn(&cpus[number - sampler - 1]);

	leaf_set(number, next == NEVER ? NEVER : next << KEY_BITS | number);
}

/*
 * Take the samples and make the stores visible that are due before any CPU's
 * next step; the first CPU, or NULL if none can run.
 */
static struct cpu *first_cpu(void)
{
	while (tree[1] != NEVER) {
		uint32_t number = tree[1] & ((1u << KEY_BITS) - 1);

		if (number < sampler)
			return by_rank[number];
		if (number > sampler) {
			commit(number);
			continue;
		}
		if (smallest_other(sampler) == NEVER)
			return NULL;
		leaf_set(sampler, sample_fn(tree[1] >> KEY_BITS) << KEY_BITS | sampler);
	}
	return NULL;
}

void order_create(unsigned nr, order_sample_fn sample, uint64_t first_sample, order_commit_fn commit)
{
	for (size = 2; size < 2 * nr + 1; size *= 2)
		;
	tree = aligned_alloc(64, ((size_t)size * 2 * sizeof(*tree) + 63) / 64 * 64);
	if (!tree)
		abort();
	for (uint32_t i = 0; i < size * 2; i++)
		tree[i] = NEVER;
	for (uint32_t i = 0; i < nr; i++)
		by_rank[cpus[i].rank] = &cpus[i];
	sampler = nr;
	sample_fn = sample;
	commit_fn = commit;
	if (sample)
		leaf_set(sampler, first_sample << KEY_BITS | sampler);
}

void order_commit_at(struct cpu *c, uint64_t when)
{
	uint32_t number = sampler + 1 + c->id;

	leaf_set(number, when == NEVER ? NEVER : when << KEY_BITS | number);
	set_horizon(c);
}

void order_destroy(void)
{
	free(tree);
	tree = NULL;
}

void order_insert(struct cpu *c)
{
	leaf_set(c->rank, key_of(c));
	if (cur)
		set_horizon(cur);
}

/* From here on @next executes. */
static inline void order_enter(struct cpu *next)
{
	cur = next;
	hw_base_now = next->base;
}

void order_yield(struct cpu *c)
{
	struct cpu *next;

	leaf_set(c->rank, key_of(c));
	next = first_cpu();
	set_horizon(next);
	if (next == c)
		return;
	machine_stats.switches++;
	order_enter(next);
	context_switch(&c->sp, next->sp);
}

void order_block(struct cpu *c)
{
	struct cpu *next;

	leaf_set(c->rank, NEVER);
	next = first_cpu();
	if (!next) {
		cur = NULL;
		context_switch(&c->sp, host_sp);
		return;
	}
	set_horizon(next);
	if (next == c)
		return;
	order_enter(next);
	context_switch(&c->sp, next->sp);
}

void order_run(void)
{
	struct cpu *next = first_cpu();

	if (!next)
		return;
	set_horizon(next);
	order_enter(next);
	context_switch(&host_sp, next->sp);
}
