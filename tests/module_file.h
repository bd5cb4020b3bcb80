/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * module_file.h - modules for tests, without a kernel tree: some shared object,
 * or what begins like one and is never loaded, with the trailer of
 * `zsmsim kernel build` behind it.
 */
#ifndef ZSMSIM_TESTS_MODULE_FILE_H
#define ZSMSIM_TESTS_MODULE_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "trees/module_info.h"

/* What such a module says about itself. @tree must live as long. */
static inline struct module_info module_file_info(char *tree, unsigned chain_size)
{
	return (struct module_info){
		.tree = tree, .source_id = "0123456789abcdef", .patches = "one.patch, two.patch",
		.defines = "CONFIG_A=1", .compiler = "a compiler 1.0", .chain_size = chain_size
	};
}

/* Make @file a module as far as anyone can see who does not load it. True if it is there. */
static inline bool module_file_write(const char *file, const struct module_info *info)
{
	static const char begins[] = "\177ELF, but nothing to be loaded";
	FILE *out = fopen(file, "w");

	if (!out)
		return false;
	fwrite(begins, 1, sizeof(begins), out);
	return fclose(out) == 0 && module_info_append(file, info) == 0;
}

#endif
