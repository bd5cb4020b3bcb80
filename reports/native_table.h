/* SPDX-License-Identifier: GPL-3.0-or-later */
/* native_table.h - the result of native runs for the terminal. */
#ifndef ZSMSIM_REPORTS_NATIVE_TABLE_H
#define ZSMSIM_REPORTS_NATIVE_TABLE_H

#include <stdio.h>

#include "reports/db.h"
#include "reports/plan.h"

/*
 * Print, for each point of @plan and each variant, the median of munmap_ms
 * (mean over processes) over the repetitions, the 10th to 90th percentile,
 * nanoseconds per page, and how it stands to the baseline: the median of the
 * ratios within repetitions. Then what disturbed the measurement. Returns 0,
 * or 1 with db_error().
 */
int native_table_print(struct db *db, const struct plan *plan, FILE *out);

#endif
