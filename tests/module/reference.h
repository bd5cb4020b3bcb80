/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reference.h - caches and ownership of lines, a second time: slow, without
 * any time in it, lists kept in order of use. Says what kind of access a load
 * or store should have been.
 *
 * A line has an owner or sharers; L2 includes L1; what leaves L2, what a
 * reader takes from its owner and what comes from memory is put into the
 * shared cache of the cluster.
 */
#ifndef TESTS_MODULE_REFERENCE_H
#define TESTS_MODULE_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#define REF_CPUS	8
#define REF_LINES	512
#define REF_SETS	64
#define REF_WAYS	16

enum ref_kind { REF_L1, REF_L2, REF_LLC, REF_DRAM, REF_TRANSFER, REF_UPGRADE, NR_REF_KINDS };

struct ref_set {
	uint32_t line[REF_WAYS];	/* most recent first */
	uint32_t nr;
};

struct ref_cache {
	uint32_t sets, ways;
	struct ref_set set[REF_SETS];
};

struct ref {
	unsigned nr_cpus;
	unsigned cluster[REF_CPUS];
	struct ref_cache l1[REF_CPUS], l2[REF_CPUS], llc[REF_CPUS];	/* llc by cluster */
	int owner[REF_LINES];		/* -1: none */
	uint32_t sharers[REF_LINES];
};

struct ref_access {
	enum ref_kind kind;
	bool held;			/* upgrade: the CPU had a shared copy itself */
	bool others;			/* upgrade: another CPU had one */
	bool far;			/* it was in another cluster */
};

/* @shape of the caches: lines and ways of L1, L2, shared cache. */
void ref_create(struct ref *r, unsigned nr_cpus, const unsigned *cluster, const uint32_t shape[3][2]);
struct ref_access ref_load(struct ref *r, unsigned cpu, uint32_t line);
/* Stores and atomics alike. */
struct ref_access ref_store(struct ref *r, unsigned cpu, uint32_t line);

#endif
