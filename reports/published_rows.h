/* SPDX-License-Identifier: GPL-3.0-or-later */
/* published_rows.h - reading a table of data/published line by line. */
#ifndef ZSMSIM_REPORTS_PUBLISHED_ROWS_H
#define ZSMSIM_REPORTS_PUBLISHED_ROWS_H

#include <stddef.h>
#include <stdint.h>

struct published_rows;

/* The field of the present line in the column of this name; NULL: no such column, or the line is short. */
const char *published_field(const struct published_rows *r, const char *column);
/* "13.81" to 13810, without passing through binary fractions; -1 if it is no such number. */
int64_t published_thousandths(const char *text);
/* Say what is wrong with the present line; returns 2. */
int published_fault(struct published_rows *r, const char *what);

/*
 * Read data/published/@name.csv, whose first line names the columns, and call
 * @row with @arg for each further line until it returns other than 0. Returns
 * what it returned; or 2 with one line in @error if the file cannot be read or
 * has no line for @row.
 */
int published_read(const char *name, int (*row)(struct published_rows *r, void *arg), void *arg, char *error,
		   size_t error_bytes);

#endif
