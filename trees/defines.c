/* SPDX-License-Identifier: GPL-3.0-or-later */
/* defines.c - see defines.h. */
#include "trees/defines.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/mem.h"
#include "trees/names.h"

#define SHOWN_MAX 80		/* bytes of wrong text that are repeated */

static bool is_name(const char *text, size_t nr)
{
	if (!nr || isdigit((unsigned char)*text))
		return false;
	for (size_t i = 0; i < nr; i++) {
		if (text[i] != '_' && !(isascii((unsigned char)text[i]) && isalnum((unsigned char)text[i])))
			return false;
	}
	return true;
}

/* A value becomes the rest of a line of C. */
static bool is_value(const char *text)
{
	size_t nr = strlen(text);

	for (size_t i = 0; i < nr; i++) {
		if (iscntrl((unsigned char)text[i]))
			return false;
	}
	return nr <= DEFINES_VALUE_MAX && (!nr || text[nr - 1] != '\\');
}

/* As much of @text as fits one line; newly allocated. */
static char *shown(const char *text, size_t nr)
{
	char *copy = scn_printf("%.*s", (int)(nr < SHOWN_MAX ? nr : SHOWN_MAX), text);

	for (char *c = copy; *c; c++)
		*c = iscntrl((unsigned char)*c) ? '?' : *c;
	return copy;
}

static int check(const char *text, struct failure *failure)
{
	const char *equals = strchr(text, '=');
	char *name = shown(text, equals ? (size_t)(equals - text) : strlen(text));
	int status = 0;

	if (!equals)
		status = fail(failure, FAILURE_INPUT, "--define %s: no value; write NAME=VALUE, as in "
			      "CONFIG_ZSMALLOC_STAT=y", name);
	else if (!is_name(text, equals - text))
		status = fail(failure, FAILURE_INPUT, "--define %s=: not a name of C before the =; write NAME=VALUE, as in "
			      "CONFIG_ZSMALLOC_STAT=y", name);
	else if (!is_value(equals + 1))
		status = fail(failure, FAILURE_INPUT, "--define %s: the value does not fit a line of C; give one of at most "
			      "%d bytes without line breaks", name, DEFINES_VALUE_MAX);
	free(name);
	return status;
}

/* Where @name is, or where it belongs. */
static size_t place(const struct defines *d, const char *name)
{
	size_t i = 0;

	while (i < d->nr && strcmp(d->at[i].name, name) < 0)
		i++;
	return i;
}

static void insert(struct defines *d, size_t i, char *name)
{
	d->at = scn_grow(d->at, d->nr, sizeof(*d->at));
	memmove(&d->at[i + 1], &d->at[i], (d->nr - i) * sizeof(*d->at));
	d->at[i] = (struct define){ .name = name };
	d->nr++;
}

int defines_add(struct defines *d, const char *text, struct failure *failure)
{
	int status = check(text, failure);
	char *name;
	size_t i;

	if (status)
		return status;
	name = scn_printf("%.*s", (int)(strchr(text, '=') - text), text);
	i = place(d, name);
	if (i < d->nr && !strcmp(d->at[i].name, name)) {
		free(name);
		free(d->at[i].value);
	} else {
		insert(d, i, name);
	}
	d->at[i].value = scn_strdup(strchr(text, '=') + 1);
	return 0;
}

const char *defines_value(const struct defines *d, const char *name)
{
	size_t i = place(d, name);

	return i < d->nr && !strcmp(d->at[i].name, name) ? d->at[i].value : NULL;
}

char *defines_text(const struct defines *d)
{
	struct names words = { 0 };
	char *text;

	for (size_t i = 0; i < d->nr; i++) {
		char *word = scn_printf("%s=%s", d->at[i].name, d->at[i].value);

		names_add(&words, word, strlen(word));
		free(word);
	}
	text = names_join(&words, " ");
	names_free(&words);
	return text;
}

void defines_free(struct defines *d)
{
	for (size_t i = 0; i < d->nr; i++) {
		free(d->at[i].name);
		free(d->at[i].value);
	}
	free(d->at);
	memset(d, 0, sizeof(*d));
}
