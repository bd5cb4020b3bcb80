/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core.c - measurements within one core (see measure.h). */
#include "native/measure.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS		2000
#define TIMES_4(x)	x x x x
#define TIMES_16(x)	TIMES_4(TIMES_4(x))
#define TIMES_256(x)	TIMES_16(TIMES_16(x))

static double since(uint64_t began)
{
	return (double)(bench_now_ns() - began);
}

/* The compiler may not know the value, so that each step of a chain is one instruction. */
#define HIDE(x)	__asm__ volatile("" : "+r"(x))

/* An addition takes one cycle, and the next one needs its result. */
double sample_clock_ghz(struct bench *b, size_t unused)
{
	uint64_t x = 1, step = 3, began = bench_now_ns();

	(void)b;
	(void)unused;
	for (unsigned i = 0; i < ROUNDS; i++) {
		HIDE(step);
		TIMES_256(HIDE(x); x += step;)
	}
	HIDE(x);
	return (double)ROUNDS * 256 / since(began);
}

/*
 * Instructions that need nothing: moves and clearings of registers, which
 * some cores do while renaming, and additions. Not those that do nothing at
 * all, which some cores count two for one.
 */
#if defined(__x86_64__)
#define MOVES	"mov %%rax, %%rcx\n\tmov %%rax, %%rdx\n\tmov %%rax, %%rsi\n\tmov %%rax, %%rdi\n\t"
#define CLEARS	"xor %%ecx, %%ecx\n\txor %%edx, %%edx\n\txor %%esi, %%esi\n\txor %%edi, %%edi\n\t"
#define ADDS	"add $1, %%rcx\n\tadd $1, %%rdx\n\tmov %%rax, %%rsi\n\txor %%edi, %%edi\n\t"
#define REGISTERS "rcx", "rdx", "rsi", "rdi"
#elif defined(__aarch64__)
#define MOVES	"mov x1, x0\n\tmov x2, x0\n\tmov x3, x0\n\tmov x4, x0\n\t"
#define CLEARS	"mov x1, #0\n\tmov x2, #0\n\tmov x3, #0\n\tmov x4, #0\n\t"
#define ADDS	"add x1, x1, #1\n\tadd x2, x2, #1\n\tmov x3, x0\n\tmov x4, #0\n\t"
#define REGISTERS "x1", "x2", "x3", "x4"
#endif

#ifdef REGISTERS

/* 64 instructions: a loop that fits what a core keeps of decoded instructions. */
#define RATE(name, text)							\
static double name(double ghz)							\
{										\
	uint64_t began = bench_now_ns();					\
										\
	for (unsigned i = 0; i < 20 * ROUNDS; i++)				\
		__asm__ volatile(TIMES_16(text) : : : REGISTERS, "cc");	\
	return 20.0 * ROUNDS * 64 / since(began) / ghz;				\
}
RATE(rate_moves, MOVES)
RATE(rate_clears, CLEARS)
RATE(rate_adds, ADDS)

double sample_issue_width(struct bench *b, size_t unused)
{
	double moves = rate_moves(b->ghz), clears = rate_clears(b->ghz), adds = rate_adds(b->ghz);
	double most = moves > clears ? moves : clears;

	(void)unused;
	return most > adds ? most : adds;
}

#else

double sample_issue_width(struct bench *b, size_t unused)
{
	(void)b;
	(void)unused;
	return 0;
}

#endif

/* ---- branches ---- */

#define BRANCHES 20000

/* Time of branches that are taken where a random bit under @mask is set. */
static double branches_ns(uint64_t mask)
{
	static uint64_t state = 88172645463325252ull;
	uint64_t taken = 0, began = bench_now_ns();

	/* Goes on with the numbers: some predictors learn 20,000 branches by heart. */
	for (unsigned i = 0; i < BRANCHES; i++) {
		/* The asm keeps it a branch: a conditional move would hide the guess. */
		if (bench_random(&state) & mask)
			__asm__ volatile("" : "+r"(taken));
	}
	return since(began) / BRANCHES;
}

/* Of random branches half are guessed wrong; the same branches, never taken, cost the rest. */
double sample_mispredict_ns(struct bench *b, size_t unused)
{
	(void)b;
	(void)unused;
	return 2 * (branches_ns(1ull << 33) - branches_ns(0));
}

/* ---- atomics and order ---- */

static uint64_t word __attribute__((aligned(128)));

double sample_atomic_ns(struct bench *b, size_t unused)
{
	uint64_t x = 1, began = bench_now_ns();

	(void)b;
	(void)unused;
	for (unsigned i = 0; i < 20 * ROUNDS; i++)
		x = __atomic_fetch_add(&word, x & 1, __ATOMIC_SEQ_CST);
	HIDE(x);
	return since(began) / (20 * ROUNDS);
}

double sample_cmpxchg_ns(struct bench *b, size_t unused)
{
	uint64_t x = word, began = bench_now_ns();

	(void)b;
	(void)unused;
	for (unsigned i = 0; i < 20 * ROUNDS; i++)
		__atomic_compare_exchange_n(&word, &x, x + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	return since(began) / (20 * ROUNDS);
}

double sample_fence_ns(struct bench *b, size_t unused)
{
	uint64_t began = bench_now_ns();

	(void)b;
	(void)unused;
	for (unsigned i = 0; i < 20 * ROUNDS; i++)
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
	return since(began) / (20 * ROUNDS);
}

double sample_drain_ns(struct bench *b, size_t stores)
{
	volatile uint64_t *at = (volatile uint64_t *)b->arena;
	uint64_t began = bench_now_ns();

	for (unsigned i = 0; i < 5 * ROUNDS; i++) {
		for (size_t k = 0; k < stores; k++)
			at[k * (MEASURE_LINE / 8)] = i;
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
	}
	return since(began) / (5 * ROUNDS);
}

double sample_relax_ns(struct bench *b, size_t unused)
{
	uint64_t began = bench_now_ns();

	(void)b;
	(void)unused;
	for (unsigned i = 0; i < 2 * ROUNDS; i++) {
#if defined(__x86_64__) || defined(__i386__)
		__builtin_ia32_pause();
#elif defined(__aarch64__)
		__asm__ volatile("yield" ::: "memory");
#else
		__asm__ volatile("" ::: "memory");
#endif
	}
	return since(began) / (2 * ROUNDS);
}

/* ---- instructions per cycle ---- */

/*
 * A small allocator without locks: handles lead to objects, objects to groups,
 * groups to classes; groups stand on lists by how full they are. The kind of
 * code that is simulated, with calls, branches that repeat, and data of a few
 * KiB.
 */
#define CLASSES	4
#define GROUPS	16
#define OBJECTS	8
#define FULLNESS 3

struct group {
	struct group *next, *prev;
	uint32_t used, first_free;
	uint32_t class, fullness;
	uint16_t link[OBJECTS];
};

struct class {
	struct group heads[FULLNESS];
	uint64_t in_use, groups[FULLNESS];
};

static struct class classes[CLASSES];
static struct group groups[GROUPS];
static uint64_t handles[GROUPS * OBJECTS];	/* group << 8 | object << 1 | in use */

static __attribute__((noinline)) void unlink_group(struct class *c, struct group *g)
{
	g->prev->next = g->next;
	g->next->prev = g->prev;
	c->groups[g->fullness]--;
}

static __attribute__((noinline)) void link_group(struct class *c, struct group *g, uint32_t fullness)
{
	struct group *head = &c->heads[fullness];

	g->fullness = fullness;
	g->next = head->next;
	g->prev = head;
	head->next->prev = g;
	head->next = g;
	c->groups[fullness]++;
}

static __attribute__((noinline)) void fix_fullness(struct class *c, struct group *g)
{
	uint32_t fullness = g->used == OBJECTS ? 2 : g->used ? 1 : 0;

	if (fullness == g->fullness)
		return;
	unlink_group(c, g);
	link_group(c, g, fullness);
}

static __attribute__((noinline)) void take(uint64_t *handle, struct group *g)
{
	struct class *c = &classes[g->class];
	uint32_t object = g->first_free;

	g->first_free = g->link[object];
	g->used++;
	c->in_use++;
	*handle = (uint64_t)(g - groups) << 8 | object << 1 | 1;
	fix_fullness(c, g);
}

static __attribute__((noinline)) void give(uint64_t *handle)
{
	struct group *g = &groups[*handle >> 8];
	struct class *c = &classes[g->class];
	uint32_t object = *handle >> 1 & 127;

	if (!(*handle & 1))
		abort();
	g->link[object] = (uint16_t)g->first_free;
	g->first_free = object;
	g->used--;
	c->in_use--;
	*handle = 0;
	fix_fullness(c, g);
}

static void groups_init(void)
{
	memset(classes, 0, sizeof(classes));
	for (int i = 0; i < CLASSES * FULLNESS; i++) {
		struct group *head = &classes[i / FULLNESS].heads[i % FULLNESS];

		head->next = head->prev = head;
	}
	for (uint32_t i = 0; i < GROUPS; i++) {
		groups[i] = (struct group){ .class = i % CLASSES };
		for (uint16_t k = 0; k < OBJECTS; k++)
			groups[i].link[k] = (uint16_t)((k + 1) % OBJECTS);
		link_group(&classes[groups[i].class], &groups[i], 0);
	}
}

static __attribute__((noinline)) void one_round(void)
{
	for (uint32_t i = 0; i < GROUPS * OBJECTS; i++)
		take(&handles[i], &groups[i % GROUPS]);
	for (uint32_t i = 0; i < GROUPS * OBJECTS; i++)
		give(&handles[i]);
	__asm__ volatile("" ::: "memory");
}

double sample_round_ns(struct bench *b, size_t unused)
{
	uint64_t began;

	(void)b;
	(void)unused;
	groups_init();
	began = bench_now_ns();
	for (unsigned i = 0; i < ROUNDS / 25; i++)
		one_round();
	return since(began) / (ROUNDS / 25);
}

/* In the child: what is stepped through while *@stage is 1 and 2 is one and three rounds. */
static void __attribute__((noreturn)) be_counted(volatile uint32_t *stage)
{
	groups_init();
	one_round();
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(1);
	raise(SIGSTOP);
	*stage = 1;
	one_round();
	*stage = 2;
	for (int i = 0; i < 3; i++)
		one_round();
	*stage = 3;
	_exit(0);
}

/* Steps of the stopped child in stages 1 and 2. */
static bool step_through(pid_t child, const volatile uint32_t *stage, unsigned long steps[3])
{
	int status;

	if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
		return false;
	while (*stage < 3) {
		if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) || waitpid(child, &status, 0) != child ||
		    !WIFSTOPPED(status))
			return false;
		steps[*stage < 3 ? *stage : 0]++;
	}
	return true;
}

bool count_instructions(double *instructions)
{
	volatile uint32_t *stage = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	unsigned long steps[3] = { 0 };
	bool counted;
	pid_t child;

	if (stage == MAP_FAILED)
		return false;
	child = fork();
	if (!child)
		be_counted(stage);
	counted = child > 0 && step_through(child, stage, steps);
	if (child > 0) {
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	munmap((void *)stage, 4096);
	/* Three rounds less one: what is around them is in both. */
	*instructions = (double)(steps[2] - steps[1]) / 2;
	return counted && steps[2] > steps[1];
}
