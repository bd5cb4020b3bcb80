/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mismatch.c - see mismatch.h.
 *
 * First the place: where most lines of the hunk are equal, one by one. Then
 * the longest common sequence of the hunk's lines and the file's around there,
 * which tells lines that differ from lines that an insertion moved.
 */
#include "trees/mismatch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/mem.h"

#define AROUND 6		/* lines of the file looked at beyond the hunk's */
#define SHOWN_MAX 16
#define HUNK_LINES_MAX 2000
#define LINE_SHOWN_MAX 120

static void cut(struct names *lines, const struct text *text)
{
	const char *at = text->at, *end = text->at + text->nr;

	while (at < end) {
		const char *stop = memchr(at, '\n', end - at) ?: end;

		names_add(lines, at, stop - at);
		at = stop + 1;
	}
}

static size_t distance(size_t a, size_t b)
{
	return a > b ? a - b : b - a;
}

/* Empty lines and lone braces are everywhere and say nothing about the place. */
static bool tells(const char *line)
{
	return line[strspn(line, " \t{}")];
}

static size_t equal_lines(const struct names *file, size_t at, const struct names *old)
{
	size_t nr = 0;

	for (size_t i = 0; i < old->nr && at + i < file->nr; i++)
		nr += tells(old->at[i]) && !strcmp(file->at[at + i], old->at[i]);
	return nr;
}

static size_t best_place(const struct names *file, const struct names *old, size_t wanted)
{
	size_t best = wanted < file->nr ? wanted : file->nr, most = 0;

	for (size_t at = 0; at < file->nr; at++) {
		size_t nr = equal_lines(file, at, old);

		if (nr > most || (nr && nr == most && distance(at, wanted) < distance(best, wanted))) {
			most = nr;
			best = at;
		}
	}
	return best;
}

/* ---- the common lines ---- */

struct window {
	const struct names *old, *file;
	size_t from, nr;	/* lines of the file */
	unsigned *common;	/* [i][k]: lines in common of old from i on and the window from k on */
	FILE *to;
	unsigned shown;
};

static unsigned *cell(const struct window *w, size_t i, size_t k)
{
	return &w->common[i * (w->nr + 1) + k];
}

static bool equal(const struct window *w, size_t i, size_t k)
{
	return !strcmp(w->old->at[i], w->file->at[w->from + k]);
}

static void count_common(struct window *w)
{
	for (size_t i = w->old->nr; i--;) {
		for (size_t k = w->nr; k--;) {
			unsigned a = *cell(w, i + 1, k), b = *cell(w, i, k + 1);

			*cell(w, i, k) = equal(w, i, k) ? *cell(w, i + 1, k + 1) + 1 : a > b ? a : b;
		}
	}
}

static void show(struct window *w, const char *what, size_t line, const char *text)
{
	if (w->shown++ >= SHOWN_MAX)
		return;
	if (line)
		fprintf(w->to, "\n  %s%6zu: %.*s", what, line, LINE_SHOWN_MAX, text);
	else
		fprintf(w->to, "\n  %s      : %.*s", what, LINE_SHOWN_MAX, text);
}

/* What the file has outside the hunk's first and last line in common is no difference. */
static void show_differences(struct window *w)
{
	size_t i = 0, k = 0, matched = 0;

	while (i < w->old->nr) {
		if (k < w->nr && equal(w, i, k)) {
			i++;
			k++;
			matched++;
		} else if (k < w->nr && *cell(w, i, k + 1) > *cell(w, i + 1, k)) {
			if (matched)
				show(w, "tree has ", w->from + k + 1, w->file->at[w->from + k]);
			k++;
		} else {
			show(w, "patch has", 0, w->old->at[i]);
			i++;
		}
	}
}

static void compare(const struct names *file, const struct names *old, size_t wanted, FILE *to)
{
	size_t place = best_place(file, old, wanted), end = place + old->nr + AROUND;
	struct window w = { .old = old, .file = file, .to = to };

	w.from = place > AROUND ? place - AROUND : 0;
	w.nr = (end < file->nr ? end : file->nr) - w.from;
	w.common = scn_zalloc((old->nr + 1) * (w.nr + 1), sizeof(*w.common));
	count_common(&w);
	show_differences(&w);
	if (w.shown > SHOWN_MAX)
		fprintf(to, "\n  and %u more", w.shown - SHOWN_MAX);
	free(w.common);
}

char *mismatch_text(const char *path, const struct hunk *hunk, size_t line)
{
	struct names lines = { 0 };
	struct text text;
	size_t bytes;
	char *result = NULL;
	FILE *to;

	if (hunk->old.nr > HUNK_LINES_MAX || file_read(path, TEXT_BYTES_MAX, &text))
		return scn_strdup("");
	cut(&lines, &text);
	to = open_memstream(&result, &bytes);
	if (!to)
		abort();
	compare(&lines, &hunk->old, line ? line - 1 : 0, to);
	fclose(to);
	names_free(&lines);
	text_free(&text);
	return result;
}
