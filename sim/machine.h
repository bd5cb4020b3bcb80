/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * machine.h - the simulated machine: CPUs with clocks, private caches and
 * store buffers, a directory of line states, memory. There is one in a
 * process, so its parts are plain globals that the hooks reach directly.
 *
 * What always holds:
 *  - `cur` is the CPU whose code runs on the host, and no runnable CPU has an
 *    earlier (clock, number) when one of its accesses takes effect;
 *  - the causes of a CPU add up to its clock;
 *  - a line has an owner or sharers, not both; a private cache holds a line
 *    only if the directory says so.
 */
#ifndef ZSMSIM_MACHINE_H
#define ZSMSIM_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/causes.h"
#include "sim/hw.h"
#include "sim/profile.h"

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)
#define hot_hidden	__attribute__((visibility("hidden")))

/* A private-cache tag: line number << 2 | permission. */
enum permission { PERM_NONE = 0, PERM_SHARED = 1, PERM_EXCLUSIVE = 2 };
#define TAG(line, perm)	((uint32_t)(line) << 2 | (perm))
#define TAG_LINE(tag)	((tag) >> 2)
#define TAG_PERM(tag)	((tag) & 3)

/* Set-associative, least recently used out; way 0 is the most recent one. */
struct cache {
	uint32_t *tags;			/* sets * ways */
	uint32_t sets;
	uint32_t ways;
	uint32_t mask;			/* sets - 1 when a power of two, else 0 */
};

#define MAX_IN_FLIGHT	48
#define MAX_STORES	128
#define MAX_STREAMS	32
#define MAX_PREFETCHED	32
#define MAX_DTLB	128
#define PREDICTOR_SIZE	2048
#define PREDICTOR_BASE	2048

struct predictor_entry {		/* what came after a recent path through the code */
	uint16_t tag;
	uint16_t next;
};


struct in_flight {			/* a load whose value has not arrived */
	uint64_t done;			/* ps */
	uint64_t seq;			/* instruction count at issue */
	uint64_t value;			/* the word it returns: a later address near it depends on it */
	uint64_t derived[2];		/* addresses computed from it, or 0 */
	uint32_t cause;
};

struct stream {				/* a sequence of lines in a page that a prefetcher follows */
	uint32_t page;			/* + 1; 0: unused */
	uint32_t last;			/* line seen last */
	int32_t step;			/* +1 or -1 line once known, else 0 */
	uint32_t confirmed;		/* steps seen in a row */
	uint64_t used;			/* for least recently used */
};

struct prefetched {			/* line on its way to L2 */
	uint32_t line;
	uint64_t ready;
};

#define L1_FILTER	512		/* entries; see l1.h */

struct l1_filter {
	uint32_t tag;			/* 0: nothing */
	uint32_t slot;
};

#define MAX_PENDING	8
#define MAX_STALLS	16

struct pending_store {			/* an atomic store that waits for its line, invisible to others until then */
	uint64_t addr;
	uint64_t value;
	uint64_t when;			/* ps */
	uint32_t bytes;
};

struct cpu {
	uint64_t clock;			/* ps */
	uint64_t horizon;		/* the latest clock at which it is still first, while it is the current one */
	/* what makes an access more than a look at L1; one test for all */
	union {
		uint32_t attention;
		struct {
			uint8_t muted;	/* > 0: the machine does not look */
			uint8_t nr_flight;
			uint8_t nr_pending;
		};
	};
	uint16_t id;
	uint16_t rank;			/* among CPUs that are equally early; the id unless schedules are random */
	uint64_t *l1_used;		/* by slot: l1_tick of the last use, 0: free */
	uint64_t l1_tick;
	uint32_t *l1_tags;
	uint32_t l1_mask, l1_ways;
	uint32_t insn_fp;		/* ps per instruction, 8 fractional bits */
	uint32_t l1_stall_ps;		/* in order: wait of a load that hits */
	uint32_t issue_fp;		/* out of order: part of insn_fp that is entering the window */
	uint32_t credit_fp;		/* instructions that enter the window per ps of a stall, 16 fractional bits */
	uint64_t entered;		/* instructions that entered it during stalls and are yet to come */
	uint64_t stall_end;		/* when the last stall ended: what had entered can start then */
	uint64_t refetched;		/* ps: fetched anew from here, after a mispredicted branch */
	uint32_t stall_at;		/* of stalls[] */
	struct {
		uint64_t insns, end;	/* a stall after so many instructions ended then */
	} stalls[MAX_STALLS];
	uint64_t insns, branches, loads, stores, rmws, l1_misses, mispredicts;
	uint64_t copies, bytes_copied;	/* hw_copy() */
	uint32_t out_of_order;
	uint32_t runs_ahead;		/* loads and stores ask for their lines past a waiting atomic */
	uint64_t flight_max;		/* latest done of in_flight */
	uint64_t last_load_done;	/* when the youngest load's value is there */
	uint32_t flight_cause;		/* cause of flight_max */
	uint32_t stores_head, stores_nr;
	uint64_t stores_last;		/* when the youngest buffered store has drained */
	uint32_t history;
	uint32_t prev_branch;		/* last block ended in a conditional or indirect branch */
	uint32_t last_line;		/* line of the last atomic load */
	uint64_t last_line_clock;	/* when it was read */
	void *sp;			/* host stack of the context when not current */
	const struct profile *profile;
	uint32_t cluster;
	uint32_t poison_off;
	uint64_t base;			/* its software's, see hw_base() */

	/* spinning and parking: state at the last hw_relax() */
	uint64_t relax_clock, relax_loads, relax_stores, relax_rmws, relax_misses, relax_insns, relax_branches;
	uint64_t relax_cause[NR_FIXED_CAUSES];
	uint32_t relax_history;
	uint64_t relax_entered;
	uint32_t parked_on;		/* line, valid while parked */
	bool parked;
	uint64_t park_period;		/* ps of a round of its loop */
	uint64_t park_delta;		/* ps from the start of a round to its load */
	uint64_t park_insns, park_branches;
	uint64_t park_cause[NR_FIXED_CAUSES];
	uint16_t park_next;		/* next CPU parked on the same line, + 1 */

	bool idle;
	bool kicked;
	uint64_t kick_at;
	uint64_t idle_since;

	uint32_t task;
	uint32_t wait_depth;
	uint64_t wait_begin;
	uint64_t wait_cause[NR_CAUSES];
	uint64_t booked[NR_CAUSES];	/* ps by cause */
	uint64_t flushed[NR_CAUSES];	/* part of it already given to tasks */

	struct pending_store pending[MAX_PENDING];
	struct in_flight flight[MAX_IN_FLIGHT];
	uint64_t store_drain[MAX_STORES];
	struct l1_filter l1_filter[L1_FILTER];
	struct cache l1, l2;
	struct cache tlb;		/* second level */
	uint32_t dtlb[MAX_DTLB];	/* first level: page + 1, last used first */
	struct stream streams[MAX_STREAMS];
	uint64_t stream_tick;
	struct prefetched prefetched[MAX_PREFETCHED];
	uint32_t prefetched_at;
	struct predictor_entry predictor[PREDICTOR_SIZE];
	uint16_t predictor_base[PREDICTOR_BASE];	/* what came after a block the last time */
	uint32_t last_block;		/* offset of the block before */
};


/*
 * Directory entry, 16 bytes. Most lines are only ever used by one CPU; what
 * the others need besides is in a record of its own, see line_extra().
 */
struct line {
	uint64_t busy_until : 47;	/* ps: in transit until then, a further requester queues */
	uint64_t has_extra : 1;
	uint64_t owner : 16;		/* CPU + 1, 0: none */
	uint64_t sharers;		/* bit per CPU, or per group of CPUs on large machines */
};
_Static_assert(sizeof(struct line) == 16, "four entries share a host line");

/* Simulated time must fit struct line.busy_until. */
#define MACHINE_MAX_PS (1ull << 47)

struct line_extra {
	uint64_t kept_until;		/* the previous owner can still use it until then */
	uint32_t line;			/* + 1, 0: unused record */
	uint16_t previous;		/* owner before, + 1 */
	uint16_t group;			/* of names.h, 0: that of its page */
	uint16_t parked;		/* first CPU parked on it, + 1 */
};

struct machine_stats {
	uint64_t transfers, llc_hits, dram_reads, upgrades, switches;
};

/* Simulated memory is smaller than this: what lies further from its base is something else. */
#define MEMORY_SPACE_SHIFT 36

extern struct cpu *cur hot_hidden;
extern struct cpu *cpus hot_hidden;
extern unsigned nr_cpus hot_hidden;
extern uint64_t memory_bytes hot_hidden;
extern uint64_t module_base hot_hidden, module_bytes hot_hidden;	/* data of the software's module */
extern uint8_t *shadow hot_hidden;	/* enum hw_poison per 8 bytes */
extern struct line *lines hot_hidden;
/* The record of @line, made if there is none. */
struct line_extra *line_extra(uint32_t line) hot_hidden;
/* What lines without a record have. */
extern const struct line_extra line_plain hot_hidden;

static inline const struct line_extra *line_extra_of(uint32_t line)
{
	return lines[line].has_extra ? line_extra(line) : &line_plain;
}

extern uint64_t trace_hash hot_hidden;
extern struct machine_stats machine_stats hot_hidden;
extern bool machine_no_park;		/* test: spin for real */

struct machine_config {
	unsigned nr_cpus;
	const struct profile *profile[HW_MAX_CPUS];	/* of each CPU */
	unsigned cluster[HW_MAX_CPUS];
	uint64_t memory_bytes;
	uint64_t sample_ps;		/* 0: no samples */
	uint64_t jitter;		/* seed of a random schedule, see jitter.h; 0: none */
};

/* Build the machine; memory reads as zero. Ends the program with a message when the host lacks memory. */
void machine_create(const struct machine_config *config);
/*
 * Exchange the CPUs of a machine on which nothing ran in simulated time yet:
 * the software has prepared itself and does not know what kind they are. Same
 * number and clusters.
 */
void machine_set_profiles(const struct machine_config *config);
/* hwcalls.c: the costs of work items belong to profiles that are gone. */
void hwcalls_forget_work(void);
void machine_destroy(void);

/*
 * Let each CPU run entry(NULL) on a stack of its own from time 0 until all of
 * them are idle. Before it, and after it, code runs on CPU 0 in functional
 * mode: same effects, no time.
 */
void machine_run(void (*entry)(void *));
/* After a run: the books of each CPU add up to its clock, directory and caches agree; a fault if not. */
void machine_check(void);
uint64_t machine_accesses(void);

static inline void trace(uint64_t what)
{
	trace_hash = (trace_hash ^ what) * 0x9e3779b97f4a7c15ull;
	trace_hash ^= trace_hash >> 29;
}

static inline void book(struct cpu *c, unsigned cause, uint64_t ps)
{
	c->booked[cause] += ps;
	c->clock += ps;
}

/*
 * The program stalls for @ps. An out-of-order core goes on fetching meanwhile:
 * what it puts into the window now need not be put there afterwards.
 */
static inline void book_stall(struct cpu *c, unsigned cause, uint64_t ps)
{
	book(c, cause, ps);
	c->entered += ps * c->credit_fp >> 16;
	if (c->entered > c->profile->window)
		c->entered = c->profile->window;
	c->stall_end = c->clock;
	c->stalls[c->stall_at].insns = c->insns;
	c->stalls[c->stall_at].end = c->clock;
	c->stall_at = (c->stall_at + 1) % MAX_STALLS;
}

/* Time passes that is not made of instructions: nothing behind it can have begun before. */
static inline void book_apart(struct cpu *c, unsigned cause, uint64_t ps)
{
	book(c, cause, ps);
	c->entered = 0;
	c->stall_end = c->clock;
	c->refetched = c->clock;
}

/* Stall until @when if that is later, for @cause. */
static inline void book_until(struct cpu *c, unsigned cause, uint64_t when)
{
	if (when > c->clock)
		book_stall(c, cause, when - c->clock);
}

#endif
