/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_trees.c - what `zsmsim kernel build` is made of: the scanner, the
 * features header, patches, compilers' messages, and what a module says about
 * itself. All texts are made up here.
 */
#include <criterion/criterion.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trees/complaint.h"
#include "trees/copy.h"
#include "trees/diagnose.h"
#include "trees/features.h"
#include "trees/files.h"
#include "trees/mismatch.h"
#include "trees/module_info.h"
#include "trees/patches.h"
#include "trees/scan.h"
#include "trees/undefined.h"

static char directory[] = "/tmp/zsmsim-trees-XXXXXX";

static void set_up(void)
{
	cr_assert_not_null(mkdtemp(directory));
	cr_assert_eq(chdir(directory), 0);
}

static void tear_down(void)
{
	remove_all(directory);
	cr_assert(!is_directory(directory));
}

static void put(const char *path, const char *text)
{
	cr_assert_eq(make_parents(path), 0);
	cr_assert_eq(file_write(path, text, strlen(text)), 0);
}

static void expect_words(const struct names *names, const char *wanted)
{
	char *words = names_join(names, " ");

	cr_expect_str_eq(words, wanted);
	free(words);
}

static void expect_defines(const struct defines *defines, const char *wanted)
{
	char *text = defines_text(defines);

	cr_expect_str_eq(text, wanted);
	free(text);
}

/* ---- scanner ---- */

static struct scan scan;

static void scan_it(const char *text)
{
	memset(&scan, 0, sizeof(scan));
	scan_text(&scan, text, strlen(text));
	scan_finish(&scan);
}

static void forget_scan(void)
{
	scan_free(&scan);
}

TestSuite(scan, .fini = forget_scan);

/* -1: no such function. */
static int params(const char *name)
{
	const struct scan_function *f = scan_function(&scan, name);

	return f ? (int)f->params : -1;
}

Test(scan, functions_and_their_parameters)
{
	scan_it("int none(void)\n{\n}\n"
		"int empty() { return 0; }\n"
		"static inline struct pool *one(struct pool *pool) { if (x) { y(); } return z; }\n"
		"unsigned long\nlines(struct pool *pool,\n      size_t size,\n      void (*fn)(int a, int b))\n{\n}\n"
		"static void __init attributes(int a[2], int b) __must_hold(&pool->lock)\n{\n}\n"
		"static __printf(1, 2) void printer(const char *format, ...)\n{\n}\n");
	cr_expect_eq(params("none"), 0);
	cr_expect_eq(params("empty"), 0);
	cr_expect_eq(params("one"), 1);
	/* Expect the commas of the function pointer not to count. */
	cr_expect_eq(params("lines"), 3);
	cr_expect_eq(params("attributes"), 2);
	cr_expect_eq(params("printer"), 2);
	cr_expect_eq(scan.nr_functions, 6);
}

/* Prototypes, calls, macros and texts define nothing. */
Test(scan, what_defines_no_function)
{
	scan_it("int prototype(int a);\n"
		"/* int in_comment(void) { } */\n"
		"// int in_line(void) { } \\\n int continued(void) { }\n"
		"static const char *text = \"int in_text(void) { }\";\n"
		"static char mark = '{', quote = '\\'';\n"
		"#define IN_MACRO(x) int in_macro(void) \\\n{ \\\n}\n"
		"EXPORT_SYMBOL(prototype);\n"
		"static struct ops ops = { .open = call(1), .close = { other(2) } };\n"
		"struct s { int (*pointer)(void); };\n"
		"int last(void) { inner(1); while (x) { } }\n");
	cr_expect_eq(params("last"), 0);
	cr_expect_eq(scan.nr_functions, 1, "%zu functions", scan.nr_functions);
	cr_expect(names_have(&scan.macros, "IN_MACRO"));
}

/*
 * Two heads for one body, two bodies for one name: all branches are read, and
 * braces of one do not open a block in the other.
 */
Test(scan, branches_of_conditions)
{
	scan_it("#ifdef CONFIG_A\n"
		"static int twice(int a)\n{\n"
		"#else\n"
		"static int twice(int a, int b)\n{\n"
		"#endif\n"
		"	return 0;\n}\n"
		"#if defined(CONFIG_B)\nint stub(int a) { }\n#else\nint stub(int a, int b, int c) { }\n#endif\n"
		"int after(int a, int b, int c, int d) { }\n");
	/* Expect the first definition to count. */
	cr_expect_eq(params("twice"), 1);
	cr_expect_eq(params("stub"), 1);
	cr_expect_eq(params("after"), 4);
	cr_expect_eq(scan.nr_functions, 3);
	cr_expect(names_have(&scan.words, "CONFIG_B"));
}

Test(scan, macro_without_semicolon_before_a_function)
{
	scan_it("DEFINE_SOMETHING(name)\nstatic int behind(int a, int b)\n{\n}\n");
	cr_expect_eq(params("behind"), 2);
	cr_expect_eq(scan.nr_functions, 1);
}

Test(scan, fields)
{
	static const char *const wanted[] = {
		"pool_name", "pool_table", "pool_flag", "pool_kind", "pool_callback", "pool_a", "pool_b", "pool_inner",
		"pool_in_union", "pool_deep", "pool_lock", "pool_bits", "inner_own"
	};

	scan_it("struct pool {\n"
		"	const char *name;\n"
		"	struct class *table[SIZE + 1];\n"
		"	unsigned int flag:1, kind:CLASS_BITS;\n"
		"	int (*callback)(int x, int y);\n"
		"	struct list_head a, *b;\n"
		"	struct inner { int own; } inner;\n"
		"	union { long in_union; struct { int deep; }; };\n"
		"	spinlock_t lock ____cacheline_aligned_in_smp;\n"
		"#ifdef CONFIG_X\n	DECLARE_BITMAP(bits, 8);\n#endif\n"
		"};\n"
		"struct prototype;\n"
		"static struct pool *f(void) { int local; return 0; }\n");
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		cr_expect(names_have(&scan.fields, wanted[i]), "%s is missing", wanted[i]);
	cr_expect_eq(scan.fields.nr, sizeof(wanted) / sizeof(wanted[0]));
	cr_expect_eq(params("f"), 0);
}

Test(scan, enums_macros_includes)
{
	scan_it("#include <linux/mm.h>\n# include \"own.h\"\n#include <linux/atomic/atomic-long.h>\n"
		"enum group { FIRST, SECOND = CALL(1, 2), THIRD = 1 << 3, NR_GROUPS, };\n"
		"#define PLAIN 1\n#define WITH(x) (x)\n"
		"int f(enum group g) { enum { LOCAL }; return g; }\n");
	expect_words(&scan.enums, "FIRST NR_GROUPS SECOND THIRD");
	expect_words(&scan.macros, "PLAIN WITH");
	expect_words(&scan.includes, "linux/mm.h own.h linux/atomic/atomic-long.h");
}

/* Nothing that is no C may lead out of the text, or take forever. */
Test(scan, any_text, .timeout = 20)
{
	static const char *const texts[] = {
		"", "{", "}", "}}}{{{", "int f(", "int f(void) {", "struct s {", "struct s { int a", "struct s { struct {",
		"enum {", "#", "#define", "#include <", "#include \"", "/*", "//", "\"", "'", "\\", "#else\n}", "f(){",
		"struct { int a; } ;", "int f(void) { struct s { int", "struct s { ( ; } ;", "#if\n#if\n{\n#else\n",
	};
	size_t bytes = 1 << 20;
	char *many = malloc(bytes);

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		scan_it(texts[i]);
		scan_free(&scan);
	}
	for (const char *c = "({[;}#\"=,a"; *c; c++) {
		memset(many, *c, bytes - 1);
		many[bytes - 1] = '\0';
		scan_it(many);
		scan_free(&scan);
	}
	for (size_t i = 0; i + 8 < bytes; i += 8)
		memcpy(many + i, "struct{\n", 8);
	scan_it(many);
	free(many);
}

/* ---- the features header ---- */

static bool has_line(const char *text, const char *line)
{
	const char *at = strstr(text, line);

	return at && (at == text || at[-1] == '\n') && at[strlen(line)] == '\n';
}

TestSuite(features, .fini = forget_scan);

Test(features, what_the_shim_asks)
{
	struct defines defines = { 0 };
	struct failure failure = { 0 };
	char *text;

	scan_it("#define LIMIT CONFIG_ZSMALLOC_CHAIN_SIZE\nstruct pool { int lock; };\nenum { A };\n"
		"void zs_free(struct pool *p, long h) { queue_work(x); }\n");
	cr_assert_eq(defines_add(&defines, "CONFIG_COMPACTION=n", &failure), 0);
	cr_assert_eq(defines_add(&defines, "CONFIG_ZSMALLOC_STAT=y", &failure), 0);
	cr_assert_eq(defines_add(&defines, "DEBUG=n", &failure), 0);
	cr_assert_eq(defines_add(&defines, "NOTHING=", &failure), 0);
	text = features_text(&scan, NULL, &defines);
	cr_expect(has_line(text, "#define TREE_HAS_zs_free 1"));
	cr_expect(has_line(text, "#define TREE_PARAMS_zs_free 2"));
	cr_expect(has_line(text, "#define TREE_FIELD_pool_lock 1"));
	cr_expect(has_line(text, "#define TREE_ENUM_A 1"));
	cr_expect(has_line(text, "#define TREE_MACRO_LIMIT 1"));
	cr_expect(has_line(text, "#define TREE_USES_queue_work 1"));
	cr_expect_null(strstr(text, "TREE_USES_llist_add"));
	/* y and n mean something to a configuration symbol only. */
	cr_expect_null(strstr(text, "define CONFIG_COMPACTION"));
	cr_expect(has_line(text, "#define CONFIG_ZSMALLOC_STAT 1"));
	cr_expect(has_line(text, "#define DEBUG n"));
	cr_expect(has_line(text, "#define NOTHING"));
	cr_expect(has_line(text, "#define CONFIG_ZSMALLOC_CHAIN_SIZE 8"));
	free(text);
	expect_defines(&defines, "CONFIG_COMPACTION=n CONFIG_ZSMALLOC_STAT=y DEBUG=n NOTHING=");
	defines_free(&defines);
}

/* The last of two values of a name counts, and names are in order, however they were given. */
Test(features, defines_are_a_set)
{
	struct defines defines = { 0 };
	struct failure failure = { 0 };

	cr_assert_eq(defines_add(&defines, "B=1", &failure), 0);
	cr_assert_eq(defines_add(&defines, "A=x=y", &failure), 0);
	cr_assert_eq(defines_add(&defines, "B=2", &failure), 0);
	expect_defines(&defines, "A=x=y B=2");
	cr_expect_eq(defines_add(&defines, "C", &failure), FAILURE_INPUT);
	cr_expect_eq(defines_add(&defines, "C=a\\", &failure), FAILURE_INPUT);
	expect_defines(&defines, "A=x=y B=2");
	defines_free(&defines);
	failure_free(&failure);
}

/* 4 pages before there was a choice, 8 by default since, or what is set. */
Test(features, chain_size)
{
	struct defines defines = { 0 };
	struct failure failure = { 0 };
	unsigned size;

	scan_it("int old;");
	cr_expect_eq(features_chain_size(&scan, &defines, &size, &failure), 0);
	cr_expect_eq(size, 4);
	scan_free(&scan);
	scan_it("int limit = CONFIG_ZSMALLOC_CHAIN_SIZE;");
	cr_expect_eq(features_chain_size(&scan, &defines, &size, &failure), 0);
	cr_expect_eq(size, 8);
	cr_assert_eq(defines_add(&defines, CHAIN_SIZE_NAME "=16", &failure), 0);
	cr_expect_eq(features_chain_size(&scan, &defines, &size, &failure), 0);
	cr_expect_eq(size, 16);
	cr_assert_eq(defines_add(&defines, CHAIN_SIZE_NAME "=17", &failure), 0);
	cr_expect_eq(features_chain_size(&scan, &defines, &size, &failure), FAILURE_INPUT);
	defines_free(&defines);
	failure_free(&failure);
}

/* ---- patches ---- */

static struct patch patch;
static struct failure patch_failure;

static int split(const char *text)
{
	struct text all = { (char *)text, strlen(text) };

	return patch_split(&patch, "p", &all, &patch_failure);
}

static void forget_patch(void)
{
	patch_free(&patch);
	failure_free(&patch_failure);
}

TestSuite(patches, .fini = forget_patch);

/*
 * A mail with two files. Expect two parts, each with its own lines: the
 * signature that looks like a removed line, and the text that looks like a
 * header, belong to neither.
 */
Test(patches, mail_with_two_files)
{
	cr_assert_eq(split("Subject: x\n\n--- not a header\n\n"
			   "diff --git a/mm/zsmalloc.c b/mm/zsmalloc.c\nindex 1..2 100644\n"
			   "--- a/mm/zsmalloc.c\t2020-01-01\n+++ b/mm/zsmalloc.c\t2020-01-02\n"
			   "@@ -1,3 +1,3 @@ int f(void)\n a\n-b\n+B\n c\n"
			   "@@ -10 +10,2 @@\n d\n+e\n"
			   "diff --git a/mm/vmscan.c b/mm/vmscan.c\n"
			   "--- a/mm/vmscan.c\n+++ b/mm/vmscan.c\n@@ -5,2 +5,1 @@\n x\n-- y\n"
			   "-- \n2.39\n"), 0, "%s", patch_failure.text);
	cr_assert_eq(patch.nr, 2);
	cr_expect_str_eq(patch.parts[0].file, "mm/zsmalloc.c");
	cr_expect_str_eq(patch.parts[0].text, "--- a/mm/zsmalloc.c\n+++ b/mm/zsmalloc.c\n"
			 "@@ -1,3 +1,3 @@ int f(void)\n a\n-b\n+B\n c\n@@ -10 +10,2 @@\n d\n+e\n");
	cr_assert_eq(patch.parts[0].nr_hunks, 2);
	cr_expect_eq(patch.parts[0].hunks[1].line, 14);
	cr_expect_eq(patch.parts[0].hunks[1].from, 10);
	expect_words(&patch.parts[0].hunks[0].old, "a b c");
	cr_expect_str_eq(patch.parts[1].file, "mm/vmscan.c");
	cr_expect_str_eq(patch.parts[1].text, "--- a/mm/vmscan.c\n+++ b/mm/vmscan.c\n@@ -5,2 +5,1 @@\n x\n-- y\n");
}

Test(patches, new_and_deleted_files)
{
	cr_assert_eq(split("--- /dev/null\n+++ b/mm/zpdesc.h\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n"
			   "--- a/mm/old.h\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"), 0, "%s", patch_failure.text);
	cr_assert_eq(patch.nr, 2);
	cr_expect(patch.parts[0].creates && !patch.parts[0].deletes);
	cr_expect_str_eq(patch.parts[0].text, "--- /dev/null\n+++ b/mm/zpdesc.h\n@@ -0,0 +1 @@\n+x\n"
			 "\\ No newline at end of file\n");
	cr_expect(patch.parts[1].deletes && !patch.parts[1].creates);
	cr_expect_str_eq(patch.parts[1].file, "mm/old.h");
}

/* Mail programs change line ends and cut blanks off empty lines. */
Test(patches, line_ends)
{
	cr_assert_eq(split("--- a/mm/x.c\r\n+++ b/mm/x.c\r\n@@ -1,2 +1,3 @@\r\n a\r\n\r\n+b\r\n"), 0, "%s",
		     patch_failure.text);
	cr_expect_str_eq(patch.parts[0].text, "--- a/mm/x.c\n+++ b/mm/x.c\n@@ -1,2 +1,3 @@\n a\n \n+b\n");
}

Test(patches, damaged)
{
	static const struct {
		const char *text, *problem;
	} cases[] = {
		{ "", "p: no diff" },
		{ "--- a/x\n+++ b/x\n", "p: no diff" },
		{ "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n", "p:4: the patch ends" },
		{ "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\nX\n", "p:5: the hunk is shorter" },
		{ "--- a/x\n+++ b/x\n@@ -1,1 +1,2 @@\n-a\n-b\n", "p:5: the hunk is longer" },
		{ "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n\tb\n", "p:5: a line of the hunk begins with a tab" },
		{ "--- a/x\n+++ b/x\n@@ -x +1 @@\n", "p:3: the @@" },
		{ "--- a/\n+++ b/\n@@ -1 +1 @@\n", "p:1: no file" },
		{ "--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n", "p:1: no file" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		cr_expect_eq(split(cases[i].text), FAILURE_INPUT, "case %zu", i);
		cr_expect(patch_failure.text && !strncmp(patch_failure.text, cases[i].problem, strlen(cases[i].problem)),
			  "case %zu: %s", i, patch_failure.text);
		forget_patch();
	}
}

/*
 * The file has two lines more in between, and one is spelt otherwise:
 *
 *   hunk   one  two        three  four
 *   file   one  two  x  y  three  five  six
 *
 * Expect those two lines, the one expected and the one in its place; not six,
 * which is behind the hunk.
 */
Test(patches, why_a_hunk_does_not_fit, .init = set_up, .fini = tear_down)
{
	struct hunk hunk = { .line = 1, .from = 1 };
	const char *const old[] = { "one", "two", "three", "four" };
	char *text;

	for (size_t i = 0; i < 4; i++)
		names_add(&hunk.old, old[i], strlen(old[i]));
	put("file", "zero\none\ntwo\nx\ny\nthree\nfive\nsix\n");
	text = mismatch_text("file", &hunk, 1);
	cr_expect_str_eq(text, "\n  tree has      4: x\n  tree has      5: y\n  patch has      : four");
	free(text);
	text = mismatch_text("nowhere", &hunk, 1);
	cr_expect_str_eq(text, "");
	free(text);
	names_free(&hunk.old);
}

/* ---- compilers' messages ---- */

static void expect_complaint(const char *text, enum lack lack, const char *name, const char *of)
{
	static const char *const dirs[] = { "/private", "/src", NULL };
	struct complaint c;

	complaint_read(&c, text, dirs);
	cr_assert_not_null(c.file, "%s", text);
	cr_expect_str_eq(c.file, "mm/zsmalloc.c");
	cr_expect_eq(c.line, 12);
	cr_expect_eq(c.lack, lack, "%d for %s", c.lack, text);
	cr_expect_str_eq(c.name ? c.name : "none", name);
	cr_expect_str_eq(c.of ? c.of : "none", of);
	complaint_free(&c);
}

#define AT "/private/mm/zsmalloc.c:12:3: error: "

/* What gcc 12 and clang 14 say of the same mistakes. */
Test(complaint, forms)
{
	expect_complaint(AT "implicit declaration of function 'f'; did you mean 'g'?\n", LACK_FUNCTION, "f", "none");
	expect_complaint(AT "implicit declaration of function 'f' is invalid in C99\n", LACK_FUNCTION, "f", "none");
	expect_complaint(AT "unknown type name 't'\n", LACK_TYPE, "t", "none");
	expect_complaint(AT "'N' undeclared (first use in this function)\n", LACK_NAME, "N", "none");
	expect_complaint(AT "use of undeclared identifier 'N'\n", LACK_NAME, "N", "none");
	expect_complaint(AT "'struct page' has no member named 'x'\n", LACK_MEMBER, "x", "struct page");
	expect_complaint(AT "no member named 'x' in 'struct page'\n", LACK_MEMBER, "x", "struct page");
	expect_complaint(AT "invalid use of undefined type 'struct s'\n", LACK_STRUCT, "struct s", "none");
	expect_complaint(AT "incomplete definition of type 'struct s'\n", LACK_STRUCT, "struct s", "none");
	expect_complaint("/private/mm/zsmalloc.c:12:10: fatal error: linux/x.h: No such file or directory\n",
			 LACK_HEADER, "linux/x.h", "none");
	expect_complaint("/private/mm/zsmalloc.c:12:10: fatal error: 'linux/x.h' file not found\n", LACK_HEADER,
			 "linux/x.h", "none");
	expect_complaint(AT "expected ';' before '}' token\n", LACK_NONE, "none", "none");
}

/* Warnings before it and errors after it are not the first error; its own lines are shown. */
Test(complaint, first_error_and_its_lines)
{
	static const char *const dirs[] = { "/private", NULL };
	struct complaint c;

	complaint_read(&c, "In file included from /src/tree.c:17:\n"
		       "/private/mm/zsmalloc.c:3:1: warning: something\n    3 | int a;\n"
		       "/private/mm/zsmalloc.c: In function 'f':\n"
		       "/private/mm/zsmalloc.c:5:9: error: expected expression\n    5 |  x +;\n      |     ^\n"
		       "/private/mm/zsmalloc.c:6:9: error: another\n", dirs);
	cr_assert_not_null(c.file);
	cr_expect_eq(c.line, 5);
	cr_expect_str_eq(c.what, "expected expression");
	cr_expect_str_eq(c.more, "\n      5 |  x +;\n        |     ^");
	complaint_free(&c);
	complaint_read(&c, "cc1: out of memory\n", dirs);
	cr_expect_null(c.file);
	complaint_free(&c);
}

/*
 * A tree has the declaration in one of two headers that the file includes, as
 * an argument in the other. Expect the first.
 */
Test(complaint, header_that_declares, .init = set_up, .fini = tear_down)
{
	struct text output = { .at = "d/mm/zsmalloc.c:1:1: error: implicit declaration of function 'frob'\n" };
	struct diagnose_places places = { "tree", "d", "src", &scan };
	struct failure failure = { 0 };

	output.nr = strlen(output.at);
	put("tree/include/linux/a.h", "int g(int (*frob)(int), int x);\n/* frob(x); */\n");
	put("tree/include/linux/b.h", "static inline void\nfrob(int x)\n{\n}\n");
	scan_it("#include <linux/a.h>\n#include <linux/b.h>\n");
	cr_expect_eq(diagnose_compiler(&places, &output, &failure), FAILURE_INPUT);
	cr_expect_str_eq(failure.text, "mm/zsmalloc.c:1: the shim lacks 'frob' (a function); declare it in "
			 "model/kshim/include/linux/b.h, see doc/kernel-shim.md");
	failure_free(&failure);
	scan_free(&scan);
}

/* ---- the tree ---- */

static void expect_version(const char *makefile, const char *wanted)
{
	char *version;

	put("tree/Makefile", makefile);
	version = tree_version("tree");
	cr_expect_str_eq(version, wanted);
	free(version);
}

Test(tree, version, .init = set_up, .fini = tear_down)
{
	char *version = tree_version("tree");

	cr_expect_str_eq(version, "unknown");
	free(version);
	expect_version("# SPDX\nVERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 117\nEXTRAVERSION =\nNAME = X\n", "6.12.117");
	expect_version("VERSION = 7\nPATCHLEVEL = 0\nSUBLEVEL = 0\nEXTRAVERSION = -rc3\n", "7.0.0-rc3");
	expect_version("VERSION = 6\nPATCHLEVEL = 1", "6.1");
	expect_version("all:\n\techo VERSION = 6\n", "unknown");
	/* It goes into a line of text. */
	expect_version("VERSION = 6$(shell x)\nPATCHLEVEL = 1\n", "6.1");
}

/* Only what a module needs is copied, and the copy goes away whole. */
Test(tree, copy, .init = set_up, .fini = tear_down)
{
	struct failure failure = { 0 };
	struct copy copy;
	char *dir, *name;

	put("tree/mm/zsmalloc.c", "int a;\n");
	put("tree/mm/zpdesc.h", "int b;\n");
	put("tree/mm/internal.h", "int c;\n");
	cr_assert_eq(copy_create(&copy, "tree", false, NULL, &failure), 0, "%s", failure.text);
	dir = strdup(copy.dir);
	name = copy_path(&copy, "mm/zpdesc.h");
	cr_expect(is_file(name));
	free(name);
	name = copy_path(&copy, "mm/internal.h");
	cr_expect(!is_file(name));
	free(name);
	copy_remove(&copy);
	cr_expect(!is_directory(dir));
	free(dir);
}

/* The id tells content and names apart, and nothing else. */
Test(tree, source_id, .init = set_up, .fini = tear_down)
{
	const char *const contents[] = { "int a;\n", "int a;\n", "int a; \n" };
	struct failure failure = { 0 };
	char *id[3];

	for (size_t i = 0; i < 3; i++) {
		struct copy copy;

		put("tree/mm/zsmalloc.c", contents[i]);
		cr_assert_eq(copy_create(&copy, "tree", false, NULL, &failure), 0);
		id[i] = copy_source_id(&copy);
		copy_remove(&copy);
	}
	cr_expect_str_eq(id[0], id[1]);
	cr_expect_str_neq(id[0], id[2]);
	for (size_t i = 0; i < 3; i++)
		free(id[i]);
}

/* ---- modules ---- */

static const struct module_info sample = {
	.tree = "6.12.117", .source_id = "0123456789abcdef", .patches = "a.patch, \"b\".patch",
	.defines = "CONFIG_X=y", .compiler = "gcc 12", .chain_size = 8, .with_zram = true,
};

static void put_module(const char *path)
{
	put(path, "\177ELF and what a linker would write");
	cr_assert_eq(module_info_append(path, &sample), 0);
}

Test(module, round_trip, .init = set_up, .fini = tear_down)
{
	struct module_info info;
	char error[256], *id;

	put_module("m.so");
	cr_assert_eq(module_info_read("m.so", &info, error, sizeof(error)), 0, "%s", error);
	cr_expect_str_eq(info.tree, sample.tree);
	cr_expect_str_eq(info.source_id, sample.source_id);
	cr_expect_str_eq(info.patches, sample.patches);
	cr_expect_str_eq(info.defines, sample.defines);
	cr_expect_str_eq(info.compiler, sample.compiler);
	cr_expect_eq(info.chain_size, 8);
	cr_expect(info.with_zram);
	cr_expect_eq(strlen(info.id), 16);
	id = strdup(info.id);
	module_info_free(&info);
	/* The same again is the same module. */
	put_module("n.so");
	cr_assert_eq(module_info_read("n.so", &info, error, sizeof(error)), 0, "%s", error);
	cr_expect_str_eq(info.id, id);
	module_info_free(&info);
	free(id);
}

static void expect_refused(const char *path, const char *why)
{
	struct module_info info;
	char error[256] = "";

	cr_expect_eq(module_info_read(path, &info, error, sizeof(error)), 2, "%s", why);
	cr_expect(*error && !strchr(error, '\n'), "%s: %s", why, error);
	cr_expect_null(info.id);
	module_info_free(&info);
}

/* Whichever byte is changed and wherever the file is cut: it is noticed. */
Test(module, damage, .init = set_up, .fini = tear_down)
{
	struct text whole;

	put_module("m.so");
	cr_assert_eq(file_read("m.so", BINARY_BYTES_MAX, &whole), 0);
	for (size_t i = 0; i < whole.nr; i++) {
		char what[64];

		snprintf(what, sizeof(what), "byte %zu", i);
		whole.at[i] ^= 0x10;
		cr_assert_eq(file_write("d.so", whole.at, whole.nr), 0);
		expect_refused("d.so", what);
		whole.at[i] ^= 0x10;
		cr_assert_eq(file_write("d.so", whole.at, i), 0);
		expect_refused("d.so", "cut");
	}
	text_free(&whole);
}

Test(module, what_is_none, .init = set_up, .fini = tear_down)
{
	put("empty.so", "");
	expect_refused("empty.so", "empty");
	put("text.so", "twenty-four bytes or more of text");
	expect_refused("text.so", "text");
	expect_refused("nowhere.so", "missing");
	expect_refused(".", "directory");
	cr_assert_eq(mkfifo("pipe.so", 0600), 0);
	expect_refused("pipe.so", "pipe");
}

/* This program, of which nothing is undefined that the machine supplies, and files that are no objects. */
Test(module, undefined_symbols, .init = set_up, .fini = tear_down)
{
	struct failure failure = { 0 };
	struct names names = { 0 };

	/* A link to the program. */
	cr_assert_eq(undefined_symbols("/proc/self/exe", &names, &failure), 0, "%s", failure.text);
	cr_expect(names_have(&names, "mkdtemp"));
	cr_expect(!names_have(&names, "undefined_symbols"));
	names_free(&names);
	put("text", "\177ELF but nothing more, or not what it should be");
	cr_expect_eq(undefined_symbols("text", &names, &failure), FAILURE_HOST);
	failure_free(&failure);
}
