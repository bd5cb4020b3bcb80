/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memory.c - small access patterns whose time can be told beforehand. They
 * use simulated memory as it is, without a kernel; its contents are made by
 * the test. arg[0] says which, see memory.h.
 */
#include "model/kernel/kernel.h"
#include "tests/module/memory.h"

static struct program_config config;
static unsigned work;

static void memory_prepare(const struct program_config *c)
{
	config = *c;
	work = hw_work_name("syscall");
}

static u64 *word_at(u64 offset)
{
	return (u64 *)(HW_MEM_BASE + offset);
}

static u64 *far_word(u64 i)
{
	return word_at(MEMORY_FAR + i * MEMORY_STRIDE);
}

/* Sixteen to a round, so that the loop's own instructions hardly count. */
static noinline u64 **follow(u64 **p, u64 n)
{
	for (u64 i = 0; i < n; i += 16) {
#define STEP p = (u64 **)*p
		STEP; STEP; STEP; STEP; STEP; STEP; STEP; STEP;
		STEP; STEP; STEP; STEP; STEP; STEP; STEP; STEP;
#undef STEP
	}
	return p;
}

static void chase(void)
{
	u64 **p = (u64 **)word_at(MEMORY_RING);

	p = follow(p, config.arg[2]);		/* once round: caches hold what they can */
	hw_fence();
	hw_mark_event(MEMORY_BEGIN, 0);
	p = follow(p, config.arg[1]);
	hw_fence();
	hw_mark_event(MEMORY_END, (u64)p);
}

/* Forty instructions that need each other's results and no memory. */
static __always_inline u64 fill(u64 x)
{
#define ONE x += 3; __asm__ volatile("" : "+r"(x));
#define TEN ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE
	TEN TEN TEN TEN
	return x;
#undef TEN
#undef ONE
}

/*
 * 32 loads @stride bytes apart from @offset on; none needs the value of
 * another. Not a loop: at its end a branch would be foreseen wrongly, and wait.
 */
static noinline u64 load_all(u64 offset, u64 stride)
{
	u64 *p = word_at(offset), sum = 0;

#define ONE sum += *p; p += stride / sizeof(*p);
#define EIGHT ONE ONE ONE ONE ONE ONE ONE ONE
	EIGHT EIGHT EIGHT EIGHT
	return sum;
#undef ONE
}

/* A function, so that it begins a block: instructions are counted by block. */
static noinline u64 load_and_fill(const u64 *p, u64 sum)
{
	return fill(sum + *p);
}

/* The same, forty instructions between two of them. */
static noinline u64 load_all_spaced(u64 offset, u64 stride)
{
	u64 *p = word_at(offset), sum = 0;

#define ONE sum = load_and_fill(p, sum); p += stride / sizeof(*p);
	EIGHT EIGHT EIGHT EIGHT
	return sum;
#undef ONE
#undef EIGHT
}

/*
 * Twice on one line again and again, for the branch predictor's sake, then in
 * earnest, by the same path through the code: only the last round's events
 * have the names that the test looks for.
 */
static void independent(void)
{
	u64 (*load)(u64, u64) = config.arg[1] ? load_all_spaced : load_all;
	u64 offset[] = { MEMORY_WARM, MEMORY_WARM, MEMORY_FAR }, stride[] = { 0, 0, MEMORY_STRIDE };

	for (unsigned i = 0; i < 3; i++) {
		u64 sum;

		hw_fence();
		hw_work(work, 1);	/* nothing of what follows can have begun before */
		hw_mark_event(MEMORY_BEGIN + (2 - i) * 16, 0);
		sum = load(offset[i], stride[i]);
		hw_fence();
		hw_mark_event(MEMORY_END + (2 - i) * 16, sum);
	}
}

/* A load that misses after a long time without any. */
static void miss_after(void)
{
	u64 x = 0;

	(void)smp_load_acquire(far_word(1));
	if (config.arg[1])
		for (u64 i = 0; i < config.arg[1]; i++)
			x = fill(x);
	else
		hw_work(work, 10);
	hw_mark_event(MEMORY_BEGIN, x);
	(void)smp_load_acquire(far_word(0));
	hw_mark_event(MEMORY_END, 0);
}

/* Both without a branch: one that is foreseen wrongly would wait for the load before it. */
static void behind(void)
{
	u64 *warm = word_at(MEMORY_WARM), sum = READ_ONCE(*warm);

	hw_work(work, 1);	/* nothing of what follows can have begun before */
	hw_mark_event(MEMORY_BEGIN, 0);
	sum += READ_ONCE(*far_word(0));
	sum += READ_ONCE(*warm);
	hw_mark_event(MEMORY_AFTER, 0);
	hw_fence();
	hw_mark_event(MEMORY_END, sum);
}

static void behind_acquire(void)
{
	u64 *warm = word_at(MEMORY_WARM), sum = READ_ONCE(*warm);

	hw_work(work, 1);	/* nothing of what follows can have begun before */
	hw_mark_event(MEMORY_BEGIN, 0);
	sum += smp_load_acquire(far_word(0));
	sum += READ_ONCE(*warm);
	hw_mark_event(MEMORY_AFTER, 0);
	hw_fence();
	hw_mark_event(MEMORY_END, sum);
}

static void branches(void)
{
	u64 odd = 0, even = 0;

	hw_mark_event(MEMORY_BEGIN, 0);
	for (u64 i = 0; i < config.arg[1]; i++) {
		if (*far_word(i) & 1) {
			odd++;
			barrier();
		} else {
			even++;
			barrier();
		}
	}
	hw_fence();
	hw_mark_event(MEMORY_END, odd - even);
}

static void add(void)
{
	hw_mark_event(MEMORY_BEFORE, 0);
	__atomic_fetch_add(word_at(MEMORY_WORD), 1, __ATOMIC_SEQ_CST);
	hw_mark_event(MEMORY_AFTER, 0);
}

/*
 *   0 |add|==== 10 units ====|add|==== 10 units ====|add|
 *   1 |== 5 ==|add|==== 10 units ====|add|==== 10 units ====|
 */
static void ping_pong(unsigned me)
{
	hw_work(work, me * 5);
	for (u64 i = 0; i < config.arg[1]; i++) {
		add();
		hw_work(work, 10);
	}
}

static void hammer(void)
{
	hw_mark_event(MEMORY_BEGIN, 0);
	for (u64 i = 0; i < config.arg[1]; i++)
		__atomic_fetch_add(word_at(MEMORY_WORD), 1, __ATOMIC_SEQ_CST);
	hw_mark_event(MEMORY_END, 0);
}

static void work_first(unsigned me)
{
	if (me == 1) {
		add();
		return;
	}
	hw_work(work, 10);
	(void)smp_load_acquire(far_word(0));	/* a long stall: the window fills */
	hw_work(work, 10);
	add();
}

static void run(unsigned me)
{
	switch (config.arg[0]) {
	case MEMORY_CHASE:
		chase();
		break;
	case MEMORY_INDEPENDENT:
		independent();
		break;
	case MEMORY_MISS_AFTER:
		miss_after();
		break;
	case MEMORY_BEHIND:
		behind();
		break;
	case MEMORY_BEHIND_ACQUIRE:
		behind_acquire();
		break;
	case MEMORY_BRANCHES:
		branches();
		break;
	case MEMORY_PING_PONG:
		ping_pong(me);
		break;
	case MEMORY_HAMMER:
		hammer();
		break;
	case MEMORY_WORK_FIRST:
		work_first(me);
		break;
	}
}

static void memory_cpu(void *unused)
{
	(void)unused;
	if (hw_cpu() < config.users)
		run(hw_cpu());
	for (;;)
		hw_idle();
}

static u64 memory_finish(void)
{
	return *word_at(MEMORY_WORD);
}

PROGRAM(memory) = { memory_prepare, memory_cpu, memory_finish };
