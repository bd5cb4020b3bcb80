/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scan.c - see scan.h.
 *
 * Not a parser: declarations are cut at ; and } of the outermost level, and
 * what a declaration is follows from a few tokens of it. Kernel code keeps to
 * few forms, and macros that a real parser would have to know do not matter
 * so.
 */
#include "trees/scan.h"

#include <stdlib.h>
#include <string.h>

#include "scenarios/mem.h"
#include "trees/tokens.h"

#define NESTING_MAX 32		/* of structs and of conditions; deeper ones are not looked into */

/* Tokens [from, to) of the code, directives left out. */
struct span {
	const struct token *from, *to;
};

static bool is_mark(const struct token *t, const struct token *end, char c)
{
	return t < end && t->kind == TOKEN_MARK && *t->at == c;
}

static bool is_one_of(const struct token *t, const char *const *words)
{
	for (; *words; words++) {
		if (token_is(t, *words))
			return true;
	}
	return false;
}

/* Words, some with parentheses, that belong to a declaration but are not what it declares. */
static bool is_attribute(const struct token *t)
{
	static const char *const known[] = {
		"__attribute__", "__printf", "__scanf", "__section", "__aligned", "__packed", "__releases",
		"__acquires", "__must_hold", "__cond_acquires", "__alloc_size", "__realloc_size", "__guarded_by",
		"__counted_by", "__private", "__deprecated", "__randomize_layout", "__read_mostly",
		"__always_unused", "__maybe_unused", "__used", "__cold", "_Alignas", "__assume_aligned", NULL
	};
	static const char aligned[] = "____cacheline";

	return is_one_of(t, known) || (t->nr > strlen(aligned) && !memcmp(t->at, aligned, strlen(aligned)));
}

static bool is_keyword(const struct token *t)
{
	static const char *const words[] = {
		"void", "char", "short", "int", "long", "signed", "unsigned", "float", "double", "_Bool", "bool",
		"const", "volatile", "static", "inline", "extern", "struct", "union", "enum", "typedef", "typeof",
		"__typeof__", "_Static_assert", "static_assert", NULL
	};

	return is_one_of(t, words);
}

static bool is_aggregate(const struct token *t)
{
	return token_is(t, "struct") || token_is(t, "union");
}

static char closing(const struct token *t)
{
	if (t->kind != TOKEN_MARK)
		return 0;
	return *t->at == '(' ? ')' : *t->at == '{' ? '}' : *t->at == '[' ? ']' : 0;
}

/* Behind the bracket that closes the one at @t; @end if none does. */
static const struct token *skip_group(const struct token *t, const struct token *end)
{
	char open = *t->at, close = closing(t);
	unsigned depth = 0;

	for (; t < end; t++) {
		if (is_mark(t, end, open))
			depth++;
		else if (is_mark(t, end, close) && --depth == 0)
			return t + 1;
	}
	return end;
}

static void add_word(struct names *names, const struct token *t)
{
	names_add(names, t->at, t->nr);
}

/* ---- directives ---- */

static void note_include(struct scan *scan, const struct token *t, const struct token *end)
{
	const struct token *from = t;

	if (t < end && t->kind == TOKEN_STRING && t->nr > 2) {
		names_add(&scan->includes, t->at + 1, t->nr - 2);
		return;
	}
	if (!is_mark(t, end, '<'))
		return;
	while (t < end && !is_mark(t, end, '>'))
		t++;
	if (t < end && t > from + 1)
		names_add(&scan->includes, from[1].at, t->at - from[1].at);
}

/* @t is behind the # of a line of the preprocessor that ends at @end. */
static void note_directive(struct scan *scan, const struct token *t, const struct token *end)
{
	if (end - t >= 2 && token_is(t, "define") && t[1].kind == TOKEN_NAME)
		add_word(&scan->macros, t + 1);
	else if (end - t >= 2 && token_is(t, "include"))
		note_include(scan, t + 1, end);
}

/*
 * Conditions and braces: each branch of a condition begins at the level of
 * braces at which the condition does, so that two heads of one function, for
 * two configurations, do not add up.
 */
struct braces {
	unsigned depth, saved[NESTING_MAX], nr;
};

static void follow_condition(struct braces *b, const struct token *word)
{
	if (token_is(word, "if") || token_is(word, "ifdef") || token_is(word, "ifndef")) {
		if (b->nr < NESTING_MAX)
			b->saved[b->nr] = b->depth;
		b->nr++;
	} else if (token_is(word, "endif")) {
		b->nr -= b->nr > 0;
	} else if ((token_is(word, "else") || token_is(word, "elif")) && b->nr && b->nr <= NESTING_MAX) {
		b->depth = b->saved[b->nr - 1];
	}
}

/* ---- functions ---- */

static unsigned count_params(const struct token *open, const struct token *close)
{
	unsigned params = 1;

	if (open + 1 == close || (open + 2 == close && token_is(open + 1, "void")))
		return 0;
	for (const struct token *t = open + 1; t < close; t++) {
		if (closing(t))
			t = skip_group(t, close) - 1;
		else if (is_mark(t, close, ','))
			params++;
	}
	return params;
}

/* The name in a function's head, which something of its type precedes; NULL if the head is none. */
static const struct token *function_name(struct span head)
{
	for (const struct token *t = head.from; t < head.to; t++) {
		if (t->kind == TOKEN_NAME && is_mark(t + 1, head.to, '(') && t > head.from && !is_keyword(t) &&
		    !is_attribute(t) && (t[-1].kind == TOKEN_NAME || *t[-1].at == '*'))
			return t;
		if (closing(t))
			t = skip_group(t, head.to) - 1;
	}
	return NULL;
}

static void note_function(struct scan *scan, struct span head)
{
	const struct token *name = function_name(head), *close;
	struct scan_function *f;

	if (!name)
		return;
	close = skip_group(name + 1, head.to) - 1;
	scan->functions = scn_grow(scan->functions, scan->nr_functions, sizeof(*scan->functions));
	f = &scan->functions[scan->nr_functions++];
	f->name = scn_printf("%.*s", (int)name->nr, name->at);
	f->params = count_params(name + 1, close);
	f->order = scan->nr_functions;
}

/* ---- structs and enums ---- */

static void add_field(struct scan *scan, const struct token *tag, const struct token *name)
{
	char *both = scn_printf("%.*s_%.*s", (int)tag->nr, tag->at, (int)name->nr, name->at);

	names_add(&scan->fields, both, strlen(both));
	free(both);
}

/* What one declarator declares: in `(*name)(args)` and `NAME(name, args)` it is in parentheses. */
static const struct token *declared(struct span d)
{
	const struct token *name = NULL;

	for (const struct token *t = d.from; t < d.to && !is_mark(t, d.to, ':') && !is_mark(t, d.to, '='); t++) {
		if (is_attribute(t)) {
			if (is_mark(t + 1, d.to, '('))
				t = skip_group(t + 1, d.to) - 1;
		} else if (is_mark(t, d.to, '(')) {
			for (t++; t < d.to && t->kind != TOKEN_NAME; t++)
				;
			return t < d.to ? t : NULL;
		} else if (is_mark(t, d.to, '[')) {
			t = skip_group(t, d.to) - 1;
		} else if (t->kind == TOKEN_NAME) {
			name = t;
		}
	}
	return name;
}

/* The declarators of one declaration of fields, its ; left out. */
static void note_declarators(struct scan *scan, const struct token *tag, struct span declaration)
{
	const struct token *t = declaration.from, *from = t, *name;

	for (; t <= declaration.to; t++) {
		if (t == declaration.to || is_mark(t, declaration.to, ',')) {
			name = declared((struct span){ from, t });
			if (name && !is_keyword(name))
				add_field(scan, tag, name);
			from = t + 1;
		} else if (closing(t)) {
			t = skip_group(t, declaration.to) - 1;
		}
	}
}

static void note_struct(struct scan *scan, const struct token *tag, struct span body, unsigned depth);

/* The tag of the struct or union whose { is at @brace; NULL if it has none or is none. */
static const struct token *aggregate_tag(const struct token *from, const struct token *brace, bool *aggregate)
{
	*aggregate = false;
	for (const struct token *t = from; t < brace; t++) {
		if (!is_aggregate(t))
			continue;
		*aggregate = true;
		for (t++; t < brace; t++) {
			if (t->kind == TOKEN_NAME && !is_attribute(t))
				return t;
			if (closing(t))
				t = skip_group(t, brace) - 1;
		}
	}
	return NULL;
}

/*
 * A struct within a struct: without a tag its fields are the outer one's as
 * far as a reader is concerned, with one they are its own.
 */
static const struct token *note_inner(struct scan *scan, const struct token *outer, const struct token *from,
				      const struct token *brace, const struct token *end, unsigned depth)
{
	const struct token *behind = skip_group(brace, end), *tag;
	bool aggregate;

	tag = aggregate_tag(from, brace, &aggregate);
	if (aggregate && depth < NESTING_MAX)
		note_struct(scan, tag ? tag : outer, (struct span){ brace + 1, behind - 1 }, depth + 1);
	return behind;
}

static void note_struct(struct scan *scan, const struct token *tag, struct span body, unsigned depth)
{
	const struct token *t = body.from, *from = t;

	while (t < body.to) {
		if (is_mark(t, body.to, '{')) {
			t = note_inner(scan, tag, from, t, body.to, depth);
			from = t;
		} else if (is_mark(t, body.to, ';')) {
			note_declarators(scan, tag, (struct span){ from, t });
			from = ++t;
		} else {
			t = closing(t) ? skip_group(t, body.to) : t + 1;
		}
	}
}

static void note_enum(struct scan *scan, struct span body)
{
	bool expected = true;

	for (const struct token *t = body.from; t < body.to; t++) {
		if (expected && t->kind == TOKEN_NAME)
			add_word(&scan->enums, t);
		expected = is_mark(t, body.to, ',');
		if (closing(t))
			t = skip_group(t, body.to) - 1;
	}
}

/* ---- declarations ---- */

static bool has_word(struct span span, const char *word)
{
	for (const struct token *t = span.from; t < span.to; t++) {
		if (token_is(t, word))
			return true;
	}
	return false;
}

static bool has_initializer(struct span head)
{
	for (const struct token *t = head.from; t < head.to; t++) {
		if (is_mark(t, head.to, '='))
			return true;
		if (closing(t))
			t = skip_group(t, head.to) - 1;
	}
	return false;
}

/* A { of the outermost level: @head is what stands before it, @body what it contains. */
static void note_block(struct scan *scan, struct span head, struct span body)
{
	const struct token *tag;
	bool aggregate;

	if (has_initializer(head))
		return;
	if (function_name(head)) {
		note_function(scan, head);
		return;
	}
	tag = aggregate_tag(head.from, head.to, &aggregate);
	if (aggregate && tag)
		note_struct(scan, tag, body, 0);
	else if (!aggregate && has_word(head, "enum"))
		note_enum(scan, body);
}

/* ---- the text ---- */

/* The code without directives, and where the current declaration and its { begin. */
struct code {
	struct token *at;
	size_t nr;
	struct braces braces;
	size_t declaration, brace;
};

static void end_of_block(struct scan *scan, struct code *c)
{
	struct span head = { c->at + c->declaration, c->at + c->brace };
	struct span body = { c->at + c->brace + 1, c->at + c->nr - 1 };

	note_block(scan, head, body);
	/* After a struct or an initializer the declaration goes on until its ; but nothing in it is for us. */
	c->declaration = c->nr;
}

static void follow_code(struct scan *scan, struct code *c, const struct token *t)
{
	bool outermost = c->braces.depth == 0;

	c->at = scn_grow(c->at, c->nr, sizeof(*c->at));
	c->at[c->nr++] = *t;
	if (t->kind != TOKEN_MARK)
		return;
	if (*t->at == '{') {
		if (outermost)
			c->brace = c->nr - 1;
		c->braces.depth++;
	} else if (*t->at == '}' && !outermost) {
		if (--c->braces.depth == 0)
			end_of_block(scan, c);
	} else if (*t->at == ';' && outermost) {
		c->declaration = c->nr;
	}
}

/* The tokens of the directive at @t; behind it. */
static const struct token *follow_directive(struct scan *scan, struct code *c, const struct token *t,
					    const struct token *end)
{
	const struct token *from = ++t;

	while (t < end && t->directive && !t->first)
		t++;
	if (from < t) {
		note_directive(scan, from, t);
		follow_condition(&c->braces, from);
	}
	return t;
}

void scan_text(struct scan *scan, const char *text, size_t bytes)
{
	struct code code = { 0 };
	struct tokens tokens;

	tokens_read(&tokens, text, bytes);
	for (const struct token *t = tokens.at, *end = t + tokens.nr; t < end;) {
		if (t->first)
			t = follow_directive(scan, &code, t, end);
		else
			follow_code(scan, &code, t++);
	}
	for (size_t i = 0; i < tokens.nr; i++) {
		if (tokens.at[i].kind == TOKEN_NAME)
			add_word(&scan->words, &tokens.at[i]);
	}
	free(code.at);
	tokens_free(&tokens);
}

/* ---- results ---- */

static int by_name(const void *a, const void *b)
{
	const struct scan_function *f = a, *g = b;
	int order = strcmp(f->name, g->name);

	return order ? order : f->order < g->order ? -1 : 1;
}

static void sort_functions(struct scan *scan)
{
	struct scan_function *f = scan->functions;
	size_t kept = 0;

	if (!scan->nr_functions)
		return;
	qsort(f, scan->nr_functions, sizeof(*f), by_name);
	for (size_t i = 1; i < scan->nr_functions; i++) {
		if (strcmp(f[kept].name, f[i].name))
			f[++kept] = f[i];
		else
			free(f[i].name);
	}
	scan->nr_functions = kept + 1;
}

void scan_finish(struct scan *scan)
{
	sort_functions(scan);
	names_sort(&scan->fields);
	names_sort(&scan->enums);
	names_sort(&scan->macros);
	names_sort(&scan->words);
}

void scan_free(struct scan *scan)
{
	for (size_t i = 0; i < scan->nr_functions; i++)
		free(scan->functions[i].name);
	free(scan->functions);
	names_free(&scan->fields);
	names_free(&scan->enums);
	names_free(&scan->macros);
	names_free(&scan->words);
	names_free(&scan->includes);
	memset(scan, 0, sizeof(*scan));
}

const struct scan_function *scan_function(const struct scan *scan, const char *name)
{
	for (size_t i = 0; i < scan->nr_functions; i++) {
		if (!strcmp(scan->functions[i].name, name))
			return &scan->functions[i];
	}
	return NULL;
}
