/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compaction.c - reclaim asks the pool's shrinker for pages while other tasks
 * go on using the pool.
 *
 * The pool is filled with objects of random sizes, then aged: in each round a
 * share of all objects, chosen at random, is freed and as many are stored
 * anew with other sizes, so that zspages are left with holes.
 *
 * The measured part goes in passes. In each, every task does what switching
 * to another program does: the pages of the one come back, so that a burst of
 * objects is read and freed, then pages of others go out, so that as many are
 * stored. Bursts differ; most are small, some four times the mean. Between
 * the two halves there is least memory: the last task to have read its burst
 * wakes kswapd, on CPU 0, which asks all shrinkers, from priority 12 down,
 * until it has its goal or has asked for all; and now and then user space
 * asks for compaction, through the same task.
 *
 * Which object is next, its size and its bytes are the user's affair and are
 * found muted.
 */
#include "model/kernel/kernel.h"
#include "model/mm/shrinker.h"
#include "model/workload/workload.h"
#include "model/zram/observer.h"
#include "model/zsmalloc/zsmalloc.h"

#define SIZE_STEP	8u		/* bytes: payloads are compared by words */
#define LEAST_SIZE	24u		/* with its header the smallest object there is */
#define PATTERN_BYTES	(2 * PAGE_SIZE)	/* an object's bytes begin anywhere in the first half */
#define PPM		1000000ul

struct object {
	unsigned long handle;		/* 0: none */
	u32 size;
	u32 offset;			/* of its bytes in the pattern */
};

struct user {
	u32 number;			/* its objects are number, number + nr_users, ... */
	u64 random;
	struct task_struct *task;
	struct object **freed;		/* of this pass's burst, to be stored anew */
	u8 *local;			/* copy of an object that spans pages */
	char name[16];
};

static struct {
	struct model_compaction config;
	struct zs_pool *pool;
	struct object *objects;
	u64 nr_objects;
	u64 random;
	u64 *pattern;
	u8 *local;
	size_t huge_size;		/* larger ones are stored as whole pages, as zram does */
	struct user *users;
	struct completion *pressure;	/* one for each pass */
	atomic_t *short_of_memory;	/* for each pass: tasks that have freed their burst */
	struct task_struct *kswapd;
	struct shrinker shrinker;
	bool registered;
	unsigned callback, freed, ratio, given_back, manual, reads, frees, allocs;	/* observations */
} test;

/* splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014). */
static __observer u64 next_random(u64 *state)
{
	u64 z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

/* The sum of two even draws, so in a triangle around the mean. */
static __observer u32 triangle(u64 draw)
{
	u32 size = (u32)(draw % test.config.object_bytes + (draw >> 20) % test.config.object_bytes);

	return size < LEAST_SIZE ? LEAST_SIZE : size / SIZE_STEP * SIZE_STEP;
}

/* The first size whose running total is above @draw. */
static __observer u32 size_at(u64 draw)
{
	const struct model_size *sizes = test.config.sizes;
	unsigned low = 0, high = test.config.nr_sizes - 1;

	draw %= sizes[high].upto;
	while (low < high) {
		unsigned middle = (low + high) / 2;

		if (sizes[middle].upto > draw)
			high = middle;
		else
			low = middle + 1;
	}
	return sizes[low].bytes;
}

/* A size and the bytes of a new object. */
static __observer void choose_object(struct object *object, u64 *random)
{
	u64 draw = next_random(random);
	u32 size = test.config.sizes ? size_at(next_random(random)) : triangle(draw);

	object->size = size >= test.huge_size ? PAGE_SIZE : size;
	object->offset = (u32)(draw >> 40) % PAGE_SIZE / SIZE_STEP * SIZE_STEP;
}

static const void *bytes_of(const struct object *object)
{
	return (const char *)test.pattern + object->offset;
}

static void store(struct object *object)
{
	object->handle = zs_malloc(test.pool, object->size, GFP_KERNEL);
	if (IS_ERR_VALUE(object->handle))
		hw_fault("out of simulated memory for an object of %u bytes", object->size);
	zs_obj_write(test.pool, object->handle, bytes_of(object), object->size);
}

static void drop(struct object *object)
{
	zs_free(test.pool, object->handle);
	object->handle = 0;
}

/* ---- preparing: nothing of this is measured ---- */

static void *table(size_t bytes)
{
	void *memory = vzalloc(bytes);

	if (!memory)
		hw_fault("out of simulated memory for %zu bytes of the test's own", bytes);
	return memory;
}

static __observer void make_pattern(void)
{
	u64 state = 1;

	for (size_t i = 0; i < PATTERN_BYTES / sizeof(*test.pattern); i++)
		test.pattern[i] = next_random(&state);
}

/* Room for twice as many objects as their mean size lets expect. */
static void fill(void)
{
	unsigned long pages = ((unsigned long)test.config.pool_mb << 20) >> PAGE_SHIFT;
	u64 most = (pages << PAGE_SHIFT) / test.config.object_bytes * 2 + test.config.tasks;

	test.objects = table(most * sizeof(*test.objects));
	while (zs_get_total_pages(test.pool) < pages || test.nr_objects < test.config.tasks) {
		struct object *object = &test.objects[test.nr_objects++];

		BUG_ON(test.nr_objects > most);
		hw_mute();
		choose_object(object, &test.random);
		hw_unmute();
		store(object);
	}
}

static void free_share(void)
{
	for (u64 i = 0; i < test.nr_objects; i++) {
		u64 draw;

		hw_mute();
		draw = next_random(&test.random);
		hw_unmute();
		if (draw % 100 < test.config.ageing_percent)
			drop(&test.objects[i]);
	}
}

static void store_missing(void)
{
	for (u64 i = 0; i < test.nr_objects; i++) {
		if (test.objects[i].handle)
			continue;
		hw_mute();
		choose_object(&test.objects[i], &test.random);
		hw_unmute();
		store(&test.objects[i]);
	}
}

static void age(void)
{
	for (unsigned round = 0; round < test.config.ageing_rounds; round++) {
		free_share();
		store_missing();
	}
}

/* ---- reclaim ---- */

static unsigned long count_pool(struct shrinker *shrinker, struct shrink_control *sc)
{
	(void)sc;
	return zs_shrinker_count(shrinker->private_data);
}

/* Before a callback: what the published figures call the compactable ratio, in parts per million. */
static void observe_ratio(struct zs_pool *pool)
{
	unsigned long pages = zs_get_total_pages(pool);

	if (pages)
		hw_observe(test.ratio, (s64)(zs_shrinker_count(pool) * PPM / pages));
}

static void observe_freed(unsigned long freed)
{
	hw_observe(test.freed, freed == SHRINK_STOP ? 0 : (s64)freed);
	hw_observe(test.given_back, freed == SHRINK_STOP ? 0 : (s64)freed);
}

static unsigned long scan_pool(struct shrinker *shrinker, struct shrink_control *sc)
{
	unsigned long freed;

	hw_mute();
	observe_ratio(shrinker->private_data);
	hw_unmute();
	hw_span_begin(test.callback);
	freed = zs_shrinker_scan(shrinker->private_data, sc->nr_to_scan);
	hw_span_end(test.callback);
	hw_mute();
	observe_freed(freed);
	hw_unmute();
	return freed;
}

static void reclaim(void *unused)
{
	(void)unused;
	for (unsigned pass = 0; pass < test.config.passes; pass++) {
		unsigned long freed = 0;

		wait_for_completion(&test.pressure[pass]);
		for (int priority = DEF_PRIORITY; priority >= 0 && freed < test.config.goal_pages; priority--)
			freed += shrink_slab(priority);
	}
}

/* ---- the others ---- */

static u64 objects_of(const struct user *user)
{
	return (test.nr_objects - user->number + test.config.tasks - 1) / test.config.tasks;
}

/* The product of two even draws around the mean: from nothing to four times the mean, at most half of all. */
static __observer u64 choose_burst(struct user *user)
{
	u64 mean = test.config.burst, half = objects_of(user) / 2;
	u64 burst = next_random(&user->random) % (2 * mean + 1) * (next_random(&user->random) % (2 * mean + 1)) / mean;

	return burst < half ? burst : half;
}

static __observer struct object *choose_victim(struct user *user)
{
	for (;;) {
		struct object *object = &test.objects[next_random(&user->random) % objects_of(user) *
						      test.config.tasks + user->number];

		if (object->handle)
			return object;
	}
}

/* A page comes back. */
static void take_back(struct user *user, struct object *object)
{
	void *mem;

	hw_span_begin(test.reads);
	mem = zs_obj_read_begin(test.pool, object->handle, object->size, user->local);
	zs_obj_read_end(test.pool, object->handle, object->size, mem);
	hw_span_end(test.reads);
	hw_span_begin(test.frees);
	drop(object);
	hw_span_end(test.frees);
}

/* A page goes out. */
static void put_out(struct user *user, struct object *object)
{
	hw_mute();
	choose_object(object, &user->random);
	hw_unmute();
	hw_span_begin(test.allocs);
	store(object);
	hw_span_end(test.allocs);
}

/* User space asks for all; it gets nothing while kswapd's compaction is at it. */
static void ask_by_hand(unsigned pass)
{
	unsigned long freed;

	if (!test.config.manual_every || (pass + 1) % test.config.manual_every)
		return;
	freed = zs_compact(test.pool);
	hw_observe(test.manual, (s64)freed);
}

static void use_pool(void *arg)
{
	struct user *user = arg;

	for (unsigned pass = 0; pass < test.config.passes; pass++) {
		u64 burst;

		hw_mute();
		burst = choose_burst(user);
		hw_unmute();
		for (u64 i = 0; i < burst; i++) {
			hw_mute();
			user->freed[i] = choose_victim(user);
			hw_unmute();
			take_back(user, user->freed[i]);
			cond_resched();
		}
		if (atomic_add_return(1, &test.short_of_memory[pass]) == (int)test.config.tasks) {
			complete(&test.pressure[pass]);
			ask_by_hand(pass);
		}
		for (u64 i = 0; i < burst; i++) {
			put_out(user, user->freed[i]);
			cond_resched();
		}
	}
}

/* ---- the kind of workload ---- */

static void name_observations(void)
{
	test.callback = hw_span("callback");
	test.freed = hw_observation("callback_freed", "pages");
	test.ratio = hw_observation("compactable_ratio", "ppm");
	test.given_back = hw_counter("given_back", "pages");
	test.manual = hw_counter("manual_freed", "pages");
	test.reads = hw_span("object_read");
	test.frees = hw_span("object_free");
	test.allocs = hw_span("object_store");
}

static void create_tasks(void)
{
	test.pressure = table(test.config.passes * sizeof(*test.pressure));
	test.short_of_memory = table(test.config.passes * sizeof(*test.short_of_memory));
	for (unsigned i = 0; i < test.config.passes; i++)
		init_completion(&test.pressure[i]);
	test.kswapd = task_create("kswapd", 0, reclaim, NULL);
	BUG_ON(!test.kswapd);
	test.users = table(test.config.tasks * sizeof(*test.users));
	for (unsigned i = 0; i < test.config.tasks; i++) {
		struct user *user = &test.users[i];

		user->number = i;
		user->random = test.random + i + 1;
		user->local = table(PAGE_SIZE);
		user->freed = table((4ul * test.config.burst + 1) * sizeof(*user->freed));
		scnprintf(user->name, sizeof(user->name), "user%u", i);
		user->task = task_create(user->name, (int)i + 1, use_pool, user);
		BUG_ON(!user->task);
	}
}

static void compaction_prepare(const struct model_config *config)
{
	test.config = config->compaction;
	test.random = config->seed;
	test.pool = zs_create_pool("compaction", &config->variant, config->chain_size);
	BUG_ON(!test.pool);
	test.huge_size = zs_huge_class_size(test.pool);
	test.pattern = table(PATTERN_BYTES);
	test.local = table(PAGE_SIZE);
	hw_mute();
	make_pattern();
	hw_unmute();
	name_observations();
	fill();
	age();
	test.shrinker = (struct shrinker){
		.count = count_pool, .scan = scan_pool, .seeks = DEFAULT_SEEKS, .private_data = test.pool
	};
	test.registered = config->variant.shrinker != SHRINKER_OFF;
	if (test.registered)
		register_shrinker(&test.shrinker);
	create_tasks();
	wake_up_process(test.kswapd);
	for (unsigned i = 0; i < test.config.tasks; i++)
		wake_up_process(test.users[i].task);
}

static __observer void compare_words(const u64 *mem, const struct object *object)
{
	const u64 *want = test.pattern + object->offset / sizeof(*want);

	for (u32 i = 0; i < object->size / sizeof(*want); i++)
		if (mem[i] != want[i])
			hw_fault("word %u of an object of %u bytes is %llx, not %llx", i, object->size,
				 (unsigned long long)mem[i], (unsigned long long)want[i]);
}

static void compaction_check(void)
{
	for (u64 i = 0; i < test.nr_objects; i++) {
		const struct object *object = &test.objects[i];
		void *mem;

		if (!object->handle)
			continue;
		mem = zs_obj_read_begin(test.pool, object->handle, object->size, test.local);
		compare_words(mem, object);
		zs_obj_read_end(test.pool, object->handle, object->size, mem);
	}
}

static struct zs_pool *compaction_pool(void)
{
	return test.pool;
}

static void compaction_finish(void)
{
	hw_mute();
	compaction_check();
	hw_unmute();
	if (test.registered)
		unregister_shrinker(&test.shrinker);
	for (u64 i = 0; i < test.nr_objects; i++)
		if (test.objects[i].handle)
			drop(&test.objects[i]);
	zs_destroy_pool(test.pool);
	for (unsigned i = 0; i < test.config.tasks; i++) {
		vfree(test.users[i].local);
		vfree(test.users[i].freed);
	}
	vfree(test.short_of_memory);
	vfree(test.users);
	vfree(test.pressure);
	vfree(test.objects);
	vfree(test.local);
	vfree(test.pattern);
	test.nr_objects = 0;
}

const struct workload compaction_workload = {
	.prepare = compaction_prepare,
	.check = compaction_check,
	.pool = compaction_pool,
	.finish = compaction_finish,
};
