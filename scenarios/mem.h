/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mem.h - memory for the loader. A scenario is at most a mebibyte of text, so
 * an allocation that fails means a host in trouble: the program says so and
 * ends with status 1, and no caller has to carry the case.
 */
#ifndef ZSMSIM_SCENARIOS_MEM_H
#define ZSMSIM_SCENARIOS_MEM_H

#include <stddef.h>

/* @nr zeroed elements of @bytes each; never NULL, also for none. */
void *scn_zalloc(size_t nr, size_t bytes);

/*
 * Room for one more element of @bytes after the @nr in @array (NULL when
 * @nr is 0). Returns the array, perhaps moved; the new element is not
 * cleared. Grows by doubling at powers of two, so @nr is all it needs.
 */
void *scn_grow(void *array, size_t nr, size_t bytes);

/* A copy of @text; NULL gives NULL. */
char *scn_strdup(const char *text);

/* printf() into a new string. */
char *scn_printf(const char *format, ...) __attribute__((format(printf, 1, 2), nonnull(1)));

#endif
