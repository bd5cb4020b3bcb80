/* SPDX-License-Identifier: GPL-3.0-or-later */
/* distribution.c - see distribution.h. */
#include "scenarios/distribution.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "scenarios/file_name.h"
#include "scenarios/mem.h"
#include "scenarios/nearest.h"
#include "scenarios/words.h"

static const char *const keys[] = { "source", "algo", "page_kb", "pages", "one_word", "sizes", NULL };

/* A whole number from @least to @most. */
static int whole_check(struct source *src, const cJSON *item, const char *what, double least, double most)
{
	double v = item->valuedouble;

	if (cJSON_IsNumber(item) && v == floor(v) && v >= least && v <= most)
		return 0;
	return source_fault(src, item, "%s must be a whole number from %.0f to %.0f", what, least, most);
}

static int member_check(struct source *src, const cJSON *item)
{
	if (!strcmp(item->string, "source") || !strcmp(item->string, "algo"))
		return text_check(src, item);
	if (!strcmp(item->string, "page_kb"))
		return whole_check(src, item, "the page size in KiB", 4, 4);
	if (!strcmp(item->string, "pages") || !strcmp(item->string, "one_word"))
		return whole_check(src, item, "a number of pages", 0, DISTRIBUTION_PAGES_MAX);
	if (!strcmp(item->string, "sizes"))
		return 0;
	return source_key_fault(src, item, "unknown key; the nearest known key is \"%s\"", nearest_word(item->string, keys));
}

/* One [bytes, pages]; @d->at has room for it. */
static int size_read(struct source *src, const cJSON *pair, struct distribution *d)
{
	const cJSON *bytes = cJSON_GetArrayItem(pair, 0), *pages = cJSON_GetArrayItem(pair, 1);
	uint64_t before = d->nr ? d->at[d->nr - 1].upto : 0;

	if (!cJSON_IsArray(pair) || cJSON_GetArraySize(pair) != 2)
		return source_fault(src, pair, "expected [bytes, pages]");
	if (whole_check(src, bytes, "a size in bytes", 1, DISTRIBUTION_PAGE) ||
	    whole_check(src, pages, "a number of pages", 1, DISTRIBUTION_PAGES_MAX))
		return 2;
	if (d->nr && bytes->valuedouble <= d->at[d->nr - 1].bytes)
		return source_fault(src, bytes, "%.0f bytes after %u; write the sizes in ascending order, each once",
				    bytes->valuedouble, d->at[d->nr - 1].bytes);
	if (before + pages->valuedouble > DISTRIBUTION_PAGES_MAX)
		return source_fault(src, pages, "more than %llu pages in all", DISTRIBUTION_PAGES_MAX);
	d->at[d->nr++] = (struct model_size){ .bytes = (unsigned)bytes->valuedouble,
					      .upto = before + (uint64_t)pages->valuedouble };
	return 0;
}

static uint64_t hash_of(const struct distribution *d)
{
	XXH64_state_t *state = XXH64_createState();
	uint64_t hash;

	if (!state)
		abort();
	XXH64_reset(state, 0);
	for (size_t i = 0; i < d->nr; i++) {
		uint64_t key[] = { d->at[i].bytes, d->at[i].upto };

		XXH64_update(state, key, sizeof(key));
	}
	hash = XXH64_digest(state);
	XXH64_freeState(state);
	return hash;
}

static int sizes_read(struct source *src, const cJSON *sizes, struct distribution *d)
{
	double sum = 0;
	const cJSON *pair;

	if (!cJSON_IsArray(sizes) || !cJSON_GetArraySize(sizes))
		return source_fault(src, sizes, "no sizes; write \"sizes\": [[bytes, pages], ...], or make the file with 'zsmsim sizes'");
	d->at = scn_zalloc((size_t)cJSON_GetArraySize(sizes), sizeof(*d->at));
	cJSON_ArrayForEach(pair, sizes) {
		if (size_read(src, pair, d))
			return 2;
		sum += (double)d->at[d->nr - 1].bytes * cJSON_GetArrayItem(pair, 1)->valuedouble;
	}
	d->mean = (unsigned)lround(sum / (double)d->at[d->nr - 1].upto);
	d->hash = hash_of(d);
	return 0;
}

static int content_read(struct source *src, struct distribution *d)
{
	const cJSON *item, *sizes = NULL;

	if (!cJSON_IsObject(src->root))
		return source_fault(src, src->root, "no distribution of sizes; make one with 'zsmsim sizes'");
	cJSON_ArrayForEach(item, src->root) {
		if (member_check(src, item))
			return 2;
		if (!strcmp(item->string, "sizes"))
			sizes = item;
	}
	return sizes ? sizes_read(src, sizes, d) : sizes_read(src, src->root, d);
}

static void free_one(struct distribution *d)
{
	free(d->at);
	free(d->given);
	free(d->name);
	free(d);
}

static int read_file(struct source *of_scenario, const char *path, struct distribution *d)
{
	struct source src;
	int status = source_open(&src, path, of_scenario->error, of_scenario->error_bytes);

	if (!status)
		status = content_read(&src, d);
	source_close(&src);
	return status;
}

/* Results are told apart by the name, so it means one distribution. */
static int name_fault(struct source *src, const struct distributions *all, const cJSON *item, const struct distribution *d)
{
	for (size_t i = 0; i < all->nr; i++) {
		const struct distribution *other = all->at[i];

		if (!strcmp(other->name, d->name) && other->hash != d->hash)
			return source_fault(src, item, "another distribution than \"%s\", of the same name; rename one of the files",
					    quote(other->given).text);
	}
	return 0;
}

static void add(struct distributions *all, struct distribution *d)
{
	all->at = scn_grow(all->at, all->nr, sizeof(*all->at));
	all->at[all->nr++] = d;
}

const struct distribution *distribution_read(struct source *src, struct distributions *all, const cJSON *item)
{
	struct distribution *d;
	char *path;

	for (size_t i = 0; i < all->nr; i++)
		if (!strcmp(all->at[i]->given, item->valuestring))
			return all->at[i];
	path = source_find_file(src, item->valuestring);
	if (!path) {
		source_fault(src, item, "no such file; name a distribution of sizes, or make one with 'zsmsim sizes'");
		return NULL;
	}
	d = scn_zalloc(1, sizeof(*d));
	d->given = scn_strdup(item->valuestring);
	d->name = word_of_file(item->valuestring, ".json");
	if (read_file(src, path, d) || name_fault(src, all, item, d)) {
		free_one(d);
		d = NULL;
	} else {
		add(all, d);
	}
	free(path);
	return d;
}

void distributions_move(struct distributions *to, struct distributions *from)
{
	for (size_t i = 0; i < from->nr; i++)
		add(to, from->at[i]);
	free(from->at);
	*from = (struct distributions){ 0 };
}

void distributions_free(struct distributions *all)
{
	for (size_t i = 0; i < all->nr; i++)
		free_one(all->at[i]);
	free(all->at);
	*all = (struct distributions){ 0 };
}

char *distribution_text(const struct distribution *d)
{
	return scn_printf("%s:%016" PRIx64, d->name, d->hash);
}

/* Other people's text as a JSON string, quotes included. */
static char *json_string(const char *text)
{
	cJSON *item = cJSON_CreateString(text);
	char *quoted = item ? cJSON_PrintUnformatted(item) : NULL;

	cJSON_Delete(item);
	if (!quoted)
		abort();
	return quoted;
}

char *distribution_write(const char *source, const char *algo, uint64_t pages, uint64_t one_word, const uint64_t *count)
{
	char *quoted = json_string(source), *text = NULL;
	const char *separator = "";
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		abort();
	fprintf(out, "{\n\t\"source\": %s,\n\t\"algo\": \"%s\",\n\t\"page_kb\": %u,\n\t\"pages\": %" PRIu64
		",\n\t\"one_word\": %" PRIu64 ",\n\t\"sizes\": [", quoted, algo, DISTRIBUTION_PAGE / 1024, pages, one_word);
	for (unsigned b = 1; b <= DISTRIBUTION_PAGE; b++) {
		if (!count[b])
			continue;
		fprintf(out, "%s\n\t\t[%u, %" PRIu64 "]", separator, b, count[b]);
		separator = ",";
	}
	fprintf(out, "%s]\n}\n", *separator ? "\n\t" : "");
	free(quoted);
	if (fclose(out))
		abort();
	return text;
}
