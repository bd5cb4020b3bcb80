/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * workqueue.h - deferred function calls on an unbound pool of worker tasks,
 * one worker per running item. The same work never runs twice at once;
 * queueing it while it runs makes it run again.
 */
#ifndef KERNEL_WORKQUEUE_H
#define KERNEL_WORKQUEUE_H

#include "model/kernel/list.h"
#include "model/kernel/atomic.h"

struct work_struct;
typedef void (*work_func_t)(struct work_struct *work);

struct work_struct {			/* 32 bytes, as in the kernel */
	u64 data;			/* bit 0: pending */
	struct list_head entry;
	work_func_t func;
};

struct workqueue_struct;
extern struct workqueue_struct *system_dfl_wq;

void workqueue_init(void);
/* Workers, those there are and those to come, run on the last @cpus CPUs only (1 .. all). Nobody works yet. */
void workqueue_restrict(struct workqueue_struct *wq, unsigned cpus);
void INIT_WORK(struct work_struct *work, work_func_t func);
/* Returns false if the work was pending already. */
bool queue_work(struct workqueue_struct *wq, struct work_struct *work);
bool schedule_work(struct work_struct *work);
/* Wait until the last queued instance has finished. */
void flush_work(struct work_struct *work);
/* Take it off the queue, or wait for the running instance. Returns true if it was pending. */
bool cancel_work_sync(struct work_struct *work);

#endif
