/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * source.h - a scenario file and the --set assignments laid over it: one
 * tree whose nodes come from several texts, each of which knows its places.
 */
#ifndef ZSMSIM_SCENARIOS_SOURCE_H
#define ZSMSIM_SCENARIOS_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include <cjson/cJSON.h>

#include "scenarios/json_text.h"

struct source {
	struct json_text **texts;	/* [0] is the file, the others are assignments */
	size_t nr_texts;
	cJSON *root;			/* the file's tree, as changed by the assignments */
	cJSON *dropped;			/* nodes that were replaced: kept, so that an address
					 * is never reused and a link never lies */
	char *error;			/* where the one error line goes */
	size_t error_bytes;
};

/*
 * Read @file. Errors of this and all later calls go to @error. Returns 0, or
 * 2 with the error line written. Close in either case.
 */
int source_open(struct source *src, const char *file, char *error, size_t error_bytes);
void source_close(struct source *src);

/* The text that @item stands in; NULL for none. Sets *@mark. */
const struct json_text *source_text(const struct source *src, const cJSON *item, uint32_t *mark);

/* Does @item come from an assignment? NULL does not. */
bool source_is_set(const struct source *src, const cJSON *item);

/*
 * Write the error line about the value, or the key, of @item (NULL: the
 * whole file). Both return 2, so that a check can end with `return`.
 */
int source_fault(struct source *src, const cJSON *item, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int source_key_fault(struct source *src, const cJSON *item, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Where the file @given by a scenario is, newly allocated: as it stands, which
 * is from the current directory, else from the directory of the scenario's
 * file. NULL if in neither.
 */
char *source_find_file(const struct source *src, const char *given);

/* Other people's text, cut to a length that fits in a message. */
struct quoted {
	char text[68];
};
struct quoted quote(const char *text);

#endif
