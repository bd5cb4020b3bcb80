/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * diagnose.h - a compiler's or linker's complaint in the words of somebody who
 * has a tree and a shim: which name is missing, and where it would belong.
 */
#ifndef ZSMSIM_TREES_DIAGNOSE_H
#define ZSMSIM_TREES_DIAGNOSE_H

#include "trees/failure.h"
#include "trees/files.h"
#include "trees/scan.h"

struct diagnose_places {
	const char *tree;		/* whose headers say where a name is declared */
	const char *dir;		/* the private copy */
	const char *src;		/* has the shim */
	const struct scan *scan;	/* of the tree's file */
};

/*
 * The first error in @output: a line "mm/zsmalloc.c:12: what", then the lines
 * that the compiler shows with it, indented. Returns FAILURE_INPUT.
 */
int diagnose_compiler(const struct diagnose_places *places, const struct text *output, struct failure *failure);

/* At least one name that is used but that nobody defines. Returns FAILURE_INPUT. */
int diagnose_undefined(const struct diagnose_places *places, const struct names *undefined, struct failure *failure);

#endif
