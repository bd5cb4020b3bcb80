/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slabs.c - CPUs that allocate objects of one cache and free each other's.
 * Each puts a new object into a random slot of one table and frees what was
 * there, so that an object's slab is being filled, used up or emptied by
 * another CPU at any moment.
 *
 * arg[0] bytes of an object, arg[1] rounds of each CPU, arg[2] slots, arg[3]
 * where the random order begins.
 */
#include "model/kernel/boot.h"
#include "model/kernel/kernel.h"
#include "tests/module/program.h"

static struct program_config config;
static struct kmem_cache *cache;
static void **slots;
static unsigned work;

static void slabs_prepare(const struct program_config *c)
{
	config = *c;
	kernel_boot(c->memory_bytes);
	work = hw_work_name("syscall");
	cache = kmem_cache_create("under test", config.arg[0], 8);
	slots = alloc_table(config.arg[2] * sizeof(*slots));
	BUG_ON(!slots);
}

static u64 next_random(u64 *state)
{
	*state = *state * 6364136223846793005ull + 1442695040888963407ull;
	return *state >> 33;
}

/* Half of the rounds only empty a slot, so that slabs become empty too. */
static void exchange(u64 draw)
{
	void **slot = &slots[draw % config.arg[2]];
	void *obj = draw >> 20 & 1 ? kmem_cache_alloc(cache, GFP_KERNEL) : NULL;

	if (obj)
		*(u64 *)obj = draw;
	obj = __atomic_exchange_n(slot, obj, __ATOMIC_SEQ_CST);
	if (obj)
		kmem_cache_free(cache, obj);
}

static void slabs_cpu(void *unused)
{
	unsigned me = hw_cpu();
	u64 random = config.arg[3] * HW_MAX_CPUS + me;

	(void)unused;
	for (u64 i = 0; me < config.users && i < config.arg[1]; i++) {
		u64 draw = next_random(&random);

		exchange(draw);
		hw_work(work, draw >> 24 & 3);
	}
	for (;;)
		hw_idle();
}

/* A slab that no list has would count as full of objects, one that two have as fuller than it can be. */
static u64 slabs_finish(void)
{
	for (u64 i = 0; i < config.arg[2]; i++)
		if (slots[i])
			kmem_cache_free(cache, slots[i]);
	kmem_cache_destroy(cache);
	return 0;
}

PROGRAM(slabs) = { slabs_prepare, slabs_cpu, slabs_finish };
