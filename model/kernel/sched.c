/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sched.c - run queues, sleeping and waking.
 *
 * Lock order: task->pi_lock, then rq->lock. A run queue's lock is held across
 * the switch of contexts and released by the one switched to. A task that
 * goes to sleep is off the queue before its context is saved; on_cpu tells a
 * waker when the saving is done.
 */
#include "model/kernel/kernel.h"

#define STACK_BYTES	(64ul << 10)

struct rq {
	spinlock_t lock;
	u32 nr_queued;			/* runnable, besides the running one */
	struct list_head queue;
	struct task_struct *curr;
	struct task_struct *previous;	/* switched away from; for the one switched to */
	struct task_struct idle;
} ____cacheline_aligned;

static struct rq __percpu *runqueues;
static unsigned nr_tasks;
static unsigned work_switch;

static struct rq *cpu_rq(int cpu)
{
	return per_cpu_ptr(runqueues, cpu);
}

static struct rq *this_rq(void)
{
	return this_cpu_ptr(runqueues);
}

struct task_struct *current_task(void)
{
	return this_rq()->curr;
}

void sched_early(void)
{
	int cpu;

	runqueues = alloc_percpu(struct rq);
	BUG_ON(!runqueues);
	for_each_possible_cpu(cpu) {
		struct rq *rq = cpu_rq(cpu);

		spin_lock_init_named(&rq->lock, "rq->lock");
		INIT_LIST_HEAD(&rq->queue);
		rq->curr = &rq->idle;
		rq->idle.cpu = cpu;
		rq->idle.pinned_cpu = cpu;
		rq->idle.on_rq = 1;
		rq->idle.on_cpu = 1;
	}
}

void sched_init(void)
{
	work_switch = hw_work_name("context_switch");
	nr_tasks = 1;			/* task 0 stands for idling */
}

/* ---- switching ---- */

/* First thing in a context that was switched to: the one before is saved now. */
static void finish_switch(void)
{
	struct rq *rq = this_rq();

	smp_store_release(&rq->previous->on_cpu, 0);
	spin_unlock(&rq->lock);
}

static void task_begin(void *arg)
{
	struct task_struct *task = arg;

	finish_switch();
	task->fn(task->arg);
	set_current_state(TASK_DEAD);
	schedule();
	BUG_ON(true);
}

static struct task_struct *pick_next(struct rq *rq)
{
	struct task_struct *next;

	if (list_empty(&rq->queue))
		return &rq->idle;
	next = list_first_entry(&rq->queue, struct task_struct, run_list);
	list_del(&next->run_list);
	rq->nr_queued--;
	return next;
}

void schedule(void)
{
	struct rq *rq = this_rq();
	struct task_struct *prev = rq->curr, *next;

	spin_lock(&rq->lock);
	if (prev != &rq->idle) {
		if (READ_ONCE(prev->state) == TASK_RUNNING) {
			list_add_tail(&prev->run_list, &rq->queue);
			rq->nr_queued++;
		} else {
			prev->on_rq = 0;
		}
	}
	next = pick_next(rq);
	if (next == prev) {
		spin_unlock(&rq->lock);
		return;
	}
	next->on_cpu = 1;
	next->cpu = (int)smp_processor_id();
	rq->curr = next;
	rq->previous = prev;
	hw_work(work_switch, 1);
	hw_task(next->id);
	hw_context_switch(&prev->context, next->context);
	finish_switch();
}

void cond_resched(void)
{
	if (unlikely(READ_ONCE(this_rq()->nr_queued)))
		schedule();
}

void set_current_state(enum task_state state)
{
	WRITE_ONCE(current->state, state);
	if (state != TASK_RUNNING)
		smp_mb();
}

void cpu_idle_loop(void *unused)
{
	(void)unused;
	for (;;) {
		struct rq *rq = this_rq();

		if (READ_ONCE(rq->nr_queued))
			schedule();
		else
			hw_idle();
	}
}

/* ---- waking ---- */

static bool cpu_is_idle(int cpu)
{
	struct rq *rq = cpu_rq(cpu);

	return READ_ONCE(rq->curr) == &rq->idle && !READ_ONCE(rq->nr_queued);
}

/*
 * Where to run: where it ran if that is idle, else an idle CPU, the waker's
 * neighbours first, else there after all; of the CPUs that it may run on.
 */
static int select_cpu(const struct task_struct *task)
{
	int n = (int)num_possible_cpus(), me = (int)smp_processor_id();

	if (task->pinned_cpu >= 0)
		return task->pinned_cpu;
	if (cpu_is_idle(task->cpu))
		return task->cpu;
	for (int i = 1; i < n; i++) {
		int cpu = me + i < n ? me + i : me + i - n;

		if (cpu >= task->first_cpu && cpu_is_idle(cpu))
			return cpu;
	}
	return task->cpu;
}

static void enqueue(struct task_struct *task, int cpu)
{
	struct rq *rq = cpu_rq(cpu);
	bool idle;

	spin_lock(&rq->lock);
	task->on_rq = 1;
	task->cpu = cpu;
	list_add_tail(&task->run_list, &rq->queue);
	rq->nr_queued++;
	idle = rq->curr == &rq->idle;
	spin_unlock(&rq->lock);
	if (idle)
		hw_kick((unsigned)cpu);
}

/* It has not left its CPU yet: let it stay. */
static bool wake_still_running(struct task_struct *task)
{
	struct rq *rq = cpu_rq(task->cpu);
	bool on_rq;

	spin_lock(&rq->lock);
	on_rq = task->on_rq;
	if (on_rq)
		WRITE_ONCE(task->state, TASK_RUNNING);
	spin_unlock(&rq->lock);
	return on_rq;
}

bool wake_up_process(struct task_struct *task)
{
	bool woken = false;

	spin_lock(&task->pi_lock);
	if (READ_ONCE(task->state) != TASK_UNINTERRUPTIBLE)
		goto out;
	woken = true;
	if (READ_ONCE(task->on_rq) && wake_still_running(task))
		goto out;
	smp_cond_load_acquire(&task->on_cpu, !VAL);
	WRITE_ONCE(task->state, TASK_RUNNING);
	enqueue(task, select_cpu(task));
out:
	spin_unlock(&task->pi_lock);
	return woken;
}

struct task_struct *task_create(const char *name, int pinned_cpu, void (*fn)(void *), void *arg)
{
	struct task_struct *task = alloc_table(sizeof(*task));

	if (!task)
		return NULL;
	task->stack = alloc_table(STACK_BYTES);
	if (!task->stack)
		return NULL;
	for (unsigned i = 0; i + 1 < sizeof(task->name) && name[i]; i++)
		task->name[i] = name[i];
	spin_lock_init_named(&task->pi_lock, "task->pi_lock");
	task->id = nr_tasks++;
	task->fn = fn;
	task->arg = arg;
	task->pinned_cpu = pinned_cpu;
	task->cpu = pinned_cpu >= 0 ? pinned_cpu : (int)(task->id % num_possible_cpus());
	task->state = TASK_UNINTERRUPTIBLE;
	task->context = hw_context_create(task->stack, STACK_BYTES, task_begin, task);
	hw_task_name(task->id, task->name);
	return task;
}

void task_restrict(struct task_struct *task, int first_cpu)
{
	int cpus = (int)num_possible_cpus() - first_cpu;

	task->first_cpu = first_cpu;
	if (task->cpu < first_cpu)
		task->cpu = first_cpu + (int)task->id % cpus;
}

/* ---- completions ---- */

void init_completion(struct completion *c)
{
	spin_lock_init_named(&c->lock, "completion");
	c->done = 0;
	c->waiter = NULL;
}

void complete(struct completion *c)
{
	struct task_struct *waiter;

	spin_lock(&c->lock);
	c->done = 1;
	waiter = c->waiter;
	spin_unlock(&c->lock);
	if (waiter)
		wake_up_process(waiter);
}

void wait_for_completion(struct completion *c)
{
	spin_lock(&c->lock);
	while (!c->done) {
		c->waiter = current;
		set_current_state(TASK_UNINTERRUPTIBLE);
		spin_unlock(&c->lock);
		schedule();
		spin_lock(&c->lock);
	}
	c->waiter = NULL;
	spin_unlock(&c->lock);
	set_current_state(TASK_RUNNING);
}
