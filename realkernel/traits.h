/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * traits.h - what of the running kernel costs time and is not in the
 * simulated one, as far as the kernel tells.
 */
#ifndef ZSMSIM_REALKERNEL_TRAITS_H
#define ZSMSIM_REALKERNEL_TRAITS_H

#include <stddef.h>

struct trait {
	const char *file, *needle;	/* a line of the file has the needle if the kernel has the trait */
	const char *file2, *needle2;	/* and likewise this; NULL: nothing more is asked */
	const char *what;		/* a sentence */
};

/*
 * The traits found under the directory @root ("" for the running kernel's),
 * at most @max, in the order of importance. Returns how many.
 */
size_t kernel_traits(const char *root, const struct trait **found, size_t max);

#endif
