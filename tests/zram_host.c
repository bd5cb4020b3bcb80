/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zram_host.c - see zram_host.h. */
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "model/zram/lzorle.h"
#include "tests/zram_host.h"

#undef memcpy

/* ---- the rest of the kernel and the machine, for one thread --------------------- */

unsigned long works_done[8];
static const char *work_names[8];

unsigned hw_work_name(const char *name)
{
	unsigned id = 1;

	while (work_names[id] && strcmp(work_names[id], name))
		id++;
	work_names[id] = name;
	return id;
}

void hw_work(unsigned id, uint64_t units)
{
	cr_assert(id && work_names[id], "work without a name");
	cr_assert_eq(host_mute_depth(), 0, "work is paid outside of muted code");
	works_done[id] += units;
}

unsigned hw_lock_class(const char *name)
{
	(void)name;
	return 1;
}

char marks[256];

void hw_mark(const char *name, unsigned index)
{
	size_t used = strlen(marks);

	snprintf(marks + used, sizeof(marks) - used, "%s %u;", name, index);
}

bool bit_mutex_trylock(int bit, u32 *word, unsigned cls)
{
	(void)cls;
	return !test_and_set_bit32_lock(bit, word);
}

void bit_mutex_lock(int bit, u32 *word, unsigned cls)
{
	if (host_locks_held())
		hw_fault("a sleeping lock is taken with %ld spinlocks held", host_locks_held());
	if (!bit_mutex_trylock(bit, word, cls))
		hw_fault("nobody would ever release this slot");
}

void bit_mutex_unlock(int bit, u32 *word, unsigned cls)
{
	(void)cls;
	if (!test_bit32(bit, word))
		hw_fault("slot unlocked that is not locked");
	clear_bit32_unlock(bit, word);
}

bool spin_is_locked(spinlock_t *lock)
{
	return lock->val;
}

static struct task_struct tasks[8];
unsigned nr_woken;

struct task_struct *task_create(const char *name, int pinned_cpu, void (*fn)(void *), void *arg)
{
	struct task_struct *task = tasks;

	while (task < tasks + sizeof(tasks) / sizeof(tasks[0]) && task->fn)	/* one that has ended makes room */
		task++;
	cr_assert(task < tasks + sizeof(tasks) / sizeof(tasks[0]), "too many tasks");
	*task = (struct task_struct){ .pinned_cpu = pinned_cpu, .fn = fn, .arg = arg };
	snprintf(task->name, sizeof(task->name), "%s", name);
	return task;
}

bool wake_up_process(struct task_struct *task)
{
	(void)task;
	nr_woken++;
	return true;
}

/* Tasks run one after another here, to their ends: what is not done by now never will be. */
void init_completion(struct completion *c)
{
	c->done = 0;
}

void complete(struct completion *c)
{
	c->done = 1;
}

void wait_for_completion(struct completion *c)
{
	if (!c->done)
		hw_fault("waits for what nobody completes");
}

static jmp_buf slept;
static struct task_struct *running;

struct task_struct *current_task(void)
{
	return running;
}

void set_current_state(enum task_state state)
{
	if (running)
		running->state = state;
}

/* One thread has nobody else to run: a task that sleeps is over for now. */
void schedule(void)
{
	if (!running)
		hw_fault("nobody would ever wake this task");
	longjmp(slept, 1);
}

static void run(struct task_struct *task)
{
	host_set_cpu(task->pinned_cpu < 0 ? 0 : (unsigned)task->pinned_cpu);
	running = task;
	if (!setjmp(slept)) {
		task->fn(task->arg);
		task->fn = NULL;
	}
	running = NULL;
	host_set_cpu(0);
}

void run_tasks(void)
{
	for (unsigned i = 0; i < sizeof(tasks) / sizeof(tasks[0]); i++)
		if (tasks[i].fn)
			run(&tasks[i]);
}

void run_task(const char *name)
{
	for (unsigned i = 0; i < sizeof(tasks) / sizeof(tasks[0]); i++)
		if (tasks[i].fn && !strcmp(tasks[i].name, name))
			run(&tasks[i]);
}

/* ---- pages to store ----------------------------------------------------------------- */

static u64 rng_state = 7;

u32 rng(void)
{
	rng_state = rng_state * 6364136223846793005ull + 1442695040888963407ull;
	return (u32)(rng_state >> 33);
}

void pattern_page(u64 index, u64 *page)
{
	memset(page, 0, PAGE_SIZE);
	for (u64 k = 0; k < 106 + index % KINDS * 8; k++)
		page[k] = k * 8 * 2654435761ull;
}

void make_page(unsigned what, u64 *page)
{
	u64 word = what == 1 ? rng() + 1ull : 0;
	size_t noisy = what == 2 ? PAGE_SIZE / 8 : what == 3 ? rng() % 500 + 1 : 0;

	if (what > 3) {
		pattern_page(what, page);
		return;
	}
	for (size_t i = 0; i < PAGE_SIZE / 8; i++)
		page[i] = i < noisy ? (u64)rng() << 32 | rng() : word;
}

size_t stored_bytes(const u64 *page)
{
	static struct lzo_workspace ws;
	static u8 out[LZO_WORST(PAGE_SIZE)];
	size_t n = lzo_compress(LZO_RLE, (const u8 *)page, PAGE_SIZE, out, &ws);

	return n >= 3625 ? PAGE_SIZE : n;	/* chain size 8: from here on a class holds one page */
}

struct zram *create_device(enum axis_zram_stats stats, unsigned pages)
{
	struct model_variant variant = base;

	variant.zram_stats = stats;
	return zram_create((u64)pages << PAGE_SHIFT, &variant, 8);
}

void must_write(struct zram *zram, u32 index, const u64 *page)
{
	cr_assert_eq(zram_write(zram, index, page), 0);
}

void must_read(struct zram *zram, u32 index, const u64 *page)
{
	u64 got[PAGE_SIZE / 8];

	memset(got, 0xee, sizeof(got));
	cr_assert_eq(zram_read(zram, index, got), 0);
	cr_assert_arr_eq(got, page, PAGE_SIZE, "slot %u", index);
}

struct counts read_mm_stat(struct zram *zram)
{
	struct counts c;
	unsigned long long limit, used_max, compacted;
	char line[160];

	zram_mm_stat(zram, line, sizeof(line));
	cr_assert_eq(sscanf(line, "%llu %llu %llu %llu %llu %llu %llu %llu %llu", &c.orig, &c.compr, &c.used,
			    &limit, &used_max, &c.same, &compacted, &c.huge, &c.huge_since), 9, "%s", line);
	cr_assert_geq(used_max, c.used);
	cr_assert_eq(limit, 0);
	return c;
}

void expect_counts(struct zram *zram, struct counts want)
{
	struct counts got = read_mm_stat(zram);

	cr_expect_eq(got.orig, want.orig << PAGE_SHIFT, "%llu pages", got.orig >> PAGE_SHIFT);
	cr_expect_eq(got.compr, want.compr, "%llu bytes, not %llu", got.compr, want.compr);
	cr_expect_eq(got.same, want.same);
	cr_expect_eq(got.huge, want.huge);
	cr_expect_eq(got.huge_since, want.huge_since);
}

unsigned long long notified(struct zram *zram)
{
	unsigned long long failed_reads, failed_writes, zero, notify_free;
	char line[96];

	zram_io_stat(zram, line, sizeof(line));
	cr_assert_eq(sscanf(line, "%llu %llu %llu %llu", &failed_reads, &failed_writes, &zero, &notify_free), 4);
	return notify_free;
}

const struct model_contents *some_contents(void)
{
	static u64 pages[CONTENTS_PAGES][PAGE_SIZE / 8];
	static u8 data[CONTENTS_PAGES][PAGE_SIZE];
	static const u8 *at[CONTENTS_PAGES];
	static const u32 len[CONTENTS_PAGES] = { 1, 700, 3000, 4000, PAGE_SIZE };
	static const struct model_contents contents = {
		.nr = CONTENTS_PAGES, .pages = (const u8 *)pages, .len = len, .data = at
	};

	for (u32 i = 0; i < CONTENTS_PAGES; i++) {
		make_page(2, pages[i]);
		for (u32 b = 0; b < PAGE_SIZE; b++)
			data[i][b] = (u8)rng();
		at[i] = data[i];
	}
	return &contents;
}
