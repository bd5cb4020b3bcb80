/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file_pages.h - the pages of a file, compressed one by one and counted by size. */
#ifndef ZSMSIM_SIZES_FILE_PAGES_H
#define ZSMSIM_SIZES_FILE_PAGES_H

#include <stddef.h>
#include <stdint.h>

#include "sizes/algo.h"

#define PAGE_BYTES 4096u

struct page_sizes {
	uint64_t pages;			/* of the file, the last one filled up with zeros */
	uint64_t one_word;		/* filled with one machine word: stored without an object */
	uint64_t count[PAGE_BYTES + 1];	/* pages that become so many bytes; [PAGE_BYTES]: not smaller than before */
	uint64_t bytes;			/* sum of the above */
};

/* Told now and then how many bytes of the file are done. */
typedef void (*page_sizes_step)(void *arg, uint64_t bytes);

/*
 * Cut @file into pages and compress each with @algo, decompress it and compare.
 * Adds to @sizes (begin with all zero). Returns 0; or 2 with the error line
 * "zsmsim: FILE: ..." written to @error: it cannot be read, is empty, or a page
 * did not come back as it was.
 */
int page_sizes_of_file(const char *file, const struct algo *algo, struct page_sizes *sizes, page_sizes_step step,
		       void *arg, char *error, size_t error_bytes);

#endif
