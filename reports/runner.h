/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * runner.h - makes the runs of a plan: each in a process of its own, several
 * at once, results into the database as they come.
 */
#ifndef ZSMSIM_REPORTS_RUNNER_H
#define ZSMSIM_REPORTS_RUNNER_H

#include <stdbool.h>

#include "reports/db.h"
#include "reports/plan.h"

#define JOBS_MAX 256

/* How a run is executed: see scenarios/experiment.h, whose functions these are as a rule. */
struct run_method {
	void (*preload)(void);
	void (*on_fault)(void (*fn)(struct result *result));
	int (*execute)(const struct run_spec *spec, struct result *result);
	/* Where several runs can share a beginning; NULL: they cannot. */
	bool (*same_start)(const struct run_spec *a, const struct run_spec *b);
	void (*prepare)(const struct run_spec *spec, struct result *result);
	void (*use_profiles)(const struct run_spec *spec);
	void (*measure)(const struct run_spec *spec, struct result *result);
};

struct runner_options {
	unsigned jobs;			/* at once, 1 .. JOBS_MAX */
	bool progress;			/* show a bar if standard error is a terminal */
	bool in_turn;			/* in the order of the plan, not the largest first */
	const struct run_method *method;	/* NULL: simulate */
};

/*
 * Make the runs of @plan, numbered by db_plan(), that @db does not have or
 * has with a fault. Says on standard error what went wrong, with the command
 * that replays the run. Returns 0; or 1 if a run ended in a fault, crashed or
 * was not made (an interruption by SIGINT or SIGTERM, a full disk). The
 * database then holds each run that did finish. *@complete tells whether all
 * were tried: false after an interruption or a failure that is not of a run.
 */
int runner_execute(struct db *db, const struct plan *plan, const struct runner_options *options,
		   bool *complete);

#endif
