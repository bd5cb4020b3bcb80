/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load.h - finding and opening zsmsim-native.so. */
#ifndef ZSMSIM_NATIVE_LOAD_H
#define ZSMSIM_NATIVE_LOAD_H

#include <stddef.h>

#include "native/module.h"

/*
 * The module, opened once: $ZSMSIM_NATIVE if set, else that of the build
 * tree, else the installed one. NULL with one line in @error if there is none.
 */
const struct native_ops *native_load(char *error, size_t error_bytes);

/* A hash of the module's file, as 16 hexadecimal digits; "none" without one. */
const char *native_build_id(void);

#endif
