/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dump.h - the pool of a real machine, as its debugfs file "classes" tells it.
 *
 * What the kernel prints has changed over the years; the header line says
 * which columns there are:
 *
 *	class size [huge] 10% ... 90% 99% 100% | almost_full almost_empty
 *	obj_allocated obj_used pages_used [pages_per_zspage] [freeable]
 *
 * A dump that was read contradicts itself nowhere: every row fits the size
 * classes of one chain limit, its figures fit each other, and there is a way
 * to fill its zspages that gives the groups and the sum of objects in it.
 */
#ifndef ZSMSIM_SCENARIOS_DUMP_H
#define ZSMSIM_SCENARIOS_DUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

#define DUMP_CLASSES 255		/* of pages of 4 KiB */
#define DUMP_PAGE 4096u			/* bytes */
#define DUMP_GROUPS 11			/* columns 10% .. 100% */
#define DUMP_CHAIN_MAX 16		/* pages in a zspage */
#define DUMP_WARNING_BYTES 512

/* In the layouts of old the two columns are groups 0 and 1; full zspages have none and are group 2. */
enum { DUMP_ALMOST_FULL, DUMP_ALMOST_EMPTY, DUMP_FULL, DUMP_OLD_GROUPS };

struct dump_row {
	unsigned line;			/* in the file */
	unsigned index, size;		/* of the class; bytes of an object, header included */
	unsigned pages, objs;		/* of one zspage */
	uint64_t zspages[DUMP_GROUPS];	/* by group */
	uint64_t empty;			/* zspages that wait to be freed: in no column */
	uint64_t allocated, used;	/* objects that fit, objects in use */
	uint64_t pages_used, freeable;	/* pages; the latter computed where the layout has no such column */
};

struct dump {
	char *file;			/* as it was named */
	uint64_t hash;			/* of what it says, for the identity of a run */
	bool old_groups;		/* almost_full and almost_empty */
	bool has_huge, has_pages, has_freeable;
	unsigned chain;			/* a chain limit that fits all rows; others may too */
	bool percent_rule;		/* by the rule of kernels before about 6.8 */
	struct dump_row rows[DUMP_CLASSES];	/* ascending */
	size_t nr_rows;
	struct dump_row total;		/* the sums, whether the file has them or not */
	char warning[DUMP_WARNING_BYTES];	/* what is unusual but can be; "" for nothing */
};

/*
 * Read @file. Returns 0, *@out to be freed with dump_free(); or 2, nothing to
 * free, and in @error one line "zsmsim: FILE:LINE: what is wrong; what would
 * be right".
 */
int dump_read(const char *file, struct dump **out, char *error, size_t error_bytes);
void dump_free(struct dump *dump);

/* dump_shape.c: bytes of class @index; pages of its zspages at chain limit @chain; is it a class there? */
unsigned dump_class_size(unsigned index);
unsigned dump_chain_pages(unsigned size, unsigned chain, bool percent_rule);
bool dump_class_exists(unsigned index, unsigned chain, bool percent_rule);
/* The index of the class that stores objects of class @index at limit @chain (rule of today). */
unsigned dump_class_serving(unsigned index, unsigned chain);

/* The least and most objects in a zspage of @group; false if none can be in it. */
bool dump_group_range(const struct dump *dump, unsigned objs, unsigned group, unsigned *least, unsigned *most);

/*
 * dump_check.c: after the rows are read: find the chain limit, complete the
 * rows, check each. @error is as of dump_read().
 */
int dump_check(struct dump *dump, char *error, size_t error_bytes);
/* Write the error line about @line of @dump's file (0: the whole file); returns 2. */
int dump_fault(const struct dump *dump, unsigned line, char *error, size_t error_bytes, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
/* Add to the warning, in which sentences are separated by "; ". */
void dump_warn(struct dump *dump, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Is @line a line of the zram file "mm_stat" (7 to 9 numbers) that can belong
 * to the pool? Returns NULL, or what is wrong with it and what would be right,
 * newly allocated. What only differs because the two were read one after the
 * other is added to the warning of @dump.
 */
char *dump_mm_stat_fault(struct dump *dump, const char *line);

/*
 * dump_fill.c: how to make the pool at chain limit @chain: of each class that
 * has the same shape there the zspages; the objects of the others are stored
 * anew. Newly allocated.
 */
struct model_pool *dump_fill(const struct dump *dump, unsigned chain);
/* MiB of memory that a machine needs to make it. */
uint64_t dump_memory_mb(const struct dump *dump, unsigned chain);

#endif
