/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * experiment.h - executes one run: builds the machine, boots the software on
 * it, lets it run and collects the result.
 */
#ifndef ZSMSIM_EXPERIMENT_H
#define ZSMSIM_EXPERIMENT_H

#include <stdbool.h>

#include "reports/result.h"
#include "scenarios/run_spec.h"

/*
 * Execute @spec in this process and fill @result. The process can execute one
 * run only (the simulated software has globals), so the caller forks first.
 * Returns 0. When an oracle finds a fault it does not return, see
 * experiment_on_fault().
 */
int experiment_execute(const struct run_spec *spec, struct result *result);

/*
 * The same in two halves, so that several runs can begin where one preparation
 * ends: the software boots, fills and pages out without knowing what kind its
 * CPUs are. After experiment_prepare() the caller forks for each of the runs
 * that experiment_same_start(); the child names its CPUs with
 * experiment_use_profiles(), unless they are those prepared with, and measures. A fault
 * while preparing is that of @result.
 */
void experiment_prepare(const struct run_spec *spec, struct result *result);
void experiment_use_profiles(const struct run_spec *spec);
void experiment_measure(const struct run_spec *spec, struct result *result);
/* Do two runs differ in nothing but the kind of their CPUs and their names? */
bool experiment_same_start(const struct run_spec *a, const struct run_spec *b);

/*
 * Load the project's own module now, so that processes forked from this one
 * find it loaded; a run that names another loads that in its place. Ends the
 * program with a message if that fails.
 */
void experiment_preload(void);

/*
 * When an oracle fires, @fn is called with the result so far, its fault set;
 * it must end the process. Without it the report goes to standard error and
 * the process ends with status 1.
 */
void experiment_on_fault(void (*fn)(struct result *result));

/* Path of the project's own module, newly allocated; NULL if there is none. */
char *experiment_module_path(void);
/* Hash of that module: two builds with equal ids give equal bytes. */
const char *build_model_id(void);

#endif
