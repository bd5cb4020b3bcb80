/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * files.h - whole files and directories. Functions that can fail return 0, or
 * -1 with errno set.
 */
#ifndef ZSMSIM_TREES_FILES_H
#define ZSMSIM_TREES_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "trees/names.h"

/* No source file or patch that belongs here comes near this. */
#define TEXT_BYTES_MAX (4ul << 20)
/* Nor an archive or a module near this. */
#define BINARY_BYTES_MAX (256ul << 20)

struct text {
	char *at;		/* a zero byte follows the last */
	size_t nr;
};

/* A regular file of at most @most bytes; EFBIG if it has more, EINVAL if it is not a regular file. */
int file_read(const char *path, size_t most, struct text *text);
/* The same with the file @name of the directory @dir. */
int file_read_below(const char *dir, const char *name, size_t most, struct text *text);
void text_free(struct text *text);

/* A new file, or a new content of one that is there; not atomic. */
int file_write(const char *path, const void *from, size_t bytes);

/* Copy @from to @to so that @to is either the old one or the whole new one, whatever happens. */
int file_install(const char *from, const char *to);

bool is_file(const char *path);
bool is_directory(const char *path);

/* Make the directories of @path above its last part. */
int make_parents(const char *path);

/* Remove a directory with all that is in it. */
void remove_all(const char *path);

/*
 * The regular files below @root whose names end in one of the NULL-terminated
 * @ends, as paths relative to @root, in order of bytes; appended to @names.
 */
void list_files(const char *root, const char *const *ends, struct names *names);

#endif
