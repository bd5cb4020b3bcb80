/* SPDX-License-Identifier: GPL-3.0-or-later */
/* breaks.h - the deliberate faults by which the oracles are tested, by name. */
#ifndef ZSMSIM_SCENARIOS_BREAKS_H
#define ZSMSIM_SCENARIOS_BREAKS_H

#include "model/model.h"
#include "scenarios/source.h"

/* Name of @break_what in scenarios ("double-free"), NULL for BREAK_NOTHING. */
const char *break_name(enum model_break break_what);

/* Check the value of "break": the name of a deliberate fault. Returns 0 or 2. */
int break_check(struct source *src, const cJSON *item);
/* Its meaning; NULL is BREAK_NOTHING. */
enum model_break break_value(const cJSON *item);

#endif
