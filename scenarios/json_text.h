/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * json_text.h - one JSON text and its tree, with a way back from each node
 * of the tree to the place in the text that it came from.
 */
#ifndef ZSMSIM_SCENARIOS_JSON_TEXT_H
#define ZSMSIM_SCENARIOS_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "scenarios/json_scan.h"

#define JSON_FILE_BYTES_MAX (1u << 20)

struct json_link {
	const cJSON *item;
	uint32_t mark;
};

struct json_text {
	char *name;			/* shown in front of a message: file, or "--set path" */
	char *prefix;			/* path of the text's root: "$", or the path that is set */
	bool positions;			/* line and column mean something to the reader */
	char *text;			/* as read, with a NUL after it */
	size_t bytes;
	cJSON *root;			/* owned, until taken away (set to NULL) */
	struct json_marks marks;
	struct json_link *links;	/* one per mark, sorted by item */
};

/*
 * Read and parse @file: a regular file or pipe of 1 byte to 1 MiB. Returns 0,
 * or 2 with one line "zsmsim: FILE:LINE:COLUMN: $path: wrong; right" in
 * @error. Close @doc in either case.
 */
int json_text_read(struct json_text *doc, const char *file, char *error, size_t error_bytes);

/*
 * Parse @text, which @doc takes over; the caller has set name, prefix and
 * positions. Returns 0, or 2 with @error as above.
 */
int json_text_parse(struct json_text *doc, char *text, size_t bytes, char *error,
		    size_t error_bytes);

/* The mark of @item, or JSON_NO_MARK if it is not from this text. */
uint32_t json_text_mark(const struct json_text *doc, const cJSON *item);

/*
 * Write the error line about @mark (JSON_NO_MARK: the whole text) to @error;
 * @at_key points at the key of a member instead of its value. Always 2.
 */
int json_text_fault(const struct json_text *doc, uint32_t mark, bool at_key, const char *message,
		    char *error, size_t error_bytes);

/* Free what @doc holds. */
void json_text_close(struct json_text *doc);

#endif
