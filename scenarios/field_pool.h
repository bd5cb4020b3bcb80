/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * field_pool.h - the section "pool" of a scenario: which dump of a machine's
 * pool a run of kind field-pool begins with.
 */
#ifndef ZSMSIM_SCENARIOS_FIELD_POOL_H
#define ZSMSIM_SCENARIOS_FIELD_POOL_H

#include <stdint.h>

#include "scenarios/dump.h"
#include "scenarios/source.h"

/* A dump that a scenario names. */
struct field_pool {
	char *given;			/* as the scenario names it */
	char *name;			/* the file's, without directory and ".txt": a word for params */
	struct dump *dump;
};

/* The dumps of a scenario, each read once; at stays where it is. Begin with all zero. */
struct field_pools {
	struct field_pool **at;
	size_t nr;
};

/*
 * The dump that @classes names, read into @pools unless that is done, and held
 * against the line @mm_stat (NULL: there is none). Returns NULL with the error
 * written: no such file, a damaged dump (the line is that of its file then),
 * two of one name.
 */
const struct field_pool *field_pool_read(struct source *src, struct field_pools *pools, const cJSON *classes,
					 const cJSON *mm_stat);

/* Move all of @from to the end of @to. */
void field_pools_move(struct field_pools *to, struct field_pools *from);
void field_pools_free(struct field_pools *pools);

/* "NAME:HASH", newly allocated: which pool it is, wherever its file lies. */
char *field_pool_text(const struct field_pool *pool);

#endif
