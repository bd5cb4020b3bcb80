/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * small.c - functions small enough to count their instructions. Function
 * arg[0] is called arg[1] times with arg[2]. The same source, compiled
 * without instrumentation, is part of the test, which counts what a real
 * processor does.
 */
#include "model/kernel/kernel.h"
#include "tests/module/small.h"

#define WORDS 64

/* Rounds are to be counted: let no compiler make four of them into one. */
#ifdef __clang__
#define PLAIN_LOOP _Pragma("clang loop unroll(disable) vectorize(disable)")
#else
#define PLAIN_LOOP
#endif

struct node {
	struct node *next;
	u64 key, flags, count;
};

static u64 words[WORDS];
static struct node nodes[WORDS];
static atomic64_t total;

static noinline u64 nothing(u64 n)
{
	return n;
}

static noinline u64 add_up(u64 n)
{
	u64 sum = 0;

	PLAIN_LOOP
	for (u64 i = 0; i < n; i++)
		sum += words[i % WORDS];
	return sum;
}

static noinline u64 set_fields(u64 n)
{
	struct node *node = &nodes[n % WORDS];

	node->next = &nodes[(n + 1) % WORDS];
	node->key = n * 3;
	node->flags = n & 7;
	node->count = 0;
	return node->key;
}

/* A list in which every second node matches: a branch and a store now and then. */
static noinline u64 walk(u64 n)
{
	struct node *node = &nodes[0];

	PLAIN_LOOP
	for (u64 i = 0; i < n; i++) {
		if (node->flags & 1)
			node->count += i;
		node = node->next;
	}
	return node->key;
}

static noinline u64 fibonacci(u64 n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static noinline u64 choose(u64 n)
{
	u64 sum = 0;

	PLAIN_LOOP
	for (u64 i = 0; i < n; i++) {
		switch (words[i % WORDS] % 6) {
		case 0:
			sum += i;
			break;
		case 1:
			sum ^= i << 3;
			break;
		case 2:
			sum -= 7;
			break;
		case 3:
			sum += sum >> 5;
			break;
		case 4:
			words[(i + 1) % WORDS] = sum;
			break;
		default:
			sum *= 3;
		}
	}
	return sum;
}

static noinline u64 count_atomically(u64 n)
{
	PLAIN_LOOP
	for (u64 i = 0; i < n; i++)
		atomic64_add((s64)i, &total);
	return (u64)atomic64_read(&total);
}

static u64 (*const functions[])(u64) = {
	[SMALL_NOTHING] = nothing,
	[SMALL_ADD_UP] = add_up,
	[SMALL_SET_FIELDS] = set_fields,
	[SMALL_WALK] = walk,
	[SMALL_FIBONACCI] = fibonacci,
	[SMALL_CHOOSE] = choose,
	[SMALL_COUNT] = count_atomically,
};

/* The data that the functions' ways depend on. */
__attribute__((visibility("default"))) void small_fill(void)
{
	u64 x = 1;

	for (unsigned i = 0; i < WORDS; i++) {
		x = x * 6364136223846793005ull + 1442695040888963407ull;
		words[i] = x >> 33;
		nodes[i] = (struct node){ .next = &nodes[(i + 1) % WORDS], .flags = i & 1 };
	}
	total.counter = 0;
}

__attribute__((visibility("default"))) uint64_t small_call(unsigned which, uint64_t n)
{
	return functions[which](n);
}

static struct program_config config;

static void small_prepare(const struct program_config *c)
{
	config = *c;
}

static void small_cpu(void *unused)
{
	u64 (*function)(u64) = functions[config.arg[0]];
	u64 times = hw_cpu() < config.users ? config.arg[1] : 0, n = config.arg[2];

	(void)unused;
	for (u64 i = 0; i < times; i++) {
		hw_mute();
		small_fill();
		hw_unmute();
		function(n);
	}
	for (;;)
		hw_idle();
}

static u64 small_finish(void)
{
	return 0;
}

PROGRAM(small) = { small_prepare, small_cpu, small_finish };
