/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lockup.c - CPUs that take one lock again and again, and note when they
 * asked, got it and left. Mutual exclusion is checked inside the critical
 * section, with words that only a broken lock lets two CPUs see at once.
 *
 * arg[0] which lock (below), arg[1] times that each CPU takes it, arg[2] units
 * of work with it held, arg[3] units between CPU i's and CPU i + 1's first
 * attempt, arg[4] units after each release, arg[5] units with which CPU 0
 * holds it the first time (0: arg[2]).
 */
#include "model/kernel/boot.h"
#include "model/kernel/kernel.h"
#include "tests/module/lockup.h"

static struct program_config config;
static spinlock_t *spin;
static rwlock_t *rw;
static u32 *bit_word;
static unsigned bit_class, work;
static u64 *inside;			/* exclusive holders now: plain, they are alone */
static u32 *readers;			/* readers now: atomic */
static u64 *counter;			/* taken exclusively so far: plain */
static u64 *most_readers;		/* by CPU, 8 words apart */

static void lockup_prepare(const struct program_config *c)
{
	config = *c;
	kernel_boot(c->memory_bytes);
	work = hw_work_name("syscall");
	spin = alloc_table(PAGE_SIZE);
	rw = alloc_table(PAGE_SIZE);
	bit_word = alloc_table(PAGE_SIZE);
	inside = alloc_table(PAGE_SIZE);
	readers = alloc_table(PAGE_SIZE);
	counter = alloc_table(PAGE_SIZE);
	most_readers = alloc_table(HW_MAX_CPUS * HW_LINE_SIZE);
	BUG_ON(!most_readers);
	spin_lock_init_named(spin, "lock under test");
	hw_name_lines(spin, PAGE_SIZE, "lock under test");
	__rwlock_init(rw, "lock under test");
	bit_class = hw_lock_class("lock under test");
}

static bool is_reader(unsigned cpu)
{
	switch (config.arg[0]) {
	case LOCKUP_READ:
		return true;
	case LOCKUP_MIXED:
		return cpu % 4 != 0;
	case LOCKUP_ONE_WRITER:
		return cpu != 1;
	default:
		return false;
	}
}

static void take(bool reader)
{
	switch (config.arg[0]) {
	case LOCKUP_SPIN:
		spin_lock(spin);
		break;
	case LOCKUP_BIT:
		bit_spin_lock(3, bit_word, bit_class);
		break;
	default:
		if (reader)
			read_lock(rw);
		else
			write_lock(rw);
	}
}

static void leave(bool reader)
{
	switch (config.arg[0]) {
	case LOCKUP_SPIN:
		spin_unlock(spin);
		break;
	case LOCKUP_BIT:
		bit_spin_unlock(3, bit_word, bit_class);
		break;
	default:
		if (reader)
			read_unlock(rw);
		else
			write_unlock(rw);
	}
}

static void alone(u64 units)
{
	if ((*inside)++ || __atomic_load_n(readers, __ATOMIC_ACQUIRE))
		hw_fault("two CPUs are in the critical section");
	hw_work(work, units);
	(*counter)++;
	if (*inside != 1 || __atomic_load_n(readers, __ATOMIC_ACQUIRE))
		hw_fault("another CPU came into the critical section");
	(*inside)--;
}

static void among_readers(u64 units, unsigned me)
{
	u32 n = __atomic_fetch_add(readers, 1, __ATOMIC_SEQ_CST) + 1;

	if (n > most_readers[me * 8])
		most_readers[me * 8] = n;
	if (*inside)
		hw_fault("a reader is in with a writer");
	hw_work(work, units);
	if (*inside)
		hw_fault("a writer came in with a reader");
	__atomic_fetch_sub(readers, 1, __ATOMIC_SEQ_CST);
}

static void lockup_cpu(void *unused)
{
	unsigned me = hw_cpu();
	bool reader = is_reader(me);

	(void)unused;
	if (me < config.users) {
		hw_work(work, me * config.arg[3]);
		for (u64 i = 0; i < config.arg[1]; i++) {
			u64 units = !me && !i && config.arg[5] ? config.arg[5] : config.arg[2];

			hw_mark_event(LOCKUP_ASKS, i);
			take(reader);
			hw_mark_event(LOCKUP_GOT, i);
			if (reader)
				among_readers(units, me);
			else
				alone(units);
			hw_mark_event(LOCKUP_LEAVES, i);
			leave(reader);
			hw_work(work, config.arg[4]);
		}
	}
	for (;;)
		hw_idle();
}

/* Most readers at once; a fault unless each exclusive section was counted. */
static u64 lockup_finish(void)
{
	u64 most = 0, writers = 0;

	for (unsigned i = 0; i < config.users; i++) {
		most = max(most, most_readers[i * 8]);
		writers += !is_reader(i);
	}
	if (*counter != writers * config.arg[1])
		hw_fault("%lu exclusive sections of %lu are counted", (unsigned long)*counter,
			 (unsigned long)(writers * config.arg[1]));
	return most;
}

PROGRAM(lockup) = { lockup_prepare, lockup_cpu, lockup_finish };
