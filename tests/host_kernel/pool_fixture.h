/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool_fixture.h - what tests of zsmalloc on the host have in common. */
#ifndef TESTS_HOST_KERNEL_POOL_FIXTURE_H
#define TESTS_HOST_KERNEL_POOL_FIXTURE_H

#include <criterion/criterion.h>

#include "tests/host_kernel/host.h"
#include "model/zsmalloc/obj.h"
#include "model/zsmalloc/zspage.h"

#undef memcpy

#define TEST_PAGES	32768ul		/* 128 MB of addresses; touched only as used */
#define GFP_TEST	(GFP_NOIO | __GFP_HIGHMEM | __GFP_MOVABLE)

/* The merged upstream allocator: no pool lock in zs_free(), pages freed outside the class lock. */
static const struct model_variant base = {
	.lookup = LOOKUP_CLASS_IN_OBJ,
	.page_release = PAGE_RELEASE_OUTSIDE_CLASS_LOCK,
	.free = FREE_SYNC,
};

static inline struct zs_pool *create(const struct model_variant *variant, unsigned chain)
{
	struct zs_pool *pool = zs_create_pool("test", variant, chain);

	cr_assert_not_null(pool);
	return pool;
}

static inline void boot(void)
{
	host_boot(TEST_PAGES, 4, 1);
}

static inline unsigned long must_malloc(struct zs_pool *pool, size_t size)
{
	unsigned long handle = zs_malloc(pool, size, GFP_TEST);

	cr_assert(!IS_ERR_VALUE(handle), "zs_malloc(%zu): %ld", size, (long)handle);
	return handle;
}

static inline struct zspage *zspage_of(unsigned long handle)
{
	return get_zspage(obj_to_page(*(unsigned long *)handle));
}

static inline struct model_variant deferred(unsigned batch)
{
	struct model_variant variant = base;

	variant.free = FREE_DEFER_BATCH;
	variant.defer_batch = batch;
	return variant;
}

#endif
