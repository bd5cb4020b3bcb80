/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repeated.c - see repeated.h. */
#include "realkernel/repeated.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/mem.h"

static volatile sig_atomic_t interrupted;

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

#define NR_SIGNALS (sizeof(signals) / sizeof(*signals))

static void on_interrupt(int signo)
{
	interrupted = signo;
}

/* Without SA_RESTART: whoever waits for a process of the test wakes up. */
static void take_signals(struct sigaction *old)
{
	const struct sigaction action = { .sa_handler = on_interrupt };

	interrupted = 0;
	for (size_t i = 0; i < NR_SIGNALS; i++)
		sigaction(signals[i], &action, &old[i]);
}

static void release_signals(const struct sigaction *old)
{
	for (size_t i = 0; i < NR_SIGNALS; i++)
		sigaction(signals[i], &old[i], NULL);
}

struct samples {
	double *ns[PROCESSES_MAX];	/* options->repeat each */
	double *ratio[PROCESSES_MAX];
	double *transfer_ns[PROCESSES_MAX];
};

static void note(struct samples *s, struct repeated *out, const struct round *round, unsigned index, unsigned turn)
{
	struct repeated *r = &out[index];

	s->ns[index][turn] = round->mean_ns;
	s->ratio[index][turn] = round->mean_ns / s->ns[0][turn];
	s->transfer_ns[index][turn] = round->transfer_ns;
	r->preemptions += round->preemptions;
	if (round->apart_ns > r->apart_ns_max)
		r->apart_ns_max = round->apart_ns;
	if (!turn)
		memcpy(r->mm_stat, round->mm_stat, sizeof(r->mm_stat));
	else if (strcmp(r->mm_stat, round->mm_stat))
		r->varied = true;
}

static int make_turn(struct keeper *k, const struct repeated_options *options, struct samples *s,
		     struct repeated *out, unsigned turn, char *error)
{
	for (unsigned i = 0; i < options->procs_max; i++) {
		const struct round_options how = {
			.procs = i + 1, .cpus = options->cpus,
			.region_bytes = options->region_bytes, .sweep_bytes = options->sweep_bytes,
		};
		struct round round;

		if (interrupted || round_make(k, &how, &round, error))
			return -1;
		note(s, out, &round, i, turn);
		if (options->progress)
			options->progress(options->arg);
	}
	return 0;
}

static int make_turns(const struct repeated_options *options, struct samples *s, struct repeated *out, char *error)
{
	struct keeper keeper;
	int status = keeper_start(&keeper);

	if (status)
		snprintf(error, ROUND_ERROR_BYTES, "%s", keeper.device.error);
	for (unsigned turn = 0; status == 0 && turn < options->repeat; turn++)
		status = make_turn(&keeper, options, s, out, turn, error);
	if (status && interrupted)
		snprintf(error, ROUND_ERROR_BYTES, "interrupted by a signal (%s); the device is removed",
			 strsignal(interrupted));
	else if (status && !*error)
		snprintf(error, ROUND_ERROR_BYTES, "a process of the test was killed; the device is removed");
	if (keeper_end(&keeper)) {
		snprintf(error, ROUND_ERROR_BYTES, "%s", keeper.device.error);
		status = -1;
	}
	return status;
}

static void samples_alloc(struct samples *s, unsigned procs, unsigned repeat)
{
	for (unsigned i = 0; i < procs; i++) {
		s->ns[i] = scn_zalloc(repeat, sizeof(double));
		s->ratio[i] = scn_zalloc(repeat, sizeof(double));
		s->transfer_ns[i] = scn_zalloc(repeat, sizeof(double));
	}
}

static void samples_free(struct samples *s, unsigned procs)
{
	for (unsigned i = 0; i < procs; i++) {
		free(s->ns[i]);
		free(s->ratio[i]);
		free(s->transfer_ns[i]);
	}
}

int repeated_make(const struct repeated_options *options, struct repeated *out, char *error)
{
	struct sigaction old[NR_SIGNALS];
	struct samples s;
	int status;

	*error = '\0';
	memset(out, 0, options->procs_max * sizeof(*out));
	samples_alloc(&s, options->procs_max, options->repeat);
	take_signals(old);
	status = make_turns(options, &s, out, error);
	release_signals(old);
	for (unsigned i = 0; status == 0 && i < options->procs_max; i++) {
		out[i].mean_ns = spread_of(s.ns[i], options->repeat);
		out[i].ratio = spread_of(s.ratio[i], options->repeat);
		out[i].transfer_ns = spread_of(s.transfer_ns[i], options->repeat);
	}
	samples_free(&s, options->procs_max);
	return status;
}
