/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compiler.c - see compiler.h. */
#include "trees/compiler.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scenarios/mem.h"
#include "trees/command.h"

/*
 * Warnings of a tree's own are its authors' business and shown to nobody, but
 * these make code that is not what was meant. -w would silence them too.
 */
static const char errors[] =
	"-Werror=implicit-function-declaration -Werror=implicit-int -Werror=int-conversion "
	"-Werror=incompatible-pointer-types";

/* For messages that a program can read. */
static const char messages[] = "-fno-diagnostics-show-option -fdiagnostics-color=never";

static void add(struct names *words, const char *word)
{
	names_add(words, word, strlen(word));
}

static void add_printed(struct names *words, char *word)
{
	add(words, word);
	free(word);
}

static void add_words(struct names *words, const char *text)
{
	static const char blanks[] = " \t\n";

	for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
		size_t nr = strcspn(text, blanks);

		names_add(words, text, nr);
		text += nr;
	}
}

static void add_all(struct names *words, const struct names *more)
{
	for (size_t i = 0; i < more->nr; i++)
		add(words, more->at[i]);
}

/* ---- which compiler ---- */

/* Commands run in another directory, so a path must be whole. */
static void make_absolute(struct names *words)
{
	char here[PATH_MAX], *whole;

	if (!strchr(words->at[0], '/') || words->at[0][0] == '/' || !getcwd(here, sizeof(here)))
		return;
	whole = scn_printf("%s/%s", here, words->at[0]);
	free(words->at[0]);
	words->at[0] = whole;
}

/* Where $PATH has it; two compilers may call themselves the same. */
static char *find_program(const char *name)
{
	const char *path = getenv("PATH");

	if (strchr(name, '/'))
		return scn_strdup(name);
	for (const char *at = path ? path : "/usr/bin:/bin"; *at;) {
		size_t nr = strcspn(at, ":");
		char *candidate = scn_printf("%.*s/%s", (int)nr, at, name);

		if (!access(candidate, X_OK))
			return candidate;
		free(candidate);
		at += nr + (at[nr] == ':');
	}
	return scn_strdup(name);
}

static int not_there(const char *name, struct failure *failure)
{
	if (errno == EINTR)
		return fail(failure, FAILURE_HOST, "interrupted; nothing was written");
	return fail(failure, FAILURE_INPUT, "%s: %s; install the Debian package gcc, or name a compiler with --cc", name,
		    strerror(errno));
}

/* The command with @more behind it; what it says is for @said. */
static int ask(struct compiler *c, const char *more, const char *scratch, struct text *said, struct failure *failure)
{
	struct names words = { 0 };
	int status;

	add_all(&words, &c->words);
	add_words(&words, more);
	status = command_run(&words, scratch, NULL, said);
	if (status < 0)
		status = not_there(c->words.at[0], failure);
	else if (status > 0)
		status = fail(failure, FAILURE_INPUT, "%s: it fails when it is called with %s; name gcc or clang with --cc",
			      c->words.at[0], more);
	names_free(&words);
	return status;
}

static int find_version(struct compiler *c, const char *scratch, struct failure *failure)
{
	struct text said;
	int status = ask(c, "--version", scratch, &said, failure);

	if (status == 0) {
		char *path = find_program(c->words.at[0]);

		c->version = scn_printf("%.*s", (int)strcspn(said.at, "\n"), said.at);
		c->identity = scn_printf("%s\n%s", path, said.at);
		free(path);
	}
	text_free(&said);
	return status;
}

/* By what it defines: both have many names, and the texts of their --version are anybody's. */
static int find_kind(struct compiler *c, const char *scratch, struct failure *failure)
{
	struct text said;
	int status = ask(c, "-dM -E -x c /dev/null", scratch, &said, failure);

	if (status == 0) {
		c->clang = strstr(said.at, "#define __clang__ ");
		if (!strstr(said.at, "#define __GNUC__ "))
			status = fail(failure, FAILURE_INPUT, "%s: it is neither gcc nor clang; name one of them with --cc",
				      c->words.at[0]);
	}
	text_free(&said);
	return status;
}

int compiler_find(struct compiler *c, const char *command, const char *scratch, struct failure *failure)
{
	int status;

	*c = (struct compiler){ 0 };
	add_words(&c->words, command ? command : KSHIM_CC);
	if (!c->words.nr)
		return fail(failure, FAILURE_INPUT, "--cc: no command; name a compiler, as in --cc clang");
	make_absolute(&c->words);
	status = find_version(c, scratch, failure);
	return status ? status : find_kind(c, scratch, failure);
}

void compiler_free(struct compiler *c)
{
	names_free(&c->words);
	free(c->version);
	free(c->identity);
	memset(c, 0, sizeof(*c));
}

/* ---- compiling ---- */

static void add_flags(struct names *words, const struct compiler *c)
{
	add_words(words, KSHIM_CFLAGS);
	add_words(words, c->clang ? KSHIM_CLANG_CFLAGS : KSHIM_GCC_CFLAGS);
	add_words(words, errors);
}

char *compiler_flags(const struct compiler *c)
{
	struct names words = { 0 };
	char *text;

	add_all(&words, &c->words);
	add_flags(&words, c);
	text = names_join(&words, " ");
	names_free(&words);
	return text;
}

/* What a tree brings is found before what the shim has for trees that lack it. */
static void add_includes(struct names *words, const struct compile_job *job)
{
	add_printed(words, scn_printf("-ffile-prefix-map=%s/=", job->dir));
	add_printed(words, scn_printf("-ffile-prefix-map=%s/=", job->src));
	add_printed(words, scn_printf("-I%s", job->dir));
	add_printed(words, scn_printf("-I%s/include", job->dir));
	if (job->with_zram)
		add_printed(words, scn_printf("-I%s/drivers/block/zram", job->dir));
	add_printed(words, scn_printf("-I%s/model/kshim/include", job->src));
	add_printed(words, scn_printf("-I%s", job->src));
	add(words, "-include");
	add_printed(words, scn_printf("%s/tree_features.h", job->dir));
	add(words, "-DTREE_ZSMALLOC_C=\"mm/zsmalloc.c\"");
	if (job->with_zram) {
		add(words, "-DTREE_WITH_ZRAM");
		add(words, "-DTREE_ZRAM_DRV_C=\"drivers/block/zram/zram_drv.c\"");
	}
}

int compiler_compile(const struct compiler *c, const struct compile_job *job, struct text *output)
{
	struct names words = { 0 };
	int status;

	add_all(&words, &c->words);
	add_flags(&words, c);
	add_words(&words, messages);
	add_includes(&words, job);
	add(&words, "-c");
	add(&words, "-o");
	add(&words, job->object);
	add_printed(&words, scn_printf("%s/%s", job->src, job->source));
	status = command_run(&words, job->scratch, NULL, output);
	names_free(&words);
	return status;
}

int compiler_link(const struct compiler *c, const struct names *objects, const char *archive, const char *to,
		  const char *scratch, struct text *output)
{
	struct names words = { 0 };
	int status;

	add_all(&words, &c->words);
	add_words(&words, "-shared -nostdlib -Wl,-Bsymbolic -Wl,--build-id=none -o");
	add(&words, to);
	add_all(&words, objects);
	add(&words, "-Wl,--whole-archive");
	add(&words, archive);
	add(&words, "-Wl,--no-whole-archive");
	status = command_run(&words, scratch, NULL, output);
	names_free(&words);
	return status;
}
