/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nearest.h - the shipped profile whose figures stand in for those that a program cannot measure. */
#ifndef ZSMSIM_NATIVE_NEAREST_H
#define ZSMSIM_NATIVE_NEAREST_H

#include "native/host.h"
#include "sim/profile.h"

/*
 * Of all profiles the one most like @host: of the same architecture before
 * all, then of the same vendor, then of the same core. NULL with one line in
 * @error if there is none at all. To be freed with profile_free().
 */
struct profile *nearest_profile(const struct host *host, char *error, size_t error_bytes);

/* How like @profile is to @host; greater is nearer. For tests. */
int nearest_likeness(const struct host *host, const struct profile *profile);

#endif
