/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lzorle.h - the compressor of zram: LZO1X-1, plain or with runs of zeros.
 *
 * The output is the real stream, byte for byte: sizes decide size classes, so
 * an estimate would not do. The plain kind is what any LZO1X decoder reads.
 * Both directions are __observer code: the machine pays them as work items.
 */
#ifndef ZRAM_LZORLE_H
#define ZRAM_LZORLE_H

#include "model/kernel/types.h"

enum lzo_kind {
	LZO_PLAIN,		/* "lzo" */
	LZO_RLE,		/* "lzo-rle": two prefix bytes, zero-run instruction */
};

/* One block holds all of a page, so distances fit the 3-byte instruction. */
#define LZO_MAX_INPUT	16384u
/* Most bytes that @n bytes of input become. */
#define LZO_WORST(n)	((n) + (n) / 16 + 64 + 3 + 2)

#define LZO_DICT_BITS	13

/* Scratch memory; needs no preparation, has no meaning between calls. */
struct lzo_workspace {
	u16 dict[1u << LZO_DICT_BITS];
};

/*
 * Compress @len bytes (1 .. LZO_MAX_INPUT) at @src into @dst, which has room
 * for LZO_WORST(len). Returns the bytes written, 0 if @len is out of range.
 */
size_t lzo_compress(enum lzo_kind kind, const u8 *src, size_t len, u8 *dst,
		    struct lzo_workspace *ws);

/*
 * Decompress the @len bytes at @src, of either kind, into at most @room bytes
 * at @dst. Returns the bytes written or -EINVAL when the stream is damaged,
 * cut short or does not fit; then @dst holds rubbish, but nothing behind
 * dst + room was touched.
 */
long lzo_decompress(const u8 *src, size_t len, u8 *dst, size_t room);

#endif
