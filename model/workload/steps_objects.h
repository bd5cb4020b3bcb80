/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * steps_objects.h - the objects that the driver of steps.h has allocated. An
 * object has a number, in order of allocation from 1, by which it is known in
 * texts; a handle, which is an address, never gets there.
 */
#ifndef WORKLOAD_STEPS_OBJECTS_H
#define WORKLOAD_STEPS_OBJECTS_H

#include "model/kernel/list.h"
#include "model/kernel/types.h"

#define STEPS_MAX_OBJECTS 4096u

struct step_object {
	struct list_head age;		/* all, oldest first */
	unsigned long handle;
	u32 number;
	u32 size;			/* bytes asked for */
	u32 class_index;
	u32 written;			/* times its contents were replaced */
	u32 place;			/* in the table of those alive */
	struct step_object *next;	/* with the same hash of the handle, or unused as well */
};

/* Once, before anything else; takes table memory. */
void objects_init(void);
/* Objects alive, 0 .. STEPS_MAX_OBJECTS. */
u32 objects_alive(void);
/* There must be room. A handle that is known already is a fault: two objects cannot have the same. */
struct step_object *objects_add(unsigned long handle, u32 size, u32 class_index);
void objects_remove(struct step_object *object);
/* @at: 0 .. objects_alive() - 1, in no particular order, the same in each run. */
struct step_object *objects_at(u32 at);
/* NULL when none is alive. */
struct step_object *objects_oldest(void);
struct step_object *objects_newest(void);
/* NULL when no object has this handle. */
struct step_object *objects_find(unsigned long handle);

#endif
