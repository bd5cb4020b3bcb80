/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * features.h - tree_features.h, the header through which the shim asks what a
 * tree's files define, and the configuration they are compiled with.
 */
#ifndef ZSMSIM_TREES_FEATURES_H
#define ZSMSIM_TREES_FEATURES_H

#include "trees/defines.h"
#include "trees/failure.h"
#include "trees/scan.h"

#define CHAIN_SIZE_NAME "CONFIG_ZSMALLOC_CHAIN_SIZE"

/*
 * Text of the header, newly allocated, from the allocator's file and, unless
 * NULL, from zram's. Equal input gives equal bytes.
 */
char *features_text(const struct scan *zsmalloc, const struct scan *zram, const struct defines *defines);

/*
 * Most pages of a zspage as the file will be compiled. FAILURE_INPUT if what
 * the user set is not within 4 to 16, or cannot have an effect.
 */
int features_chain_size(const struct scan *zsmalloc, const struct defines *defines, unsigned *chain_size,
			struct failure *failure);

#endif
