/* SPDX-License-Identifier: GPL-3.0-or-later */
/* complaint.c - see complaint.h. */
#include "trees/complaint.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/mem.h"

#define SHOWN_LINES_MAX 8

/* ---- what is lacking ---- */

/*
 * How gcc (from 12) and clang (from 14) say it. % is the name in quotes; a
 * message about a member has two, and the struct's is the other one.
 */
static const struct {
	const char *form;
	enum lack lack;
} forms[] = {
	{ "implicit declaration of function %", LACK_FUNCTION },
	{ "call to undeclared function %", LACK_FUNCTION },
	{ "unknown type name %", LACK_TYPE },
	{ "% undeclared", LACK_NAME },
	{ "use of undeclared identifier %", LACK_NAME },
	{ "type defaults to 'int' in declaration of %", LACK_NAME },
	{ "% has no member named %", LACK_MEMBER },
	{ "no member named % in %", LACK_MEMBER },
	{ "invalid use of undefined type %", LACK_STRUCT },
	{ "invalid use of incomplete typedef %", LACK_STRUCT },
	{ "invalid application of 'sizeof' to incomplete type %", LACK_STRUCT },
	{ "invalid application of 'sizeof' to an incomplete type %", LACK_STRUCT },
	{ "dereferencing pointer to incomplete type %", LACK_STRUCT },
	{ "incomplete definition of type %", LACK_STRUCT },
	{ "variable has incomplete type %", LACK_STRUCT },
	{ "field has incomplete type %", LACK_STRUCT },
	{ "array has incomplete element type %", LACK_STRUCT },
	{ "array type has incomplete element type %", LACK_STRUCT },
	{ "storage size of % isn't known", LACK_STRUCT },
	{ "field % has incomplete type", LACK_STRUCT },
	{ "variable % has initializer but incomplete type", LACK_STRUCT },
	{ "% file not found", LACK_HEADER },
};

/* A name in quotes at @at; behind it, or NULL. */
static const char *take_quoted(const char *at, char **name)
{
	const char *end = *at == '\'' ? strchr(at + 1, '\'') : NULL;

	if (!end)
		return NULL;
	free(*name);
	*name = scn_printf("%.*s", (int)(end - at - 1), at + 1);
	return end + 1;
}

static bool fits(const char *what, const char *form, char **first, char **second)
{
	char **name = first;

	for (; *form && what; form++) {
		if (*form == '%') {
			what = take_quoted(what, name);
			name = second;
		} else {
			what = *what == *form ? what + 1 : NULL;
		}
	}
	return what;
}

/* gcc names the struct first, clang the member. */
static void take_names(struct complaint *c, const char *form, char *first, char *second)
{
	bool struct_first = c->lack == LACK_MEMBER && *form == '%';

	c->name = struct_first ? second : first;
	c->of = struct_first ? first : second;
}

static void find_header(struct complaint *c)
{
	char *colon = strstr(c->what, ": No such file or directory");

	if (!colon)
		return;
	c->lack = LACK_HEADER;
	c->name = scn_printf("%.*s", (int)(colon - c->what), c->what);
}

static void find_lack(struct complaint *c)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		char *first = NULL, *second = NULL;

		if (fits(c->what, forms[i].form, &first, &second)) {
			c->lack = forms[i].lack;
			take_names(c, forms[i].form, first, second);
			return;
		}
		free(first);
		free(second);
	}
	find_header(c);
}

/* ---- the place ---- */

static const char *without_prefix(const char *path, const char *const *dirs)
{
	for (; *dirs; dirs++) {
		size_t nr = strlen(*dirs);

		if (!strncmp(path, *dirs, nr) && path[nr] == '/')
			return path + nr + 1;
	}
	return path;
}

/* "FILE:LINE:COLUMN: error: WHAT", one line of the text. */
static void take_error(struct complaint *c, const char *line, size_t nr, const char *const *dirs)
{
	static const char *const kinds[] = { ": error: ", ": fatal error: " };
	char *copy = scn_printf("%.*s", (int)nr, line), *kind, *at;

	for (size_t i = 0; i < 2 && !c->file; i++) {
		kind = strstr(copy, kinds[i]);
		at = kind ? memchr(copy, ':', kind - copy) : NULL;
		if (!at || !isdigit((unsigned char)at[1]))
			continue;
		*at = '\0';
		c->file = scn_strdup(without_prefix(copy, dirs));
		c->line = strtoul(at + 1, NULL, 10);
		c->what = scn_strdup(kind + strlen(kinds[i]));
	}
	free(copy);
}

/* Does another message begin here? clang does not indent the lines that show code, gcc does. */
static bool begins_message(const char *line, size_t nr)
{
	static const char *const marks[] = { ": error: ", ": fatal error: ", ": warning: ", ": note: ", ": In function ",
					     " error generated", " errors generated" };
	static const char *const starts[] = { "In file included from ", "compilation terminated", "cc1: " };

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		if (!strncmp(line, starts[i], strlen(starts[i])))
			return true;
	}
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		if (memmem(line, nr, marks[i], strlen(marks[i])))
			return true;
	}
	return !nr;
}

static char *lines_shown(const char *text)
{
	char *result = NULL;
	size_t bytes;
	FILE *to = open_memstream(&result, &bytes);

	if (!to)
		abort();
	for (unsigned i = 0; i < SHOWN_LINES_MAX && *text; i++) {
		size_t nr = strcspn(text, "\n");

		if (begins_message(text, nr))
			break;
		fprintf(to, "\n  %.*s", (int)nr, text);
		text += nr + (text[nr] == '\n');
	}
	fclose(to);
	return result;
}

void complaint_read(struct complaint *c, const char *text, const char *const *dirs)
{
	memset(c, 0, sizeof(*c));
	while (*text && !c->file) {
		size_t nr = strcspn(text, "\n");

		take_error(c, text, nr, dirs);
		text += nr + (text[nr] == '\n');
	}
	if (!c->file)
		return;
	c->more = lines_shown(text);
	find_lack(c);
}

void complaint_free(struct complaint *c)
{
	free(c->file);
	free(c->what);
	free(c->more);
	free(c->name);
	free(c->of);
	memset(c, 0, sizeof(*c));
}
