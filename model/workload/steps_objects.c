/* SPDX-License-Identifier: GPL-3.0-or-later */
/* steps_objects.c - objects by place, by age and by handle. Their memory is not the pool's. */
#include "model/kernel/kernel.h"
#include "model/workload/steps_objects.h"

#define HASH_BITS 13

struct objects {
	u32 alive;
	u32 last_number;
	struct list_head by_age;
	struct step_object *unused;
	struct step_object *place[STEPS_MAX_OBJECTS];
	struct step_object *hash[1u << HASH_BITS];
	struct step_object object[STEPS_MAX_OBJECTS];
};

/* One pointer, so that the module's data hardly grow for those who never come here. */
static struct objects *objects;

void objects_init(void)
{
	objects = vzalloc(sizeof(*objects));
	BUG_ON(!objects);
	INIT_LIST_HEAD(&objects->by_age);
	for (u32 i = STEPS_MAX_OBJECTS; i-- > 0;) {
		objects->object[i].next = objects->unused;
		objects->unused = &objects->object[i];
	}
}

u32 objects_alive(void)
{
	return objects->alive;
}

static struct step_object **bucket_of(unsigned long handle)
{
	return &objects->hash[handle * 0x9e3779b97f4a7c15ul >> (BITS_PER_LONG - HASH_BITS)];
}

struct step_object *objects_find(unsigned long handle)
{
	struct step_object *object = *bucket_of(handle);

	while (object && object->handle != handle)
		object = object->next;
	return object;
}

struct step_object *objects_add(unsigned long handle, u32 size, u32 class_index)
{
	struct step_object *object = objects->unused, **bucket = bucket_of(handle);

	BUG_ON(!object);
	if (objects_find(handle))
		hw_fault("zs_malloc() returned the handle of object #%u a second time",
			 objects_find(handle)->number);
	objects->unused = object->next;
	object->handle = handle;
	object->number = ++objects->last_number;
	object->size = size;
	object->class_index = class_index;
	object->written = 0;
	object->place = objects->alive;
	object->next = *bucket;
	*bucket = object;
	objects->place[objects->alive++] = object;
	list_add_tail(&object->age, &objects->by_age);
	return object;
}

void objects_remove(struct step_object *object)
{
	struct step_object **link = bucket_of(object->handle), *last = objects->place[--objects->alive];

	while (*link != object)
		link = &(*link)->next;
	*link = object->next;
	objects->place[object->place] = last;
	last->place = object->place;
	list_del(&object->age);
	object->next = objects->unused;
	objects->unused = object;
}

struct step_object *objects_at(u32 at)
{
	return objects->place[at];
}

struct step_object *objects_oldest(void)
{
	return list_first_entry_or_null(&objects->by_age, struct step_object, age);
}

struct step_object *objects_newest(void)
{
	return objects->alive ? list_last_entry(&objects->by_age, struct step_object, age) : NULL;
}
