/* SPDX-License-Identifier: GPL-3.0-or-later */
/* build.h - from a kernel tree to a module that a scenario can name. */
#ifndef ZSMSIM_TREES_BUILD_H
#define ZSMSIM_TREES_BUILD_H

#include <stdbool.h>

#include "trees/defines.h"
#include "trees/failure.h"
#include "trees/module_info.h"
#include "trees/names.h"

struct build_request {
	const char *tree, *output;
	struct names patches;		/* applied in this order */
	struct defines defines;
	const char *cc;			/* NULL: what the project was built with */
	const char *keep;		/* directory for the private copy; NULL: it is removed */
	bool with_zram;
	bool no_cache;
};

struct build_result {
	struct module_info info;
	struct names notes;		/* for standard error, also after a failure */
	bool cached;
};

/*
 * Build the module. The output is either written whole or left as it was, and
 * nothing else stays behind, also when the user interrupts. Returns 0, or the
 * status in @failure. To be followed by build_free() in any case.
 */
int build_module(const struct build_request *request, struct build_result *result, struct failure *failure);
void build_free(struct build_result *result);

#endif
