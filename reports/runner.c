/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * runner.c - see runner.h.
 *
 * One loop: start processes while there is room, wait for a result or a
 * signal, store what came. SIGINT and SIGTERM are blocked except while
 * waiting, so they never come between the statements of a transaction.
 */
#include "config.h"

#include "reports/runner.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reports/progress.h"
#include "reports/replay.h"
#include "scenarios/experiment.h"
#include "scenarios/mem.h"

#define REDRAW_MS 500
#define WORK_OF_ANY_RUN 16		/* what even the smallest takes, in MiB to unmap */

struct job {
	pid_t pid;
	int fd;				/* its results come here, in order */
	struct planned **runs;		/* one, or several with the same beginning */
	size_t nr, at;			/* at: the one whose result comes next */
};

struct runner {
	struct db *db;
	const struct plan *plan;
	struct progress progress;
	struct planned **queue;		/* not started yet: from next on */
	size_t nr_queue, next;
	size_t nr_runs;			/* of them the first: others were queued again */
	bool share;			/* runs with the same beginning are made by one process */
	struct job *jobs;
	unsigned nr_jobs, jobs_max;
	bool in_turn;
	const struct run_method *method;
	sigset_t waiting_mask;
	struct sigaction old_int, old_term;
	size_t nr_stored;
	bool failed;			/* the exit status will be 1 */
	bool stop;			/* no further runs */
};

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal)
{
	(void)signal;
	interrupted = 1;
}

/* ---- what to run, in which order ---- */

static uint64_t work_of(const struct planned *run)
{
	return (uint64_t)run->spec->procs * run->spec->region_mb + WORK_OF_ANY_RUN;
}

/* The largest first: then the processes finish at about the same time. */
static int by_work(const void *a, const void *b)
{
	const struct planned *x = *(struct planned *const *)a, *y = *(struct planned *const *)b;
	uint64_t wx = work_of(x), wy = work_of(y);

	if (wx != wy)
		return wx > wy ? -1 : 1;
	return x < y ? -1 : x > y;
}

/*
 * Bring the queue's runs that begin like the one at @at behind it; how many
 * they are with it.
 */
static size_t gather(struct runner *r, size_t at)
{
	size_t end = at + 1;

	for (size_t i = end; i < r->nr_runs; i++) {
		struct planned *run = r->queue[i];

		if (!r->method->same_start(r->queue[at]->spec, run->spec))
			continue;
		memmove(&r->queue[end + 1], &r->queue[end], (i - end) * sizeof(run));
		r->queue[end++] = run;
	}
	return end - at;
}

/* Sharing pays if there are enough beginnings to keep all processes busy. */
static void decide_sharing(struct runner *r)
{
	size_t groups = 0;

	if (r->in_turn || !r->method->same_start)
		return;
	for (size_t at = 0; at < r->nr_runs; at += gather(r, at))
		groups++;
	r->share = groups < r->nr_runs && groups >= 3 * r->jobs_max;
}

/* All runs of the plan that the database lacks, and what they add up to. */
static int fill_queue(struct runner *r, uint64_t *work)
{
	*work = 0;
	/* twice: what a crashed process leaves is queued again */
	r->queue = scn_zalloc(2 * r->plan->nr + 1, sizeof(struct planned *));
	for (size_t i = 0; i < r->plan->nr; i++) {
		bool done;

		if (db_is_done(r->db, r->plan->at[i].run_id, &done))
			return 1;
		if (done)
			continue;
		r->queue[r->nr_queue++] = &r->plan->at[i];
		*work += work_of(&r->plan->at[i]);
	}
	if (!r->in_turn)
		qsort(r->queue, r->nr_queue, sizeof(*r->queue), by_work);
	r->nr_runs = r->nr_queue;
	decide_sharing(r);
	return 0;
}

/* ---- in the process of a run ---- */

static int child_fd;

/* The oracle's report leaves by the same pipe as a result; the simulated CPU's stack is still in use, so no return. */
static void send_fault(struct result *result)
{
	_exit(result_send(child_fd, result) ? 1 : 0);
}

/* The parent decides what an interruption means; it kills us if need be, or by dying. */
static void child_signals(const struct runner *r)
{
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	sigprocmask(SIG_SETMASK, &r->waiting_mask, NULL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static void __attribute__((noreturn)) measure_main(const struct runner *r, const struct planned *run)
{
	struct result result = { 0 };

	r->method->use_profiles(run->spec);
	r->method->measure(run->spec, &result);
	_exit(result_send(child_fd, &result) ? 1 : 0);
}

/* End as @status, that of a child, says it ended. */
static void __attribute__((noreturn)) end_like(int status)
{
	if (WIFSIGNALED(status)) {
		signal(WTERMSIG(status), SIG_DFL);
		raise(WTERMSIG(status));
	}
	_exit(WEXITSTATUS(status));
}

/*
 * Prepare once, then a process for each run but the last, one after the
 * other: the results stay in order.
 */
static void __attribute__((noreturn)) share_main(const struct runner *r, struct planned *const *runs, size_t nr)
{
	struct result result = { 0 };

	r->method->prepare(runs[0]->spec, &result);
	for (size_t i = 0; i + 1 < nr; i++) {
		pid_t self = getpid(), pid = fork();
		int status;

		if (!pid) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			if (getppid() == self)
				measure_main(r, runs[i]);
			_exit(1);
		}
		if (pid < 0)
			_exit(1);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		if (status)
			end_like(status);
	}
	measure_main(r, runs[nr - 1]);
}

static void __attribute__((noreturn)) child_main(const struct runner *r, struct planned *const *runs, size_t nr,
						 int fd, pid_t parent)
{
	struct result result = { 0 };

	child_signals(r);
	/* Dead already, before we asked to be told? */
	if (getppid() != parent)
		_exit(1);
	for (unsigned i = 0; i < r->nr_jobs; i++)
		close(r->jobs[i].fd);
	child_fd = fd;
	r->method->on_fault(send_fault);
	if (nr > 1)
		share_main(r, runs, nr);
	if (r->method->execute(runs[0]->spec, &result))
		_exit(1);
	_exit(result_send(fd, &result) ? 1 : 0);
}

/* ---- in the parent ---- */

/* One line that names the run, says what happened and how to see it again. */
static void complain(struct runner *r, const struct planned *run, const char *what)
{
	char *label = planned_label(run), *replay = replay_command(r->plan, run);

	progress_clear(&r->progress);
	fprintf(stderr, "zsmsim: run %zu (%s): %s; to replay it: %s\n",
		(size_t)(run - r->plan->at) + 1, label, what, replay);
	free(label);
	free(replay);
	r->failed = true;
}

/* What concerns all runs: say it and end. */
static void give_up(struct runner *r, const char *line)
{
	progress_clear(&r->progress);
	fprintf(stderr, "%s\n", line);
	r->failed = r->stop = true;
}

/*
 * The write end is closed in the parent before the next fork, so that the end
 * of a process is the end of its pipe and no sibling holds it open.
 */
static void start(struct runner *r)
{
	struct planned **runs = &r->queue[r->next];
	size_t nr = r->share && r->next < r->nr_runs ? gather(r, r->next) : 1;
	pid_t parent = getpid(), pid = -1;
	int ends[2];

	if (pipe(ends) == 0) {
		pid = fork();
		if (pid == 0) {
			close(ends[0]);
			child_main(r, runs, nr, ends[1], parent);
		}
		close(ends[1]);
		if (pid < 0)
			close(ends[0]);
	}
	if (pid < 0) {
		char line[128];

		snprintf(line, sizeof(line), "zsmsim: no further process: %s; run fewer at once with -j",
			 strerror(errno));
		give_up(r, line);
		return;
	}
	r->jobs[r->nr_jobs++] = (struct job){ pid, ends[0], runs, nr, 0 };
	r->next += nr;
}

static void report_fault(struct runner *r, const struct planned *run, const char *fault)
{
	size_t nr = strlen(fault);

	complain(r, run, "an oracle found a fault");
	fprintf(stderr, "%s%s", fault, nr && fault[nr - 1] == '\n' ? "" : "\n");
}

/* A result that cannot be stored ends the command: every later one would fail likewise. */
static void store(struct runner *r, const struct planned *run, const struct result *result)
{
	if (db_store(r->db, run, r->plan->argv, result)) {
		give_up(r, db_error(r->db));
		return;
	}
	r->nr_stored++;
	if (result->fault)
		report_fault(r, run, result->fault);
	progress_step(&r->progress, work_of(run));
}

/*
 * No result came. A process that ended by itself has said why, and the next
 * one would end likewise; one that crashed is a matter of that run.
 */
static void report_death(struct runner *r, const struct planned *run, int status)
{
	char what[96];

	if (WIFSIGNALED(status)) {
		snprintf(what, sizeof(what), "died of signal %d (%s)", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
		complain(r, run, what);
		progress_step(&r->progress, work_of(run));
		return;
	}
	snprintf(what, sizeof(what), "ended with status %d and without a result", WEXITSTATUS(status));
	complain(r, run, what);
	r->stop = true;
}

/* Wait for the process to be gone; its status. */
static int reap(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return 0;
	}
	return status;
}

/* The process is done with, or done for. Returns its status. */
static int end_job(struct runner *r, unsigned index)
{
	struct job job = r->jobs[index];

	close(job.fd);
	r->jobs[index] = r->jobs[--r->nr_jobs];
	return reap(job.pid);
}

/*
 * The process that was to make several is gone: each of the rest gets one of
 * its own, and whose fault it was shows there.
 */
static void queue_again(struct runner *r, const struct job *job)
{
	for (size_t i = job->at; i < job->nr; i++)
		r->queue[r->nr_queue++] = job->runs[i];
}

/* A pipe has something to say: take the whole result, or learn that there is none. */
static void finish(struct runner *r, unsigned index)
{
	struct job *job = &r->jobs[index], gone;
	const struct planned *run = job->runs[job->at];
	struct result result;
	int status;

	if (result_receive(job->fd, &result)) {
		gone = *job;
		/* What sent rubbish may still be running. */
		kill(job->pid, SIGTERM);
		status = end_job(r, index);
		if (gone.nr > 1)
			queue_again(r, &gone);
		else
			report_death(r, run, status);
		return;
	}
	if (++job->at == job->nr)
		end_job(r, index);
	store(r, run, &result);
	result_free(&result);
}

/* The only place where SIGINT and SIGTERM get through. */
static void await(struct runner *r)
{
	struct timespec redraw = { .tv_nsec = REDRAW_MS * 1000000L };
	struct pollfd fds[JOBS_MAX];

	for (unsigned i = 0; i < r->nr_jobs; i++)
		fds[i] = (struct pollfd){ .fd = r->jobs[i].fd, .events = POLLIN };
	ppoll(fds, r->nr_jobs, r->progress.shown ? &redraw : NULL, &r->waiting_mask);
	if (interrupted) {
		r->failed = r->stop = true;
		return;
	}
	progress_draw(&r->progress);
	/* From the back: finish() puts the last job into the place of the finished one. */
	for (unsigned i = r->nr_jobs; i-- > 0 && !r->stop;) {
		if (fds[i].revents)
			finish(r, i);
	}
}

/* Results on their way are lost; the same command makes them again. */
static void kill_jobs(struct runner *r)
{
	for (unsigned i = 0; i < r->nr_jobs; i++)
		kill(r->jobs[i].pid, SIGKILL);
	for (unsigned i = 0; i < r->nr_jobs; i++) {
		reap(r->jobs[i].pid);
		close(r->jobs[i].fd);
	}
	r->nr_jobs = 0;
}

static void take_signals(struct runner *r)
{
	struct sigaction action = { .sa_handler = on_interrupt };
	sigset_t block;

	interrupted = 0;
	sigemptyset(&block);
	sigaddset(&block, SIGINT);
	sigaddset(&block, SIGTERM);
	sigprocmask(SIG_BLOCK, &block, &r->waiting_mask);
	sigdelset(&r->waiting_mask, SIGINT);
	sigdelset(&r->waiting_mask, SIGTERM);
	sigaction(SIGINT, &action, &r->old_int);
	sigaction(SIGTERM, &action, &r->old_term);
}

static void release_signals(struct runner *r)
{
	sigprocmask(SIG_SETMASK, &r->waiting_mask, NULL);
	sigaction(SIGINT, &r->old_int, NULL);
	sigaction(SIGTERM, &r->old_term, NULL);
}

static void loop(struct runner *r)
{
	while (!r->stop && (r->nr_jobs || r->next < r->nr_queue)) {
		while (!r->stop && r->nr_jobs < r->jobs_max && r->next < r->nr_queue)
			start(r);
		if (!r->stop)
			await(r);
	}
	kill_jobs(r);
	progress_clear(&r->progress);
	if (interrupted)
		fprintf(stderr, "zsmsim: interrupted with %zu of %zu runs made; the same command will make the rest\n",
			r->nr_stored, r->nr_runs);
}

int runner_execute(struct db *db, const struct plan *plan, const struct runner_options *options,
		   bool *complete)
{
	static const struct run_method simulate = {
		experiment_preload, experiment_on_fault, experiment_execute,
		experiment_same_start, experiment_prepare, experiment_use_profiles, experiment_measure,
	};
	struct runner r = { .db = db, .plan = plan, .jobs_max = options->jobs, .in_turn = options->in_turn,
			    .method = options->method ? options->method : &simulate };
	uint64_t work;

	if (fill_queue(&r, &work)) {
		give_up(&r, db_error(db));
		free(r.queue);
		*complete = false;
		return 1;
	}
	if (r.nr_queue && plan_needs_own_model(plan))
		r.method->preload();
	r.jobs = scn_zalloc(JOBS_MAX, sizeof(*r.jobs));
	fflush(NULL);
	progress_begin(&r.progress, options->progress, r.nr_queue, work);
	take_signals(&r);
	loop(&r);
	release_signals(&r);
	free(r.jobs);
	free(r.queue);
	*complete = !r.stop;
	return r.failed;
}
