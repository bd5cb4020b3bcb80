/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * algo.h - the compressors of zram and zswap, as the host can run them: lz4
 * and zstd from their libraries, with what the kernel asks of them (lz4:
 * acceleration 1; zstd: level 3, sized for a page); lzo and lzo-rle from the
 * model, whose streams are the kernel's to the byte.
 */
#ifndef ZSMSIM_SIZES_ALGO_H
#define ZSMSIM_SIZES_ALGO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct algo;

/* By name: "lz4", "zstd", "lzo", "lzo-rle". NULL if there is none of it. */
const struct algo *algo_find(const char *name);
/* The names, separated by ", ". */
const char *algo_names(void);
const char *algo_name(const struct algo *algo);
/* The library and its version, for whoever compares results. */
const char *algo_version(const struct algo *algo);

#define ALGO_MAX_PAGE 16384u		/* bytes */
#define ALGO_ROOM (2 * ALGO_MAX_PAGE)	/* enough for what no compressor made smaller */

/* What a compressor works with; not shared between threads. NULL without memory. */
struct algo_stream *algo_open(const struct algo *algo);
void algo_close(struct algo_stream *stream);
/* Compress @bytes (1 .. ALGO_MAX_PAGE) at @page into the ALGO_ROOM bytes at @out; returns the length, 0: it failed. */
size_t algo_compress(struct algo_stream *stream, const void *page, size_t bytes, void *out);
/* The @len bytes at @data must become @bytes bytes at @page; false if they do not. */
bool algo_decompress(struct algo_stream *stream, const void *data, size_t len, void *page, size_t bytes);

#endif
