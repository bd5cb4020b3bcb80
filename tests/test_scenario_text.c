/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_scenario_text.c - the strict JSON layer under the scenario loader:
 * what is JSON, where things stand in it, and what a hostile file costs.
 */
#include <criterion/criterion.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scenarios/json_text.h"
#include "scenarios/nearest.h"

static char error[1024];

/* Parse a copy of @text, exactly as long as it is, so that a sanitizer sees a step beyond. */
static int parse(struct json_text *doc, const char *text, size_t bytes)
{
	char *copy = malloc(bytes ? bytes : 1);

	memcpy(copy, text, bytes);
	memset(doc, 0, sizeof(*doc));
	doc->name = strdup("t");
	doc->prefix = strdup("$");
	doc->positions = true;
	return json_text_parse(doc, copy, bytes, error, sizeof(error));
}

static bool accepts(const char *text)
{
	struct json_text doc;
	bool good = parse(&doc, text, strlen(text)) == 0;

	json_text_close(&doc);
	return good;
}

static void refuse(const char *text, const char *line)
{
	struct json_text doc;

	cr_expect_eq(parse(&doc, text, strlen(text)), 2, "accepted: %s", text);
	cr_expect_str_eq(error, line);
	json_text_close(&doc);
}

/* The grammar of RFC 8259: each form that it allows. Expect: all are accepted. */
Test(json_text, accepts_json)
{
	static const char *const good[] = {
		"0", "-0", "10", "1.5", "1e5", "1E+5", "-1.25e-3", "true", "false", "null",
		"\"\"", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"", "\"\\ud834\\udd1e\"", "\"\xc3\xa9\"",
		"\"\xf0\x9d\x84\x9e\"", "\"\x7f\"", "[]", "{}", "[[],{},[1]]", " \t\r\n[ 1 , 2 ] \n",
		"{\"a\":{\"a\":1},\"b\":[{\"a\":2},{\"a\":3}]}", "{\"\":1}",
	};

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		cr_expect(accepts(good[i]), "%s: %s", good[i], error);
}

/* What other parsers let pass and RFC 8259 does not. Expect: refused, with the place and the remedy. */
Test(json_text, refuses_what_is_not_json)
{
	refuse("[1,]", "zsmsim: t:1:4: $[1]: unexpected \"]\"; expected a value");
	refuse("[1 2]", "zsmsim: t:1:4: $: unexpected \"2\"; expected \",\" or \"]\"");
	refuse("{\"a\":1,}", "zsmsim: t:1:8: $: unexpected \"}\"; expected a key in double quotes");
	refuse("{\"a\" 1}", "zsmsim: t:1:6: $: unexpected \"1\"; expected \":\" after the key");
	refuse("[1}", "zsmsim: t:1:3: $: unexpected \"}\"; expected \",\" or \"]\"");
	refuse("01", "zsmsim: t:1:2: $: unexpected \"1\"; expected nothing after the JSON value");
	refuse(".5", "zsmsim: t:1:1: $: unexpected \".\"; expected a value");
	refuse("1.e5", "zsmsim: t:1:3: $: unexpected \"e\"; expected a digit");
	refuse("-", "zsmsim: t:1:2: $: the text ends too early; expected a digit");
	refuse("[tru]", "zsmsim: t:1:2: $[0]: \"tru\" is not JSON; expected a number, a \"string\", true, false, null, { or [");
	refuse("\"a\tb\"", "zsmsim: t:1:3: $: unexpected character (byte 0x09); expected an escape such as \\n for a control character");
	refuse("\"\\u12g4\"", "zsmsim: t:1:6: $: unexpected \"g\"; expected four hexadecimal digits");
	refuse("\"\\udd1e\"", "zsmsim: t:1:8: $: half a surrogate pair; write both halves or the character itself");
	refuse("\"abc", "zsmsim: t:1:5: $: the text ends too early; expected the \" that ends the string");
	refuse("", "zsmsim: t:1:1: $: the text ends too early; expected a value");
}

/*
 * Columns count characters, not bytes, since that is what editors show. The
 * e-acute takes two bytes and the clef four. Expect: the bad word after two
 * characters of string is at column 8.
 *
 *	["é<clef>", x]	bytes  1 2 3-4 5-8 9 10 11 12
 *			column 1 2 3   4   5 6  7  8
 */
Test(json_text, columns_count_characters)
{
	refuse("[\"\xc3\xa9\xf0\x9d\x84\x9e\", x]",
	       "zsmsim: t:1:8: $[1]: \"x\" is not JSON; expected a number, a \"string\", true, false, null, { or [");
}

/* Bytes that are no UTF-8: cut short, overlong, a surrogate, beyond U+10FFFF. */
Test(json_text, refuses_invalid_utf8)
{
	static const char *const bad[] = {
		"\"\xc3\"", "\"\x80\"", "\"\xc0\x80\"", "\"\xe0\x9f\xbf\"", "\"\xed\xa0\x80\"",
		"\"\xf0\x8f\xbf\xbf\"", "\"\xf4\x90\x80\x80\"", "\"\xf5\x80\x80\x80\"", "\"\xff\"", "\xe9",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		cr_expect_not(accepts(bad[i]), "input %zu", i);
		cr_expect(strstr(error, "invalid UTF-8"), "input %zu: %s", i, error);
	}
}

/* 64 levels are allowed. Expect: 64 pass, the 65th bracket is refused where it stands. */
Test(json_text, depth_has_a_limit)
{
	char text[2 * 65 + 1] = "";

	memset(text, '[', 64);
	memset(text + 64, ']', 64);
	cr_expect(accepts(text), "%s", error);
	memset(text, '[', 65);
	memset(text + 65, ']', 65);
	cr_expect_not(accepts(text));
	cr_expect(strstr(error, "zsmsim: t:1:65: $[0][0]"), "%s", error);
	cr_expect(strstr(error, "nested deeper than 64 levels"), "%s", error);
}

/*
 * A million open brackets, or objects within objects, on a stack of 128 KiB:
 * a parser that recurses dies of it. Expect: an ordinary refusal.
 */
Test(json_text, a_million_levels_take_no_stack)
{
	static char text[5 * 1000000];
	struct rlimit limit = { 128 * 1024, 128 * 1024 };
	struct json_text doc;

	cr_assert_eq(setrlimit(RLIMIT_STACK, &limit), 0);
	memset(text, '[', 1000000);
	cr_expect_eq(parse(&doc, text, 1000000), 2);
	cr_expect(strstr(error, "nested deeper than 64 levels"), "%s", error);
	json_text_close(&doc);
	for (size_t i = 0; i < 1000000; i++)
		memcpy(text + 5 * i, "{\"a\":", 5);
	cr_expect_eq(parse(&doc, text, sizeof(text)), 2);
	cr_expect(strstr(error, "nested deeper than 64 levels"), "%s", error);
	json_text_close(&doc);
}

/*
 * The same key twice, once as an escape, deep inside; the same key in two
 * objects is fine. Expect: the second of the pair is named, and where the
 * first stands.
 */
Test(json_text, refuses_duplicate_keys)
{
	refuse("{\"a\":[{\"b\":1,\n \"c\":2, \"\\u0062\":3}]}",
	       "zsmsim: t:2:9: $.a[0][\"\\u0062\"]: duplicate key; keep one, the first is at line 1 column 8");
	refuse("{\"x\":{\"k\":1,\"k\":2},\"x\":0}",
	       "zsmsim: t:1:13: $.x.k: duplicate key; keep one, the first is at line 1 column 7");
	cr_expect(accepts("{\"a\":{\"b\":1},\"b\":{\"a\":1}}"));
}

/* A double ends at 1.8e308. Expect: 1e308 passes, 1e400 and -1e400 do not. */
Test(json_text, refuses_numbers_out_of_range)
{
	cr_expect(accepts("[1e308, -1e308, 1e-400]"));
	refuse("[0, 1e400]", "zsmsim: t:1:5: $[1]: number beyond what a double holds; write one below 1.8e308");
	refuse("-1e400", "zsmsim: t:1:1: $: number beyond what a double holds; write one below 1.8e308");
}

/* Keys with odd characters, and long ones, in a path. Expect: quoted, and cut between characters. */
Test(json_text, paths_stay_readable)
{
	char text[512] = "{\"", line[1024];

	refuse("{\"a b\":{\"c\":x}}",
	       "zsmsim: t:1:13: $[\"a b\"].c: \"x\" is not JSON; expected a number, a \"string\", true, false, null, { or [");
	for (int i = 0; i < 47; i++)
		strcat(text, "k");
	snprintf(line, sizeof(line), "zsmsim: t:1:54: $[\"%s\xc3\xa9...\"]: unexpected \"}\"; expected a value",
		 text + 2);
	strcat(text, "\xc3\xa9!\":}");
	refuse(text, line);
}

/*
 * All prefixes of a text, and the text with each byte replaced by each of a
 * few that matter. Expect: no prefix is complete, nothing crashes, and
 * whatever the scanner accepts, the tree builder accepts with the same shape
 * (the parse would say "cannot be parsed here").
 */
Test(json_text, scanner_and_tree_agree_on_mutations)
{
	static const char text[] = "{\"n\":\"t\\u00e9\\\"\",\"r\":[{\"w\":{\"s\":[64,1.5e2,-0]}},[],{}],\"b\":[true,false,null]}";
	static const char bytes[] = "{}[]\",:\\ue+-.019 \n\x80\xc3";
	size_t length = sizeof(text) - 1, accepted = 0;
	struct json_text doc;
	char changed[sizeof(text)];

	for (size_t i = 0; i < length; i++) {
		cr_expect_eq(parse(&doc, text, i), 2, "prefix of %zu bytes accepted", i);
		json_text_close(&doc);
		for (size_t b = 0; b < sizeof(bytes); b++) {
			memcpy(changed, text, sizeof(text));
			changed[i] = bytes[b];
			accepted += parse(&doc, changed, length) == 0;
			cr_expect_not(doc.links && strstr(error, "cannot be parsed"), "%s", changed);
			json_text_close(&doc);
		}
	}
	/* At least where the replacement was the byte itself. */
	cr_expect_gt(accepted, 20);
}

/* Each node leads back to its own place. Expect: the marks of a small tree. */
Test(json_text, nodes_know_their_place)
{
	static const char text[] = "{\"a\": [10,\n  {\"b\": null}]}";
	struct json_text doc;
	const struct json_mark *mark;
	const cJSON *b;

	cr_assert_eq(parse(&doc, text, sizeof(text) - 1), 0);
	b = doc.root->child->child->next->child;
	mark = &doc.marks.mark[json_text_mark(&doc, b)];
	cr_expect_eq(mark->line, 2);
	cr_expect_eq(mark->column, 9);
	cr_expect_eq(mark->key_column, 4);
	cr_expect_eq(json_text_mark(&doc, NULL), JSON_NO_MARK);
	json_text_close(&doc);
}

/* Letters lost, swapped, replaced. Expect: the word a reader would guess. */
Test(nearest, guesses_the_word)
{
	static const char *const known[] = { "region_mb", "procs", "kind", NULL };
	char *joined = join_words(known);

	cr_expect_str_eq(nearest_word("regoin_mb", known), "region_mb");
	cr_expect_str_eq(nearest_word("proc", known), "procs");
	cr_expect_str_eq(nearest_word("kidn", known), "kind");
	cr_expect_str_eq(nearest_word("", known), "kind");
	cr_expect_str_eq(joined, "region_mb, procs, kind");
	free(joined);
}
