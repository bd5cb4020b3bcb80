/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memcg.h - memory control groups, as far as compressed pages charge them:
 * bytes are taken from a stock that each CPU keeps for one group, and the
 * group's counter and those above it change by whole pages.
 */
#ifndef MM_MEMCG_H
#define MM_MEMCG_H

#include "model/kernel/types.h"

struct mem_cgroup;

/* The per-CPU stocks. Once, before any group; lack of memory is a fault here and below. */
void memcg_init(void);
/* All groups are gone. */
void memcg_exit(void);

/* A group under @parent; NULL: the root, which nobody is charged above. */
struct mem_cgroup *memcg_create(struct mem_cgroup *parent);
/* Nothing is charged to it any more: what is left is a fault. */
void memcg_destroy(struct mem_cgroup *memcg);

/* Charge, or give back, @bytes of a compressed page (1 .. PAGE_SIZE; 0: a page of one word). */
void obj_cgroup_charge_zswap(struct mem_cgroup *memcg, size_t bytes);
void obj_cgroup_uncharge_zswap(struct mem_cgroup *memcg, size_t bytes);

/* Let go what the CPUs keep in stock. Nobody charges meanwhile. */
void memcg_drain_stocks(void);
/* Pages charged; bytes and pages of compressed memory, summed over CPUs. Exact when all is quiet. */
long memcg_usage(const struct mem_cgroup *memcg);
s64 memcg_zswap_bytes(const struct mem_cgroup *memcg);
s64 memcg_zswapped(const struct mem_cgroup *memcg);

#endif
