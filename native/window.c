/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * window.c - how far a core looks ahead while a load misses (see measure.h).
 *
 * Two loads that miss, independent of each other, with something between: as
 * long as the second is in the window when the first one waits, both take as
 * long as one; beyond that, as long as two. What then limits the window is
 * what stands between them: instructions, or stores, which keep their place
 * in the store queue until what is older is done. Where two threads share a
 * core the queues may be halved, and that is what is seen.
 */
#include "native/measure.h"

#define ROUNDS	400
#define HIDE(x)	__asm__ volatile("" : "+r"(x))

static uint64_t apart __attribute__((aligned(128)));
static volatile uint64_t words[64] __attribute__((aligned(128)));

/* Eight instructions that need nothing; the loop around them has two more. */
static inline __attribute__((always_inline)) void pass_time(unsigned eights)
{
	uint64_t x = 0, y = 0;

	for (unsigned i = 0; i < eights; i++) {
		x += 3; HIDE(x);
		y += 3; HIDE(y);
		x += 5; HIDE(x);
		y += 5; HIDE(y);
		x += 7; HIDE(x);
		y += 7; HIDE(y);
		x += 9; HIDE(x);
		y += 9; HIDE(y);
	}
}

static inline __attribute__((always_inline)) void store_words(unsigned fours)
{
	for (unsigned i = 0; i < fours; i++) {
		words[0] = i;
		words[1] = i;
		words[2] = i;
		words[3] = i;
	}
}

static inline __attribute__((always_inline)) void atomics(unsigned nr)
{
	for (unsigned i = 0; i < nr; i++)
		__atomic_fetch_add(&apart, 1, __ATOMIC_SEQ_CST);
}

/*
 * Time of a pair of misses. Chains through the whole memory, two at once; the
 * next pair needs the values of both, so that pairs do not overlap.
 */
#define PAIR_OF_MISSES(name, between)						\
double name(struct bench *b, size_t nr)						\
{										\
	static size_t turn;							\
	size_t lines = b->arena_bytes / MEASURE_LINE;				\
	char *at = b->arena + turn * 7919 % (lines / 2) * MEASURE_LINE;	\
	char *other = b->arena + (lines / 2 + turn * 9973 % (lines / 2)) * MEASURE_LINE; \
	uint64_t began, both;							\
										\
	turn++;									\
	began = bench_now_ns();							\
	for (unsigned i = 0; i < ROUNDS; i++) {					\
		at = *(char **)at;						\
		between((unsigned)nr);						\
		other = *(char **)other;					\
		both = ((uintptr_t)at ^ (uintptr_t)other) & 1;			\
		HIDE(both);							\
		/* 0, but the core cannot know */				\
		at += both;							\
		other += both;							\
	}									\
	HIDE(at);								\
	HIDE(other);								\
	return (double)(bench_now_ns() - began) / ROUNDS;			\
}

PAIR_OF_MISSES(sample_apart_instructions_ns, pass_time)
PAIR_OF_MISSES(sample_apart_stores_ns, store_words)
PAIR_OF_MISSES(sample_apart_atomics_ns, atomics)

double apart_ns(struct bench *b, sample_fn fn, size_t n)
{
	unsigned repeats = b->repeats;
	double ns;

	b->repeats = APART_REPEATS;
	ns = bench_repeat(b, fn, n).value;
	b->repeats = repeats;
	return ns;
}

size_t apart_edge(struct bench *b, sample_fn fn, size_t most)
{
	double one = apart_ns(b, fn, 0);
	size_t near = 0, far = most;

	if (apart_ns(b, fn, most) < APART_FACTOR * one)
		return 0;
	while (far - near > 1) {
		size_t n = (near + far) / 2;

		if (apart_ns(b, fn, n) < APART_FACTOR * one)
			near = n;
		else
			far = n;
	}
	return far;
}
