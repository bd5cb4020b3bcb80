/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names.c - see names.h. */
#include "trees/names.h"

#include <stdlib.h>
#include <string.h>

#include "scenarios/mem.h"

void names_add(struct names *names, const char *text, size_t bytes)
{
	char *copy = scn_zalloc(bytes + 1, 1);

	memcpy(copy, text, bytes);
	names->at = scn_grow(names->at, names->nr, sizeof(*names->at));
	names->at[names->nr++] = copy;
}

static int in_order(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void names_sort(struct names *names)
{
	size_t kept = 0;

	if (!names->nr)
		return;
	qsort(names->at, names->nr, sizeof(*names->at), in_order);
	for (size_t i = 1; i < names->nr; i++) {
		if (strcmp(names->at[kept], names->at[i]))
			names->at[++kept] = names->at[i];
		else
			free(names->at[i]);
	}
	/* The room for the longer list is enough for what names_add() expects of the shorter. */
	names->nr = kept + 1;
}

bool names_have(const struct names *names, const char *text)
{
	for (size_t i = 0; i < names->nr; i++) {
		if (!strcmp(names->at[i], text))
			return true;
	}
	return false;
}

char *names_join(const struct names *names, const char *between)
{
	size_t bytes = 1;
	char *text, *to;

	for (size_t i = 0; i < names->nr; i++)
		bytes += strlen(names->at[i]) + strlen(between);
	text = to = scn_zalloc(bytes, 1);
	for (size_t i = 0; i < names->nr; i++) {
		to = stpcpy(to, i ? between : "");
		to = stpcpy(to, names->at[i]);
	}
	return text;
}

void names_free(struct names *names)
{
	for (size_t i = 0; i < names->nr; i++)
		free(names->at[i]);
	free(names->at);
	memset(names, 0, sizeof(*names));
}
