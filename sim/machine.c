/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine.c - building the machine and letting it run. */
#include "sim/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sim/access.h"
#include "sim/cache.h"
#include "sim/coherence.h"
#include "sim/context.h"
#include "sim/jitter.h"
#include "sim/names.h"
#include "sim/observe.h"
#include "sim/oracle.h"
#include "sim/order.h"
#include "sim/tlb.h"

#define BOOT_STACK_BYTES (64u << 10)

/* The hooks are called by the software's module only: keep the linker from leaving them out. */
void __tsan_init(void);
void (*const machine_hooks)(void) = __tsan_init;

struct cpu *cpus;
unsigned nr_cpus;
uint64_t memory_bytes;
uint64_t trace_hash;

static void *boot_stacks;
static uint64_t sample_every;
static uint64_t jitter_seed;

static void memory_create(uint64_t bytes)
{
	void *at = (void *)HW_MEM_BASE;
	void *got = mmap(at, bytes, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

	if (got != at) {
		fprintf(stderr, "zsmsim: cannot map %lu MB of simulated memory at its fixed address\n",
			(unsigned long)(bytes >> 20));
		exit(1);
	}
	memory_bytes = bytes;
}

static void cpu_create(struct cpu *c, unsigned id, const struct profile *p, unsigned cluster)
{

	memset(c, 0, sizeof(*c));
	c->id = id;
	c->profile = p;
	c->cluster = cluster;
	c->muted = 1;
	cache_create(&c->l1, p->l1.lines, p->l1.ways);
	if (!c->l1.tags || !c->l1.mask) {
		fprintf(stderr, "zsmsim: profile '%s': L1 must have a power of two of sets, has %u\n", p->name,
			c->l1.sets);
		exit(2);
	}
	c->l1_tags = c->l1.tags;
	c->l1_mask = c->l1.mask;
	c->l1_ways = c->l1.ways;
	c->l1_used = calloc(p->l1.lines, sizeof(*c->l1_used));
	if (!c->l1_used) {
		perror("zsmsim: CPUs");
		exit(1);
	}
	cache_create(&c->l2, p->l2.lines, p->l2.ways);
	tlb_create(c);
	c->insn_fp = (uint32_t)((uint64_t)p->cycle_ps * 1000 * 256 / p->ipc_milli);
	c->out_of_order = p->window > 0;
	c->runs_ahead = p->window && p->atomic_runs_ahead;
	if (c->out_of_order) {
		c->issue_fp = p->cycle_ps * 256 / p->issue_width;
		c->credit_fp = (p->issue_width << 16) / p->cycle_ps;
	}
	c->l1_stall_ps = p->window || p->l1.latency_ps < p->cycle_ps ? 0 : p->l1.latency_ps - p->cycle_ps;
}

static void cpu_destroy(struct cpu *c)
{
	free(c->l1_used);
	cache_destroy(&c->l1);
	cache_destroy(&c->l2);
	tlb_destroy(c);
}

/* The machine is at rest from here on: what runs now runs unseen, as if on CPU 0. */
static void rest(void)
{
	cur = &cpus[0];
	hw_base_now = cur->base;
	cur->horizon = UINT64_MAX;
}

void machine_set_profiles(const struct machine_config *config)
{
	for (unsigned i = 0; i < nr_cpus; i++) {
		uint64_t base = cpus[i].base;

		cpu_destroy(&cpus[i]);
		cpu_create(&cpus[i], i, config->profile[i], config->cluster[i]);
		cpus[i].base = base;
	}
	jitter_seed = config->jitter;
	coherence_set_profiles(config);
	hwcalls_forget_work();
	rest();
}

void machine_create(const struct machine_config *config)
{
	nr_cpus = config->nr_cpus;
	memory_create(config->memory_bytes);
	cpus = aligned_alloc(64, (sizeof(*cpus) * nr_cpus + 63) / 64 * 64);
	boot_stacks = mmap(NULL, (size_t)nr_cpus * BOOT_STACK_BYTES, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (!cpus || boot_stacks == MAP_FAILED) {
		perror("zsmsim: CPUs");
		exit(1);
	}
	for (unsigned i = 0; i < nr_cpus; i++)
		cpu_create(&cpus[i], i, config->profile[i], config->cluster[i]);
	coherence_create(config);
	names_create();
	oracle_create();
	sample_every = config->sample_ps;
	jitter_seed = config->jitter;
	trace_hash = 0;
	rest();
}

void machine_destroy(void)
{
	for (unsigned i = 0; i < nr_cpus; i++)
		cpu_destroy(&cpus[i]);
	free(cpus);
	munmap(boot_stacks, (size_t)nr_cpus * BOOT_STACK_BYTES);
	oracle_destroy();
	names_destroy();
	coherence_destroy();
	munmap((void *)HW_MEM_BASE, memory_bytes);
	cpus = NULL;
	tlb_reset();
	cur = &order_nobody;
}

/* What is booked is what the clock says, or the books are wrong. */
static void check_booking(const struct cpu *c)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < NR_CAUSES; i++)
		sum += c->booked[i];
	if (sum != c->clock) {
		cur = &cpus[c->id];
		hw_fault("CPU %u booked %lu ps, but its clock stands at %lu ps", c->id, (unsigned long)sum,
			 (unsigned long)c->clock);
	}
}

static void report_stuck(void)
{
	for (unsigned i = 0; i < nr_cpus; i++)
		if (cpus[i].parked) {
			cur = &cpus[i];
			hw_fault("deadlock: CPU %u spins on a line that nobody will write, and nothing else can run",
				 i);
		}
}

void machine_run(void (*entry)(void *))
{
	uint32_t rank[HW_MAX_CPUS];

	jitter_begin(jitter_seed);
	jitter_ranks(rank, nr_cpus);
	for (unsigned i = 0; i < nr_cpus; i++)
		cpus[i].rank = (uint16_t)rank[i];
	order_create(nr_cpus, sample_every ? observe_sample : NULL, 0, access_commit);
	for (unsigned i = 0; i < nr_cpus; i++) {
		struct cpu *c = &cpus[i];
		char *stack = (char *)boot_stacks + (size_t)i * BOOT_STACK_BYTES;

		c->muted = 0;
		c->sp = context_make(stack, BOOT_STACK_BYTES, entry, NULL);
	}
	cur = NULL;
	for (unsigned i = 0; i < nr_cpus; i++)
		order_insert(&cpus[i]);
	observe_start();
	order_run();
	report_stuck();
	observe_end();
	order_destroy();
	jitter_begin(0);
	rest();
	for (unsigned i = 0; i < nr_cpus; i++)
		cpus[i].muted = 1;
}

void machine_check(void)
{
	for (unsigned i = 0; i < nr_cpus; i++)
		check_booking(&cpus[i]);
	coherence_check();
}

uint64_t machine_accesses(void)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < nr_cpus; i++)
		n += cpus[i].loads + cpus[i].stores + cpus[i].rmws;
	return n;
}
