/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_model.h - what simulated and native runs have in common: a specification's software, and its report. */
#ifndef ZSMSIM_SCENARIOS_RUN_MODEL_H
#define ZSMSIM_SCENARIOS_RUN_MODEL_H

#include "reports/result.h"
#include "scenarios/run_spec.h"

/* The software's configuration on a machine of @cpus CPUs. */
struct model_config run_model_config(const struct run_spec *spec, unsigned cpus);

/* Add the figures of the line @mm_stat, each a metric of its own. */
void result_add_mm_stat(struct result *r, const char *mm_stat);

#endif
