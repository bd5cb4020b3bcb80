/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.h - checks of the names and texts in a scenario. */
#ifndef ZSMSIM_SCENARIOS_WORDS_H
#define ZSMSIM_SCENARIOS_WORDS_H

#include <stdbool.h>

#include "scenarios/source.h"

#define NAME_BYTES_MAX 64

enum word_kind {
	WORD_SCENARIO,			/* a-z 0-9 - */
	WORD_VARIANT,			/* a-z 0-9 - + */
};

/*
 * Is @item a name: 1 to 64 of the characters of @kind, the first a letter or
 * digit? Names go into file names and params, so nothing else is let in.
 * Returns 0, or 2 with the error written; as do the others.
 */
int name_check(struct source *src, const cJSON *item, enum word_kind kind);

/* The same question about a text that stands nowhere. */
bool name_is_legal(const char *name, enum word_kind kind);

/* Is @item a string? */
int text_check(struct source *src, const cJSON *item);

#endif
