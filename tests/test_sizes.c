/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Real compression, the pages of a file, and distributions of sizes as files. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <lz4.h>
#include <zstd.h>

#include "reports/sizes_table.h"
#include "scenarios/distribution.h"
#include "sizes/algo.h"
#include "sizes/file_pages.h"

static const char *const names[] = { "lz4", "zstd", "lzo", "lzo-rle" };

static uint64_t state;

static uint64_t random64(void)
{
	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return state ^ state >> 29;
}

/* Of @kind: 0 noise, 1 text-like, 2 a few words, 3 half zeros, 4 the tail of a file. */
static void fill(unsigned kind, uint8_t *page)
{
	memset(page, 0, PAGE_BYTES);
	for (size_t i = 0; i < PAGE_BYTES; i++) {
		uint64_t r = random64();

		if (kind == 0)
			page[i] = (uint8_t)(r >> 40);
		else if (kind == 1)
			page[i] = "the quick brown fox "[(r >> 40) % 20];
		else if (kind == 2)
			page[i] = (uint8_t)(i / 512);
		else if ((kind == 3 && i < PAGE_BYTES / 2) || (kind == 4 && i < 100))
			page[i] = (uint8_t)(r >> 40);
	}
}

/* ---- compressors ------------------------------------------------------------ */

Test(sizes, what_was_compressed_comes_back)
{
	uint8_t page[PAGE_BYTES], back[PAGE_BYTES], out[ALGO_ROOM];

	for (unsigned a = 0; a < 4; a++) {
		struct algo_stream *s = algo_open(algo_find(names[a]));

		cr_assert_not_null(s);
		for (unsigned round = 0; round < 100; round++) {
			size_t len;

			fill(round % 5, page);
			len = algo_compress(s, page, PAGE_BYTES, out);
			cr_assert(len > 0 && len <= ALGO_ROOM);
			memset(back, 0x55, sizeof(back));
			cr_assert(algo_decompress(s, out, len, back, PAGE_BYTES), "%s, page %u", names[a], round);
			cr_assert_eq(memcmp(back, page, PAGE_BYTES), 0, "%s, page %u", names[a], round);
			cr_assert_not(algo_decompress(s, out, len / 2, back, PAGE_BYTES) && !memcmp(back, page, PAGE_BYTES) &&
				      round % 5 != 2, "%s comes back from half of it", names[a]);
		}
		algo_close(s);
	}
	cr_expect_null(algo_find("lz5"));
	cr_expect_str_eq(algo_names(), "lz4, zstd, lzo, lzo-rle");
}

/* The stream is the library's own: what anybody else calls gives the same bytes. */
Test(sizes, streams_are_those_of_the_libraries)
{
	uint8_t page[PAGE_BYTES], out[ALGO_ROOM], want[ALGO_ROOM];
	struct algo_stream *lz4 = algo_open(algo_find("lz4")), *zstd = algo_open(algo_find("zstd"));

	for (unsigned kind = 0; kind < 5; kind++) {
		size_t len;

		fill(kind, page);
		len = algo_compress(lz4, page, PAGE_BYTES, out);
		cr_expect_eq((int)len, LZ4_compress_default((char *)page, (char *)want, PAGE_BYTES, sizeof(want)));
		cr_expect_eq(memcmp(out, want, len), 0);
		len = algo_compress(zstd, page, PAGE_BYTES, out);
		cr_expect_eq(len, ZSTD_compress(want, sizeof(want), page, PAGE_BYTES, 3));
		cr_expect_eq(memcmp(out, want, len), 0);
	}
	algo_close(lz4);
	algo_close(zstd);
}

/* ---- files ------------------------------------------------------------------- */

/* A file of its own; remove() and free() it with drop(). */
static char *write_file(const void *data, size_t bytes)
{
	char *path = strdup("/tmp/zsmsim-sizes-XXXXXX");
	int fd = mkstemp(path);

	cr_assert_geq(fd, 0);
	cr_assert_eq(write(fd, data, bytes), (ssize_t)bytes);
	close(fd);
	return path;
}

static void drop(char *file)
{
	remove(file);
	free(file);
}

static struct page_sizes count(const char *file, const char *algo, int want, char *error)
{
	struct page_sizes sizes = { 0 };

	cr_assert_eq(page_sizes_of_file(file, algo_find(algo), &sizes, NULL, NULL, error, 1024), want);
	return sizes;
}

/* A page of noise, one of zeros, one of another word, and 100 bytes of a last page, which zeros fill up. */
Test(sizes, pages_of_a_file)
{
	static uint8_t data[3 * PAGE_BYTES + 100];
	uint8_t last[PAGE_BYTES] = { 0 }, out[ALGO_ROOM];
	char error[1024], *file;
	struct page_sizes sizes;
	uint64_t sum = 0;

	fill(0, data);
	memset(data + 2 * PAGE_BYTES, 0xab, PAGE_BYTES);
	for (unsigned i = 0; i < 100; i++)
		data[3 * PAGE_BYTES + i] = last[i] = (uint8_t)(random64() >> 40);
	file = write_file(data, sizeof(data));
	for (unsigned a = 0; a < 4; a++) {
		struct algo_stream *s = algo_open(algo_find(names[a]));
		size_t len = algo_compress(s, last, PAGE_BYTES, out);

		sizes = count(file, names[a], 0, error);
		cr_expect_eq(sizes.pages, 4);
		cr_expect_eq(sizes.one_word, 2);
		cr_expect_eq(sizes.count[PAGE_BYTES], 1, "noise does not become smaller");
		cr_expect_eq(sizes.count[len], 1, "%s: the last page", names[a]);
		cr_expect_eq(sizes.bytes, PAGE_BYTES + len);
		sum = 0;
		for (unsigned b = 0; b <= PAGE_BYTES; b++)
			sum += sizes.count[b];
		cr_expect_eq(sum, 2);
		algo_close(s);
	}
	drop(file);
}

Test(sizes, files_that_are_none)
{
	char error[1024], *file = write_file("", 0);

	count(file, "lz4", 2, error);
	cr_expect_not_null(strstr(error, "an empty file has no pages"), "%s", error);
	remove(file);
	count(file, "lz4", 2, error);
	cr_expect_not_null(strstr(error, "No such file or directory; name a file that can be read"), "%s", error);
	free(file);
	count("/tmp", "lz4", 2, error);
	cr_expect_not_null(strstr(error, "/tmp: a directory; name a file"), "%s", error);
}

/* ---- classes ------------------------------------------------------------------ */

/*
 * By hand, chain limit 8: 100 bytes and a header are 108, in class 112 (index
 * 5; 256 in 7 pages, which leave nothing over: 7 * 4096 = 256 * 112); 3624 are 3632, the last class before the huge one (3632: 8
 * pages of 9); 3625 are stored whole.
 */
Test(sizes, classes_of_sizes)
{
	static uint64_t count_of[4097];
	struct sizes_table t = { .source = "s", .algo = "lz4", .pages = 50, .one_word = 3, .count = count_of, .chain = 8 };
	char *text;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	count_of[100] = 37;
	count_of[3624] = 8;
	count_of[3625] = 1;
	count_of[4096] = 1;
	sizes_table_print(&t, out);
	fclose(out);
	cr_expect_not_null(strstr(text, "s: 50 pages of 4 KiB, 3 of one word, 47 compressed (lz4) to 40413 bytes (21.0 % of theirs)"), "%s", text);
	cr_expect_not_null(strstr(text, "2 of 3625 bytes or more would be stored whole"), "%s", text);
	cr_expect_not_null(strstr(text, "10 % at most 100, half 100, 90 % 3624"), "%s", text);
	cr_expect_not_null(strstr(text, "\n    5   112    256      7         37  78.72         3700         7\n"), "%s", text);
	cr_expect_not_null(strstr(text, "\n  254  4096      1      1          2   4.26         8192         2\n"), "%s", text);
	cr_expect_not_null(strstr(text, "total                             47 100.00                     17\n"), "%s", text);
	free(text);
}

/* ---- distributions ----------------------------------------------------------- */

struct read {
	struct source scenario;
	struct distributions all;
	char error[1024];
	const struct distribution *d;
};

/* What a scenario gets that names a file of @text; end it with end(). */
static void read_text(struct read *r, const char *text)
{
	char *file = write_file(text, strlen(text)), *scenario, line[256];

	memset(r, 0, sizeof(*r));
	snprintf(line, sizeof(line), "{\"sizes\": \"%s\"}", file);
	scenario = write_file(line, strlen(line));
	cr_assert_eq(source_open(&r->scenario, scenario, r->error, sizeof(r->error)), 0, "%s", r->error);
	r->d = distribution_read(&r->scenario, &r->all, cJSON_GetObjectItem(r->scenario.root, "sizes"));
	drop(scenario);
	drop(file);
}

static void end(struct read *r)
{
	distributions_free(&r->all);
	source_close(&r->scenario);
}

Test(sizes, a_distribution_round_trips)
{
	static uint64_t count_of[4097];
	struct read r;
	char *text;

	count_of[1] = 5;
	count_of[1000] = 10;
	count_of[4096] = 1ull << 33;
	text = distribution_write("a \"quoted\" name\\", "zstd", 100, 3, count_of);
	read_text(&r, text);
	cr_assert_not_null(r.d, "%s", r.error);
	cr_expect_eq(r.d->nr, 3);
	cr_expect_eq(r.d->at[0].bytes, 1);
	cr_expect_eq(r.d->at[0].upto, 5);
	cr_expect_eq(r.d->at[1].bytes, 1000);
	cr_expect_eq(r.d->at[1].upto, 15);
	cr_expect_eq(r.d->at[2].bytes, 4096);
	cr_expect_eq(r.d->at[2].upto, 15 + (1ull << 33));
	cr_expect_eq(r.d->mean, 4096);
	end(&r);
	free(text);
}

Test(sizes, distributions_that_are_none)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "[]", ":1:1: $: no distribution of sizes; make one with 'zsmsim sizes'" },
		{ "{}", ":1:1: $: no sizes; write \"sizes\": [[bytes, pages], ...]" },
		{ "{\"sizes\": []}", ":1:11: $.sizes: no sizes; write" },
		{ "{\"sizes\": [[1, 2, 3]]}", ":1:12: $.sizes[0]: expected [bytes, pages]" },
		{ "{\"sizes\": [7]}", ":1:12: $.sizes[0]: expected [bytes, pages]" },
		{ "{\"sizes\": [[0, 2]]}", ":1:13: $.sizes[0][0]: a size in bytes must be a whole number from 1 to 4096" },
		{ "{\"sizes\": [[4097, 2]]}", "from 1 to 4096" },
		{ "{\"sizes\": [[1.5, 2]]}", "from 1 to 4096" },
		{ "{\"sizes\": [[\"a\", 2]]}", "from 1 to 4096" },
		{ "{\"sizes\": [[10, 0]]}", ":1:17: $.sizes[0][1]: a number of pages must be a whole number from 1 to" },
		{ "{\"sizes\": [[10, 1], [10, 1]]}", "10 bytes after 10; write the sizes in ascending order, each once" },
		{ "{\"sizes\": [[10, 1], [9, 1]]}", "9 bytes after 10" },
		{ "{\"sizes\": [[10, 1099511627776], [11, 1]]}", "more than 1099511627776 pages in all" },
		{ "{\"sizes\": [[10, 1]], \"page_kb\": 16}", "the page size in KiB must be a whole number from 4 to 4" },
		{ "{\"sizes\": [[10, 1]], \"alog\": \"lz4\"}", "unknown key; the nearest known key is \"algo\"" },
		{ "{\"sizes\": [[10, 1]], \"algo\": 4}", "$.algo: a number where text belongs" },
		{ "{\"sizes\": [[10, 1]]", "the text ends too early" },
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct read r;

		read_text(&r, cases[i].text);
		cr_expect_null(r.d, "%s", cases[i].text);
		cr_expect_not_null(strstr(r.error, cases[i].message), "%s gives: %s", cases[i].text, r.error);
		end(&r);
	}
}
