/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * published.h - the measurements that others published, as cells to be
 * predicted. data/published/README.md says where they are from.
 */
#ifndef ZSMSIM_REPORTS_PUBLISHED_H
#define ZSMSIM_REPORTS_PUBLISHED_H

#include <stddef.h>
#include <stdint.h>

/* One time of munmap(). */
struct published_cell {
	char *profile;			/* the CPU, by the name of its profile */
	char *variant;
	unsigned procs;			/* at once, each with a region of its own */
	unsigned region_mb;
	int64_t us;			/* as printed: ms with two decimals, times 1000 */
};

struct published_table {
	const char *name;		/* of the file, without .csv */
	const char *what;
	struct published_cell *cells;	/* in the file's order */
	size_t nr;
};

/*
 * Read data/published/@name.csv, whose header names at least the columns cpu,
 * variant, munmap_ms, and region_mb or region_mb_each, and may have procs
 * (else 1). Returns 0; or 2 with one line in @error that names file, line and
 * what is wrong. Free @table in either case.
 */
int published_load(const char *name, struct published_table *table, char *error, size_t error_bytes);
void published_free(struct published_table *table);

#endif
