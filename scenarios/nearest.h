/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nearest.h - what a misspelt word was probably meant to be. */
#ifndef ZSMSIM_SCENARIOS_NEAREST_H
#define ZSMSIM_SCENARIOS_NEAREST_H

#include <stddef.h>

/*
 * The word of the NULL-terminated @known (at least one) that takes the
 * fewest insertions, deletions, replacements and swaps of neighbours to
 * become @word; the first of equals. Only the first 64 bytes of @word count.
 */
const char *nearest_word(const char *word, const char *const *known);

/* "a, b, c" of the NULL-terminated @words, newly allocated. */
char *join_words(const char *const *words);
/* Place of @word in the NULL-terminated @words (which may be NULL), -1 if it is not there. */
int word_index(const char *const *words, const char *word);

#endif
