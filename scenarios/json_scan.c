/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * json_scan.c - a tokenizer with an explicit stack (see json_scan.h).
 *
 * The state says what may come next; the stack holds the marks of the open
 * arrays and objects. Nothing here recurses, so depth costs no C stack.
 */
#include "scenarios/json_scan.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "scenarios/mem.h"

enum scan_state {
	WANT_VALUE,
	WANT_FIRST_ELEMENT,		/* a value or ] */
	WANT_KEY,
	WANT_FIRST_KEY,			/* a key or } */
	WANT_COMMA,			/* , or what closes the container */
	WANT_END,			/* only white space */
};

struct scan {
	const char *text, *at, *end;
	uint32_t line, column;
	enum scan_state state;
	uint32_t open[JSON_DEPTH_MAX];	/* marks of the open containers */
	uint32_t members[JSON_DEPTH_MAX];
	unsigned depth;
	struct json_mark key;		/* key fields of the value that comes next */
	uint32_t concerns;		/* mark to name in a fault */
	struct json_marks *marks;
	struct json_fault *fault;
};

__attribute__((format(printf, 3, 4)))
static bool refuse(struct scan *s, bool syntax, const char *format, ...)
{
	struct json_fault *fault = s->fault;
	va_list args;

	fault->syntax = syntax;
	fault->line = s->line;
	fault->column = s->column;
	fault->mark = s->concerns;
	va_start(args, format);
	vsnprintf(fault->message, sizeof(fault->message), format, args);
	va_end(args);
	return false;
}

/* Pass one byte. Only a character's first byte moves the column. */
static void step(struct scan *s)
{
	unsigned char c = *s->at++;

	if (c == '\n') {
		s->line++;
		s->column = 1;
	} else if ((c & 0xc0) != 0x80) {
		s->column++;
	}
}

static int peek(const struct scan *s)
{
	return s->at < s->end ? (unsigned char)*s->at : -1;
}

static void skip_space(struct scan *s)
{
	while (s->at < s->end && memchr(" \t\r\n", *s->at, 4))
		step(s);
}

unsigned utf8_length(const char *text, const char *end)
{
	const unsigned char *c = (const unsigned char *)text;
	unsigned length = c[0] < 0x80 ? 1 : c[0] < 0xc2 ? 0 : c[0] < 0xe0 ? 2 :
			  c[0] < 0xf0 ? 3 : c[0] < 0xf5 ? 4 : 0;

	if ((size_t)(end - text) < length)
		return 0;
	for (unsigned i = 1; i < length; i++) {
		if ((c[i] & 0xc0) != 0x80)
			return 0;
	}
	/* Overlong forms, surrogates and what lies beyond U+10FFFF. */
	if ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f) ||
	    (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] > 0x8f))
		return 0;
	return length;
}

static bool refuse_byte(struct scan *s)
{
	return refuse(s, false, "invalid UTF-8 (byte 0x%02x); save the file as UTF-8",
		      (unsigned char)*s->at);
}

/* What stands here does not fit: name it, and say @wanted. */
static bool unexpected(struct scan *s, const char *wanted)
{
	int c = peek(s);

	if (c < 0)
		return refuse(s, true, "the text ends too early; expected %s", wanted);
	if (!utf8_length(s->at, s->end))
		return refuse_byte(s);
	if (c == 0xef && s->at == s->text)
		return refuse(s, true, "byte order mark; save the file as UTF-8 without one");
	if (!isprint(c))
		return refuse(s, true, "unexpected character (byte 0x%02x); expected %s", c, wanted);
	if (c == '"')
		return refuse(s, true, "unexpected double quote; expected %s", wanted);
	return refuse(s, true, "unexpected \"%c\"; expected %s", c, wanted);
}

/* Four hex digits after \u, or -1. */
static int hex4(struct scan *s)
{
	int value = 0;

	for (int i = 0; i < 4; i++) {
		int c = peek(s);

		if (c < 0 || !isxdigit(c))
			return -1;
		value = 16 * value + (isdigit(c) ? c - '0' : tolower(c) - 'a' + 10);
		step(s);
	}
	return value;
}

/* The second half of a surrogate pair. */
static bool scan_low_surrogate(struct scan *s)
{
	int unit = -1;

	if (s->end - s->at >= 2 && s->at[0] == '\\' && s->at[1] == 'u') {
		step(s);
		step(s);
		unit = hex4(s);
	}
	if (unit < 0xdc00 || unit > 0xdfff)
		return refuse(s, true, "half a surrogate pair; write both halves or the character itself");
	return true;
}

static bool scan_escape(struct scan *s)
{
	int c, unit;

	step(s);
	c = peek(s);
	if (c < 0 || !memchr("\"\\/bfnrtu", c, 9))
		return unexpected(s, "one of \" \\ / b f n r t u after a backslash");
	step(s);
	if (c != 'u')
		return true;
	unit = hex4(s);
	if (unit < 0)
		return unexpected(s, "four hexadecimal digits");
	if (unit == 0)
		return refuse(s, false, "a NUL character in a string; leave it out");
	if (unit >= 0xdc00 && unit <= 0xdfff)
		return refuse(s, true, "half a surrogate pair; write both halves or the character itself");
	return unit < 0xd800 || unit > 0xdbff || scan_low_surrogate(s);
}

static bool scan_character(struct scan *s)
{
	unsigned length = utf8_length(s->at, s->end);

	if (!length)
		return refuse_byte(s);
	if (iscntrl((unsigned char)*s->at) && *s->at != 0x7f)
		return unexpected(s, "an escape such as \\n for a control character");
	while (length--)
		step(s);
	return true;
}

static bool scan_string(struct scan *s)
{
	step(s);
	while (peek(s) != '"') {
		if (peek(s) < 0)
			return unexpected(s, "the \" that ends the string");
		if (!(peek(s) == '\\' ? scan_escape(s) : scan_character(s)))
			return false;
	}
	step(s);
	return true;
}

static bool scan_digits(struct scan *s)
{
	if (!isdigit(peek(s)))
		return unexpected(s, "a digit");
	while (isdigit(peek(s)))
		step(s);
	return true;
}

static bool scan_number_parts(struct scan *s)
{
	if (peek(s) == '-')
		step(s);
	if (peek(s) == '0')
		step(s);
	else if (!scan_digits(s))
		return false;
	if (peek(s) == '.') {
		step(s);
		if (!scan_digits(s))
			return false;
	}
	if (peek(s) != 'e' && peek(s) != 'E')
		return true;
	step(s);
	if (peek(s) == '+' || peek(s) == '-')
		step(s);
	return scan_digits(s);
}

static bool scan_number(struct scan *s)
{
	const char *start = s->at;

	if (!scan_number_parts(s))
		return false;
	if (s->at - start > JSON_NUMBER_CHARS_MAX)
		return refuse(s, false, "a number of %td characters; at most %d are read",
			      s->at - start, JSON_NUMBER_CHARS_MAX);
	return true;
}

/* true, false, null; and a good word for the usual intruders. */
static bool scan_word(struct scan *s)
{
	static const char *const words[] = { "true", "false", "null" };
	size_t left = s->end - s->at, length = 0;

	while (length < left && isalpha((unsigned char)s->at[length]))
		length++;
	for (size_t i = 0; i < 3; i++) {
		if (length != strlen(words[i]) || memcmp(s->at, words[i], length))
			continue;
		while (length--)
			step(s);
		return true;
	}
	if (!length)
		return unexpected(s, "a value");
	return refuse(s, true, "\"%.*s\" is not JSON; expected a number, a \"string\", true, false, null, { or [",
		      (int)(length < 20 ? length : 20), s->at);
}

static uint32_t add_mark(struct scan *s)
{
	struct json_marks *marks = s->marks;
	struct json_mark *mark;

	marks->mark = scn_grow(marks->mark, marks->nr, sizeof(*mark));
	mark = &marks->mark[marks->nr];
	*mark = s->key;
	mark->line = s->line;
	mark->column = s->column;
	mark->kind = JSON_SCALAR;
	mark->parent = JSON_NO_MARK;
	mark->index = 0;
	if (s->depth) {
		mark->parent = s->open[s->depth - 1];
		mark->index = s->members[s->depth - 1]++;
	}
	memset(&s->key, 0, sizeof(s->key));
	return marks->nr++;
}

/* The container around what comes next, or nothing. */
static uint32_t innermost(const struct scan *s)
{
	return s->depth ? s->open[s->depth - 1] : JSON_NO_MARK;
}

static void value_done(struct scan *s)
{
	s->concerns = innermost(s);
	s->state = s->depth ? WANT_COMMA : WANT_END;
}

static bool open_container(struct scan *s, uint32_t mark, enum json_kind kind)
{
	if (s->depth == JSON_DEPTH_MAX)
		return refuse(s, false, "nested deeper than %d levels; a scenario needs 7", JSON_DEPTH_MAX);
	s->marks->mark[mark].kind = kind;
	s->open[s->depth] = mark;
	s->members[s->depth++] = 0;
	s->state = kind == JSON_OBJECT ? WANT_FIRST_KEY : WANT_FIRST_ELEMENT;
	step(s);
	return true;
}

static void close_container(struct scan *s)
{
	step(s);
	s->depth--;
	value_done(s);
}

static bool scan_value(struct scan *s)
{
	uint32_t mark = add_mark(s);
	int c = peek(s);
	bool good;

	s->concerns = mark;
	if (c == '{' || c == '[')
		return open_container(s, mark, c == '{' ? JSON_OBJECT : JSON_ARRAY);
	if (c == '"')
		good = scan_string(s);
	else if (c == '-' || isdigit(c))
		good = scan_number(s);
	else
		good = scan_word(s);
	if (good)
		value_done(s);
	return good;
}

static bool scan_key(struct scan *s)
{
	const char *start = s->at + 1;

	s->concerns = innermost(s);
	if (peek(s) != '"')
		return unexpected(s, "a key in double quotes");
	s->key.key_line = s->line;
	s->key.key_column = s->column;
	if (!scan_string(s))
		return false;
	s->key.key = start - s->text;
	s->key.key_bytes = s->at - 1 - start;
	skip_space(s);
	if (peek(s) != ':')
		return unexpected(s, "\":\" after the key");
	step(s);
	s->state = WANT_VALUE;
	return true;
}

static bool scan_comma(struct scan *s)
{
	bool object = s->marks->mark[innermost(s)].kind == JSON_OBJECT;

	if (peek(s) == ',') {
		step(s);
		s->state = object ? WANT_KEY : WANT_VALUE;
		return true;
	}
	if (peek(s) != (object ? '}' : ']'))
		return unexpected(s, object ? "\",\" or \"}\"" : "\",\" or \"]\"");
	close_container(s);
	return true;
}

static bool scan_next(struct scan *s)
{
	switch (s->state) {
	case WANT_FIRST_ELEMENT:
		if (peek(s) == ']') {
			close_container(s);
			return true;
		}
		return scan_value(s);
	case WANT_FIRST_KEY:
		if (peek(s) == '}') {
			close_container(s);
			return true;
		}
		return scan_key(s);
	case WANT_KEY:
		return scan_key(s);
	case WANT_COMMA:
		return scan_comma(s);
	case WANT_END:
		return unexpected(s, "nothing after the JSON value");
	case WANT_VALUE:
		break;
	}
	return scan_value(s);
}

bool json_scan(const char *text, size_t bytes, struct json_marks *marks, struct json_fault *fault)
{
	struct scan s = {
		.text = text, .at = text, .end = text + bytes,
		.line = 1, .column = 1, .concerns = JSON_NO_MARK,
		.marks = marks, .fault = fault,
	};

	for (;;) {
		skip_space(&s);
		if (s.state == WANT_END && s.at == s.end)
			return true;
		if (!scan_next(&s))
			return false;
	}
}

static bool plain_key(const char *key, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i++) {
		if (!isalnum((unsigned char)key[i]) && !memchr("_-+$", key[i], 4))
			return false;
	}
	return bytes > 0;
}

#define SHOWN_KEY_BYTES 48	/* more of a key than this helps nobody */

static void write_step(const char *text, const struct json_mark *mark, char *out, size_t bytes)
{
	const char *key = text + mark->key;
	uint32_t shown = 0;
	bool plain = plain_key(key, mark->key_bytes);

	if (!mark->key_line) {
		snprintf(out, bytes, "[%u]", mark->index);
		return;
	}
	/* Cut between characters: half of one would not be UTF-8. */
	while (shown < mark->key_bytes && shown < SHOWN_KEY_BYTES)
		shown += utf8_length(key + shown, key + mark->key_bytes);
	snprintf(out, bytes, plain ? ".%.*s%s" : "[\"%.*s%s\"]", (int)shown, key,
		 shown < mark->key_bytes ? "..." : "");
}

void json_mark_path(const char *text, const struct json_marks *marks, uint32_t at,
		    const char *prefix, char path[JSON_PATH_BYTES])
{
	uint32_t chain[JSON_DEPTH_MAX + 1];
	char step_text[SHOWN_KEY_BYTES + 16];
	unsigned nr = 0;
	size_t used;

	for (; at != JSON_NO_MARK && marks->mark[at].parent != JSON_NO_MARK && nr <= JSON_DEPTH_MAX;
	     at = marks->mark[at].parent)
		chain[nr++] = at;
	used = snprintf(path, JSON_PATH_BYTES, "%.*s", JSON_PATH_BYTES / 2, prefix);
	while (nr--) {
		write_step(text, &marks->mark[chain[nr]], step_text, sizeof(step_text));
		if (used + strlen(step_text) + sizeof("...") > JSON_PATH_BYTES) {
			strcpy(path + used, "...");
			return;
		}
		used += sprintf(path + used, "%s", step_text);
	}
}
