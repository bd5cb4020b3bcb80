/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names.h - a list of words that owns them. */
#ifndef ZSMSIM_TREES_NAMES_H
#define ZSMSIM_TREES_NAMES_H

#include <stdbool.h>
#include <stddef.h>

struct names {
	char **at;
	size_t nr;
};

/* Append a copy of the @bytes bytes at @text. */
void names_add(struct names *names, const char *text, size_t bytes);
/* In order of bytes, each once. */
void names_sort(struct names *names);
bool names_have(const struct names *names, const char *text);
/* All, with @between between them; newly allocated. */
char *names_join(const struct names *names, const char *between);
void names_free(struct names *names);

#endif
