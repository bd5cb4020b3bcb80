/* SPDX-License-Identifier: GPL-3.0-or-later */
/* digest.h - one hash over several texts and files; the pieces keep their borders. */
#ifndef ZSMSIM_TREES_DIGEST_H
#define ZSMSIM_TREES_DIGEST_H

#include <stddef.h>

struct digest;

struct digest *digest_create(void);
void digest_bytes(struct digest *digest, const void *at, size_t bytes);
void digest_text(struct digest *digest, const char *text);
/* Content of a file; one that cannot be read counts as none, which is not the same as empty. */
void digest_file(struct digest *digest, const char *path);
/* Files below @root whose names end in one of the NULL-terminated @ends, with their paths below it. */
void digest_files(struct digest *digest, const char *root, const char *const *ends);
/* The XXH64 as 16 hex digits, newly allocated; @digest is gone. */
char *digest_end(struct digest *digest);

#endif
