/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bit_lock.c - one-bit locks that spin, and one-bit locks that sleep. */
#include "model/kernel/kernel.h"

#define WAIT_TABLE_BITS	8

/* ---- spinning ---- */

bool bit_spin_trylock(int bit, u32 *word, unsigned cls)
{
	preempt_disable();
	if (test_and_set_bit32_lock(bit, word)) {
		preempt_enable();
		return false;
	}
	hw_lock_acquired(word, cls, HW_LOCK_EXCLUSIVE, true);
	return true;
}

void bit_spin_lock(int bit, u32 *word, unsigned cls)
{
	preempt_disable();
	if (test_and_set_bit32_lock(bit, word)) {
		hw_lock_contended(word, cls, HW_LOCK_EXCLUSIVE);
		do {
			preempt_enable();
			smp_cond_load_acquire(word, !(VAL >> bit & 1));
			preempt_disable();
		} while (test_and_set_bit32_lock(bit, word));
	}
	hw_lock_acquired(word, cls, HW_LOCK_EXCLUSIVE, false);
}

void bit_spin_unlock(int bit, u32 *word, unsigned cls)
{
	hw_lock_released(word, cls, HW_LOCK_EXCLUSIVE);
	clear_bit32_unlock(bit, word);
	preempt_enable();
}

/* ---- sleeping ---- */

/* A queue of those who wait for any bit that hashes here. */
struct wait_bit_queue {
	spinlock_t lock;
	struct list_head waiters;
};

struct bit_waiter {
	struct list_head entry;
	struct task_struct *task;
	u32 *word;
};

static struct wait_bit_queue *wait_table;

void wait_bit_init(void)
{
	wait_table = alloc_boot(sizeof(*wait_table) << WAIT_TABLE_BITS, SMP_CACHE_BYTES, "wait queues");
	for (int i = 0; i < 1 << WAIT_TABLE_BITS; i++) {
		spin_lock_init_named(&wait_table[i].lock, "wait queue");
		INIT_LIST_HEAD(&wait_table[i].waiters);
	}
}

static struct wait_bit_queue *wait_queue_of(const u32 *word)
{
	u64 hash = (u64)word * 0x9e3779b97f4a7c15ull;

	return &wait_table[hash >> (64 - WAIT_TABLE_BITS)];
}

void wait_for_bit(int bit, u32 *word)
{
	struct wait_bit_queue *q = wait_queue_of(word);
	struct bit_waiter w = { .task = current, .word = word };

	spin_lock(&q->lock);
	list_add_tail(&w.entry, &q->waiters);
	set_current_state(TASK_UNINTERRUPTIBLE);
	spin_unlock(&q->lock);
	smp_mb();
	if (test_bit32(bit, word))
		schedule();
	set_current_state(TASK_RUNNING);
	spin_lock(&q->lock);
	list_del(&w.entry);
	spin_unlock(&q->lock);
}

void wake_one_for_bit(u32 *word)
{
	struct wait_bit_queue *q = wait_queue_of(word);
	struct bit_waiter *w;

	if (list_empty(&q->waiters))
		return;
	spin_lock(&q->lock);
	list_for_each_entry(w, &q->waiters, entry) {
		if (w->word == word && wake_up_process(w->task))
			break;
	}
	spin_unlock(&q->lock);
}

bool bit_mutex_trylock(int bit, u32 *word, unsigned cls)
{
	if (test_and_set_bit32_lock(bit, word))
		return false;
	hw_lock_acquired(word, cls, HW_LOCK_EXCLUSIVE, true);
	return true;
}

void bit_mutex_lock(int bit, u32 *word, unsigned cls)
{
	while (test_and_set_bit32_lock(bit, word))
		wait_for_bit(bit, word);
	hw_lock_acquired(word, cls, HW_LOCK_EXCLUSIVE, false);
}

void bit_mutex_unlock(int bit, u32 *word, unsigned cls)
{
	hw_lock_released(word, cls, HW_LOCK_EXCLUSIVE);
	clear_bit32_unlock(bit, word);
	smp_mb();
	wake_one_for_bit(word);
}
