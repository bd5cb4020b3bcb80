/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shrinker.c - how much a shrinker is asked for, after do_shrink_slab() of
 * Linux 6.12. Nothing here is per node or per memory cgroup: a pool's shrinker
 * is neither. Registering is not concurrent with reclaim.
 */
#include "model/kernel/kernel.h"
#include "model/mm/shrinker.h"

static LIST_HEAD(shrinkers);

void register_shrinker(struct shrinker *shrinker)
{
	atomic_long_set(&shrinker->nr_deferred, 0);
	list_add_tail(&shrinker->list, &shrinkers);
}

void unregister_shrinker(struct shrinker *shrinker)
{
	list_del_init(&shrinker->list);
}

/* This round's share: what is dear to make again is asked for less. */
static unsigned long share_of(const struct shrinker *shrinker, unsigned long freeable, int priority)
{
	if (!shrinker->seeks)
		return freeable / 2;
	return (freeable >> priority) * 4 / shrinker->seeks;
}

/*
 * What the share is short of a batch is not lost: it is kept in nr_deferred,
 * up to twice what there is, and a later round adds its part of that. The last
 * batch of a round is short only if it is all there is.
 */
unsigned long do_shrink_slab(struct shrinker *shrinker, int priority)
{
	unsigned long batch = shrinker->batch ? shrinker->batch : SHRINK_BATCH;
	unsigned long freeable, deferred, delta, total, left, scanned = 0, freed = 0;
	struct shrink_control sc = { 0 };

	freeable = shrinker->count(shrinker, &sc);
	if (!freeable || freeable == SHRINK_EMPTY)
		return 0;
	deferred = (unsigned long)atomic_long_xchg(&shrinker->nr_deferred, 0);
	delta = share_of(shrinker, freeable, priority);
	total = min((deferred >> priority) + delta, 2 * freeable);
	while (total >= batch || total >= freeable) {
		unsigned long ret;

		sc.nr_to_scan = min(batch, total);
		sc.nr_scanned = sc.nr_to_scan;
		ret = shrinker->scan(shrinker, &sc);
		if (ret == SHRINK_STOP)
			break;
		freed += ret;
		total -= min(sc.nr_scanned, total);
		scanned += sc.nr_scanned;
		cond_resched();
	}
	left = deferred + delta > scanned ? deferred + delta - scanned : 0;
	atomic_long_add(min(left, 2 * freeable), &shrinker->nr_deferred);
	return freed;
}

unsigned long shrink_slab(int priority)
{
	unsigned long freed = 0;
	struct shrinker *shrinker;

	list_for_each_entry(shrinker, &shrinkers, list)
		freed += do_shrink_slab(shrinker, priority);
	return freed;
}
