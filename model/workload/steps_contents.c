/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * steps_contents.c - what the objects of steps.h hold. Each word of a pattern
 * is another, so bytes that end up at another offset or in another object do
 * not go unnoticed.
 */
#include "model/workload/steps_driver.h"

/* Two pages: what should be there, and a place for objects that span pages. */
static u64 *wanted;

void contents_init(void)
{
	wanted = vzalloc(2 * PAGE_SIZE);
	BUG_ON(!wanted);
}

static void fill(const struct step_object *object)
{
	u64 word = ((u64)object->number << 20 | object->written) * 0x9e3779b97f4a7c15ull;

	for (u32 i = 0; i < DIV_ROUND_UP(object->size, sizeof(*wanted)); i++) {
		word = (word ^ word >> 31) * 0xbf58476d1ce4e5b9ull + i;
		wanted[i] = word;
	}
}

void contents_write(struct step_object *object)
{
	object->written++;
	fill(object);
	zs_obj_write(steps->pool, object->handle, wanted, object->size);
}

static u32 first_difference(const u8 *a, const u8 *b, u32 bytes)
{
	u32 i = 0;

	while (i < bytes && a[i] == b[i])
		i++;
	return i;
}

/* Whole words first: there are a lot of them. */
static bool same_bytes(const u64 *a, const u64 *b, u32 bytes)
{
	u32 words = bytes / sizeof(*a);

	for (u32 i = 0; i < words; i++)
		if (a[i] != b[i])
			return false;
	return first_difference((const u8 *)(a + words), (const u8 *)(b + words), bytes % sizeof(*a)) ==
	       bytes % sizeof(*a);
}

void contents_check(const struct step_object *object)
{
	void *local = (char *)wanted + PAGE_SIZE;
	void *got = zs_obj_read_begin(steps->pool, object->handle, object->size, local);

	fill(object);
	if (!same_bytes(got, wanted, object->size))
		hw_fault("step %lu: object #%u of %u bytes does not hold at offset %u what was written",
			 steps->step, object->number, object->size,
			 first_difference(got, (u8 *)wanted, object->size));
	zs_obj_read_end(steps->pool, object->handle, object->size, got);
}

void contents_damage(const struct step_object *object)
{
	fill(object);
	((u8 *)wanted)[object->size - 1] ^= 0x10;
	zs_obj_write(steps->pool, object->handle, wanted, object->size);
}
