/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * collect.c - see collect.h. collector.lock nests inside page table locks; nothing
 * is taken inside it but what waking a task takes.
 *
 * A slot that waits is in use as far as swap.c can see, so nobody is given it,
 * and what it holds is freed as always, under its cluster's lock. The price is that
 * free swap space shows as late as free memory.
 */
#include "model/swap/collect.h"
#include "model/kernel/kernel.h"
#include "model/swap/swap.h"

struct swap_run {
	u32 offset, nr;
};

#define BATCH_BYTES	512u		/* a bucket of kmalloc() */
#define BATCH_RUNS	(unsigned)((BATCH_BYTES - offsetof(struct swap_batch, runs)) / sizeof(struct swap_run))

struct swap_batch {
	struct list_head list;
	u32 nr_runs;
	u32 nr_slots;			/* in all runs */
	struct swap_run runs[];
};

static struct swap_collector {
	spinlock_t lock;		/* list, busy, waiter */
	struct list_head batches;	/* handed over, oldest first */
	unsigned busy;			/* batches being given back */
	struct task_struct *waiter;	/* until busy is 0 */
	struct task_struct *thread;
	void *device;
	swap_observe_fn waits, freed;
} collector;

/* ---- collecting ---- */

static struct swap_batch *alloc_batch(void)
{
	struct swap_batch *batch = kmalloc(BATCH_BYTES, GFP_NOWAIT | __GFP_NOWARN);

	if (batch)
		batch->nr_runs = batch->nr_slots = 0;
	return batch;
}

/* The thread sleeps only with nothing on the list, so only the first batch wakes it. */
static void hand_over(struct swap_batch *batch)
{
	bool first;

	spin_lock(&collector.lock);
	first = list_empty(&collector.batches);
	list_add_tail(&batch->list, &collector.batches);
	spin_unlock(&collector.lock);
	if (first)
		wake_up_process(collector.thread);
}

void swap_collect(struct swap_batch **at, u32 offset, u32 nr)
{
	struct swap_batch *batch = *at;

	if (!batch) {
		batch = *at = alloc_batch();
		if (!batch) {
			swap_put_entries_direct(offset, nr);
			return;
		}
	}
	batch->runs[batch->nr_runs++] = (struct swap_run){ offset, nr };
	batch->nr_slots += nr;
	hw_mute();
	collector.waits(collector.device, offset, nr);
	hw_unmute();
	if (batch->nr_slots < SWAP_COLLECT_THRESHOLD && batch->nr_runs < BATCH_RUNS)
		return;
	hand_over(batch);
	*at = NULL;
}

void swap_collect_end(struct swap_batch **batch)
{
	if (*batch)
		hand_over(*batch);
	*batch = NULL;
}

/* ---- giving back ---- */

static void put_batch(struct swap_batch *batch)
{
	for (u32 i = 0; i < batch->nr_runs; i++) {
		struct swap_run *run = &batch->runs[i];

		hw_mute();
		collector.freed(collector.device, run->offset, run->nr);
		hw_unmute();
		swap_put_entries_direct(run->offset, run->nr);
	}
	kfree(batch);
}

/* Give back the oldest batch. collector.lock is held before and after. False: there is none. */
static bool put_oldest(void)
{
	struct swap_batch *batch = list_first_entry_or_null(&collector.batches, struct swap_batch, list);

	if (!batch)
		return false;
	list_del(&batch->list);
	collector.busy++;
	spin_unlock(&collector.lock);
	put_batch(batch);
	cond_resched();
	spin_lock(&collector.lock);
	if (!--collector.busy && collector.waiter)
		wake_up_process(collector.waiter);
	return true;
}

static void collector_main(void *unused)
{
	(void)unused;
	spin_lock(&collector.lock);
	for (;;) {
		while (put_oldest())
			;
		set_current_state(TASK_UNINTERRUPTIBLE);
		spin_unlock(&collector.lock);
		schedule();
		spin_lock(&collector.lock);
	}
}

/* Helps rather than waits, but for what the thread has in hand. */
void swap_collect_flush(void)
{
	spin_lock(&collector.lock);
	while (put_oldest())
		;
	while (collector.busy) {
		collector.waiter = current;
		set_current_state(TASK_UNINTERRUPTIBLE);
		spin_unlock(&collector.lock);
		schedule();
		spin_lock(&collector.lock);
	}
	collector.waiter = NULL;
	spin_unlock(&collector.lock);
	set_current_state(TASK_RUNNING);
}

void swap_collect_start(void *device, swap_observe_fn waits, swap_observe_fn freed)
{
	spin_lock_init_named(&collector.lock, "swap collector lock");
	INIT_LIST_HEAD(&collector.batches);
	collector.device = device;
	collector.waits = waits;
	collector.freed = freed;
	collector.thread = task_create("kswapfree", -1, collector_main, NULL);
	BUG_ON(!collector.thread);
}
