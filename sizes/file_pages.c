/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file_pages.c - see file_pages.h. */
#include "sizes/file_pages.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define STEP_PAGES 256u

/* As zram and zswap look for it: equal machine words. */
static bool one_word(const uint64_t *page)
{
	for (size_t i = 1; i < PAGE_BYTES / sizeof(*page); i++)
		if (page[i] != page[0])
			return false;
	return true;
}

static int page_fault(const char *file, uint64_t page, const struct algo *algo, char *error, size_t error_bytes)
{
	snprintf(error, error_bytes, "zsmsim: %s: page %" PRIu64 " did not come back from %s (%s) as it was; the library is at fault",
		 file, page, algo_name(algo), algo_version(algo));
	return 2;
}

/* Returns false when the page does not survive. */
static bool count_page(struct page_sizes *sizes, struct algo_stream *stream, const uint64_t *page)
{
	static uint8_t out[ALGO_ROOM], back[PAGE_BYTES];
	size_t len;

	sizes->pages++;
	if (one_word(page)) {
		sizes->one_word++;
		return true;
	}
	len = algo_compress(stream, page, PAGE_BYTES, out);
	if (!len || !algo_decompress(stream, out, len, back, PAGE_BYTES) || memcmp(back, page, PAGE_BYTES))
		return false;
	len = len < PAGE_BYTES ? len : PAGE_BYTES;
	sizes->count[len]++;
	sizes->bytes += len;
	return true;
}

static int count_pages(const char *file, FILE *in, const struct algo *algo, struct page_sizes *sizes, page_sizes_step step,
		       void *arg, char *error, size_t error_bytes)
{
	struct algo_stream *stream = algo_open(algo);
	uint64_t page[PAGE_BYTES / sizeof(uint64_t)], done = 0;
	size_t got;
	int status = 0;

	if (!stream) {
		snprintf(error, error_bytes, "zsmsim: %s: no memory for %s", file, algo_name(algo));
		return 2;
	}
	while (!status && (got = fread(page, 1, PAGE_BYTES, in)) > 0) {
		memset((char *)page + got, 0, PAGE_BYTES - got);
		if (!count_page(sizes, stream, page))
			status = page_fault(file, done / PAGE_BYTES, algo, error, error_bytes);
		done += got;
		if (step && done / PAGE_BYTES % STEP_PAGES == 0)
			step(arg, done);
	}
	algo_close(stream);
	if (!status && ferror(in)) {
		snprintf(error, error_bytes, "zsmsim: %s: %s", file, strerror(errno));
		return 2;
	}
	if (!status && !done) {
		snprintf(error, error_bytes, "zsmsim: %s: an empty file has no pages; name one with contents", file);
		return 2;
	}
	return status;
}

int page_sizes_of_file(const char *file, const struct algo *algo, struct page_sizes *sizes, page_sizes_step step,
		       void *arg, char *error, size_t error_bytes)
{
	FILE *in = fopen(file, "rb");
	struct stat st;
	int status;

	if (!in) {
		snprintf(error, error_bytes, "zsmsim: %s: %s; name a file that can be read", file, strerror(errno));
		return 2;
	}
	if (!fstat(fileno(in), &st) && S_ISDIR(st.st_mode)) {
		snprintf(error, error_bytes, "zsmsim: %s: a directory; name a file", file);
		status = 2;
	} else {
		status = count_pages(file, in, algo, sizes, step, arg, error, error_bytes);
	}
	fclose(in);
	return status;
}
