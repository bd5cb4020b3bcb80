/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * distribution.h - sizes of compressed pages, as a file in data/sizes/ or one
 * that 'zsmsim sizes' wrote:
 *
 *	{ "source": "...", "algo": "lz4", "page_kb": 4, "pages": 1000, "one_word": 12,
 *	  "sizes": [[bytes, pages], ...] }
 *
 * sizes ascend from 1 to the page size, which stands for pages that did not
 * become smaller; pages of one word take no object and are not among them.
 */
#ifndef ZSMSIM_SCENARIOS_DISTRIBUTION_H
#define ZSMSIM_SCENARIOS_DISTRIBUTION_H

#include <stdint.h>
#include <stdio.h>

#include "model/model.h"
#include "scenarios/source.h"

#define DISTRIBUTION_PAGE 4096u
#define DISTRIBUTION_PAGES_MAX (1ull << 40)

struct distribution {
	char *given;			/* as the scenario names it */
	char *name;			/* the file's, without directory and ".json": a word for params */
	uint64_t hash;			/* of the sizes, for the identity of a run */
	struct model_size *at;		/* ascending, running totals */
	size_t nr;
	unsigned mean;			/* bytes, rounded */
};

/* Those of a scenario, each read once; at stays where it is. Begin with all zero. */
struct distributions {
	struct distribution **at;
	size_t nr;
};

/*
 * The distribution that @item of @src names, read into @all unless that is
 * done. Returns NULL with the error written (its place is in that file): no
 * such file, what is no distribution, another one of the same name.
 */
const struct distribution *distribution_read(struct source *src, struct distributions *all, const cJSON *item);

/* Move all of @from to the end of @to. */
void distributions_move(struct distributions *to, struct distributions *from);
void distributions_free(struct distributions *all);

/* "NAME:HASH", newly allocated: which it is, wherever its file lies. */
char *distribution_text(const struct distribution *d);

/*
 * The text of such a file, newly allocated. @source says what it was made of;
 * @count[b] pages became b bytes, b = 0 .. DISTRIBUTION_PAGE ([0] is not used).
 */
char *distribution_write(const char *source, const char *algo, uint64_t pages, uint64_t one_word, const uint64_t *count);

#endif
