/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * size_class.c - building a pool's table of size classes.
 *
 * Classes are built from the largest size down. A smaller size that would
 * get as many objects in as many pages as its larger neighbour gains nothing
 * from a class of its own, and shares the neighbour's.
 */
#include "model/zsmalloc/size_class.h"

unsigned int zs_chain_pages(unsigned int size, unsigned int chain_size)
{
	unsigned int best = 1, least = size;

	if (is_power_of_2(size))
		return 1;
	for (unsigned int pages = 1; pages <= chain_size; pages++) {
		unsigned int waste = (pages * (unsigned int)PAGE_SIZE) % size;

		if (waste < least) {
			least = waste;
			best = pages;
		}
	}
	return best;
}

static bool same_shape(struct size_class *class, int pages, int objs)
{
	return class && class->pages_per_zspage == pages && class->objs_per_zspage == objs;
}

/* Lines of a class in reports: the lock with the first lists, more lists, what each call writes. */
static void name_class_lines(struct size_class *class)
{
	char *base = (char *)class;

	hw_name_lines(base, HW_LINE_SIZE, "class->lock");
	hw_name_lines(base + HW_LINE_SIZE, 2 * HW_LINE_SIZE, "class lists");
	hw_name_lines(base + 3 * HW_LINE_SIZE, 3 * HW_LINE_SIZE, "class stats");
}

static struct size_class *create_class(unsigned int index, int size, int pages, int objs)
{
	struct size_class *class = kzalloc(sizeof(*class), GFP_KERNEL);

	if (!class)
		return NULL;
	name_class_lines(class);
	spin_lock_init_named(&class->lock, "class->lock");
	for (int group = 0; group < NR_FULLNESS_GROUPS; group++)
		INIT_LIST_HEAD(&class->fullness_list[group]);
	class->size = size;
	class->index = index;
	class->pages_per_zspage = pages;
	class->objs_per_zspage = objs;
	return class;
}

/*
 * The largest class that still shares pages between objects tells where
 * "huge" begins. One less than the header is taken off, so that the figure is
 * the smallest request that is better stored uncompressed.
 */
static void note_huge_class(struct zs_config *config, unsigned int size, int pages, int objs)
{
	if (!config->huge_class_size && pages != 1 && objs != 1)
		config->huge_class_size = size - (ZS_HANDLE_SIZE - 1);
}

bool create_size_classes(struct zs_pool *pool)
{
	struct size_class *prev = NULL;

	for (int i = ZS_SIZE_CLASSES - 1; i >= 0; i--) {
		unsigned int size = min_t(unsigned int, ZS_MIN_ALLOC_SIZE + i * ZS_SIZE_CLASS_DELTA,
					  ZS_MAX_ALLOC_SIZE);
		int pages = zs_chain_pages(size, pool->config.chain_size);
		int objs = pages * PAGE_SIZE / size;

		note_huge_class(&pool->config, size, pages, objs);
		if (!same_shape(prev, pages, objs)) {
			prev = create_class(i, size, pages, objs);
			if (!prev)
				return false;
		}
		pool->size_class[i] = prev;
	}
	return true;
}

static void check_class_empty(struct zs_pool *pool, struct size_class *class)
{
	for (int group = 0; group < NR_FULLNESS_GROUPS; group++) {
		if (!list_empty(&class->fullness_list[group]))
			hw_fault("pool %s destroyed: class of size %d still has zspages in group %d, %lu objects in use",
				 pool->name, class->size, group, class->stats[ZS_OBJS_INUSE]);
	}
}

void destroy_size_classes(struct zs_pool *pool)
{
	for (int i = 0; i < (int)ZS_SIZE_CLASSES; i++) {
		struct size_class *class = pool->size_class[i];

		/* A half built table has no entries below the one that failed. */
		if (!class || class->index != (unsigned int)i)
			continue;
		check_class_empty(pool, class);
		kfree(class);
	}
}
