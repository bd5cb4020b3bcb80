/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lru.c - the entries of one memory control group, oldest first, under one lock. */
#include "model/zswap/zswap_internal.h"

struct zswap_lru *zswap_lru_create(struct zswap *zswap, struct mem_cgroup *memcg)
{
	struct zswap_lru *lru = vzalloc(sizeof(*lru));

	BUG_ON(!lru);
	lru->zswap = zswap;
	lru->memcg = memcg;
	spin_lock_init_named(&lru->lock, "zswap lru");
	INIT_LIST_HEAD(&lru->list);
	hw_name_lines(&lru->lock, SMP_CACHE_BYTES, "zswap lru");
	return lru;
}

void zswap_lru_destroy(struct zswap_lru *lru)
{
	if (lru->nr_items || !list_empty(&lru->list))
		hw_fault("%lu entries are on the LRU of a control group that goes", lru->nr_items);
	vfree(lru);
}

unsigned long zswap_lru_count(const struct zswap_lru *lru)
{
	return READ_ONCE(lru->nr_items);
}

void zswap_lru_add(struct zswap_lru *lru, struct zswap_entry *entry)
{
	spin_lock(&lru->lock);
	list_add_tail(&entry->lru, &lru->list);
	lru->nr_items++;
	spin_unlock(&lru->lock);
}

void zswap_lru_del(struct zswap_lru *lru, struct zswap_entry *entry)
{
	spin_lock(&lru->lock);
	list_del_init(&entry->lru);
	lru->nr_items--;
	spin_unlock(&lru->lock);
}

struct zswap_entry *zswap_lru_oldest(struct zswap_lru *lru, unsigned long *looks, u32 *slot)
{
	struct zswap_entry *found = NULL;

	spin_lock(&lru->lock);
	while (!found && *looks && !list_empty(&lru->list)) {
		struct zswap_entry *entry = list_first_entry(&lru->list, struct zswap_entry, lru);

		--*looks;
		/* Used or not, it goes to the young end: whoever looks next starts behind it. */
		list_del(&entry->lru);
		list_add_tail(&entry->lru, &lru->list);
		if (entry->referenced) {
			entry->referenced = false;
			continue;
		}
		found = entry;
		*slot = (u32)entry->slot;
	}
	spin_unlock(&lru->lock);
	return found;
}
