/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * json_scan.h - strict check of a JSON text, and where everything stands.
 *
 * cJSON builds the tree but accepts more than JSON, recurses into whatever
 * it is given and forgets positions. The scanner goes first: it accepts
 * RFC 8259 in UTF-8 and nothing else, keeps its own small stack, and leaves
 * one mark per value in document order, which is also the order of a
 * pre-order walk over the tree that cJSON makes of the same text.
 */
#ifndef ZSMSIM_SCENARIOS_JSON_SCAN_H
#define ZSMSIM_SCENARIOS_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JSON_DEPTH_MAX 64		/* arrays and objects inside one another */
#define JSON_NUMBER_CHARS_MAX 63	/* what cJSON's number buffer holds */
#define JSON_PATH_BYTES 512		/* room for a printed path; longer ones are cut */
#define JSON_NO_MARK UINT32_MAX

enum json_kind { JSON_SCALAR, JSON_OBJECT, JSON_ARRAY };

/* Where one value stands. Lines and columns count from 1, columns in characters. */
struct json_mark {
	uint32_t line, column;		/* of the value's first character */
	uint32_t key_line, key_column;	/* of its key's quote; 0: not a member of an object */
	uint32_t key, key_bytes;	/* the key as written, between its quotes: offset, length */
	uint32_t parent;		/* mark of the array or object around it, or JSON_NO_MARK */
	uint32_t index;			/* position within the parent */
	enum json_kind kind;
};

struct json_marks {
	struct json_mark *mark;
	size_t nr;
};

/* Why a text was refused. */
struct json_fault {
	bool syntax;			/* not JSON at all (as opposed to: beyond a limit) */
	uint32_t line, column;
	uint32_t mark;			/* the value it concerns, or JSON_NO_MARK */
	char message[160];		/* "what is wrong; what would be right" */
};

/*
 * Check the @bytes of @text (fewer than 4 GiB) and fill @marks, which the
 * caller has zeroed and frees with free(marks->mark) in either case. Returns
 * true, or false with @fault filled.
 */
bool json_scan(const char *text, size_t bytes, struct json_marks *marks,
	       struct json_fault *fault);

/*
 * Write the path of mark @at to @path, as @prefix followed by ".key",
 * ["odd key"] and [index] steps. JSON_NO_MARK gives the bare prefix.
 */
void json_mark_path(const char *text, const struct json_marks *marks, uint32_t at,
		    const char *prefix, char path[JSON_PATH_BYTES]);

/* Bytes (1 to 4) of the UTF-8 character at @text, 0 if it is not a valid one. */
unsigned utf8_length(const char *text, const char *end);

#endif
