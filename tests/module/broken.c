/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * broken.c - faults, one each, that the oracles are there to find: arg[0] says
 * which (broken.h). With arg[1] == 0 the same program does it right.
 */
#include "model/kernel/boot.h"
#include "model/kernel/kernel.h"
#include "tests/module/broken.h"

static enum broken_fault fault;
static bool do_it;
static spinlock_t *lock[3];
static rwlock_t *rw;
static u64 *memory;
static u32 *turn;
static unsigned work;

static noinline void spin_before_run(void)
{
	if (do_it)
		hw_relax();
}

static void broken_prepare(const struct program_config *config)
{
	static const char *const names[] = { "first", "second", "third" };

	fault = config->arg[0];
	do_it = config->arg[1];
	kernel_boot(config->memory_bytes);
	work = hw_work_name(do_it && fault == BROKEN_WORK ? "herding cats" : "syscall");
	for (int i = 0; i < 3; i++) {
		lock[i] = alloc_table(PAGE_SIZE);
		spin_lock_init_named(lock[i], names[i]);
	}
	rw = alloc_table(PAGE_SIZE);
	rwlock_init(rw);
	memory = alloc_table(PAGE_SIZE);
	turn = alloc_table(PAGE_SIZE);
	if (fault == BROKEN_SPIN_MUTED)
		spin_before_run();
	if (fault == BROKEN_IDLE_MUTED && do_it)
		hw_idle();
}

/* ---- freed memory ---------------------------------------------------------------- */

static noinline void give_back(enum hw_poison what)
{
	hw_poison(memory, 512, what);
}

/* The right way: only what was not given back is touched. */
static void use_freed(void)
{
	u64 *word = do_it ? memory + 8 : memory + 64;

	memory[8] = 1;
	give_back(fault == BROKEN_STORE_FREED ? HW_POISON_SLAB : HW_POISON_PAGE);
	switch (fault) {
	case BROKEN_LOAD_FREED:
		(void)READ_ONCE(*word);
		break;
	case BROKEN_STORE_FREED:
		*word = 2;
		break;
	case BROKEN_ATOMIC_FREED:
		__atomic_fetch_add(word, 1, __ATOMIC_SEQ_CST);
		break;
	default:
		hw_copy(memory + 128, word, 256);
	}
	hw_unpoison(memory, 512);
	memory[8] = 3;
}

/* ---- locks ----------------------------------------------------------------------- */

static void nest(int outer, int inner)
{
	spin_lock(lock[outer]);
	spin_lock(lock[inner]);
	spin_unlock(lock[inner]);
	spin_unlock(lock[outer]);
}

static void release_twice(void)
{
	spin_lock(lock[0]);
	spin_unlock(lock[0]);
	if (do_it)
		spin_unlock(lock[0]);
}

/* CPU 0 takes it, then lets CPU 1 go on and waits for it. */
static void release_other(unsigned me)
{
	if (me == 0) {
		spin_lock(lock[0]);
		smp_store_release(turn, 1);
		smp_cond_load_acquire(turn, VAL == 2);
		spin_unlock(lock[0]);
	} else {
		smp_cond_load_acquire(turn, VAL == 1);
		if (do_it)
			spin_unlock(lock[0]);
		smp_store_release(turn, 2);
	}
}

static void read_release(void)
{
	if (!do_it)
		read_lock(rw);
	read_unlock(rw);
}

static void order(unsigned me)
{
	if (me)
		return;
	nest(0, 1);
	if (fault == BROKEN_ORDER) {
		nest(do_it ? 1 : 0, do_it ? 0 : 1);
		return;
	}
	nest(1, 2);
	nest(do_it ? 2 : 0, do_it ? 0 : 2);
}

static void take_again(void)
{
	spin_lock(lock[0]);
	if (do_it)
		spin_lock(lock[0]);
	spin_unlock(lock[0]);
}

/* Whoever is first keeps the lock and goes to sleep. */
static void never_release(void)
{
	spin_lock(lock[0]);
	if (!do_it)
		spin_unlock(lock[0]);
}

static void left_locked(unsigned me)
{
	if (me)
		return;
	spin_lock(lock[0]);
	if (!do_it)
		spin_unlock(lock[0]);
}

static void run(unsigned me)
{
	switch (fault) {
	case BROKEN_LOAD_FREED:
	case BROKEN_STORE_FREED:
	case BROKEN_ATOMIC_FREED:
	case BROKEN_COPY_FREED:
		if (!me)
			use_freed();
		break;
	case BROKEN_RELEASE_TWICE:
		release_twice();
		break;
	case BROKEN_RELEASE_OTHER:
		release_other(me);
		break;
	case BROKEN_READ_RELEASE:
		read_release();
		break;
	case BROKEN_ORDER:
	case BROKEN_ORDER_OF_THREE:
		order(me);
		break;
	case BROKEN_SELF:
		take_again();
		break;
	case BROKEN_ALL_PARKED:
		never_release();
		break;
	case BROKEN_LEFT_LOCKED:
		left_locked(me);
		break;
	case BROKEN_BUG_ON:
		BUG_ON(do_it);
		break;
	case BROKEN_WORK:
		hw_work(work, 1);
		break;
	default:
		break;
	}
}

static void broken_cpu(void *unused)
{
	(void)unused;
	if (hw_cpu() < 2)
		run(hw_cpu());
	for (;;)
		hw_idle();
}

static u64 broken_finish(void)
{
	return 0;
}

PROGRAM(broken) = { broken_prepare, broken_cpu, broken_finish };
