/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The compressor, against sizes known from the kernel's own encoder, against
 * its decoder here, and against liblzo2 where the host has it.
 */
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <string.h>

#include "model/zram/lzorle.h"

#define PAGE 4096u
#define KINDS 16u

TestSuite(lzorle, .timeout = 60);

static struct lzo_workspace ws;
static u8 stream[LZO_WORST(LZO_MAX_INPUT)];
static u8 back[LZO_MAX_INPUT + 64];

/* Page @kind of the test program: some longs of a multiple of a prime, the rest zero. */
static void pattern_page(unsigned kind, u8 *page)
{
	u64 longs[PAGE / 8] = { 0 };

	for (u64 k = 0; k < 106 + 8 * kind; k++)
		longs[k] = k * 8 * 2654435761ull;
	memcpy(page, longs, PAGE);
}

static u64 rng_state = 1;

static u32 rng(void)
{
	rng_state = rng_state * 6364136223846793005ull + 1442695040888963407ull;
	return (u32)(rng_state >> 33);
}

static void must_come_back(enum lzo_kind kind, const u8 *in, size_t len)
{
	size_t n = lzo_compress(kind, in, len, stream, &ws);

	cr_assert(n > 0 && n <= LZO_WORST(len), "%zu bytes became %zu", len, n);
	memset(back, 0x5a, sizeof(back));
	cr_assert_eq(lzo_decompress(stream, n, back, len), (long)len, "kind %d, %zu bytes", kind, len);
	cr_assert_arr_eq(back, in, len);
	/* one byte behind the room shows an overrun */
	cr_assert_eq(back[len], 0x5a);
}

/*
 * The 16 pages of the test program. Expect the sizes that the kernel's encoder
 * gives for these bytes; one byte more or less would move objects to other
 * classes.
 */
Test(lzorle, sizes_of_the_test_program)
{
	static const size_t rle[KINDS] = { 876, 945, 1004, 1074, 1137, 1200, 1274, 1343,
					   1399, 1461, 1529, 1605, 1658, 1715, 1776, 1842 };
	static const size_t plain[KINDS] = { 879, 943, 1007, 1071, 1135, 1199, 1270, 1343,
					     1399, 1464, 1526, 1608, 1655, 1711, 1775, 1839 };
	u8 page[PAGE];

	for (unsigned kind = 0; kind < KINDS; kind++) {
		pattern_page(kind, page);
		cr_expect_eq(lzo_compress(LZO_RLE, page, PAGE, stream, &ws), rle[kind], "kind %u", kind);
		cr_expect_eq(lzo_compress(LZO_PLAIN, page, PAGE, stream, &ws), plain[kind], "kind %u", kind);
		must_come_back(LZO_RLE, page, PAGE);
		must_come_back(LZO_PLAIN, page, PAGE);
	}
}

/*
 * What the encoder's scratch memory held before must not matter: a size that
 * depended on it would depend on the order of pages.
 */
Test(lzorle, scratch_memory_has_no_meaning)
{
	u8 page[PAGE], first[LZO_WORST(PAGE)];
	size_t n;

	pattern_page(3, page);
	n = lzo_compress(LZO_RLE, page, PAGE, first, &ws);
	memset(&ws, 0x37, sizeof(ws));
	cr_expect_eq(lzo_compress(LZO_RLE, page, PAGE, stream, &ws), n);
	cr_expect_arr_eq(stream, first, n);
}

/*
 * Bytes without any repetition: no match and no run, so all of them are one
 * run of literals. Expect 4118 = 2 (prefix) + 17 (length) + 4096 + 3 (end).
 */
Test(lzorle, incompressible_page_is_the_worst)
{
	u8 page[PAGE];

	/* 16-bit counters: no four bytes occur twice at any alignment, none are zero */
	for (unsigned i = 0; i < PAGE / 2; i++) {
		page[2 * i] = (u8)(i >> 8 | 0x80);
		page[2 * i + 1] = (u8)i;
	}
	cr_expect_eq(lzo_compress(LZO_RLE, page, PAGE, stream, &ws), 4118u);
	must_come_back(LZO_RLE, page, PAGE);
	cr_expect_eq(lzo_compress(LZO_PLAIN, page, PAGE, stream, &ws), 4116u);
}

/*
 * A page of zeros but for its last byte, so the run ends where no instruction
 * may start: 5 literals are skipped by the first probe, then runs of 2051 and
 * the rest. Expect 2 + (1 + 5) + 4 + 4 + (1 + 1 + 20) + 3 bytes.
 */
Test(lzorle, runs_of_zeros)
{
	u8 page[PAGE] = { 0 };

	page[PAGE - 1] = 1;
	cr_expect_eq(lzo_compress(LZO_RLE, page, PAGE, stream, &ws), 41u);
	/* 001: prefix; 5 literals; the two runs: 0x18 | (run - 4) & 7, all ones, (run - 4) >> 3 */
	cr_expect_eq(stream[0], 17);
	cr_expect_eq(stream[1], 1);
	cr_expect_eq(stream[2], 5 - 3);
	cr_expect_eq(stream[8], 0x18 | (2047 & 7));
	cr_expect_eq(stream[9], 0xfc);
	cr_expect_eq(stream[10], 0xff);
	cr_expect_eq(stream[11], 2047 >> 3);
	must_come_back(LZO_RLE, page, PAGE);
	must_come_back(LZO_PLAIN, page, PAGE);
}

/* Words from a small vocabulary, as text has them. Expect it to shrink and to come back. */
Test(lzorle, text_like_pages)
{
	static const char *const words[] = { "the ", "page ", "of ", "memory ", "zspage ", "class ",
					     "is ", "freed ", "when ", "empty, ", "then ", "\n" };
	u8 page[PAGE + 16];

	for (int round = 0; round < 200; round++) {
		size_t at = 0;

		while (at < PAGE) {
			const char *word = words[rng() % ARRAY_SIZE(words)];

			strcpy((char *)page + at, word);
			at += strlen(word);
		}
		cr_assert_lt(lzo_compress(LZO_RLE, page, PAGE, stream, &ws), PAGE / 2);
		must_come_back(LZO_RLE, page, PAGE);
		must_come_back(LZO_PLAIN, page, PAGE);
	}
}

/* Random mixtures of zeros, noise and earlier bytes, in every length class up to a 16 KiB page. */
static size_t random_input(u8 *in)
{
	size_t len = rng() % 8 ? 1 + rng() % PAGE : 1 + rng() % LZO_MAX_INPUT, at = 0;

	while (at < len) {
		size_t piece = 1 + rng() % (rng() % 4 ? 40 : 3000), what = rng() % 3;
		size_t from = at ? rng() % at : 0;

		for (; piece-- && at < len; at++, from++)
			in[at] = what == 0 ? 0 : what == 1 ? (u8)rng() : in[at ? from : 0];
	}
	return len;
}

Test(lzorle, random_mixtures_come_back)
{
	static u8 in[LZO_MAX_INPUT];

	for (int round = 0; round < 20000; round++) {
		size_t len = random_input(in);

		must_come_back(round % 2 ? LZO_PLAIN : LZO_RLE, in, len);
	}
	must_come_back(LZO_RLE, in, LZO_MAX_INPUT);
}

/* Sizes that no page has. Expect 0 and nothing written. */
Test(lzorle, refuses_other_lengths)
{
	static u8 in[LZO_MAX_INPUT + 1];

	cr_expect_eq(lzo_compress(LZO_RLE, in, 0, stream, &ws), 0u);
	cr_expect_eq(lzo_compress(LZO_RLE, in, LZO_MAX_INPUT + 1, stream, &ws), 0u);
	cr_expect_eq(stream[0], 0);
}

/*
 * A stream cut short at any byte, or with room for a byte too few. Expect that
 * a page never comes out. (Three bytes are too few for the prefix and read as an
 * end marker, so "error" alone would be too much to ask.)
 */
Test(lzorle, cut_streams_are_errors)
{
	u8 page[PAGE];
	size_t n;

	pattern_page(7, page);
	n = lzo_compress(LZO_RLE, page, PAGE, stream, &ws);
	for (size_t cut = 0; cut < n; cut++)
		cr_assert_leq(lzo_decompress(stream, cut, back, PAGE), 0, "cut to %zu", cut);
	cr_expect_lt(lzo_decompress(stream, n, back, PAGE - 1), 0);
	/* and what follows the end marker is not part of it */
	stream[n] = 0;
	cr_expect_lt(lzo_decompress(stream, n + 1, back, PAGE), 0);
}

/* Damaged streams: any result but a byte written outside the room. */
Test(lzorle, damaged_streams_stay_in_bounds)
{
	u8 page[PAGE];
	size_t n;

	pattern_page(11, page);
	n = lzo_compress(LZO_RLE, page, PAGE, stream, &ws);
	for (int round = 0; round < 20000; round++) {
		size_t at = rng() % n;
		u8 old = stream[at];
		long got;

		memset(back + PAGE, 0x5a, 64);
		stream[at] = (u8)rng();
		got = lzo_decompress(stream, n, back, PAGE);
		cr_assert_leq(got, (long)PAGE);
		for (int i = 0; i < 64; i++)
			cr_assert_eq(back[PAGE + i], 0x5a, "byte %d behind the room", i);
		stream[at] = old;
	}
}

/*
 * The plain kind is a public format. Expect the reference decoder to read what
 * we write, for the test program's pages and for random ones.
 */
Test(lzorle, reference_decoder_reads_plain_streams)
{
	void *lib = dlopen("liblzo2.so.2", RTLD_NOW);
	int (*safe)(const u8 *, size_t, u8 *, size_t *, void *);
	static u8 in[LZO_MAX_INPUT];

	if (!lib)
		cr_skip_test("liblzo2 is not installed");
	*(void **)&safe = dlsym(lib, "lzo1x_decompress_safe");
	cr_assert_not_null((void *)safe);
	for (unsigned round = 0; round < 2000 + KINDS; round++) {
		size_t len = PAGE, n, got;

		if (round < KINDS)
			pattern_page(round, in);
		else
			len = random_input(in);
		n = lzo_compress(LZO_PLAIN, in, len, stream, &ws);
		got = len;
		cr_assert_eq(safe(stream, n, back, &got, NULL), 0, "round %u", round);
		cr_assert_eq(got, len);
		cr_assert_arr_eq(back, in, len);
	}
}
