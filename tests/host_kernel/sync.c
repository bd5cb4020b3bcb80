/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sync.c - locks that nobody contends for, and work that runs when a test says so. */
#include "tests/host_kernel/host.h"

static bool contended;

void host_set_contended(bool yes)
{
	contended = yes;
}

void __spin_lock_init(spinlock_t *lock, const char *name)
{
	(void)name;
	lock->val = 0;
}

void spin_lock(spinlock_t *lock)
{
	if (lock->locked)
		hw_fault("deadlock: spinlock %p is held", (void *)lock);
	lock->locked = 1;
	host_count_lock(1);
}

bool spin_trylock(spinlock_t *lock)
{
	if (lock->locked)
		return false;
	spin_lock(lock);
	return true;
}

void spin_unlock(spinlock_t *lock)
{
	if (!lock->locked)
		hw_fault("spinlock %p is not held", (void *)lock);
	lock->locked = 0;
	host_count_lock(-1);
}

#define WRITER	0xffu

void __rwlock_init(rwlock_t *lock, const char *name)
{
	(void)name;
	lock->cnts = 0;
	lock->wait_lock.val = 0;
}

/* The lowest byte is the writer's, readers are counted above it. */
void read_lock(rwlock_t *lock)
{
	if (lock->wlocked)
		hw_fault("deadlock: rwlock %p has a writer", (void *)lock);
	lock->cnts += WRITER + 1;
	host_count_lock(1);
}

void read_unlock(rwlock_t *lock)
{
	if (lock->cnts <= WRITER)
		hw_fault("rwlock %p has no reader", (void *)lock);
	lock->cnts -= WRITER + 1;
	host_count_lock(-1);
}

void write_lock(rwlock_t *lock)
{
	if (lock->cnts)
		hw_fault("deadlock: rwlock %p is held", (void *)lock);
	lock->wlocked = WRITER;
	host_count_lock(1);
}

void write_unlock(rwlock_t *lock)
{
	if (!lock->wlocked)
		hw_fault("rwlock %p has no writer", (void *)lock);
	lock->wlocked = 0;
	host_count_lock(-1);
}

bool rwlock_is_contended(rwlock_t *lock)
{
	(void)lock;
	return contended;
}

/* Sleeping with a spinlock held is what a kernel would complain about. */
void cond_resched(void)
{
	if (host_locks_held())
		hw_fault("cond_resched() with %ld locks held", host_locks_held());
}

/* ---- work ---------------------------------------------------------------- */

struct workqueue_struct *system_dfl_wq;
static struct list_head queue = { &queue, &queue };

void INIT_WORK(struct work_struct *work, work_func_t func)
{
	work->data = 0;
	INIT_LIST_HEAD(&work->entry);
	work->func = func;
}

bool queue_work(struct workqueue_struct *wq, struct work_struct *work)
{
	(void)wq;
	if (work->data)
		return false;
	work->data = 1;
	list_add_tail(&work->entry, &queue);
	return true;
}

bool schedule_work(struct work_struct *work)
{
	return queue_work(NULL, work);
}

static void run_work(struct work_struct *work)
{
	list_del_init(&work->entry);
	work->data = 0;
	work->func(work);
}

void flush_work(struct work_struct *work)
{
	while (work->data)
		run_work(work);
}

bool cancel_work_sync(struct work_struct *work)
{
	if (!work->data)
		return false;
	list_del_init(&work->entry);
	work->data = 0;
	return true;
}

unsigned host_run_work(void)
{
	unsigned ran = 0;

	for (; !list_empty(&queue); ran++)
		run_work(list_first_entry(&queue, struct work_struct, entry));
	return ran;
}
