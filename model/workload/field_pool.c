/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * field_pool.c - a pool as it was found on a machine: made, compacted, and
 * then freed object by object.
 *
 * A dump of a pool says how full its zspages are. To make one so, each class
 * first gets its zspages full (a zspage is filled before the next begins, as
 * nobody else is there), then those objects go that are too many. Which these
 * are, and the order in which the pool is freed in the end, is random by the
 * scenario's seed: a dump does not tell it, and after a long time of use there
 * is no order left.
 *
 * Objects hold their number, so that a lost or mixed up one is noticed after
 * compaction.
 */
#include "model/kernel/kernel.h"
#include "model/workload/workload.h"
#include "model/zsmalloc/zsmalloc.h"

static struct zs_pool *pool;
static unsigned long *handles;		/* of all objects, in the order in which they are freed */
static u64 nr_handles, nr_objects;
static unsigned long *class_handles, *fillings;	/* of the class that is being made: its objects, its zspages */
static u64 random_state;
static struct task_struct *task;
static unsigned compact_span, free_span, freed_counter;

/* A linear congruential generator; its upper half is as random as this needs. */
static u64 random_below(u64 limit)
{
	random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
	return (random_state >> 32) % limit;
}

static void *table_of(u64 nr, size_t bytes)
{
	void *table = vzalloc(nr * bytes + 1);

	BUG_ON(!table);
	return table;
}

static void shuffle(unsigned long *at, u64 nr)
{
	for (u64 i = nr; i > 1; i--) {
		u64 k = random_below(i);
		unsigned long last = at[i - 1];

		at[i - 1] = at[k];
		at[k] = last;
	}
}

static unsigned long store(unsigned request)
{
	unsigned long handle = zs_malloc(pool, request, GFP_KERNEL);

	BUG_ON(IS_ERR_VALUE(handle));
	return handle;
}

/* ---- making the pool ---- */

static u64 nr_zspages(const struct model_pool_class *class)
{
	u64 nr = 0;

	for (unsigned i = 0; i < class->nr_spans; i++)
		nr += class->spans[i].zspages;
	return nr;
}

/* The number of objects that each zspage of the class shall have, in random order. */
static void decide_fillings(const struct model_pool_class *class)
{
	u64 nr = 0;

	for (unsigned i = 0; i < class->nr_spans; i++)
		for (u64 k = 0; k < class->spans[i].zspages; k++)
			fillings[nr++] = class->spans[i].inuse;
	shuffle(fillings, nr);
}

static void make_zspages(const struct model_pool_class *class)
{
	u64 nr = nr_zspages(class);

	decide_fillings(class);
	for (u64 i = 0; i < nr * class->objs; i++)
		class_handles[i] = store(class->request);
	for (u64 z = 0; z < nr; z++) {
		unsigned long *own = &class_handles[z * class->objs];

		shuffle(own, class->objs);
		for (unsigned i = 0; i < class->objs; i++) {
			if (i < fillings[z])
				handles[nr_handles++] = own[i];
			else
				zs_free_at_once(pool, own[i]);
		}
	}
}

static void make_class(const struct model_pool_class *class)
{
	if (class->nr_spans) {
		make_zspages(class);
		return;
	}
	for (u64 i = 0; i < class->objects; i++)
		handles[nr_handles++] = store(class->request);
}

static void make_tables(const struct model_pool *from)
{
	u64 most_objects = 0, most_zspages = 0;

	for (unsigned i = 0; i < from->nr; i++) {
		u64 nr = nr_zspages(&from->classes[i]);

		nr_objects += from->classes[i].objects;
		most_zspages = max(most_zspages, nr);
		most_objects = max(most_objects, nr * from->classes[i].objs);
	}
	handles = table_of(nr_objects, sizeof(*handles));
	class_handles = table_of(most_objects, sizeof(*class_handles));
	fillings = table_of(most_zspages, sizeof(*fillings));
}

static void make_pool(const struct model_pool *from)
{
	make_tables(from);
	for (unsigned i = 0; i < from->nr; i++)
		make_class(&from->classes[i]);
	BUG_ON(nr_handles != nr_objects);
	shuffle(handles, nr_objects);
	for (u64 i = 0; i < nr_objects; i++)
		zs_obj_write(pool, handles[i], &i, sizeof(i));
}

/* ---- what is measured ---- */

static void check_numbers(void)
{
	u64 number;

	for (u64 i = 0; i < nr_handles; i++) {
		if (zs_peek(pool, handles[i], &number) && number != i)
			hw_fault("object %llu holds the number %llu", (unsigned long long)i, (unsigned long long)number);
	}
}

static void free_all(void)
{
	for (u64 i = 0; i < nr_objects; i++)
		zs_free(pool, handles[i]);
	nr_handles = 0;
}

static void run_test(void *unused)
{
	unsigned long freed;

	(void)unused;
	hw_span_begin(compact_span);
	freed = zs_compact(pool);
	hw_span_end(compact_span);
	hw_observe(freed_counter, (int64_t)freed);
	hw_mute();
	check_numbers();
	hw_unmute();
	hw_mark("free_begin", 0);
	hw_span_begin(free_span);
	free_all();
	hw_span_end(free_span);
}

/* ---- the kind ---- */

static void field_pool_prepare(const struct model_config *config)
{
	pool = zs_create_pool("field", &config->variant, config->chain_size);
	BUG_ON(!pool);
	random_state = config->seed;
	make_pool(config->pool);
	compact_span = hw_span("compact_us");
	free_span = hw_span("free_us");
	freed_counter = hw_counter("compact_freed_pages", "pages");
	task = task_create("field", 0, run_test, NULL);
	BUG_ON(!task);
	wake_up_process(task);
}

static struct zs_pool *field_pool(void)
{
	return pool;
}

static void field_pool_finish(void)
{
	WARN_ON(nr_handles);
	zs_destroy_pool(pool);
	vfree(handles);
	vfree(class_handles);
	vfree(fillings);
}

const struct workload field_pool_workload = {
	.prepare = field_pool_prepare,
	.check = check_numbers,
	.pool = field_pool,
	.finish = field_pool_finish,
};
