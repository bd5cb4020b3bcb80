/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * validate_callbacks.h - the published shrinker callbacks of a phone.
 *
 * How large its pool was, and how much of it could be had when, are inputs of
 * the simulation and not known: ratios and times are shown side by side, but what is
 * predicted is the price of a page.
 */
#ifndef ZSMSIM_REPORTS_VALIDATE_CALLBACKS_H
#define ZSMSIM_REPORTS_VALIDATE_CALLBACKS_H

#include <stdio.h>

#include "reports/db.h"
#include "scenarios/run_spec.h"

#define CALLBACKS_TABLE "compaction-callbacks"	/* of data/published */
#define CALLBACKS_SCENARIO "compaction"
#define CALLBACKS_VARIANT "base"		/* the shrinker that was published */

enum callback_metric { CALLBACK_ELAPSED, CALLBACK_RATIO, CALLBACK_RECLAIMED, NR_CALLBACK_METRICS };
enum callback_stat { CALLBACK_MEDIAN, CALLBACK_P95, CALLBACK_MAX, NR_CALLBACK_STATS };

struct callbacks_published {
	double value[NR_CALLBACK_METRICS][NR_CALLBACK_STATS];	/* ms, per cent, MiB */
};

/* Returns 0, or 2 with one line in @error. */
int callbacks_published_load(struct callbacks_published *p, char *error, size_t error_bytes);
/* Print them beside those of the current runs on @profile in @db. Returns 0, or 1 with the error in @db. */
int callbacks_print(const struct callbacks_published *p, const char *profile, struct db *db, FILE *out);

#endif
