/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * process.h - the test program of the deferred-free thread, our own text of
 * it: a process that fills memory, lets it be paged out, waits for the others
 * and measures one munmap() of it all.
 */
#ifndef ZSMSIM_REALKERNEL_PROCESS_H
#define ZSMSIM_REALKERNEL_PROCESS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define PROCESSES_MAX	8u
#define PROCESS_ERROR_BYTES 160

struct process_report {			/* of one process, in memory that it shares with its parent */
	uint64_t begin_ns, end_ns;	/* of munmap(), CLOCK_MONOTONIC */
	double transfer_ns;		/* from CPU 0 to 1 or back, just before; process 0 of several has it, else 0 */
	long preemptions;		/* of the process during munmap() */
	unsigned page_outs;		/* calls of madvise() until all pages were swapped out */
	char error[PROCESS_ERROR_BYTES];	/* what failed; "" if nothing */
};

/* What the processes of one round share. */
struct meeting {
	unsigned nr;			/* of processes */
	unsigned arrived[2];		/* atomic, for two meetings: the last to come lets all go */
	unsigned ball;			/* atomic: thrown between processes 0 and 1, to time a line's way */
	struct process_report report[PROCESSES_MAX];
};

struct process_options {
	struct meeting *meeting;
	unsigned number;		/* among the processes */
	int cpu;
	size_t region_bytes;
	size_t sweep_bytes;		/* read before munmap(), so that it begins with cold caches; 0: nothing */
	int close_fd;			/* the parent's, not to be kept open here; -1: none */
};

struct process {
	pid_t pid;
	int fd;				/* the parent's end of a socket */
};

/* Fork one. Returns 0, or -1 with errno. It dies with its parent. */
int process_start(struct process *p, const struct process_options *options);

/*
 * Let it fill and page out its memory, and wait until that is done. Returns 0;
 * or -1 when it failed, or when the caller was interrupted by a signal.
 */
int process_page_out(struct process *p);

/* Send it to the meeting. */
int process_go(struct process *p);

/*
 * Wait for its end, with @kill_it after ending it; a signal that interrupts
 * the wait ends it too. Returns 0 if it did all it was told, else -1.
 */
int process_end(struct process *p, int kill_it);

#endif
