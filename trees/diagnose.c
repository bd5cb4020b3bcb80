/* SPDX-License-Identifier: GPL-3.0-or-later */
/* diagnose.c - see diagnose.h. */
#include "trees/diagnose.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/mem.h"
#include "trees/complaint.h"
#include "trees/tokens.h"

#define SHIM "model/kshim/"
#define SHIM_HEADERS SHIM "include/"
#define MANUAL "doc/kernel-shim.md"
#define COMMON_HEADER "linux/mm.h"
#define NAMES_SHOWN_MAX 8
#define LIKENESS_MIN 3

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* ---- where a name belongs ---- */

/* "struct foo" is found as foo. */
static const char *last_word(const char *name)
{
	const char *blank = strrchr(name, ' ');

	return blank ? blank + 1 : name;
}

/* Is the token, outside all parentheses, where its name is declared or defined, and not only used? */
static bool declares(const struct tokens *tokens, size_t i)
{
	const struct token *t = &tokens->at[i], *next = i + 1 < tokens->nr ? t + 1 : NULL;
	const struct token *before = i ? t - 1 : NULL;

	if (t->directive)
		return before && token_is(before, "define");
	if (!next || next->kind != TOKEN_MARK || !strchr("(;,=[{}", *next->at))
		return false;
	return !before || before->kind == TOKEN_NAME || strchr("*{},", *before->at);
}

/* A struct is wanted with what is in it: elsewhere its name is followed by other things. */
static bool defines_struct(const struct tokens *tokens, size_t i)
{
	return i && tokens->at[i - 1].kind == TOKEN_NAME && i + 1 < tokens->nr && token_is(&tokens->at[i + 1], "{");
}

static bool text_declares(const struct text *text, const char *name)
{
	const char *word = last_word(name);
	struct tokens tokens;
	unsigned depth = 0;
	bool found = false;

	tokens_read(&tokens, text->at, text->nr);
	for (size_t i = 0; i < tokens.nr && !found; i++) {
		const struct token *t = &tokens.at[i];

		if (token_is(t, word) && (t->directive || !depth))
			found = word == name ? declares(&tokens, i) : defines_struct(&tokens, i);
		if (!t->directive && token_is(t, "("))
			depth++;
		else if (!t->directive && token_is(t, ")"))
			depth -= depth > 0;
	}
	tokens_free(&tokens);
	return found;
}

static bool header_declares(const char *tree, const char *header, const char *name)
{
	char *path = scn_printf("%s/include/%s", tree, header);
	struct text text;
	bool found = false;

	if (!file_read(path, TEXT_BYTES_MAX, &text)) {
		found = text_declares(&text, name);
		text_free(&text);
	}
	free(path);
	return found;
}

static bool shim_has(const struct diagnose_places *p, const char *header)
{
	char *path = scn_printf("%s/" SHIM_HEADERS "%s", p->src, header);
	bool there = is_file(path);

	free(path);
	return there;
}

/* How much of the name's beginning is the header's: spin_lock_foo is more like spinlock.h than like mm.h. */
static unsigned likeness(const char *header, const char *name)
{
	const char *h = strrchr(header, '/');
	unsigned nr = 0;

	for (h = h ? h + 1 : header; *h && *name; h++, name++) {
		h += *h == '_';
		name += *name == '_';
		if (tolower((unsigned char)*h) != tolower((unsigned char)*name))
			break;
		nr++;
	}
	return nr;
}

/* The header that the file includes, the shim has and the name is most like; NULL if it is like none. */
static const char *most_like(const struct diagnose_places *p, const char *name)
{
	const struct names *includes = &p->scan->includes;
	const char *best = NULL;
	unsigned most = LIKENESS_MIN - 1;

	for (size_t i = 0; i < includes->nr; i++) {
		if (likeness(includes->at[i], name) > most && shim_has(p, includes->at[i])) {
			most = likeness(includes->at[i], name);
			best = includes->at[i];
		}
	}
	return best;
}

/* Without a header of the tree that says it. */
static const char *likely_header(const struct diagnose_places *p, const char *name)
{
	const struct names *includes = &p->scan->includes;
	const char *like = most_like(p, name);

	if (like || names_have(includes, COMMON_HEADER))
		return like ? like : COMMON_HEADER;
	for (size_t i = 0; i < includes->nr; i++) {
		if (shim_has(p, includes->at[i]))
			return includes->at[i];
	}
	return COMMON_HEADER;
}

/* Where @name, "foo" or "struct foo", would be; @sure: because a header of the tree has it. */
static const char *header_for(const struct diagnose_places *p, const char *name, bool *sure)
{
	const struct names *includes = &p->scan->includes;

	*sure = true;
	for (size_t i = 0; i < includes->nr; i++) {
		if (header_declares(p->tree, includes->at[i], name))
			return includes->at[i];
	}
	*sure = false;
	return likely_header(p, last_word(name));
}

/* ---- the message ---- */

static const char *kind_of(enum lack lack)
{
	switch (lack) {
	case LACK_FUNCTION:
		return "a function";
	case LACK_TYPE:
		return "a type";
	case LACK_STRUCT:
		return "what is in the struct";
	default:
		return "a constant, variable or macro";
	}
}

/* The members of a struct that the tree's file itself defines are no matter of the shim. */
static bool own_struct(const struct diagnose_places *p, const char *name)
{
	size_t nr = strlen(last_word(name));

	for (size_t i = 0; i < p->scan->fields.nr; i++) {
		const char *field = p->scan->fields.at[i];

		if (!strncmp(field, last_word(name), nr) && field[nr] == '_')
			return true;
	}
	return false;
}

static void say_lack(const struct diagnose_places *p, const struct complaint *c, struct failure *failure)
{
	bool sure, member = c->lack == LACK_MEMBER;
	const char *header = header_for(p, member ? c->of : c->name, &sure);

	fail(failure, FAILURE_INPUT, "%s:%lu: the shim lacks '%s' (%s%s); declare it in " SHIM_HEADERS "%s%s, see " MANUAL,
	     c->file, c->line, c->name, member ? "a member of " : kind_of(c->lack), member ? c->of : "", header,
	     sure ? "" : ", for example");
}

static void say_header(const struct complaint *c, struct failure *failure)
{
	if (begins(c->name, "linux/") || begins(c->name, "asm/") || begins(c->name, "uapi/"))
		fail(failure, FAILURE_INPUT, "%s:%lu: the shim lacks '%s' (a header); write " SHIM_HEADERS "%s, see "
		     MANUAL, c->file, c->line, c->name, c->name);
	else
		fail(failure, FAILURE_INPUT, "%s:%lu: '%s' is not among the files that are copied from a tree; see "
		     MANUAL, c->file, c->line, c->name);
}

static void say(const struct diagnose_places *p, const struct complaint *c, struct failure *failure)
{
	const char *of = c->lack == LACK_MEMBER ? c->of : c->lack == LACK_STRUCT ? c->name : NULL;

	if (begins(c->file, "model/") || begins(c->file, "sim/"))
		fail(failure, FAILURE_INPUT, "%s:%lu: the shim does not fit this tree: %s; see " MANUAL, c->file, c->line,
		     c->what);
	else if (c->lack == LACK_HEADER)
		say_header(c, failure);
	else if (c->lack == LACK_NONE || (of && own_struct(p, of)))
		fail(failure, FAILURE_INPUT, "%s:%lu: %s", c->file, c->line, c->what);
	else
		say_lack(p, c, failure);
}

int diagnose_compiler(const struct diagnose_places *p, const struct text *output, struct failure *failure)
{
	const char *const dirs[] = { p->dir, p->src, NULL };
	const char *text = output->at ? output->at : "";
	struct complaint c;

	complaint_read(&c, text, dirs);
	if (c.file) {
		say(p, &c, failure);
		fail_more(failure, "%s", c.more);
	} else {
		fail(failure, FAILURE_INPUT, "the compiler failed: %.*s; name another one with --cc",
		     (int)strcspn(text, "\n"), text);
	}
	complaint_free(&c);
	return FAILURE_INPUT;
}

int diagnose_undefined(const struct diagnose_places *p, const struct names *undefined, struct failure *failure)
{
	struct names shown = { undefined->at, undefined->nr < NAMES_SHOWN_MAX ? undefined->nr : NAMES_SHOWN_MAX };
	char *list = names_join(&shown, "', '");
	bool sure;
	const char *header = header_for(p, undefined->at[0], &sure);

	fail(failure, FAILURE_INPUT, "mm/zsmalloc.c: the shim lacks '%s'", list);
	if (undefined->nr > shown.nr)
		fail_more(failure, " and %zu more", undefined->nr - shown.nr);
	fail_more(failure, " (used, but defined nowhere); define %s in " SHIM_HEADERS "%s%s, see " MANUAL,
		  undefined->nr > 1 ? "them" : "it", header, sure ? "" : ", for example");
	free(list);
	return FAILURE_INPUT;
}
