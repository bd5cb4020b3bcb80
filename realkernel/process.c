/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process.c - see process.h. */
#include "realkernel/process.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "native/host.h"
#include "realkernel/fill.h"
#include "realkernel/swapped.h"

#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT	21
#endif

/* Pages that others look at just then stay; a second call takes them. */
#define PAGE_OUT_TRIES	50u
#define PAGE_OUT_PAUSE_NS 10000000L

#define TRANSFERS	4000u

/* ---- in the process ---- */

struct program {
	const struct process_options *options;
	struct process_report *report;
	int fd;
	char *region, *sweep;
};

static void __attribute__((noreturn)) give_up(struct program *p, const char *what)
{
	snprintf(p->report->error, sizeof(p->report->error), "%s", what);
	_exit(1);
}

static void __attribute__((noreturn)) give_up_errno(struct program *p, const char *call)
{
	char what[PROCESS_ERROR_BYTES];

	snprintf(what, sizeof(what), "%s: %s", call, strerror(errno));
	give_up(p, what);
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static long preemptions(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_SELF, &usage) ? 0 : usage.ru_nivcsw;
}

static char *map(struct program *p, size_t bytes)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		give_up_errno(p, "mmap");
	return at;
}

/* A huge page would leave as one; EINVAL: the kernel knows of none. */
static char *map_small_pages(struct program *p, size_t bytes)
{
	char *at = map(p, bytes);

	if (madvise(at, bytes, MADV_NOHUGEPAGE) && errno != EINVAL)
		give_up_errno(p, "madvise(MADV_NOHUGEPAGE)");
	return at;
}

static void page_out(struct program *p)
{
	const struct timespec pause = { .tv_nsec = PAGE_OUT_PAUSE_NS };
	size_t bytes = p->options->region_bytes, left = 0;

	for (unsigned i = 0; i < PAGE_OUT_TRIES; i++) {
		char what[PROCESS_ERROR_BYTES];

		if (i)
			nanosleep(&pause, NULL);
		if (madvise(p->region, bytes, MADV_PAGEOUT))
			give_up_errno(p, "madvise(MADV_PAGEOUT)");
		p->report->page_outs++;
		if (pages_not_swapped(p->region, bytes, &left, what, sizeof(what)))
			give_up(p, what);
		if (!left)
			return;
	}
	snprintf(p->report->error, sizeof(p->report->error), "%zu of %zu pages were not swapped out by %u calls of"
		 " madvise(MADV_PAGEOUT); does a control group limit swap?", left, bytes / FILL_STEP_BYTES,
		 PAGE_OUT_TRIES);
	_exit(1);
}

static void wait_for_word(struct program *p)
{
	char word;

	if (recv(p->fd, &word, 1, 0) != 1)
		_exit(1);
}

static void say_word(struct program *p)
{
	if (send(p->fd, "!", 1, MSG_NOSIGNAL) != 1)
		_exit(1);
}

static void sweep_caches(const struct program *p)
{
	for (size_t i = 0; i < p->options->sweep_bytes; i += 64)
		(void)*(volatile char *)(p->sweep + i);
}

/* Each has a CPU to itself, so to spin is to start at once. */
static void meet(struct meeting *m, unsigned which)
{
	__atomic_add_fetch(&m->arrived[which], 1, __ATOMIC_ACQ_REL);
	while (__atomic_load_n(&m->arrived[which], __ATOMIC_ACQUIRE) < m->nr)
		;
}

/*
 * A hypervisor moves CPUs about between rounds, and with that the way between
 * them: what it was in this round tells such noise from that of the kernel.
 */
static double time_transfer_ns(struct meeting *m, unsigned number)
{
	uint64_t begin = now_ns();

	for (unsigned i = number; i < TRANSFERS; i += 2) {
		unsigned mine = i;

		while (!__atomic_compare_exchange_n(&m->ball, &mine, i + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			mine = i;
	}
	return (double)(now_ns() - begin) / TRANSFERS;
}

static void meet_all(struct meeting *m, unsigned number)
{
	meet(m, 0);
	if (m->nr > 1 && number < 2) {
		double ns = time_transfer_ns(m, number);

		m->report[number].transfer_ns = number ? 0 : ns;
	}
	meet(m, 1);
}

/* Ahead of all other programs for the short while that is measured; where that is forbidden, among them. */
static void go_ahead_of_others(void)
{
	const struct sched_param least = { .sched_priority = sched_get_priority_min(SCHED_FIFO) };

	if (sched_setscheduler(0, SCHED_FIFO, &least))
		setpriority(PRIO_PROCESS, 0, -20);
}

static void measure(struct program *p)
{
	struct process_report *r = p->report;
	size_t bytes = p->options->region_bytes;
	long before;
	int failed;

	go_ahead_of_others();
	before = preemptions();
	meet_all(p->options->meeting, p->options->number);
	r->begin_ns = now_ns();
	failed = munmap(p->region, bytes);
	r->end_ns = now_ns();
	r->preemptions = preemptions() - before;
	if (failed)
		give_up_errno(p, "munmap");
}

static void __attribute__((noreturn)) program_main(const struct process_options *options, int fd)
{
	struct program p = {
		.options = options, .report = &options->meeting->report[options->number], .fd = fd,
	};

	if (host_pin(options->cpu))
		give_up_errno(&p, "sched_setaffinity");
	p.region = map_small_pages(&p, options->region_bytes);
	wait_for_word(&p);
	fill_region(p.region, options->region_bytes);
	page_out(&p);
	say_word(&p);
	wait_for_word(&p);
	if (options->sweep_bytes) {
		p.sweep = map(&p, options->sweep_bytes);
		memset(p.sweep, 1, options->sweep_bytes);
		sweep_caches(&p);
	}
	measure(&p);
	_exit(0);
}

/* ---- in the parent ---- */

static void die_with(pid_t parent)
{
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* Dead already, before we asked to be told? */
	if (getppid() != parent)
		_exit(1);
}

int process_start(struct process *p, const struct process_options *options)
{
	pid_t parent = getpid();
	int ends[2];

	*p = (struct process){ .pid = -1, .fd = -1 };
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return -1;
	p->pid = fork();
	if (p->pid == 0) {
		die_with(parent);
		close(ends[0]);
		if (options->close_fd >= 0)
			close(options->close_fd);
		program_main(options, ends[1]);
	}
	close(ends[1]);
	p->fd = ends[0];
	return p->pid < 0 ? -1 : 0;
}

int process_page_out(struct process *p)
{
	char word;

	return process_go(p) || recv(p->fd, &word, 1, 0) != 1 ? -1 : 0;
}

int process_go(struct process *p)
{
	return send(p->fd, "!", 1, MSG_NOSIGNAL) == 1 ? 0 : -1;
}

int process_end(struct process *p, int kill_it)
{
	int status = 0, interrupted = 0;

	if (p->pid > 0 && kill_it)
		kill(p->pid, SIGKILL);
	while (p->pid > 0 && waitpid(p->pid, &status, 0) < 0 && errno == EINTR) {
		interrupted = 1;
		kill(p->pid, SIGKILL);
	}
	if (p->fd >= 0)
		close(p->fd);
	*p = (struct process){ .pid = -1, .fd = -1 };
	return kill_it || interrupted || !WIFEXITED(status) || WEXITSTATUS(status) ? -1 : 0;
}
