/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fill.c - see fill.h. */
#include "realkernel/fill.h"

#include <string.h>

#define WORDS_PER_STEP	(FILL_STEP_BYTES / sizeof(uint64_t))
#define FACTOR		2654435761ull

static const char swap_magic[] = "SWAPSPACE2";

/* So many words are not zero: the sizes of 16 steps fall into 16 size classes. */
static size_t words_used(size_t step)
{
	return 106 + step % FILL_PERIOD * 8;
}

void fill_region(void *region, size_t bytes)
{
	uint64_t *step = region;

	for (size_t i = 0; i < bytes / FILL_STEP_BYTES; i++, step += WORDS_PER_STEP) {
		for (size_t k = 0; k < words_used(i); k++)
			step[k] = k * 8 * FACTOR;
	}
}

uint32_t fill_swap_slots(uint64_t pages, unsigned procs)
{
	uint64_t clusters = (pages + 1 + SWAP_CLUSTER_SLOTS - 1) / SWAP_CLUSTER_SLOTS + procs;

	return (uint32_t)(clusters * SWAP_CLUSTER_SLOTS);
}

/* The kernel reads version and last slot behind the kibibyte left to a boot loader, and the magic at the end. */
void fill_swap_header(void *page, size_t page_bytes, uint32_t slots)
{
	const uint32_t info[2] = { 1, slots - 1 };
	const size_t magic_chars = sizeof(swap_magic) - 1;

	memset(page, 0, page_bytes);
	memcpy((char *)page + 1024, info, sizeof(info));
	memcpy((char *)page + page_bytes - magic_chars, swap_magic, magic_chars);
}
