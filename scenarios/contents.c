/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contents.c - see contents.h. */
#include "scenarios/contents.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "scenarios/file_name.h"
#include "scenarios/mem.h"
#include "sizes/algo.h"

static void free_one(struct contents *c)
{
	free(c->given);
	free(c->name);
	free(c->pages);
	free(c);
}

/* Up to CONTENTS_MAX bytes of @in, in whole pages. */
static void read_pages(struct contents *c, FILE *in)
{
	size_t bytes = 0, room = 0, got;

	do {
		if (bytes == room) {
			room = room ? room * 2 : 64 * CONTENTS_PAGE;
			c->pages = realloc(c->pages, room);
			if (!c->pages)
				abort();
		}
		got = fread(c->pages + bytes, 1, room - bytes, in);
		bytes += got;
	} while (got && bytes < CONTENTS_MAX);
	c->nr = (bytes + CONTENTS_PAGE - 1) / CONTENTS_PAGE;
	memset(c->pages + bytes, 0, c->nr * CONTENTS_PAGE - bytes);
	c->hash = XXH64(c->pages, c->nr * CONTENTS_PAGE, 0);
}

static int read_file(struct source *src, const cJSON *item, const char *path, struct contents *c)
{
	FILE *in = fopen(path, "rb");
	bool failed;

	if (!in)
		return source_fault(src, item, "cannot be opened: %s; name a file that can be read", strerror(errno));
	read_pages(c, in);
	failed = ferror(in);
	fclose(in);
	if (failed)
		return source_fault(src, item, "cannot be read: %s; name a file", strerror(errno));
	return c->nr ? 0 : source_fault(src, item, "an empty file has no pages; name one with contents");
}

/* Results are told apart by the name, so it means one file. */
static int name_fault(struct source *src, const struct contents_list *all, const cJSON *item, const struct contents *c)
{
	for (size_t i = 0; i < all->nr; i++) {
		const struct contents *other = all->at[i];

		if (!strcmp(other->name, c->name) && other->hash != c->hash)
			return source_fault(src, item, "another file than \"%s\", of the same name; rename one of them",
					    quote(other->given).text);
	}
	return 0;
}

static void add(struct contents_list *all, struct contents *c)
{
	all->at = scn_grow(all->at, all->nr, sizeof(*all->at));
	all->at[all->nr++] = c;
}

const struct contents *contents_read(struct source *src, struct contents_list *all, const cJSON *item)
{
	struct contents *c;
	char *path;

	for (size_t i = 0; i < all->nr; i++)
		if (!strcmp(all->at[i]->given, item->valuestring))
			return all->at[i];
	path = source_find_file(src, item->valuestring);
	if (!path) {
		source_fault(src, item, "no such file; name one whose pages the processes are to have in memory");
		return NULL;
	}
	c = scn_zalloc(1, sizeof(*c));
	c->given = scn_strdup(item->valuestring);
	c->name = word_of_file(item->valuestring, "");
	if (read_file(src, item, path, c) || name_fault(src, all, item, c)) {
		free_one(c);
		c = NULL;
	} else {
		add(all, c);
	}
	free(path);
	return c;
}

void contents_move(struct contents_list *to, struct contents_list *from)
{
	for (size_t i = 0; i < from->nr; i++)
		add(to, from->at[i]);
	free(from->at);
	*from = (struct contents_list){ 0 };
}

void contents_free(struct contents_list *all)
{
	for (size_t i = 0; i < all->nr; i++)
		free_one(all->at[i]);
	free(all->at);
	*all = (struct contents_list){ 0 };
}

char *contents_text(const struct contents *c)
{
	return scn_printf("%s:%016" PRIx64, c->name, c->hash);
}

/* One page; the bytes that it becomes, newly allocated, and how many. */
static uint8_t *compress_page(struct algo_stream *stream, const uint8_t *page, uint32_t *len)
{
	static uint8_t out[ALGO_ROOM], back[CONTENTS_PAGE];
	size_t bytes = algo_compress(stream, page, CONTENTS_PAGE, out);
	uint8_t *data;

	if (!bytes || !algo_decompress(stream, out, bytes, back, CONTENTS_PAGE) || memcmp(back, page, CONTENTS_PAGE))
		return NULL;
	*len = bytes < CONTENTS_PAGE ? (uint32_t)bytes : CONTENTS_PAGE;
	data = scn_zalloc(*len, 1);
	memcpy(data, *len < CONTENTS_PAGE ? out : page, *len);
	return data;
}

const struct model_contents *contents_compress(const struct contents *c, const char *algo)
{
	struct algo_stream *stream = algo_open(algo_find(algo));
	struct model_contents *m = scn_zalloc(1, sizeof(*m));
	uint32_t *len = scn_zalloc(c->nr, sizeof(*len));
	const uint8_t **data = scn_zalloc(c->nr, sizeof(*data));

	if (!stream)
		abort();
	for (uint64_t i = 0; i < c->nr; i++) {
		data[i] = compress_page(stream, c->pages + i * CONTENTS_PAGE, &len[i]);
		if (data[i])
			continue;
		fprintf(stderr, "zsmsim: %s: page %" PRIu64 " did not come back from %s (%s) as it was; the library is at fault\n",
			c->given, i, algo, algo_version(algo_find(algo)));
		exit(1);
	}
	algo_close(stream);
	*m = (struct model_contents){ .nr = c->nr, .pages = c->pages, .len = len, .data = data };
	return m;
}
