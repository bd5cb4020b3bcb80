/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_mapping.c - both values of axis mapping: what is written is what is
 * read, in every size and place, and nothing else changes. On the host.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/host_kernel/pool_fixture.h"

#undef memcpy

#define OBJECTS_OF_A_SIZE 9		/* of the larger sizes enough that some span pages */

TestSuite(mapping, .init = boot, .timeout = 120);

static u8 local[PAGE_SIZE];

static u8 byte_of(unsigned long handle, size_t i, u8 pass)
{
	return (u8)(handle >> 3 ^ i * 13 ^ pass * 101u);
}

static void fill(u8 *data, unsigned long handle, size_t len, u8 pass)
{
	for (size_t i = 0; i < len; i++)
		data[i] = byte_of(handle, i, pass);
}

/* The first @changed bytes are of pass 1, the others of pass 0. */
static void expect_bytes(struct zs_pool *pool, unsigned long handle, size_t len, size_t changed)
{
	const u8 *mem = zs_obj_read_begin(pool, handle, len, local);

	for (size_t i = 0; i < len; i++)
		cr_assert_eq(mem[i], byte_of(handle, i, i < changed), "byte %zu of %zu, %zu changed", i, len, changed);
	zs_obj_read_end(pool, handle, len, (void *)mem);
}

/*
 * Objects of each size, written, half of each modified, read. Expect the other
 * half as it was, the neighbours too, and a sound pool.
 */
static void write_modify_read(enum axis_mapping mapping)
{
	struct model_variant variant = base;
	static unsigned long handles[PAGE_SIZE / 32 + 1][OBJECTS_OF_A_SIZE];
	static u8 data[PAGE_SIZE];
	struct zs_pool *pool;
	unsigned spanning = 0;

	variant.mapping = mapping;
	pool = create(&variant, 8);
	for (size_t len = 32; len <= PAGE_SIZE; len += 32) {
		for (int k = 0; k < OBJECTS_OF_A_SIZE; k++) {
			unsigned long handle = handles[len / 32][k] = must_malloc(pool, len);

			fill(data, handle, len, 0);
			zs_obj_write(pool, handle, data, len);
		}
	}
	for (size_t len = 32; len <= PAGE_SIZE; len += 32) {
		for (int k = 0; k < OBJECTS_OF_A_SIZE; k++) {
			fill(data, handles[len / 32][k], len / 2, 1);
			zs_obj_modify(pool, handles[len / 32][k], data, len / 2);
		}
	}
	for (size_t len = 32; len <= PAGE_SIZE; len += 32) {
		for (int k = 0; k < OBJECTS_OF_A_SIZE; k++) {
			expect_bytes(pool, handles[len / 32][k], len, len / 2);
			u8 *mem = zs_obj_read_begin(pool, handles[len / 32][k], len, local);

			spanning += mem >= local && mem < local + sizeof(local);
			zs_obj_read_end(pool, handles[len / 32][k], len, mem);
		}
	}
	/* Copies to the reader's own buffer are what direct reading makes of spanning objects. */
	cr_expect(mapping == MAPPING_DIRECT ? spanning > 100 : spanning == 0, "%u objects span pages", spanning);
	zs_check_pool(pool);
	for (size_t len = 32; len <= PAGE_SIZE; len += 32)
		for (int k = 0; k < OBJECTS_OF_A_SIZE; k++)
			zs_free(pool, handles[len / 32][k]);
	zs_destroy_pool(pool);
}

Test(mapping, direct)
{
	write_modify_read(MAPPING_DIRECT);
}

Test(mapping, percpu_copy)
{
	write_modify_read(MAPPING_PERCPU_COPY);
}

/* The buffer is the CPU's: a second mapping before the first has ended is a fault. */
Test(mapping, one_mapping_a_cpu)
{
	struct model_variant variant = base;
	struct zs_pool *pool;
	unsigned long a, b;

	variant.mapping = MAPPING_PERCPU_COPY;
	pool = create(&variant, 8);
	a = must_malloc(pool, 100);
	b = must_malloc(pool, 100);
	zs_obj_read_begin(pool, a, 100, local);
	cr_assert(host_expect_fault(zs_obj_read_begin(pool, b, 100, local)));
}
