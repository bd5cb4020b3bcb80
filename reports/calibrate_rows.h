/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * calibrate_rows.h - the measurements that a profile may be calibrated to.
 *
 * The rule of data/published/README.md: variant base, one process, 256 MB,
 * one row per CPU. A file with any other row is refused as a whole, so that
 * nobody calibrates to a cell that is later called a prediction.
 */
#ifndef ZSMSIM_REPORTS_CALIBRATE_ROWS_H
#define ZSMSIM_REPORTS_CALIBRATE_ROWS_H

#include <stddef.h>
#include <stdint.h>

#define CALIBRATE_VARIANT "base"
#define CALIBRATE_REGION_MB 256

struct calibrate_row {
	char *cpu;
	unsigned line;			/* in the file, from 1 */
	int64_t us;			/* the time in ms as written, times 1000 */
};

struct calibrate_rows {
	const char *file;
	struct calibrate_row *at;
	size_t nr;
};

/*
 * Read @file, which has the columns of data/published/munmap-sizes.csv.
 * Returns 0; or 2 with one line in @error that names file, line and reason.
 * Free @rows in either case.
 */
int calibrate_rows_load(const char *file, struct calibrate_rows *rows, char *error, size_t error_bytes);
void calibrate_rows_free(struct calibrate_rows *rows);

/* The row of @cpu, or NULL. */
const struct calibrate_row *calibrate_rows_of(const struct calibrate_rows *rows, const char *cpu);

#endif
