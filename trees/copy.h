/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * copy.h - the private copy of what a module needs of a tree: patches and the
 * compiler see nothing else, and the tree is only read.
 */
#ifndef ZSMSIM_TREES_COPY_H
#define ZSMSIM_TREES_COPY_H

#include <stdbool.h>

#include "trees/failure.h"

struct copy {
	char *dir;		/* no symbolic link in it */
	char *scratch;		/* below it, for others' temporary files */
	bool keep;
};

/*
 * Copy the files of @tree to @keep, or if that is NULL to a new directory
 * below $TMPDIR. FAILURE_INPUT if @tree is none: "PATH: what; what would be
 * right". To be followed by copy_remove() in any case.
 */
int copy_create(struct copy *copy, const char *tree, bool with_zram, const char *keep, struct failure *failure);

/* Remove the copy, unless it is to be kept. */
void copy_remove(struct copy *copy);

/* Path of @name in the copy, newly allocated. */
char *copy_path(const struct copy *copy, const char *name);

/* XXH64 of all source files in the copy with their names, 16 hex digits, newly allocated. */
char *copy_source_id(const struct copy *copy);

/* The version that the tree's Makefile gives, "6.12.117", or "unknown"; newly allocated. */
char *tree_version(const char *tree);

#endif
