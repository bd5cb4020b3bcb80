/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mapping.c - the test of the object-mapping interface: a fixed set of
 * objects of fixed sizes, gone through once for reading and once for writing.
 *
 * Sizes go round through every 64 bytes from 64 up to the largest that share
 * a page with others. Only the two passes are measured; the objects are made
 * before and freed after.
 */
#include "model/kernel/kernel.h"
#include "model/workload/workload.h"
#include "model/zram/observer.h"
#include "model/zsmalloc/zsmalloc.h"

#define SIZE_STEP 64u

static struct zs_pool *pool;
static unsigned long *handles;
static u64 nr_objects;
static size_t nr_sizes;
static u8 *payload, *readback, *local_copy;
static struct task_struct *task;

static size_t size_of(u64 i)
{
	return (i % nr_sizes + 1) * SIZE_STEP;
}

/* What is written: bytes that tell neighbours apart. */
static __observer void fill_payload(void)
{
	for (size_t i = 0; i < PAGE_SIZE; i++)
		payload[i] = (u8)(i * 7);
}

static __observer void check_readback(size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (readback[i] != payload[i])
			hw_fault("byte %zu of an object of %zu is %u, not %u", i, len, readback[i], payload[i]);
}

static void read_all(bool check)
{
	for (u64 i = 0; i < nr_objects; i++) {
		size_t len = size_of(i);
		void *mem = zs_obj_read_begin(pool, handles[i], len, local_copy);

		memcpy(readback, mem, len);
		zs_obj_read_end(pool, handles[i], len, mem);
		if (check)
			check_readback(len);
	}
}

static void write_all(void)
{
	for (u64 i = 0; i < nr_objects; i++)
		zs_obj_modify(pool, handles[i], payload, size_of(i));
}

static void run_test(void *unused)
{
	(void)unused;
	hw_mark("read_begin", 0);
	read_all(false);
	hw_mark("read_end", 0);
	hw_mark("write_begin", 0);
	write_all();
	hw_mark("write_end", 0);
}

static u8 *page_buffer(void)
{
	u8 *buffer = vzalloc(PAGE_SIZE);

	BUG_ON(!buffer);
	return buffer;
}

static void mapping_prepare(const struct model_config *config)
{
	pool = zs_create_pool("mapping", &config->variant, config->chain_size);
	BUG_ON(!pool);
	nr_objects = config->nr_objects;
	nr_sizes = (zs_huge_class_size(pool) - 1) / SIZE_STEP;
	handles = vzalloc(nr_objects * sizeof(*handles));
	BUG_ON(!handles);
	payload = page_buffer();
	readback = page_buffer();
	local_copy = page_buffer();
	hw_mute();
	fill_payload();
	hw_unmute();
	for (u64 i = 0; i < nr_objects; i++) {
		handles[i] = zs_malloc(pool, size_of(i), GFP_KERNEL);
		BUG_ON(IS_ERR_VALUE(handles[i]));
	}
	write_all();
	task = task_create("mapping", 0, run_test, NULL);
	BUG_ON(!task);
	wake_up_process(task);
}

static void mapping_check(void)
{
	read_all(true);
}

static struct zs_pool *mapping_pool(void)
{
	return pool;
}

static void mapping_finish(void)
{
	mapping_check();
	for (u64 i = 0; i < nr_objects; i++)
		zs_free(pool, handles[i]);
	zs_destroy_pool(pool);
	vfree(handles);
	vfree(payload);
	vfree(readback);
	vfree(local_copy);
}

const struct workload mapping_workload = {
	.prepare = mapping_prepare,
	.check = mapping_check,
	.pool = mapping_pool,
	.finish = mapping_finish,
};
