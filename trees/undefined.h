/* SPDX-License-Identifier: GPL-3.0-or-later */
/* undefined.h - names that a shared object expects from whoever loads it. */
#ifndef ZSMSIM_TREES_UNDEFINED_H
#define ZSMSIM_TREES_UNDEFINED_H

#include "trees/failure.h"
#include "trees/names.h"

/*
 * Undefined symbols of the shared object at @path that are not hooks of the
 * machine (hw_*, __tsan_*, __sanitizer_*), appended to @names in order; weak
 * ones may stay undefined. FAILURE_HOST if the file cannot be understood.
 */
int undefined_symbols(const char *path, struct names *names, struct failure *failure);

#endif
