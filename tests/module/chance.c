/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chance.c - programs whose outcome hangs on the schedule.
 *
 * hidden: CPUs add to a word in a way that loses an addition if two do it at
 *         once, arg[0] times each, but they begin so far apart and are so
 *         regular that on their own they never meet. Returns additions lost.
 * first:  CPUs put their number into a word at the same moment. Returns whose
 *         number is there at the end.
 */
#include "model/kernel/boot.h"
#include "model/kernel/kernel.h"
#include "tests/module/program.h"

static struct program_config config;
static u64 *word;
static unsigned work;

static void chance_prepare(const struct program_config *c)
{
	config = *c;
	kernel_boot(c->memory_bytes);
	work = hw_work_name("syscall");
	word = alloc_table(PAGE_SIZE);
	BUG_ON(!word);
}

static void idle(void)
{
	for (;;)
		hw_idle();
}

/* The addition takes a twentieth of a round, and each CPU's rounds begin in the middle of the others'. */
static void hidden_cpu(void *unused)
{
	u64 pause = 20 * config.users, me = hw_cpu();

	(void)unused;
	if (me < config.users) {
		hw_work(work, me * 20 + 1);
		for (u64 i = 0; i < config.arg[0]; i++) {
			u64 old = __atomic_load_n(word, __ATOMIC_ACQUIRE);

			hw_work(work, 1);
			__atomic_store_n(word, old + 1, __ATOMIC_RELEASE);
			hw_work(work, pause - 1);
		}
	}
	idle();
}

static u64 hidden_finish(void)
{
	return config.users * config.arg[0] - *word;
}

static void first_cpu(void *unused)
{
	(void)unused;
	if (hw_cpu() < config.users)
		__atomic_exchange_n(word, hw_cpu() + 1, __ATOMIC_SEQ_CST);
	idle();
}

static u64 first_finish(void)
{
	return *word - 1;
}

PROGRAM(hidden) = { chance_prepare, hidden_cpu, hidden_finish };
PROGRAM(first) = { chance_prepare, first_cpu, first_finish };
