/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * csv.h - files of comma-separated values: RFC 4180 with LF line ends. A file
 * is written under another name beside its place and moved there when it is
 * whole, so nobody ever reads half of one.
 */
#ifndef ZSMSIM_REPORTS_CSV_H
#define ZSMSIM_REPORTS_CSV_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct csv {
	FILE *stream;
	char *path, *temporary;
	unsigned column;		/* of the next field */
};

/*
 * Can a file be made at @path (and what is there be replaced)? Nothing is
 * left behind. Returns 0, or 2 with one line in @error.
 */
int csv_probe(const char *path, char *error, size_t error_bytes);

/*
 * Begin the file that is to be @path. Returns 0, or 1 with one line in
 * @error. Then csv_commit() or csv_discard() must follow.
 */
int csv_open(struct csv *csv, const char *path, char *error, size_t error_bytes);

/* Fields of a line, quoted where they must be; csv_text(NULL) is an empty one. */
void csv_text(struct csv *csv, const char *text);
void csv_int(struct csv *csv, int64_t value);
void csv_end_line(struct csv *csv);

/* A whole line of @nr texts: the header. */
void csv_header(struct csv *csv, const char *const *names, size_t nr);

/*
 * Put the file in its place, or drop it. Commit returns 0, or 1 (disk full)
 * with one line in @error and what was at the path as it was.
 */
int csv_commit(struct csv *csv, char *error, size_t error_bytes);
void csv_discard(struct csv *csv);

#endif
