/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tokens.h - C text in pieces. Comments and line continuations are gone;
 * strings and character constants are pieces of their own, so that nothing in
 * them is taken for code. Lines of the preprocessor are pieces of the same
 * list, but marked.
 */
#ifndef ZSMSIM_TREES_TOKENS_H
#define ZSMSIM_TREES_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

enum token_kind {
	TOKEN_NAME,		/* identifier or keyword */
	TOKEN_NUMBER,
	TOKEN_STRING,		/* with its quotes */
	TOKEN_MARK,		/* one character */
};

struct token {
	enum token_kind kind;
	const char *at;		/* in the text */
	size_t nr;
	bool directive;		/* on a line of the preprocessor */
	bool first;		/* the # that begins such a line */
};

struct tokens {
	struct token *at;
	size_t nr;
};

/*
 * The @bytes bytes at @text, which must stay as long as the tokens do. Any
 * text gives some result: an unclosed comment ends with the text, an unclosed
 * string with its line.
 */
void tokens_read(struct tokens *tokens, const char *text, size_t bytes);
void tokens_free(struct tokens *tokens);

bool token_is(const struct token *token, const char *word);

#endif
