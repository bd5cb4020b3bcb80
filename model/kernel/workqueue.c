/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * workqueue.c - one unbound pool of workers.
 *
 * Workers of an unbound pool are never counted as running, so each that takes
 * an item wakes the next idle one while more is queued: parallelism grows to
 * one worker per item. Idle workers are taken last in, first out.
 */
#include "model/kernel/kernel.h"

#define WORK_PENDING	1ull

struct worker {
	struct list_head entry;		/* idle or busy list */
	struct list_head scheduled;	/* items that must run here: they run here now */
	struct work_struct *current_work;
	struct task_struct *task;
	char name[24];
};

struct flusher {			/* waits until a work is neither pending nor running */
	struct list_head entry;
	struct work_struct *work;
	struct task_struct *task;
};

struct workqueue_struct {
	spinlock_t lock;
	unsigned nr_workers;
	int first_cpu;			/* on which its workers may run */
	struct list_head worklist;
	struct list_head idle;
	struct list_head busy;
	struct list_head flushers;
} ____cacheline_aligned;

struct workqueue_struct *system_dfl_wq;

/* ---- workers; pool lock held ---- */

static struct worker *find_running(struct workqueue_struct *wq, const struct work_struct *work)
{
	struct worker *w;

	list_for_each_entry(w, &wq->busy, entry)
		if (w->current_work == work)
			return w;
	return NULL;
}

static struct worker *first_idle(struct workqueue_struct *wq)
{
	return list_first_entry_or_null(&wq->idle, struct worker, entry);
}

static void kick_pool(struct workqueue_struct *wq)
{
	struct worker *w = first_idle(wq);

	if (w && !list_empty(&wq->worklist))
		wake_up_process(w->task);
}

static void wake_flushers(struct workqueue_struct *wq, const struct work_struct *work)
{
	struct flusher *f;

	list_for_each_entry(f, &wq->flushers, entry)
		if (f->work == work)
			wake_up_process(f->task);
}

/* Run one item; drops and retakes the lock. */
static void process_one(struct workqueue_struct *wq, struct worker *me, struct work_struct *work)
{
	work_func_t func = work->func;

	me->current_work = work;
	__atomic_fetch_and(&work->data, ~WORK_PENDING, __ATOMIC_SEQ_CST);
	kick_pool(wq);
	spin_unlock(&wq->lock);
	func(work);			/* may free @work */
	cond_resched();
	spin_lock(&wq->lock);
	me->current_work = NULL;
	wake_flushers(wq, work);
}

/* Take the next item; one that another worker is running goes to that worker. */
static struct work_struct *take_item(struct workqueue_struct *wq, struct worker *me)
{
	while (!list_empty(&wq->worklist)) {
		struct work_struct *work = list_first_entry(&wq->worklist, struct work_struct, entry);
		struct worker *other = find_running(wq, work);

		list_del_init(&work->entry);
		if (!other || other == me)
			return work;
		list_add_tail(&work->entry, &other->scheduled);
	}
	return NULL;
}

static struct worker *create_worker(struct workqueue_struct *wq);

static void worker_main(void *arg)
{
	struct worker *me = arg;
	struct workqueue_struct *wq = system_dfl_wq;

	spin_lock(&wq->lock);
	for (;;) {
		struct work_struct *work;

		list_move(&me->entry, &wq->busy);
		while ((work = take_item(wq, me))) {
			/* the last idle worker makes another before it works */
			if (!first_idle(wq)) {
				spin_unlock(&wq->lock);
				create_worker(wq);
				spin_lock(&wq->lock);
			}
			process_one(wq, me, work);
			while (!list_empty(&me->scheduled)) {
				work = list_first_entry(&me->scheduled, struct work_struct, entry);
				list_del_init(&work->entry);
				process_one(wq, me, work);
			}
		}
		list_move(&me->entry, &wq->idle);
		set_current_state(TASK_UNINTERRUPTIBLE);
		spin_unlock(&wq->lock);
		schedule();
		spin_lock(&wq->lock);
	}
}

/* Returns NULL when memory for another is short: those there are go on. */
static struct worker *create_worker(struct workqueue_struct *wq)
{
	struct worker *w = alloc_table(sizeof(*w));
	unsigned n;

	if (!w)
		return NULL;
	spin_lock(&wq->lock);
	n = wq->nr_workers++;
	spin_unlock(&wq->lock);
	hw_format(w->name, sizeof(w->name), "kworker/u%u", n);
	INIT_LIST_HEAD(&w->scheduled);
	w->task = task_create(w->name, -1, worker_main, w);
	if (!w->task)
		return NULL;
	task_restrict(w->task, wq->first_cpu);
	spin_lock(&wq->lock);
	list_add(&w->entry, &wq->idle);
	spin_unlock(&wq->lock);
	return w;
}

void workqueue_init(void)
{
	unsigned workers = min(num_possible_cpus(), 16u) + 1;

	system_dfl_wq = alloc_table(sizeof(*system_dfl_wq));
	BUG_ON(!system_dfl_wq);
	spin_lock_init_named(&system_dfl_wq->lock, "workqueue pool->lock");
	INIT_LIST_HEAD(&system_dfl_wq->worklist);
	INIT_LIST_HEAD(&system_dfl_wq->idle);
	INIT_LIST_HEAD(&system_dfl_wq->busy);
	INIT_LIST_HEAD(&system_dfl_wq->flushers);
	while (workers--)
		BUG_ON(!create_worker(system_dfl_wq));
}

void workqueue_restrict(struct workqueue_struct *wq, unsigned cpus)
{
	struct worker *w;

	wq->first_cpu = (int)(num_possible_cpus() - cpus);
	list_for_each_entry(w, &wq->idle, entry)
		task_restrict(w->task, wq->first_cpu);
}

/* ---- works ---- */

void INIT_WORK(struct work_struct *work, work_func_t func)
{
	work->data = 0;
	INIT_LIST_HEAD(&work->entry);
	work->func = func;
}

bool queue_work(struct workqueue_struct *wq, struct work_struct *work)
{
	if (__atomic_fetch_or(&work->data, WORK_PENDING, __ATOMIC_SEQ_CST) & WORK_PENDING)
		return false;
	spin_lock(&wq->lock);
	list_add_tail(&work->entry, &wq->worklist);
	kick_pool(wq);
	spin_unlock(&wq->lock);
	return true;
}

bool schedule_work(struct work_struct *work)
{
	return queue_work(system_dfl_wq, work);
}

static bool is_busy(struct workqueue_struct *wq, const struct work_struct *work)
{
	return READ_ONCE(work->data) & WORK_PENDING || find_running(wq, work);
}

void flush_work(struct work_struct *work)
{
	struct workqueue_struct *wq = system_dfl_wq;
	struct flusher f = { .work = work, .task = current };

	spin_lock(&wq->lock);
	list_add_tail(&f.entry, &wq->flushers);
	while (is_busy(wq, work)) {
		set_current_state(TASK_UNINTERRUPTIBLE);
		spin_unlock(&wq->lock);
		schedule();
		spin_lock(&wq->lock);
	}
	list_del(&f.entry);
	spin_unlock(&wq->lock);
	set_current_state(TASK_RUNNING);
}

bool cancel_work_sync(struct work_struct *work)
{
	struct workqueue_struct *wq = system_dfl_wq;
	bool pending = false;

	spin_lock(&wq->lock);
	if (READ_ONCE(work->data) & WORK_PENDING && !list_empty(&work->entry)) {
		list_del_init(&work->entry);
		__atomic_fetch_and(&work->data, ~WORK_PENDING, __ATOMIC_SEQ_CST);
		pending = true;
	}
	spin_unlock(&wq->lock);
	flush_work(work);
	return pending;
}
