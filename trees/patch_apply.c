/* SPDX-License-Identifier: GPL-3.0-or-later */
/* patch_apply.c - the parts of a patch that concern a module, see patches.h. */
#include "trees/patches.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/mem.h"
#include "trees/command.h"
#include "trees/mismatch.h"

struct apply {
	const struct patch *patch;
	const char *root, *scratch;
	struct names *notes;
	struct failure *failure;
};

/* ---- which files ---- */

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* No path may lead out of the copy. */
static bool climbs(const char *file)
{
	return *file == '/' || begins(file, "../") || strstr(file, "/../") || strstr(file, "//");
}

static bool may_be_new(const char *file, bool with_zram)
{
	return begins(file, "mm/") || !strcmp(file, "include/linux/zsmalloc.h") ||
	       (with_zram && begins(file, "drivers/block/zram/"));
}

static bool is_ours(const struct apply *a, const struct patch_part *part, bool with_zram)
{
	char *path;
	bool there;

	if (climbs(part->file))
		return false;
	path = scn_printf("%s/%s", a->root, part->file);
	there = is_file(path);
	free(path);
	return there ? may_be_new(part->file, true) : part->creates && may_be_new(part->file, with_zram);
}

static void note(struct apply *a, const char *file, const char *what)
{
	char *line = scn_printf("%s: %s: %s", a->patch->path, file, what);

	if (!names_have(a->notes, line))
		names_add(a->notes, line, strlen(line));
	free(line);
}

/* ---- what patch(1) says ---- */

static bool says(const struct text *output, const char *text)
{
	return output->at && strstr(output->at, text);
}

/* The first hunk that failed: "Hunk #2 FAILED at 12 (different line endings)." */
static bool failed_hunk(const struct text *output, size_t *hunk, size_t *line)
{
	const char *at = output->at;

	while (at && (at = strstr(at, "Hunk #"))) {
		if (sscanf(at, "Hunk #%zu FAILED at %zu", hunk, line) == 2)
			return true;
		at++;
	}
	return false;
}

static void note_fuzz(struct apply *a, const struct patch_part *part, const struct text *output)
{
	size_t hunk, line, fuzz;

	for (const char *at = output->at; at && (at = strstr(at, "Hunk #")); at++) {
		if (sscanf(at, "Hunk #%zu succeeded at %zu with fuzz %zu", &hunk, &line, &fuzz) == 3) {
			char *what = scn_printf("hunk %zu fits line %zu only with fuzz %zu", hunk, line, fuzz);

			note(a, part->file, what);
			free(what);
		}
	}
}

static int refuse(struct apply *a, const struct patch_part *part, const char *why)
{
	return fail(a->failure, FAILURE_INPUT, "%s: %s: %s", a->patch->path, part->file, why);
}

static int hunk_refused(struct apply *a, const struct patch_part *part, size_t nr, size_t line)
{
	const struct hunk *hunk = &part->hunks[nr - 1];
	char *path = scn_printf("%s/%s", a->root, part->file);
	char *lines = mismatch_text(path, hunk, line);

	fail(a->failure, FAILURE_INPUT, "%s: %s: hunk %zu (line %zu of the patch) does not apply at line %zu; make the "
	     "patch for this tree%s%s", a->patch->path, part->file, nr, hunk->line, line,
	     *lines ? "; what does not match:" : "", lines);
	free(lines);
	free(path);
	return FAILURE_INPUT;
}

static int explain(struct apply *a, const struct patch_part *part, const struct text *output)
{
	const char *text = output->at ? output->at : "";
	size_t hunk, line;

	if (says(output, "Reversed (or previously applied) patch"))
		return refuse(a, part, "its change is in the tree already; leave the patch out");
	if (says(output, "already exists"))
		return refuse(a, part, "the patch creates this file, which is there already; leave the patch out");
	if (failed_hunk(output, &hunk, &line) && hunk && hunk <= part->nr_hunks)
		return hunk_refused(a, part, hunk, line);
	return fail(a->failure, FAILURE_INPUT, "%s: %s: patch(1) refused it: %.*s", a->patch->path, part->file,
		    (int)strcspn(text, "\n"), text);
}

/* ---- applying ---- */

static struct names patch_words(const char *root)
{
	static const char *const words[] = {
		"patch", "-p1", "--batch", "--forward", "-F2", "--no-backup-if-mismatch", "--reject-file=-", "-d"
	};
	struct names names = { 0 };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		names_add(&names, words[i], strlen(words[i]));
	names_add(&names, root, strlen(root));
	return names;
}

static int not_run(struct apply *a)
{
	if (errno == EINTR)
		return fail(a->failure, FAILURE_HOST, "interrupted; nothing was written");
	if (errno == ENOENT)
		return fail(a->failure, FAILURE_INPUT, "patch(1) is not installed, so --patch cannot be used; install the "
			    "Debian package patch");
	return fail(a->failure, FAILURE_HOST, "patch(1): %s; it could not be run", strerror(errno));
}

static int apply_part(struct apply *a, const struct patch_part *part)
{
	struct text input = { part->text, part->bytes }, output;
	struct names words = patch_words(a->root);
	int status = command_run(&words, a->scratch, &input, &output);

	if (status < 0)
		status = not_run(a);
	else if (status > 0)
		status = explain(a, part, &output);
	else
		note_fuzz(a, part, &output);
	text_free(&output);
	names_free(&words);
	return status;
}

static void note_others(struct apply *a)
{
	for (size_t i = 0; i < a->patch->other.nr; i++)
		note(a, a->patch->other.at[i], "a rename or copy is not followed");
}

int patch_apply(const struct patch *patch, const char *root, const char *scratch, bool with_zram,
		struct names *notes, struct failure *failure)
{
	struct apply a = { patch, root, scratch, notes, failure };
	size_t applied = 0;
	int status = 0;

	note_others(&a);
	for (size_t i = 0; i < patch->nr && status == 0; i++) {
		if (!is_ours(&a, &patch->parts[i], with_zram)) {
			note(&a, patch->parts[i].file, "left out, it is not part of the module");
			continue;
		}
		status = apply_part(&a, &patch->parts[i]);
		applied++;
	}
	if (status == 0 && !applied)
		status = fail(failure, FAILURE_INPUT, "%s: none of its files is part of the module; leave it out%s",
			      patch->path, with_zram ? "" : ", or add --with-zram if it is for zram");
	return status;
}
