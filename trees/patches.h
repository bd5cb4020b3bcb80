/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * patches.h - patch files taken apart by the file they change. A patch file
 * is a diff, or a mail or mailbox with diffs in it; paths begin with one
 * directory that does not count ("a/").
 */
#ifndef ZSMSIM_TREES_PATCHES_H
#define ZSMSIM_TREES_PATCHES_H

#include <stdbool.h>
#include <stddef.h>

#include "trees/failure.h"
#include "trees/files.h"

struct hunk {
	size_t line;		/* of its @@ in the patch file, from 1 */
	size_t from;		/* line of the old file that it begins at, from 1 */
	struct names old;	/* the lines that must be there */
};

/* What a patch does to one file. */
struct patch_part {
	char *file;		/* mm/zsmalloc.c */
	bool creates, deletes;
	char *text;		/* with a header that names nothing but the file */
	size_t bytes;
	struct hunk *hunks;
	size_t nr_hunks;
};

struct patch {
	const char *path;	/* as given */
	struct patch_part *parts;
	size_t nr;
	struct names other;	/* files that it renames or copies, which is not followed */
};

/*
 * Take @text, the content of the file @path, apart. FAILURE_INPUT if there is
 * no diff in it, or one that is damaged: "PATH:LINE: what; what would be
 * right". To be followed by patch_free() in any case.
 */
int patch_split(struct patch *patch, const char *path, const struct text *text, struct failure *failure);
void patch_free(struct patch *patch);

/* As patch_split(), reading the file. */
int patch_read(struct patch *patch, const char *path, struct failure *failure);

/*
 * Change the files below @root as the patch says, with patch(1), whose scratch
 * files go to @scratch. Only files that are there, and new ones in directories
 * whose files are part of a module (@with_zram: zram's too); @notes gets a
 * line for each other file and for each hunk that fitted only roughly.
 * FAILURE_INPUT if nothing of the patch is for us or a hunk does not apply.
 */
int patch_apply(const struct patch *patch, const char *root, const char *scratch, bool with_zram,
		struct names *notes, struct failure *failure);

#endif
