/* SPDX-License-Identifier: GPL-3.0-or-later */
/* algo.c - see algo.h. */
#include "sizes/algo.h"

#include <stdlib.h>
#include <string.h>

#include <lz4.h>
#include <zstd.h>

#include "model/zram/lzorle.h"

#define ZSTD_LEVEL 3			/* zram's when nobody sets one */

struct algo {
	const char *name;
	const char *(*version)(void);
	size_t (*compress)(struct algo_stream *s, const void *page, size_t bytes, void *out);
	bool (*decompress)(struct algo_stream *s, const void *data, size_t len, void *page, size_t bytes);
};

struct algo_stream {
	const struct algo *algo;
	ZSTD_CCtx *zstd;
	struct lzo_workspace lzo;
};

static const char *lz4_version(void)
{
	return "liblz4 " LZ4_VERSION_STRING;
}

static size_t lz4_page(struct algo_stream *s, const void *page, size_t bytes, void *out)
{
	(void)s;
	return (size_t)LZ4_compress_fast(page, out, (int)bytes, ALGO_ROOM, 1);
}

static bool lz4_back(struct algo_stream *s, const void *data, size_t len, void *page, size_t bytes)
{
	(void)s;
	return LZ4_decompress_safe(data, page, (int)len, (int)bytes) == (int)bytes;
}

static const char *zstd_version(void)
{
	return "libzstd " ZSTD_VERSION_STRING;
}

static size_t zstd_page(struct algo_stream *s, const void *page, size_t bytes, void *out)
{
	size_t len = ZSTD_compressCCtx(s->zstd, out, ALGO_ROOM, page, bytes, ZSTD_LEVEL);

	return ZSTD_isError(len) ? 0 : len;
}

static bool zstd_back(struct algo_stream *s, const void *data, size_t len, void *page, size_t bytes)
{
	(void)s;
	return ZSTD_decompress(page, bytes, data, len) == bytes;
}

static const char *own_version(void)
{
	return "the model's";
}

static size_t lzo_page(struct algo_stream *s, const void *page, size_t bytes, void *out)
{
	return lzo_compress(LZO_PLAIN, page, bytes, out, &s->lzo);
}

static size_t lzo_rle_page(struct algo_stream *s, const void *page, size_t bytes, void *out)
{
	return lzo_compress(LZO_RLE, page, bytes, out, &s->lzo);
}

static bool lzo_back(struct algo_stream *s, const void *data, size_t len, void *page, size_t bytes)
{
	(void)s;
	return lzo_decompress(data, len, page, bytes) == (long)bytes;
}

static const struct algo algos[] = {
	{ "lz4", lz4_version, lz4_page, lz4_back },
	{ "zstd", zstd_version, zstd_page, zstd_back },
	{ "lzo", own_version, lzo_page, lzo_back },
	{ "lzo-rle", own_version, lzo_rle_page, lzo_back },
};

#define NR_ALGOS (sizeof(algos) / sizeof(algos[0]))

const struct algo *algo_find(const char *name)
{
	for (size_t i = 0; i < NR_ALGOS; i++)
		if (!strcmp(algos[i].name, name))
			return &algos[i];
	return NULL;
}

const char *algo_names(void)
{
	static char names[64];

	if (!*names)
		for (size_t i = 0; i < NR_ALGOS; i++) {
			strcat(names, i ? ", " : "");
			strcat(names, algos[i].name);
		}
	return names;
}

const char *algo_name(const struct algo *algo)
{
	return algo->name;
}

const char *algo_version(const struct algo *algo)
{
	return algo->version();
}

struct algo_stream *algo_open(const struct algo *algo)
{
	struct algo_stream *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->algo = algo;
	if (algo->compress == zstd_page) {
		s->zstd = ZSTD_createCCtx();
		if (!s->zstd) {
			free(s);
			return NULL;
		}
	}
	return s;
}

void algo_close(struct algo_stream *s)
{
	ZSTD_freeCCtx(s->zstd);
	free(s);
}

size_t algo_compress(struct algo_stream *s, const void *page, size_t bytes, void *out)
{
	return s->algo->compress(s, page, bytes, out);
}

bool algo_decompress(struct algo_stream *s, const void *data, size_t len, void *page, size_t bytes)
{
	return s->algo->decompress(s, data, len, page, bytes);
}
