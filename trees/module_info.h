/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * module_info.h - what a module made by `zsmsim kernel build` says about
 * itself, without being loaded.
 *
 * The module is a shared object followed by a trailer: a line of JSON, then
 * 8 bytes little-endian: length of the JSON in bytes, then 8 bytes: XXH64 of
 * everything before the JSON, then the 8 bytes "ZSMKMOD1". A loader of shared
 * objects does not look there; a file that was cut short or changed has no
 * trailer or the wrong hash.
 */
#ifndef ZSMSIM_TREES_MODULE_INFO_H
#define ZSMSIM_TREES_MODULE_INFO_H

#include <stdbool.h>
#include <stddef.h>

struct module_info {
	char *id;		/* XXH64 of the whole file, 16 hex digits: equal ids, equal modules */
	char *tree;		/* version of the tree, e.g. "6.12.117", or "unknown" */
	char *source_id;	/* XXH64 of the tree's files that were compiled, after the patches */
	char *patches;		/* names of the patch files, in order, joined by ", "; "" if none */
	char *defines;		/* NAME=VALUE, sorted, joined by " "; "" if none */
	char *compiler;		/* first line of the compiler's --version */
	unsigned chain_size;	/* most pages of a zspage, compiled in */
	bool with_zram;		/* the tree's zram is in it too: zram_stats is the tree's matter */
};

/*
 * Read the trailer of @path into @info (free with module_info_free() in either
 * case). Returns 0, or 2 with one line in @error that does not name the file
 * ("not a module of 'zsmsim kernel build'; build it with ...", "damaged: ...",
 * "cannot be opened: ...").
 */
int module_info_read(const char *path, struct module_info *info, char *error, size_t error_bytes);
void module_info_free(struct module_info *info);

/* Append the trailer for @info (its id is not part of it) to the shared object at @path. 0, or -1 with errno set. */
int module_info_append(const char *path, const struct module_info *info);

#endif
