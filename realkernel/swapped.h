/* SPDX-License-Identifier: GPL-3.0-or-later */
/* swapped.h - which pages of this process are swapped out for good. */
#ifndef ZSMSIM_REALKERNEL_SWAPPED_H
#define ZSMSIM_REALKERNEL_SWAPPED_H

#include <stddef.h>

/*
 * Count in *@left the pages of the region that are not swapped out, or are
 * still in the swap cache too. Returns 0; or -1 and one line in @error.
 */
int pages_not_swapped(void *region, size_t bytes, size_t *left, char *error, size_t error_bytes);

#endif
