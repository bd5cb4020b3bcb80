/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jitter.c - see jitter.h. */
#include "sim/jitter.h"

#define ONE_IN		16u		/* so many operations are held up */
#define MOST_DOUBLINGS	13u		/* of a nanosecond: the longest is some microseconds, several critical sections */

uint64_t jitter_state;

/* splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014). */
static uint64_t next_random(void)
{
	uint64_t z = jitter_state += 0x9e3779b97f4a7c15ull;

	if (!jitter_state)
		jitter_state = 1;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

void jitter_begin(uint64_t seed)
{
	jitter_state = seed;
}

void jitter_ranks(uint32_t *rank, unsigned nr)
{
	for (unsigned i = 0; i < nr; i++)
		rank[i] = i;
	for (unsigned i = nr; jitter_state && i > 1; i--) {
		unsigned k = (unsigned)(next_random() % i);
		uint32_t swap = rank[i - 1];

		rank[i - 1] = rank[k];
		rank[k] = swap;
	}
}

/* Short delays are as likely as long ones, so that both a step and a whole section of another CPU may fit in. */
void jitter_delay(struct cpu *c)
{
	uint64_t draw = next_random();

	if (draw % ONE_IN)
		return;
	draw /= ONE_IN;
	book_apart(c, CAUSE_JITTER, (1000ull << draw % MOST_DOUBLINGS) + draw / MOST_DOUBLINGS % 1000);
}
