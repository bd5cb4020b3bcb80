/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure.c - what the measurements share: repeating, memory, threads (see measure.h). */
#include "native/measure.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "scenarios/mem.h"

#define ARENA_LEAST	(128ull << 20)
#define ARENA_MOST	(1024ull << 20)

uint64_t bench_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

uint64_t bench_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* ---- memory ---- */

/* Four times the largest cache, so that three loads of four miss it; not more than a quarter of what is free. */
static size_t arena_size(const struct host *host)
{
	uint64_t bytes = ARENA_LEAST, available = host_memory_available("");

	for (int i = 0; i < HOST_LEVELS; i++)
		bytes = 4 * host->cache[i].bytes > bytes ? 4 * host->cache[i].bytes : bytes;
	if (bytes > ARENA_MOST)
		bytes = ARENA_MOST;
	if (available && bytes > available / 4)
		bytes = available / 4;
	return bytes & ~((2ull << 20) - 1);
}

int bench_create(struct bench *b)
{
	b->arena_bytes = arena_size(b->host);
	if (host_pin(b->cpus->at[0]))
		return -1;
	b->arena = mmap(NULL, b->arena_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (b->arena == MAP_FAILED)
		return -1;
	/* Large pages: the translation of addresses is not what is measured. */
	madvise(b->arena, b->arena_bytes, MADV_HUGEPAGE);
	memset(b->arena, 1, b->arena_bytes);
	return 0;
}

void bench_destroy(struct bench *b)
{
	if (b->arena && b->arena != MAP_FAILED)
		munmap(b->arena, b->arena_bytes);
	b->arena = NULL;
}

/* ---- repeating ---- */

struct spread bench_repeat(struct bench *b, sample_fn fn, size_t arg)
{
	double *samples = scn_zalloc(b->repeats, sizeof(*samples));
	struct spread s;

	fn(b, arg);
	for (unsigned i = 0; i < b->repeats; i++)
		samples[i] = fn(b, arg);
	s = spread_of(samples, b->repeats);
	free(samples);
	return s;
}

/* ---- threads ---- */

struct together {
	unsigned nr, there;
	void (*fn)(unsigned index, void *arg);
	void *arg;
};

struct member {
	struct together *all;
	unsigned index;
	int cpu;
};

static void __attribute__((noreturn)) give_up(const char *what, int code)
{
	fprintf(stderr, "zsmsim: hostprofile: %s: %s\n", what, strerror(code));
	exit(1);
}

static void *member_main(void *arg)
{
	struct member *m = arg;
	struct together *all = m->all;

	if (host_pin(m->cpu))
		give_up("a thread cannot be kept on its CPU", errno);
	__atomic_add_fetch(&all->there, 1, __ATOMIC_SEQ_CST);
	/* Two of them may share a CPU. */
	while (__atomic_load_n(&all->there, __ATOMIC_ACQUIRE) < all->nr)
		sched_yield();
	all->fn(m->index, all->arg);
	return NULL;
}

void bench_together(const int *cpu, unsigned nr, void (*fn)(unsigned index, void *arg), void *arg)
{
	struct together all = { .nr = nr, .fn = fn, .arg = arg };
	struct member members[MEASURE_THREADS];
	pthread_t threads[MEASURE_THREADS];

	for (unsigned i = 0; i < nr; i++) {
		int code;

		members[i] = (struct member){ &all, i, cpu[i] };
		code = pthread_create(&threads[i], NULL, member_main, &members[i]);
		if (code)
			give_up("no further thread", code);
	}
	for (unsigned i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
}
