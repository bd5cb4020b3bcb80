/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mismatch.h - why a hunk does not fit. */
#ifndef ZSMSIM_TREES_MISMATCH_H
#define ZSMSIM_TREES_MISMATCH_H

#include "trees/patches.h"

/*
 * The lines that the hunk expects in the file at @path and that are not there,
 * and those that are there instead, where most of the others fit, near @line
 * (from 1) if several places are as good: indented lines, each with a line
 * break before it; newly allocated. "" if the file cannot be read.
 */
char *mismatch_text(const char *path, const struct hunk *hunk, size_t line);

#endif
