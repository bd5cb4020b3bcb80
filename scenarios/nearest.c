/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nearest.c - see nearest.h. */
#include "scenarios/nearest.h"

#include <stdlib.h>
#include <string.h>

#include "scenarios/mem.h"

#define WORD_MAX 64

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Edit distance with swaps: rows of the table, three of which are needed. */
static unsigned distance(const char *a, const char *b)
{
	size_t na = strnlen(a, WORD_MAX), nb = strnlen(b, WORD_MAX);
	unsigned rows[3][WORD_MAX + 1];

	for (size_t j = 0; j <= nb; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= na; i++) {
		unsigned *row = rows[i % 3], *last = rows[(i - 1) % 3];

		row[0] = i;
		for (size_t j = 1; j <= nb; j++) {
			row[j] = least(last[j - 1] + (a[i - 1] != b[j - 1]),
				       least(last[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], rows[(i - 2) % 3][j - 2] + 1);
		}
	}
	return rows[na % 3][nb];
}

const char *nearest_word(const char *word, const char *const *known)
{
	const char *best = *known;
	unsigned best_distance = distance(word, best), d;

	for (known++; *known; known++) {
		d = distance(word, *known);
		if (d < best_distance) {
			best = *known;
			best_distance = d;
		}
	}
	return best;
}

char *join_words(const char *const *words)
{
	size_t bytes = 1;
	char *text;

	for (size_t i = 0; words[i]; i++)
		bytes += strlen(words[i]) + 2;
	text = scn_zalloc(bytes, 1);
	for (size_t i = 0; words[i]; i++) {
		strcat(text, i ? ", " : "");
		strcat(text, words[i]);
	}
	return text;
}

int word_index(const char *const *words, const char *word)
{
	for (int i = 0; words && words[i]; i++) {
		if (!strcmp(words[i], word))
			return i;
	}
	return -1;
}
