/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli_sizes.c - zsmsim sizes: what the pages of a file become when they are compressed. */
#include "config.h"

#include "reports/cli.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "reports/progress.h"
#include "reports/sizes_table.h"
#include "scenarios/distribution.h"
#include "scenarios/dump.h"
#include "sizes/file_pages.h"

enum { KEY_CHAIN = 0x100, KEY_CLASSES };

static const struct argp_option options[] = {
	{ "algo", 'a', "NAME", 0, "Compress with lz4, zstd, lzo or lzo-rle (default: lzo-rle, as zram does)", 0 },
	{ "chain-size", KEY_CHAIN, "N", 0, "Size classes of a pool with at most N pages in a zspage, 4 to 16 (default: 8)", 0 },
	{ "classes", KEY_CLASSES, 0, 0, "FILE is what debugfs 'classes' of a pool printed: take the sizes of its objects,"
	  " as large as their class", 0 },
	{ "output", 'o', "DIST", 0, "Write the sizes to DIST, for a scenario: \"workload\": {\"sizes\": \"DIST\"}", 0 },
	{ "quiet", 'q', 0, 0, "No progress bar", 0 },
	CLI_COMMON_OPTIONS
};

struct command {
	const char *file, *output, *algo;
	unsigned chain;
	bool classes, quiet;
	struct progress progress;
	uint64_t shown;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct command *c = state->input;

	switch (key) {
	case 'a':
		if (!algo_find(arg))
			cli_usage_error(state, "%.40s: unknown algorithm; there are %s", arg, algo_names());
		c->algo = arg;
		return 0;
	case KEY_CHAIN:
		c->chain = (unsigned)cli_number(state, "--chain-size", arg, 4, DUMP_CHAIN_MAX);
		return 0;
	case KEY_CLASSES:
		c->classes = true;
		return 0;
	case 'o':
		c->output = arg;
		return 0;
	case 'q':
		c->quiet = true;
		return 0;
	case ARGP_KEY_ARG:
		if (c->file)
			cli_usage_error(state, "%.40s: a second file; name one", arg);
		c->file = arg;
		return 0;
	case ARGP_KEY_END:
		if (!c->file)
			cli_usage_error(state, "no file; name one whose pages are to be compressed");
		if (c->classes && c->algo)
			cli_usage_error(state, "--algo with --classes: those pages are compressed already; leave one of the two out");
		return 0;
	}
	return cli_common(key, state);
}

static const struct argp argp = {
	options, parse, "FILE",
	"Cut FILE (a core dump, a program, data) into pages of 4 KiB, compress each, and print how large they become and"
	" which size classes would hold them. Each page is decompressed again and compared.",
	NULL, NULL, NULL
};

static void step(void *arg, uint64_t bytes)
{
	struct command *c = arg;

	progress_step(&c->progress, bytes - c->shown);
	c->shown = bytes;
	progress_draw(&c->progress);
}

static uint64_t file_bytes(const char *file)
{
	struct stat st;

	return stat(file, &st) || st.st_size < 1 ? 1 : (uint64_t)st.st_size;
}

static int count_file(struct command *c, struct page_sizes *sizes, char *error, size_t error_bytes)
{
	uint64_t bytes = file_bytes(c->file);
	int status;

	c->progress.things = "KiB";
	progress_begin(&c->progress, !c->quiet, bytes / 1024, bytes);
	status = page_sizes_of_file(c->file, algo_find(c->algo), sizes, step, c, error, error_bytes);
	progress_clear(&c->progress);
	return status;
}

/* An object fills its class, but for the header; those of the last class are whole pages. */
static int count_classes(const struct command *c, struct page_sizes *sizes, char *error, size_t error_bytes)
{
	struct dump *dump;

	if (dump_read(c->file, &dump, error, error_bytes))
		return 2;
	for (size_t i = 0; i < dump->nr_rows; i++) {
		const struct dump_row *row = &dump->rows[i];
		unsigned bytes = row->objs == 1 && row->pages == 1 ? PAGE_BYTES : row->size - 8;

		sizes->count[bytes] += row->used;
		sizes->pages += row->used;
	}
	dump_free(dump);
	if (sizes->pages)
		return 0;
	snprintf(error, error_bytes, "zsmsim: %s: no object is in use; name a pool with objects", c->file);
	return 2;
}

/* Where a distribution comes from, without the directory it happened to be in. */
static int write_distribution(const struct command *c, const struct page_sizes *sizes, const char *algo)
{
	const char *slash = strrchr(c->file, '/');
	char source[512];
	char *text;
	int status;

	snprintf(source, sizeof(source), c->classes ? "objects of the pool in %s" : "pages of 4 KiB of %s",
		 slash ? slash + 1 : c->file);
	text = distribution_write(source, algo, sizes->pages, sizes->one_word, sizes->count);
	status = cli_write_text(c->output, text);
	free(text);
	return status;
}

static int measure(struct command *c, struct page_sizes *sizes)
{
	const char *algo = c->classes ? "unknown" : c->algo;
	char error[1024];
	struct sizes_table table;

	if (c->classes ? count_classes(c, sizes, error, sizeof(error)) : count_file(c, sizes, error, sizeof(error))) {
		fprintf(stderr, "%s\n", error);
		return EXIT_WRONG;
	}
	if (c->output && sizes->pages == sizes->one_word) {
		fprintf(stderr, "zsmsim: %s: all pages are of one word, there is no size to write; name another file\n", c->file);
		return EXIT_WRONG;
	}
	table = (struct sizes_table){ .source = c->file, .algo = algo, .pages = sizes->pages, .one_word = sizes->one_word,
				      .count = sizes->count, .chain = c->chain };
	sizes_table_print(&table, stdout);
	return c->output ? write_distribution(c, sizes, algo) : EXIT_DONE;
}

int cli_sizes(int argc, char **argv)
{
	struct command c = { .chain = 8 };
	struct page_sizes *sizes = calloc(1, sizeof(*sizes));
	int status;

	if (!sizes)
		abort();
	cli_parse(&argp, argc, argv, &c);
	if (!c.algo)
		c.algo = "lzo-rle";
	status = measure(&c, sizes);
	free(sizes);
	return cli_finish(status);
}
