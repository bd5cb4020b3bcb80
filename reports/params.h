/* SPDX-License-Identifier: GPL-3.0-or-later */
/* params.h - reading "key=value;key=value", the label of a run's parameters. */
#ifndef ZSMSIM_REPORTS_PARAMS_H
#define ZSMSIM_REPORTS_PARAMS_H

#include <stddef.h>

/* The value of @key in @params and its length in *@bytes; NULL if it has none. */
const char *params_find(const char *params, const char *key, size_t *bytes);

/* The key that *@at points to, newly allocated, and *@at moved to the next; NULL at the end. */
char *params_next_key(const char **at);

#endif
