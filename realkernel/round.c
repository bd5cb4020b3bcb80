/* SPDX-License-Identifier: GPL-3.0-or-later */
/* round.c - see round.h. */
#include "realkernel/round.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "realkernel/fill.h"

struct running {
	struct keeper *keeper;
	const struct round_options *options;
	struct meeting *meeting;
	struct process_options for_process[PROCESSES_MAX];
	struct process processes[PROCESSES_MAX];
	unsigned nr_started;
	char *error;
};

static int fail(struct running *r, const char *what, const char *why)
{
	if (!*r->error)
		snprintf(r->error, ROUND_ERROR_BYTES, "%s%s%s", what, *why ? ": " : "", why);
	return -1;
}

static int start_processes(struct running *r)
{
	const struct round_options *o = r->options;

	for (unsigned i = 0; i < o->procs; i++) {
		r->for_process[i] = (struct process_options){
			.meeting = r->meeting, .number = i, .cpu = o->cpus->at[i],
			.region_bytes = o->region_bytes, .sweep_bytes = o->sweep_bytes,
			.close_fd = r->keeper->fd,
		};
		if (process_start(&r->processes[i], &r->for_process[i]))
			return fail(r, "no further process", strerror(errno));
		r->nr_started++;
	}
	return 0;
}

static int page_out_all(struct running *r)
{
	for (unsigned i = 0; i < r->options->procs; i++) {
		if (process_page_out(&r->processes[i]))
			return -1;
	}
	return 0;
}

static int go_all(struct running *r)
{
	for (unsigned i = 0; i < r->options->procs; i++) {
		if (process_go(&r->processes[i]))
			return -1;
	}
	return 0;
}

/* Take the end of process @i. One that failed says why; one that was killed cannot. */
static int end_one(struct running *r, unsigned i, int kill_it)
{
	int status = process_end(&r->processes[i], kill_it);

	if (*r->meeting->report[i].error)
		fail(r, "a process of the test", r->meeting->report[i].error);
	return status;
}

/* The first that ends, by its socket, which then hangs up: the others may wait for it for ever. -1: interrupted. */
static int wait_for_one(const struct running *r)
{
	struct pollfd fds[PROCESSES_MAX];

	for (unsigned i = 0; i < r->nr_started; i++)
		fds[i] = (struct pollfd){ .fd = r->processes[i].fd, .events = POLLIN };
	if (poll(fds, r->nr_started, -1) <= 0)
		return -1;
	for (unsigned i = 0; i < r->nr_started; i++) {
		if (fds[i].revents)
			return (int)i;
	}
	return -1;
}

/* Once one has failed, or at an interruption, all end. */
static int end_all(struct running *r, int status)
{
	for (unsigned left = r->nr_started; status == 0 && left; left--) {
		int i = wait_for_one(r);

		status = i < 0 ? -1 : end_one(r, (unsigned)i, 0);
	}
	for (unsigned i = 0; i < r->nr_started; i++) {
		if (r->processes[i].pid > 0)
			end_one(r, i, 1);
	}
	return status;
}

static void sum_up(const struct running *r, struct round *out)
{
	const struct process_report *report = r->meeting->report;
	uint64_t first = report[0].begin_ns, last = first;
	unsigned nr = r->options->procs;

	for (unsigned i = 0; i < nr; i++) {
		out->mean_ns += (double)(report[i].end_ns - report[i].begin_ns) / nr;
		out->preemptions += report[i].preemptions;
		first = report[i].begin_ns < first ? report[i].begin_ns : first;
		last = report[i].begin_ns > last ? report[i].begin_ns : last;
	}
	out->transfer_ns = report[0].transfer_ns;
	out->apart_ns = (double)(last - first);
}

static int run(struct running *r, struct round *out)
{
	int status = start_processes(r);

	if (status == 0)
		status = page_out_all(r);
	if (status == 0 && keeper_mm_stat(r->keeper, out->mm_stat, sizeof(out->mm_stat)))
		status = fail(r, r->keeper->device.error, "");
	if (status == 0)
		status = go_all(r);
	if (end_all(r, status))
		status = -1;
	if (status == 0)
		sum_up(r, out);
	return status;
}

int round_make(struct keeper *k, const struct round_options *options, struct round *out, char *error)
{
	struct running r = { .keeper = k, .options = options, .error = error };
	uint64_t pages = options->procs * (uint64_t)(options->region_bytes / FILL_STEP_BYTES);
	int status;

	*error = '\0';
	memset(out, 0, sizeof(*out));
	r.meeting = mmap(NULL, sizeof(*r.meeting), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (r.meeting == MAP_FAILED)
		return fail(&r, "mmap", strerror(errno));
	r.meeting->nr = options->procs;
	if (keeper_enable(k, fill_swap_slots(pages, options->procs)))
		status = fail(&r, k->device.error, "");
	else
		status = run(&r, out);
	if (keeper_disable(k))
		status = fail(&r, k->device.error, "");
	munmap(r.meeting, sizeof(*r.meeting));
	return status;
}
