/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outputs.h - where the results of a plan go. */
#ifndef ZSMSIM_REPORTS_OUTPUTS_H
#define ZSMSIM_REPORTS_OUTPUTS_H

#include <stddef.h>

#include "reports/db.h"
#include "reports/plan.h"

/*
 * Open @file for the runs of @plan, after looking whether CSV files can be
 * made in @csv (NULL: none are wanted); until that is known the database is only
 * looked at, and what is refused leaves nothing behind. Returns 0, or 1 or 2
 * with one line in @error. Close @db in either case.
 */
int outputs_open(struct db *db, const char *file, const char *csv, struct plan *plan, char *error,
		 size_t error_bytes);

#endif
