/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * munmap.c - the test program of the deferred-free thread: processes that fill
 * memory with its pattern, or with a file's pages, are paged out, stop, and
 * unmap together.
 */
#include "model/kernel/kernel.h"
#include "model/mm/mm.h"
#include "model/swap/swap.h"
#include "model/workload/swap_user.h"
#include "model/workload/workload.h"
#include "model/zram/observer.h"

struct process {
	struct mm mm;
	unsigned number;
	struct task_struct *task;
	char name[16];
};

static const struct swap_user *user;
static struct process *processes;
static unsigned nr_processes;
static unsigned work_syscall;
static enum model_break break_what;

#define FILL_BYTES	4096u

/*
 * The program's pattern: some longs of a multiple of a prime, the rest zero. It
 * goes in steps of 4096 bytes whatever the size of a page.
 */
static __observer void fill_pattern(u64 index, void *page)
{
	u64 *q = page;

	for (u64 chunk = 0; chunk < PAGE_SIZE / FILL_BYTES; chunk++, q += FILL_BYTES / 8) {
		u64 n = 106 + (index * (PAGE_SIZE / FILL_BYTES) + chunk) % 16 * 8, k;

		for (k = 0; k < n; k++)
			q[k] = k * 8 * 2654435761ull;
		for (; k < FILL_BYTES / 8; k++)
			q[k] = 0;
	}
}

/* The pattern repeats after 16 pages, so 16 are made. */
#define PATTERN_PAGES	16u

static char *pattern_pages;
static const struct model_contents *contents;

static const void *pattern(u64 index)
{
	if (contents)
		return contents->pages + index % contents->nr * PAGE_SIZE;
	return pattern_pages + index % PATTERN_PAGES * PAGE_SIZE;
}

static void make_pattern_pages(void)
{
	pattern_pages = vzalloc(PATTERN_PAGES * PAGE_SIZE);
	BUG_ON(!pattern_pages);
	hw_mute();
	for (u64 i = 0; i < PATTERN_PAGES; i++)
		fill_pattern(i, pattern_pages + i * PAGE_SIZE);
	hw_unmute();
}

static void run_process(void *arg)
{
	struct process *p = arg;

	if (!p->number && break_what != BREAK_NOTHING)
		break_in_task(break_what, user->zram());
	hw_mark("munmap_begin", p->number);
	hw_work(work_syscall, 1);
	user->unmap(&p->mm);
	hw_mark("munmap_end", p->number);
}

static void create_device(const struct model_config *config)
{
	u64 pages = config->nr_procs * (config->region_bytes >> PAGE_SHIFT) + 1;
	u32 slots = (u32)(DIV_ROUND_UP(pages, SWAP_CLUSTER) + config->nr_procs) * SWAP_CLUSTER;

	user = config->user == USER_ZSWAP ? &zswap_user : &zram_user;
	user->create(config, slots);
}

static void munmap_prepare(const struct model_config *config)
{
	contents = config->contents;
	create_device(config);
	make_pattern_pages();
	work_syscall = hw_work_name("syscall");
	break_what = config->break_what;
	break_prepare(break_what);
	nr_processes = config->nr_procs;
	processes = vzalloc(config->nr_procs * sizeof(*processes));
	BUG_ON(!processes);
	for (unsigned i = 0; i < config->nr_procs; i++) {
		struct process *p = &processes[i];

		p->number = i;
		scnprintf(p->name, sizeof(p->name), "proc%u", i);
		mm_init(&p->mm, config->region_bytes, (int)i);
		mm_fill(&p->mm);
		if (user->owner)
			user->owner(i);
		mm_page_out(&p->mm, pattern, user->swap_out);
		p->task = task_create(p->name, (int)i, run_process, p);
		BUG_ON(!p->task);
	}
	for (unsigned i = 0; i < config->nr_procs; i++)
		wake_up_process(processes[i].task);
}

static struct zram *munmap_zram(void)
{
	return user->zram();
}

static struct zs_pool *munmap_pool(void)
{
	return user->pool();
}

static void munmap_check(void)
{
	user->check();
}

static void munmap_flush(void)
{
	if (user->flush)
		user->flush();
}

static void munmap_finish(void)
{
	break_at_end(break_what, user->zram());
	WARN_ON(swap_slots_in_use());
	swapoff();
	for (unsigned i = 0; i < nr_processes; i++)
		mm_destroy(&processes[i].mm);
	vfree(processes);
	user->destroy();
	vfree(pattern_pages);
}

const struct workload munmap_workload = {
	.prepare = munmap_prepare,
	.check = munmap_check,
	.pool = munmap_pool,
	.zram = munmap_zram,
	.flush = munmap_flush,
	.finish = munmap_finish,
};
