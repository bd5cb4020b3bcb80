/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contents.h - a file whose pages processes have in memory, really compressed. */
#ifndef ZSMSIM_SCENARIOS_CONTENTS_H
#define ZSMSIM_SCENARIOS_CONTENTS_H

#include <stdint.h>

#include "model/model.h"
#include "scenarios/source.h"

#define CONTENTS_PAGE 4096u
#define CONTENTS_MAX (256ull << 20)	/* bytes: of a larger file the first */

struct contents {
	char *given;			/* as the scenario names it */
	char *name;			/* the file's, without directory: a word for params */
	uint64_t hash;			/* of the pages, for the identity of a run */
	uint8_t *pages;			/* the last one filled up with zeros */
	uint64_t nr;
};

/* Those of a scenario, each read once; at stays where it is. Begin with all zero. */
struct contents_list {
	struct contents **at;
	size_t nr;
};

/*
 * The file that @item of @src names, read into @all unless that is done.
 * Returns NULL with the error written: no such file, an empty one, another one
 * of the same name.
 */
const struct contents *contents_read(struct source *src, struct contents_list *all, const cJSON *item);

/* Move all of @from to the end of @to. */
void contents_move(struct contents_list *to, struct contents_list *from);
void contents_free(struct contents_list *all);

/* "NAME:HASH", newly allocated: which it is, wherever its file lies. */
char *contents_text(const struct contents *c);

/*
 * Each page compressed with @algo (sizes/algo.h), decompressed and compared.
 * Stays for the rest of the program; ends it with a message where a library
 * does not give back what it was given.
 */
const struct model_contents *contents_compress(const struct contents *c, const char *algo);

#endif
