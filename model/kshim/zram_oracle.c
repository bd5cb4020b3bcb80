/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zram_oracle.c - see zram_oracle.h. The sums and the compressor are those of the project's own zram. */
#include "model/kshim/zram_oracle.h"

#include "model/kernel/kernel.h"
#include "model/zram/lzorle.h"
#include "model/zram/zram_internal.h"

static struct zram_observer *observer;
static struct zs_pool *objects;
static size_t huge_size;		/* a stream of this size or more is not stored */

void kshim_oracle_create(u32 nr_slots, struct zs_pool *pool)
{
	BUG_ON(observer);
	observer = zram_observer_create(nr_slots);
	BUG_ON(!observer);
	objects = pool;
	huge_size = zs_huge_class_size(pool);
}

void kshim_oracle_destroy(void)
{
	vfree(observer);
	observer = NULL;
}

const u8 *kshim_oracle_compress(const void *page, size_t *len)
{
	return zram_observer_compress(observer, page, len);
}

/* A page of zeros is never an object, so it is not what the slot's sum is of. */
void kshim_oracle_decompress(const void *src, size_t len, void *page)
{
	if (lzo_decompress(src, len, page, PAGE_SIZE) != (long)PAGE_SIZE)
		hw_zero(page, PAGE_SIZE);
}

static bool is_same_filled(const unsigned long *words)
{
	for (size_t i = 1; i < PAGE_SIZE / sizeof(*words); i++)
		if (words[i] != words[0])
			return false;
	return true;
}

/* The bytes that stand for @page in the device: one word, the stream, or the page as it is. */
static const void *stored_form(const void *page, size_t *len)
{
	const u8 *stream;

	*len = sizeof(unsigned long);
	if (is_same_filled(page))
		return page;
	stream = kshim_oracle_compress(page, len);
	if (*len < huge_size)
		return stream;
	*len = PAGE_SIZE;
	return page;
}

void kshim_oracle_written(u32 index, const void *page)
{
	size_t len;
	const void *form = stored_form(page, &len);

	zram_observer_stored(observer, index, form, len);
}

void kshim_oracle_read(u32 index, const void *page)
{
	size_t len;
	const void *form = stored_form(page, &len);

	zram_observer_check(observer, index, form, len);
}

void kshim_oracle_check_object(u32 index, unsigned long handle, size_t len)
{
	static u8 copy[PAGE_SIZE];
	void *mem = zs_obj_read_begin(objects, handle, len, copy);

	zram_observer_check(observer, index, mem, len);
	zs_obj_read_end(objects, handle, len, mem);
}

void kshim_oracle_check_same(u32 index, unsigned long element)
{
	zram_observer_check(observer, index, &element, sizeof(element));
}
