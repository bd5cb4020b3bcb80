/* SPDX-License-Identifier: GPL-3.0-or-later */
/* running.h - the kernel that runs here: which variant is nearest to it, and whether the test can be made on it. */
#ifndef ZSMSIM_REALKERNEL_RUNNING_H
#define ZSMSIM_REALKERNEL_RUNNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nearest_variant {
	const char *variant;		/* its name in data/variants.json; NULL: none is near */
	const char *why;		/* what is known of such kernels, as a part of a sentence */
};

/* For a release as uname gives it: "6.18.44-1-amd64". */
struct nearest_variant nearest_variant(const char *release);

/*
 * Most pages in a zspage: CONFIG_ZSMALLOC_CHAIN_SIZE of @config, the text of
 * the kernel's configuration; 0 if it does not say.
 */
unsigned chain_size_in(const char *config);

/* Of the running kernel; *@known is false where it keeps its configuration secret, and the usual 8 is returned. */
unsigned running_chain_size(bool *known);

/* What the test needs, as found. */
struct kernel_needs {
	char system[32];		/* uname: "Linux" */
	char release[96];
	bool admin;			/* may add devices and swap areas */
	bool swapon;			/* the kernel has swap, and no sandbox forbids it */
	bool control;			/* /sys/class/zram-control can be read and written */
	bool control_there;
	bool zswap;			/* takes pages before they reach any swap device */
	bool pagemap;			/* tells which pages are swapped out */
	unsigned page_bytes;
	uint64_t available;		/* bytes of memory; 0: unknown */
};

/* Look; changes nothing. */
void kernel_needs_find(struct kernel_needs *needs);

/*
 * Is all there for regions of @bytes together? Returns true; or false and in
 * @line the first thing that is missing and what would help, without newline.
 */
bool kernel_needs_met(const struct kernel_needs *needs, uint64_t bytes, char *line, size_t line_bytes);

#endif
