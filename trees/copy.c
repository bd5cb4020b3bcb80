/* SPDX-License-Identifier: GPL-3.0-or-later */
/* copy.c - see copy.h. */
#include "trees/copy.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scenarios/mem.h"
#include "trees/digest.h"
#include "trees/files.h"

#define ZSMALLOC "mm/zsmalloc.c"
#define ZRAM_DIR "drivers/block/zram"
#define ZRAM ZRAM_DIR "/zram_drv.c"

static const char *const parts_of_copy[] = { "mm", "include", "drivers" };
static const char *const source_ends[] = { ".c", ".h", NULL };

#define NR(array) (sizeof(array) / sizeof((array)[0]))

/* ---- what is a tree ---- */

static int check_tree(const char *tree, struct failure *failure)
{
	struct stat st;

	if (stat(tree, &st))
		return fail(failure, FAILURE_INPUT, "%s: %s; name the top directory of a kernel source tree", tree,
			    strerror(errno));
	if (!S_ISDIR(st.st_mode))
		return fail(failure, FAILURE_INPUT, "%s: not a directory; name the top directory of a kernel source "
			    "tree, which has " ZSMALLOC, tree);
	return 0;
}

/* What is wrong with the content of a source file, or NULL. */
static const char *unusual_text(const struct text *text)
{
	if (memchr(text->at, '\0', text->nr))
		return "it is not text (there is a zero byte in it)";
	if (text->at[strspn(text->at, " \t\r\n")] == '\0')
		return "the file is empty";
	return NULL;
}

static int copy_text(struct copy *copy, const char *name, const struct text *text, struct failure *failure)
{
	char *to = copy_path(copy, name);
	int status = make_parents(to) || file_write(to, text->at, text->nr);

	if (status)
		status = fail(failure, FAILURE_HOST, "%s: %s; make room, or name another directory in TMPDIR", to,
			      strerror(errno));
	free(to);
	return status;
}

/* A file that every tree has. */
static int copy_needed(struct copy *copy, const char *tree, const char *name, struct failure *failure)
{
	const char *wrong;
	struct text text;
	int status;

	if (file_read_below(tree, name, TEXT_BYTES_MAX, &text))
		wrong = strerror(errno);
	else
		wrong = unusual_text(&text);
	if (wrong)
		status = fail(failure, FAILURE_INPUT, "%s/%s: %s; name the top directory of a kernel source tree", tree,
			      name, wrong);
	else
		status = copy_text(copy, name, &text, failure);
	text_free(&text);
	return status;
}

static int copy_if_there(struct copy *copy, const char *tree, const char *name, struct failure *failure)
{
	struct text text;
	int status;

	if (file_read_below(tree, name, TEXT_BYTES_MAX, &text)) {
		if (errno == ENOENT || errno == ENOTDIR)
			return 0;
		return fail(failure, FAILURE_INPUT, "%s/%s: %s; make it a readable file", tree, name, strerror(errno));
	}
	status = copy_text(copy, name, &text, failure);
	text_free(&text);
	return status;
}

static int copy_zram(struct copy *copy, const char *tree, struct failure *failure)
{
	char *dir = scn_printf("%s/" ZRAM_DIR, tree);
	struct names names = { 0 };
	int status = copy_needed(copy, tree, ZRAM, failure);

	list_files(dir, source_ends, &names);
	for (size_t i = 0; i < names.nr && status == 0; i++) {
		char *name = scn_printf(ZRAM_DIR "/%s", names.at[i]);

		status = copy_if_there(copy, tree, name, failure);
		free(name);
	}
	names_free(&names);
	free(dir);
	return status;
}

static int copy_sources(struct copy *copy, const char *tree, bool with_zram, struct failure *failure)
{
	int status = copy_needed(copy, tree, ZSMALLOC, failure);

	if (status == 0)
		status = copy_if_there(copy, tree, "mm/zpdesc.h", failure);
	if (status == 0)
		status = copy_if_there(copy, tree, "include/linux/zsmalloc.h", failure);
	if (status == 0 && with_zram)
		status = copy_zram(copy, tree, failure);
	return status;
}

/* ---- where it is copied to ---- */

/* Only an empty directory can be removed: so is found out whether it is one. */
static int use_kept(struct copy *copy, const char *keep, struct failure *failure)
{
	char *below = scn_printf("%s/x", keep), real[PATH_MAX];
	int status = 0;

	if (make_parents(below))
		status = fail(failure, FAILURE_INPUT, "%s: %s; name a directory that can be made", keep, strerror(errno));
	else if (rmdir(keep) || mkdir(keep, 0777))
		status = fail(failure, FAILURE_INPUT, "%s: %s; name a new or an empty directory", keep, strerror(errno));
	else if (!realpath(keep, real))
		status = fail(failure, FAILURE_HOST, "%s: %s; name another directory", keep, strerror(errno));
	else
		copy->dir = scn_strdup(real);
	free(below);
	copy->keep = true;
	return status;
}

static int use_temporary(struct copy *copy, struct failure *failure)
{
	const char *above = getenv("TMPDIR");
	char *name = scn_printf("%s/zsmsim-kernel-XXXXXX", above && *above ? above : "/tmp"), real[PATH_MAX];
	int status = 0;

	if (!mkdtemp(name))
		status = fail(failure, FAILURE_HOST, "%s: %s; name another directory in TMPDIR", name, strerror(errno));
	else
		copy->dir = scn_strdup(realpath(name, real) ? real : name);
	free(name);
	return status;
}

int copy_create(struct copy *copy, const char *tree, bool with_zram, const char *keep, struct failure *failure)
{
	int status = check_tree(tree, failure);

	*copy = (struct copy){ 0 };
	if (status == 0)
		status = keep ? use_kept(copy, keep, failure) : use_temporary(copy, failure);
	if (status)
		return status;
	copy->scratch = copy_path(copy, "scratch");
	if (mkdir(copy->scratch, 0700))
		return fail(failure, FAILURE_HOST, "%s: %s; name another directory in TMPDIR", copy->scratch,
			    strerror(errno));
	return copy_sources(copy, tree, with_zram, failure);
}

void copy_remove(struct copy *copy)
{
	if (copy->dir && !copy->keep)
		remove_all(copy->dir);
	if (copy->scratch)
		remove_all(copy->scratch);
	free(copy->dir);
	free(copy->scratch);
	memset(copy, 0, sizeof(*copy));
}

char *copy_path(const struct copy *copy, const char *name)
{
	return scn_printf("%s/%s", copy->dir, name);
}

char *copy_source_id(const struct copy *copy)
{
	struct digest *digest = digest_create();

	for (size_t i = 0; i < NR(parts_of_copy); i++) {
		char *dir = copy_path(copy, parts_of_copy[i]);

		digest_text(digest, parts_of_copy[i]);
		digest_files(digest, dir, source_ends);
		free(dir);
	}
	return digest_end(digest);
}

/* ---- version ---- */

/* The value of "NAME = VALUE" in a Makefile, newly allocated, "" if there is none. */
static char *make_value(const char *text, const char *name)
{
	size_t nr = strlen(name);

	for (const char *at = text; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
		const char *value = at + nr;

		if (strncmp(at, name, nr))
			continue;
		value += strspn(value, " \t");
		if (*value != '=')
			continue;
		value += 1 + strspn(value + 1, " \t");
		return scn_printf("%.*s", (int)strspn(value, "0123456789abcdefghijklmnopqrstuvwxyz"
						      "ABCDEFGHIJKLMNOPQRSTUVWXYZ.-+_~"), value);
	}
	return scn_strdup("");
}

char *tree_version(const char *tree)
{
	static const char *const names[] = { "VERSION", "PATCHLEVEL", "SUBLEVEL", "EXTRAVERSION" };
	char *part[NR(names)], *version;
	struct text text;

	if (file_read_below(tree, "Makefile", TEXT_BYTES_MAX, &text))
		return scn_strdup("unknown");
	for (size_t i = 0; i < NR(names); i++)
		part[i] = make_value(text.at, names[i]);
	if (*part[0] && *part[1])
		version = scn_printf("%.8s.%.8s%s%.8s%.32s", part[0], part[1], *part[2] ? "." : "", part[2], part[3]);
	else
		version = scn_strdup("unknown");
	for (size_t i = 0; i < NR(names); i++)
		free(part[i]);
	text_free(&text);
	return version;
}
