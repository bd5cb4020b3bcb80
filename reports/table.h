/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table.h - what `zsmsim run` prints at the end. */
#ifndef ZSMSIM_REPORTS_TABLE_H
#define ZSMSIM_REPORTS_TABLE_H

#include <stdio.h>

#include "reports/db.h"
#include "reports/plan.h"

/*
 * Print one table per scenario of @plan: munmap_ms with its speed-up over
 * the baseline and free_complete_ms of each variant. "-" is a run that is
 * not in @db, "fault" one that ended in a fault. Returns 0, or 1 with
 * db_error() set.
 */
int table_print(struct db *db, const struct plan *plan, FILE *out);

/* Print mm_stat and where the time went, run by run. Returns as table_print(). */
int table_print_details(struct db *db, const struct plan *plan, FILE *out);

#endif
