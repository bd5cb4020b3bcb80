/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell.c - see shell.h. */
#include "reports/shell.h"

#include <stdlib.h>
#include <string.h>

#include "scenarios/mem.h"

char *shell_word(const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./=,:@%";
	char *word, *at;

	if (*text && text[strspn(text, plain)] == '\0')
		return scn_strdup(text);
	at = word = scn_zalloc(4 * strlen(text) + 3, 1);
	*at++ = '\'';
	for (; *text; text++) {
		if (*text == '\'')
			at = stpcpy(at, "'\\''");
		else
			*at++ = *text;
	}
	*at = '\'';
	return word;
}

char *shell_line(int nr, char *const *argv)
{
	char *line = scn_strdup("");

	for (int i = 0; i < nr; i++) {
		char *word = shell_word(argv[i]);
		char *longer = scn_printf("%s%s%s", line, i ? " " : "", word);

		free(word);
		free(line);
		line = longer;
	}
	return line;
}
