/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * workers.c - CPU 0 queues arg[0] works, which unbound workers on the last
 * arg[1] CPUs (0: all) run; each notes where. Returns the works that ran.
 */
#include "model/kernel/boot.h"
#include "model/kernel/kernel.h"
#include "tests/module/program.h"

#define MOST_WORKS 64

static struct program_config config;
static struct work_struct *works;
static struct task_struct *starter;
static atomic_t *ran;
static unsigned unit;

static void work_fn(struct work_struct *work)
{
	hw_mark_event(1, (u64)(work - works));
	hw_work(unit, 20);
	atomic_add_return(1, ran);
}

static void start(void *unused)
{
	(void)unused;
	for (u64 i = 0; i < config.arg[0]; i++) {
		queue_work(system_dfl_wq, &works[i]);
		hw_work(unit, 5);
	}
	for (u64 i = 0; i < config.arg[0]; i++)
		flush_work(&works[i]);
}

static void workers_prepare(const struct program_config *c)
{
	config = *c;
	kernel_boot(c->memory_bytes);
	unit = hw_work_name("syscall");
	works = alloc_table(MOST_WORKS * sizeof(*works));
	ran = alloc_table(PAGE_SIZE);
	BUG_ON(!works || !ran || config.arg[0] > MOST_WORKS);
	for (u64 i = 0; i < config.arg[0]; i++)
		INIT_WORK(&works[i], work_fn);
	if (config.arg[1])
		workqueue_restrict(system_dfl_wq, (unsigned)config.arg[1]);
	starter = task_create("starter", 0, start, NULL);
	BUG_ON(!starter);
	wake_up_process(starter);
}

static u64 workers_finish(void)
{
	return (u64)atomic_read(ran);
}

PROGRAM(workers) = { workers_prepare, cpu_idle_loop, workers_finish };
