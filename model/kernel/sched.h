/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched.h - tasks on CPUs: a run queue per CPU, sleeping and waking, yielding
 * at cond_resched(). A task may be pinned or run on any of a set of CPUs; a
 * woken one goes to an idle CPU of its set if there is one, else it queues.
 */
#ifndef KERNEL_SCHED_H
#define KERNEL_SCHED_H

#include "model/kernel/list.h"
#include "model/kernel/spinlock.h"

enum task_state { TASK_RUNNING, TASK_UNINTERRUPTIBLE, TASK_DEAD };

struct task_struct {
	struct list_head run_list;	/* on the run queue of a CPU */
	spinlock_t pi_lock;		/* serialises waking */
	u32 on_rq;			/* running or queued; changed under the run queue's lock */
	void *context;
	u32 state;
	u32 on_cpu;			/* still running: its context may not be switched to */
	int cpu;			/* where it runs or ran last */
	int pinned_cpu;			/* -1: any CPU from first_cpu on */
	int first_cpu;
	unsigned id;			/* for reports */
	void (*fn)(void *arg);
	void *arg;
	void *stack;
	char name[24];
};

void sched_early(void);			/* current works from here on */
void sched_init(void);
/* Make a task that will run fn(arg) and end when it returns; not yet runnable: wake_up_process() it. */
struct task_struct *task_create(const char *name, int pinned_cpu, void (*fn)(void *), void *arg);
/* @task, which is not pinned and sleeps, may run on CPU @first_cpu and those after it only. */
void task_restrict(struct task_struct *task, int first_cpu);
struct task_struct *current_task(void);
#define current current_task()
/* Make @task runnable. Returns false if it was already. */
bool wake_up_process(struct task_struct *task);
/* Set the state of the running task, before it checks its condition and calls schedule(). */
void set_current_state(enum task_state state);
/* Run another task; returns when this one is chosen again. */
void schedule(void);
void cond_resched(void);
/* A CPU's first context: runs tasks as they come, idles otherwise. Never returns. */
void cpu_idle_loop(void *unused);

/* A place to sleep until an event. */
struct completion {
	spinlock_t lock;
	u32 done;
	struct task_struct *waiter;
};
void init_completion(struct completion *c);
void complete(struct completion *c);
void wait_for_completion(struct completion *c);

#endif
