/* SPDX-License-Identifier: GPL-3.0-or-later */
/* axes.h - the axes of a variant: their keys, their values, their words. */
#ifndef ZSMSIM_SCENARIOS_AXES_H
#define ZSMSIM_SCENARIOS_AXES_H

#include "model/model.h"
#include "scenarios/fields.h"
#include "scenarios/source.h"

extern const struct field_info defer_batch_info;

/*
 * Check member @item of a variant: a known axis with a known value, or
 * defer_batch with a number or sweep. Returns 0, or 2 with the error written.
 */
int axis_check(struct source *src, const cJSON *item);

/*
 * Change @axes by what @object (whose members passed axis_check()) says; axes
 * it does not name stay. A swept defer_batch stays too.
 */
void axes_apply(const cJSON *object, struct model_variant *axes);

/* The value of axis zram_stats, as scenarios write it. */
const char *zram_stats_word(const struct model_variant *axes);

#endif
