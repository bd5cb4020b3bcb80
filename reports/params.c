/* SPDX-License-Identifier: GPL-3.0-or-later */
/* params.c - see params.h. */
#include "reports/params.h"

#include <string.h>

#include "scenarios/mem.h"

const char *params_find(const char *params, const char *key, size_t *bytes)
{
	size_t nr = strlen(key);

	for (const char *at = params; at; at = strchr(at, ';')) {
		at += *at == ';';
		if (strncmp(at, key, nr) || at[nr] != '=')
			continue;
		*bytes = strcspn(at + nr + 1, ";");
		return at + nr + 1;
	}
	return NULL;
}

char *params_next_key(const char **at)
{
	size_t nr = strcspn(*at, "=;");
	char *key;

	if (nr == 0)
		return NULL;
	key = scn_printf("%.*s", (int)nr, *at);
	*at += strcspn(*at, ";");
	*at += **at == ';';
	return key;
}
