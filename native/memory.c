/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory.c - measurements of caches and memory, alone and in streams (see measure.h). */
#include "native/measure.h"

#include <stdlib.h>
#include <string.h>

#include "scenarios/mem.h"

#define STEPS_MIN_NS	100000.0	/* of a sample */
#define CHAINS_MAX	64
#define PAGE_BYTES	4096
#define PAGES_AT_ONCE	256
#define SLICE_BYTES	(4u << 20)	/* read at once; the next sample reads others */

/* Where the chases of all sizes go on: nothing may come from the last one's luck. */
static void *volatile chase_at;

/* ---- latency ---- */

static void **line_at(struct bench *b, size_t line)
{
	return (void **)(b->arena + line * MEASURE_LINE);
}

/*
 * Each line of the first @bytes points to another, in one cycle through all
 * in random order (Sattolo's): no prefetcher can know the next.
 */
void chase_prepare(struct bench *b, size_t bytes)
{
	size_t lines = bytes / MEASURE_LINE;
	uint32_t *order = scn_zalloc(lines, sizeof(*order));
	uint64_t state = 88172645463325252ull;

	for (size_t i = 0; i < lines; i++)
		order[i] = (uint32_t)i;
	for (size_t i = lines - 1; i > 0; i--) {
		size_t k = bench_random(&state) % i;
		uint32_t other = order[k];

		order[k] = order[i];
		order[i] = other;
	}
	for (size_t i = 0; i < lines; i++)
		*line_at(b, order[i]) = line_at(b, order[(i + 1) % lines]);
	free(order);
	chase_at = line_at(b, 0);
	/* Once around small ones, so that they are where they will be. */
	for (size_t i = 0; i < lines && i < 1u << 17; i++)
		chase_at = *(void *volatile *)chase_at;
}

static void **chase(void **at, size_t steps)
{
	for (size_t i = 0; i < steps; i += 16) {
		for (int k = 0; k < 16; k++)
			at = *at;
		__asm__ volatile("" : "+r"(at));
	}
	return at;
}

/* So many steps that the sample lasts a millisecond, by how long the last ones took. */
double sample_chase_ns(struct bench *b, size_t bytes)
{
	static size_t steps;
	static size_t steps_bytes;
	uint64_t began;
	double ns;

	(void)b;
	if (steps_bytes != bytes)
		steps = 4096;
	steps_bytes = bytes;
	began = bench_now_ns();
	chase_at = chase(chase_at, steps);
	ns = (double)(bench_now_ns() - began) / (double)steps;
	steps = ((size_t)(STEPS_MIN_NS / (ns > 0.1 ? ns : 0.1)) + 16) & ~15ull;
	return ns;
}

/* @chains start evenly spread over the memory; their order is still that of one cycle. */
double sample_parallel_ns(struct bench *b, size_t chains)
{
	void **at[CHAINS_MAX];
	size_t lines = b->arena_bytes / MEASURE_LINE, rounds = 10000 / chains;
	static size_t turn;
	uint64_t began;

	turn++;
	for (size_t k = 0; k < chains; k++)
		at[k] = line_at(b, (k * lines / chains + turn * 9973) % lines);
	began = bench_now_ns();
	for (size_t i = 0; i < rounds; i++) {
		for (size_t k = 0; k < chains; k++)
			at[k] = *at[k];
	}
	for (size_t k = 0; k < chains; k++)
		chase_at = at[k];
	return (double)(bench_now_ns() - began) / (double)(rounds * chains);
}

/* ---- streams ---- */

struct reading {
	const char *at;
	uint64_t ns[MEASURE_THREADS];
};

static void read_slice(unsigned index, void *arg)
{
	struct reading *r = arg;
	const volatile uint64_t *at = (const volatile uint64_t *)(r->at + index * SLICE_BYTES);
	uint64_t began = bench_now_ns();

	for (size_t i = 0; i < SLICE_BYTES / 8; i += 4 * MEASURE_LINE / 8) {
		(void)at[i];
		(void)at[i + MEASURE_LINE / 8];
		(void)at[i + 2 * MEASURE_LINE / 8];
		(void)at[i + 3 * MEASURE_LINE / 8];
	}
	r->ns[index] = bench_now_ns() - began;
}

/* Goes on where the last sample ended, so that what is read has left the caches. */
double sample_read_gb_s(struct bench *b, size_t cpus)
{
	static size_t turn;
	size_t bytes = cpus * SLICE_BYTES;
	struct reading r = { .at = b->arena + turn++ % (b->arena_bytes / bytes) * bytes };
	uint64_t longest = 1;

	bench_together(b->cpus->at, (unsigned)cpus, read_slice, &r);
	for (size_t i = 0; i < cpus; i++)
		longest = r.ns[i] > longest ? r.ns[i] : longest;
	return (double)bytes / (double)longest;
}

/* A page that was not touched for long: each sample goes on where the last one ended. */
static char *cold_page(struct bench *b)
{
	static uint64_t state = 362436069362436069ull;

	return b->arena + bench_random(&state) % (b->arena_bytes / PAGE_BYTES) * PAGE_BYTES;
}

double sample_copy_gb_s(struct bench *b, size_t unused)
{
	char *from[PAGES_AT_ONCE], *to[PAGES_AT_ONCE];
	uint64_t began;

	(void)unused;
	for (int i = 0; i < PAGES_AT_ONCE; i++) {
		from[i] = cold_page(b);
		do
			to[i] = cold_page(b);
		while (to[i] == from[i]);
	}
	began = bench_now_ns();
	for (int i = 0; i < PAGES_AT_ONCE; i++)
		memcpy(to[i], from[i], PAGE_BYTES);
	return (double)PAGES_AT_ONCE * PAGE_BYTES / (double)(bench_now_ns() - began);
}

double sample_zero_gb_s(struct bench *b, size_t unused)
{
	char *page[PAGES_AT_ONCE];
	uint64_t began;

	(void)unused;
	for (int i = 0; i < PAGES_AT_ONCE; i++)
		page[i] = cold_page(b);
	began = bench_now_ns();
	for (int i = 0; i < PAGES_AT_ONCE; i++)
		memset(page[i], 0, PAGE_BYTES);
	return (double)PAGES_AT_ONCE * PAGE_BYTES / (double)(bench_now_ns() - began);
}
