/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * steps_driver.h - what the parts of the driver of steps.h share: its state,
 * its random numbers, and the operations by the kind of thing they touch.
 */
#ifndef WORKLOAD_STEPS_DRIVER_H
#define WORKLOAD_STEPS_DRIVER_H

#include "model/kernel/kernel.h"
#include "model/workload/steps.h"
#include "model/workload/steps_layout.h"
#include "model/workload/steps_objects.h"
#include "model/zsmalloc/zsmalloc.h"

/* What a step changed, besides a class: that index, 0 and up. */
#define TOUCHED_NOTHING	(-1)
#define TOUCHED_ALL	(-2)

struct steps {
	struct steps_config config;
	struct zs_pool *pool;
	u64 random;			/* state of the generator */
	u64 step;			/* number of the running one, from 1 */
	int touched;			/* by the running one: a class or one of the above */
	bool broken;			/* what config.break_what asks for was done */
	unsigned nr_classes;
	u16 *class_at;			/* their indices, by size */
	struct page *held;		/* a page that the driver keeps locked, or NULL */
};

extern struct steps *steps;

/* A number from 0 to n - 1; n > 0. */
u32 random_below(u32 n);
/* One of the objects alive, of which there must be one. */
struct step_object *random_object(void);
/* Is it time for the fault @what? */
bool break_is_due(enum steps_break what);

/* steps_contents.c: objects hold a pattern that depends on number, times written and offset. */
void contents_init(void);
void contents_write(struct step_object *object);
/* A fault if @object does not hold what was written last. */
void contents_check(const struct step_object *object);
void contents_damage(const struct step_object *object);

/* steps_pages.c: operations on pages, and the memory that is there at all. */
void step_migrate(struct step_text *text);
void step_lock_page(struct step_text *text);
void step_unlock_page(struct step_text *text);
void step_workers(struct step_text *text);
/* Take all free pages but @left, until give_back_pages(). Then allocations fail before long. */
void take_pages(u32 left);
void give_back_pages(void);

/* steps_alloc.c: operations on objects. This one frees @object and forgets it. */
void free_object(struct step_object *object);
void step_free_random(struct step_text *text);
void step_free_oldest(struct step_text *text);
void step_free_newest(struct step_text *text);
void step_free_pair(struct step_text *text);
void step_free_class(struct step_text *text);
void step_free_nothing(struct step_text *text);
void step_read(struct step_text *text);
void step_write(struct step_text *text);
/* Allocate @size bytes, 0 and too many included, and fill them. */
void allocate(struct step_text *text, u32 size);

#endif
