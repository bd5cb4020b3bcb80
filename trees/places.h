/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * places.h - what of the program's own files goes into a module: the shim's
 * sources and headers, and the archives of everything but the allocator.
 */
#ifndef ZSMSIM_TREES_PLACES_H
#define ZSMSIM_TREES_PLACES_H

#include <stdbool.h>

#include "trees/failure.h"

struct places {
	char *src;		/* has model/kshim and sim/hw.h in it; no symbolic link in its path */
	char *archive;		/* what a module is linked with */
};

/*
 * In this order: $ZSMSIM_SRC and $ZSMSIM_LIB, the build tree, where make
 * install put them. FAILURE_HOST if something is missing. To be followed by
 * places_free() in any case.
 */
int places_find(struct places *places, bool with_zram, struct failure *failure);
void places_free(struct places *places);

#endif
