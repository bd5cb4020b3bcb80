/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tokens.c - see tokens.h. */
#include "trees/tokens.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/mem.h"

struct reader {
	const char *at, *end;
	bool line_start;	/* nothing but blanks since the line began */
	bool directive;
	struct tokens *tokens;
};

static int peek(const struct reader *r, size_t ahead)
{
	return ahead < (size_t)(r->end - r->at) ? (unsigned char)r->at[ahead] : -1;
}

static bool in_name(int c)
{
	return c == '_' || c == '$' || (c > 0 && c < 128 && isalnum(c));
}

static void add(struct reader *r, enum token_kind kind, const char *at, size_t nr, bool first)
{
	struct tokens *t = r->tokens;

	t->at = scn_grow(t->at, t->nr, sizeof(*t->at));
	t->at[t->nr++] = (struct token){ kind, at, nr, r->directive, first };
}

static void skip_comment(struct reader *r)
{
	const char *end = memmem(r->at + 2, r->end - r->at - 2, "*/", 2);

	r->at = end ? end + 2 : r->end;
}

/* Up to the end of the line, which a backslash puts off like any other line's. */
static void skip_line_comment(struct reader *r)
{
	while (r->at < r->end && *r->at != '\n')
		r->at += *r->at == '\\' && peek(r, 1) == '\n' ? 2 : 1;
}

static void take_quoted(struct reader *r)
{
	const char *from = r->at;
	char quote = *r->at++;

	while (r->at < r->end && *r->at != quote && *r->at != '\n')
		r->at += *r->at == '\\' && peek(r, 1) >= 0 ? 2 : 1;
	if (r->at < r->end && *r->at == quote)
		r->at++;
	add(r, TOKEN_STRING, from, r->at - from, false);
}

static void take_word(struct reader *r)
{
	const char *from = r->at;
	enum token_kind kind = isdigit((unsigned char)*from) ? TOKEN_NUMBER : TOKEN_NAME;

	while (in_name(peek(r, 0)))
		r->at++;
	add(r, kind, from, r->at - from, false);
}

static void take_mark(struct reader *r)
{
	bool first = *r->at == '#' && r->line_start;

	if (first)
		r->directive = true;
	add(r, TOKEN_MARK, r->at, 1, first);
	r->at++;
}

static void end_line(struct reader *r)
{
	r->directive = false;
	r->line_start = true;
	r->at++;
}

static bool skip_blank(struct reader *r)
{
	int c = peek(r, 0), next = peek(r, 1);

	if (c == '/' && next == '*')
		skip_comment(r);
	else if (c == '/' && next == '/')
		skip_line_comment(r);
	else if (c == '\\' && (next == '\n' || (next == '\r' && peek(r, 2) == '\n')))
		r->at += next == '\n' ? 2 : 3;
	else if (c == '\n')
		end_line(r);
	else if (c <= ' ')
		r->at++;
	else
		return false;
	return true;
}

void tokens_read(struct tokens *tokens, const char *text, size_t bytes)
{
	struct reader r = { .at = text, .end = text + bytes, .line_start = true, .tokens = tokens };

	*tokens = (struct tokens){ 0 };
	while (r.at < r.end) {
		if (skip_blank(&r))
			continue;
		if (*r.at == '"' || *r.at == '\'')
			take_quoted(&r);
		else if (in_name((unsigned char)*r.at))
			take_word(&r);
		else
			take_mark(&r);
		r.line_start = false;
	}
}

void tokens_free(struct tokens *tokens)
{
	free(tokens->at);
	*tokens = (struct tokens){ 0 };
}

bool token_is(const struct token *token, const char *word)
{
	return token->kind != TOKEN_STRING && token->nr == strlen(word) && !memcmp(token->at, word, token->nr);
}
