/* SPDX-License-Identifier: GPL-3.0-or-later */
/* overrides.h - `--set PATH=VALUE`: changes to a scenario from the command line. */
#ifndef ZSMSIM_SCENARIOS_OVERRIDES_H
#define ZSMSIM_SCENARIOS_OVERRIDES_H

#include "scenarios/source.h"

/*
 * Apply @assignment, "PATH=VALUE". PATH is keys and [index] steps from the
 * top of the scenario, "workload.region_mb" or "runs[1].variants[0]". VALUE
 * is JSON if it reads as JSON, else a string; for the list-valued keys
 * profiles and variants a string is a comma-separated list.
 *
 * A path that does not begin with runs sets the default for all blocks and
 * also replaces the value in each block that has its own. Objects on the way
 * are made when absent; list elements are not.
 *
 * Returns 0, or 2 with an error line that begins "zsmsim: --set PATH: ".
 */
int override_apply(struct source *src, const char *assignment);

#endif
