/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.c - see words.h. */
#include "scenarios/words.h"

#include <string.h>

#include "scenarios/fields.h"

#define ALNUM "abcdefghijklmnopqrstuvwxyz0123456789"

int text_check(struct source *src, const cJSON *item)
{
	if (cJSON_IsString(item))
		return 0;
	return source_fault(src, item, "%s where text belongs; write a \"string\"", kind_name(item));
}

bool name_is_legal(const char *name, enum word_kind kind)
{
	const char *allowed = kind == WORD_VARIANT ? ALNUM "-+" : ALNUM "-";
	size_t length = strlen(name);

	return length && length <= NAME_BYTES_MAX && strspn(name, allowed) == length &&
	       strchr(ALNUM, name[0]);
}

int name_check(struct source *src, const cJSON *item, enum word_kind kind)
{
	const char *listed = kind == WORD_VARIANT ? "a-z, 0-9, - and +" : "a-z, 0-9 and -";
	const char *name = item->valuestring;

	if (text_check(src, item))
		return 2;
	if (name_is_legal(name, kind))
		return 0;
	return source_fault(src, item, "\"%s\" is not a name; expected 1 to %d of %s, first a letter or digit",
			    quote(name).text, NAME_BYTES_MAX, listed);
}
