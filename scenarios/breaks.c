/* SPDX-License-Identifier: GPL-3.0-or-later */
/* breaks.c - see breaks.h. */
#include "scenarios/breaks.h"

#include <stdlib.h>
#include <string.h>

#include "scenarios/fields.h"
#include "scenarios/nearest.h"

static const char *const names[] = {
	[BREAK_NOTHING] = "nothing",
	[BREAK_DOUBLE_FREE] = "double-free",
	[BREAK_USE_FREED_PAGE] = "use-freed-page",
	[BREAK_USE_FREED_HANDLE] = "use-freed-handle",
	[BREAK_CONTENT] = "content",
	[BREAK_UNLOCK_OTHER] = "unlock-other",
	[BREAK_LOCK_ORDER] = "lock-order",
	[BREAK_LEAK] = "leak",
	[BREAK_LOSE_PAGE] = "lose-page",
	[BREAK_DEADLOCK] = "deadlock",
	NULL
};

const char *break_name(enum model_break break_what)
{
	return break_what == BREAK_NOTHING ? NULL : names[break_what];
}

enum model_break break_value(const cJSON *item)
{
	for (int i = 0; item && names[i]; i++) {
		if (!strcmp(names[i], item->valuestring))
			return i;
	}
	return BREAK_NOTHING;
}

int break_check(struct source *src, const cJSON *item)
{
	char *known;

	if (cJSON_IsString(item) &&
	    (break_value(item) != BREAK_NOTHING || !strcmp(item->valuestring, names[BREAK_NOTHING])))
		return 0;
	known = join_words(names);
	if (cJSON_IsString(item))
		source_fault(src, item, "unknown fault \"%s\"; known: %s", quote(item->valuestring).text,
			     known);
	else
		source_fault(src, item, "%s where a word belongs; known: %s", kind_name(item), known);
	free(known);
	return 2;
}
