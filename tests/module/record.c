/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * record.c - sim/tsan.c with a recorder behind each access.
 *
 * When an access has its effect: the hook of a plain access returns right
 * before the compiler's own load or store, and the hook of an atomic does the
 * operation last, so it is the clock after the hook's work. A load that hits
 * L1 on an in-order core looks at the cache first and waits for the pipeline
 * then: its wait is taken off again. An atomic store whose line is not there
 * yet has its effect later, when access_commit() is called for it.
 */
#include "tests/module/record.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/access.h"

uint64_t record_count[NR_RECORD_KINDS];
uint64_t record_violations;
char record_text[2048];

struct key {
	uint64_t ps;
	uint32_t number;
	enum record_kind kind;
};
static struct key latest;
static bool storing[HW_MAX_CPUS];	/* in the hook of an atomic store */

static const char *const kind_name[] = { "load", "store", "rmw", "store becoming visible",
					 "own store waited for" };

static void violation(const struct cpu *c, struct key k)
{
	size_t used = strlen(record_text);

	record_violations++;
	if (used + 160 < sizeof(record_text))
		snprintf(record_text + used, sizeof(record_text) - used,
			 "%s of CPU %u at %" PRIu64 " ps (number %u) comes after %s at %" PRIu64
			 " ps (number %u)\n", kind_name[k.kind], c->id, k.ps, k.number, kind_name[latest.kind],
			 latest.ps, latest.number);
}

static void record(enum record_kind kind, const struct cpu *c, uint64_t ps, uint32_t number)
{
	struct key k = { ps, number, kind };

	record_count[kind]++;
	if (ps < latest.ps || (ps == latest.ps && number < latest.number))
		violation(c, k);
	else
		latest = k;
}

static bool seen(const struct cpu *c, uint64_t addr)
{
	return !c->muted && access_offset(addr) != UINT64_MAX;
}

static inline void recorded_load(uint64_t addr)
{
	struct cpu *c = cur;
	uint64_t misses = c->l1_misses, l1_ps = c->booked[CAUSE_L1], stall;

	access_load(addr);
	if (!seen(c, addr))
		return;
	stall = misses == c->l1_misses && !c->out_of_order ? c->booked[CAUSE_L1] - l1_ps : 0;
	record(RECORD_LOAD, c, c->clock - stall, c->id);
}

static inline void recorded_load_acquire(struct cpu *c, uint64_t off, uint64_t addr)
{
	uint64_t misses = c->l1_misses, l1_ps = c->booked[CAUSE_L1], stall;

	access_load_acquire(c, off, addr);
	stall = misses == c->l1_misses && !c->out_of_order ? c->booked[CAUSE_L1] - l1_ps : 0;
	record(RECORD_LOAD, c, c->clock - stall, c->id);
}

static inline void recorded_store(uint64_t addr)
{
	struct cpu *c = cur;

	access_store(addr);
	if (seen(c, addr))
		record(RECORD_STORE, c, c->clock, c->id);
}

static inline void recorded_rmw(struct cpu *c, uint64_t off, uint64_t addr, int order, bool result_used)
{
	access_rmw(c, off, addr, order, result_used);
	record(RECORD_RMW, c, c->clock, c->id);
}

static inline void recorded_store_atomic(struct cpu *c, uint64_t off, uint64_t addr, uint32_t bytes,
					 uint64_t value, bool release)
{
	storing[c->id] = true;
	access_store_atomic(c, off, addr, bytes, value, release);
	storing[c->id] = false;
	if (!c->nr_pending)
		record(RECORD_STORE, c, c->clock, c->id);
}

/* ---- stores that become visible later; the linker puts these in between (--wrap) ---- */

uint64_t __real_access_commit(struct cpu *c);
uint64_t __wrap_access_commit(struct cpu *c);
uint64_t __wrap_access_commit(struct cpu *c)
{
	record(RECORD_COMMIT, c, c->pending[0].when, nr_cpus + 1 + c->id);
	return __real_access_commit(c);
}

void __real_order_commit_at(struct cpu *c, uint64_t when);
void __wrap_order_commit_at(struct cpu *c, uint64_t when);
void __wrap_order_commit_at(struct cpu *c, uint64_t when)
{
	/* called when the first one is added; anything else makes a store visible past the order of time */
	if (!storing[c->id] || c->nr_pending != 1)
		record(RECORD_FORCED, c, c->clock, c->id);
	__real_order_commit_at(c, when);
}

void record_report(struct host_result *r)
{
	for (unsigned i = 0; i < NR_RECORD_KINDS; i++)
		r->note[i] = record_count[i];
	r->note[NR_RECORD_KINDS] = record_violations;
	snprintf(r->text, sizeof(r->text), "%s", record_text);
}

void record_self_check(struct host_result *r)
{
	uint64_t before = record_violations, ps = latest.ps + 100;

	record(RECORD_LOAD, &cpus[1], ps, 1);
	record(RECORD_LOAD, &cpus[1], ps - 1, 1);
	record(RECORD_LOAD, &cpus[0], ps, 0);
	record(RECORD_LOAD, &cpus[1], ps, 1);
	r->note[0] = record_violations - before;
}

#define access_load		recorded_load
#define access_load_acquire	recorded_load_acquire
#define access_store		recorded_store
#define access_rmw		recorded_rmw
#define access_store_atomic	recorded_store_atomic
#include "sim/tsan.c"
