/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * validate_mapping.h - the published counters of the object-mapping test.
 *
 * How many objects that test had was not published, so its counts have no
 * simulated twin; what the new interface saves of each counter has one.
 */
#ifndef ZSMSIM_REPORTS_VALIDATE_MAPPING_H
#define ZSMSIM_REPORTS_VALIDATE_MAPPING_H

#include <stdio.h>

#include "reports/db.h"

#define MAPPING_TABLE "mapping-api"	/* of data/published, and the scenario that is held against it */

enum mapping_counter { MAPPING_COUNT_INSTRUCTIONS, MAPPING_COUNT_BRANCHES, NR_MAPPING_COUNTERS };

struct mapping_published {
	/* By counter, old and new interface: sums over the runs published, and how many those were. */
	int64_t sum[NR_MAPPING_COUNTERS][2];
	unsigned runs[NR_MAPPING_COUNTERS][2];
};

/* Returns 0, or 2 with one line in @error. */
int mapping_published_load(struct mapping_published *p, char *error, size_t error_bytes);
/* Print published and simulated savings from the current runs in @db. Returns 0, or 1 with the error in @db. */
int mapping_print(const struct mapping_published *p, struct db *db, FILE *out);

#endif
