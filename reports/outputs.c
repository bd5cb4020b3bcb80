/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outputs.c - see outputs.h. */
#include "reports/outputs.h"

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "reports/export.h"

int outputs_open(struct db *db, const char *file, const char *csv, struct plan *plan, char *error,
		 size_t error_bytes)
{
	bool made = false;
	int status = db_probe(file, error, error_bytes);

	if (status == 0 && csv)
		status = export_probe(csv, &made, error, error_bytes);
	if (status)
		return status;
	status = db_open_for_runs(db, file);
	if (status == 0)
		status = db_plan(db, plan);
	if (status == 0)
		return 0;
	snprintf(error, error_bytes, "%s", db_error(db));
	/* Refused, so nothing of it stays; it is empty. */
	if (made)
		rmdir(csv);
	return status;
}
