/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sizes_table.c - see sizes_table.h. */
#include "reports/sizes_table.h"

#include <inttypes.h>
#include <string.h>

#include "scenarios/dump.h"

#define HANDLE_BYTES 8u			/* an object begins with its handle */

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static unsigned class_of(unsigned bytes, unsigned chain)
{
	unsigned size = bytes + HANDLE_BYTES, step = dump_class_size(1) - dump_class_size(0);
	unsigned index = size <= dump_class_size(0) ? 0 : (size - dump_class_size(0) + step - 1) / step;

	return dump_class_serving(index < DUMP_CLASSES ? index : DUMP_CLASSES - 1, chain);
}

/* The smallest request that takes a page of its own; such pages are stored as they were, without a header. */
static unsigned huge_size(unsigned chain)
{
	unsigned bytes = DUMP_PAGE;

	while (bytes > 1 && class_of(bytes - 1, chain) == DUMP_CLASSES - 1)
		bytes--;
	return bytes;
}

/* The least size that @permille of the objects do not exceed. */
static unsigned quantile(const struct sizes_table *t, uint64_t objects, unsigned permille)
{
	uint64_t sum = 0, rank = (objects * permille + 999) / 1000;

	for (unsigned b = 1; b <= DUMP_PAGE; b++) {
		sum += t->count[b];
		if (sum && sum >= rank)
			return b;
	}
	return 0;
}

static void print_head(const struct sizes_table *t, uint64_t objects, uint64_t bytes, uint64_t whole, FILE *out)
{
	fprintf(out, "%s: %" PRIu64 " pages of 4 KiB, %" PRIu64 " of one word, %" PRIu64 " compressed (%s) to %" PRIu64
		" bytes (%.1f %% of theirs)", t->source, t->pages, t->one_word, objects, t->algo, bytes,
		percent(bytes, objects * DUMP_PAGE));
	fprintf(out, "; %" PRIu64 " of %u bytes or more would be stored whole\n", whole, huge_size(t->chain));
	if (objects)
		fprintf(out, "bytes of a page: 10 %% at most %u, half %u, 90 %% %u\n", quantile(t, objects, 100),
			quantile(t, objects, 500), quantile(t, objects, 900));
}

static uint64_t print_class(unsigned index, uint64_t in_class, uint64_t bytes, uint64_t objects, unsigned chain, FILE *out)
{
	unsigned size = dump_class_size(index), pages = dump_chain_pages(size, chain, false);
	unsigned objs = pages * DUMP_PAGE / size;
	uint64_t taken = (in_class + objs - 1) / objs * pages;

	fprintf(out, "%5u %5u %6u %6u %10" PRIu64 " %6.2f %12" PRIu64 " %9" PRIu64 "\n", index, size, objs, pages, in_class,
		percent(in_class, objects), bytes, taken);
	return taken;
}

void sizes_table_print(const struct sizes_table *t, FILE *out)
{
	uint64_t objects = 0, bytes = 0, whole = 0, taken = 0;
	uint64_t in_class[DUMP_CLASSES] = { 0 }, bytes_in[DUMP_CLASSES] = { 0 };
	unsigned huge = huge_size(t->chain);

	for (unsigned b = 1; b <= DUMP_PAGE; b++) {
		unsigned stored = b < huge ? b : DUMP_PAGE, class = b < huge ? class_of(b, t->chain) : DUMP_CLASSES - 1;

		objects += t->count[b];
		bytes += t->count[b] * b;
		whole += b < huge ? 0 : t->count[b];
		in_class[class] += t->count[b];
		bytes_in[class] += t->count[b] * stored;
	}
	print_head(t, objects, bytes, whole, out);
	if (!objects)
		return;
	fprintf(out, "\nclass  size  objs/  pages/    objects  share        bytes     pages\n"
		"            zspage  zspage                 %%       stored     taken\n");
	for (unsigned i = 0; i < DUMP_CLASSES; i++)
		if (in_class[i])
			taken += print_class(i, in_class[i], bytes_in[i], objects, t->chain, out);
	fprintf(out, "total                     %10" PRIu64 " 100.00 %12s %9" PRIu64 "\n", objects, "", taken);
}
