/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Caches, ownership of lines and what they cost: against a slow reference, and
 * small patterns of accesses against the figures of the profiles.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/access.h"
#include "sim/coherence.h"
#include "sim/names.h"
#include "tests/module/host.h"
#include "tests/module/lockup.h"
#include "tests/module/memory.h"
#include "tests/module/reference.h"

TestSuite(reference, .timeout = 120);
TestSuite(latency, .timeout = 120);
TestSuite(contention, .timeout = 120);
TestSuite(overlap, .timeout = 120);

/* ---- every access against the reference ------------------------------------------- */

#define CPUS	4
#define LINES	300u
#define STEPS	60000

/* Small caches, so that all of them overflow; the shared one has a number of sets that is no power of two. */
static const uint32_t shape[3][2] = { { 16, 2 }, { 64, 4 }, { 144, 12 } };
static const unsigned clusters[CPUS] = { 0, 0, 1, 1 };
static const char *const kind_name[] = { "L1", "L2", "shared cache", "DRAM", "transfer", "upgrade" };

static uint64_t draw(void)
{
	static uint64_t x = 88172645463325252ull;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x >> 8;
}

static void set_shape(struct profile_cache *cache, unsigned level)
{
	cache->lines = shape[level][0];
	cache->ways = shape[level][1];
}

static struct profile *small_profile(const char *name)
{
	struct profile *p = host_profile(name);

	set_shape(&p->l1, 0);
	set_shape(&p->l2, 1);
	set_shape(&p->llc, 2);
	p->prefetch_streams = 0;
	return p;
}

/* A machine that this test drives itself, one access after the other, without any program on it. */
static void create_small_machine(const struct profile *p)
{
	struct machine_config config = { .nr_cpus = CPUS, .memory_bytes = 1 << 20 };

	for (unsigned i = 0; i < CPUS; i++) {
		config.profile[i] = p;
		config.cluster[i] = clusters[i];
	}
	machine_create(&config);
	for (unsigned i = 0; i < CPUS; i++) {
		cpus[i].muted = 0;
		cpus[i].horizon = UINT64_MAX;
	}
}

/* All CPUs rest until what is under way has arrived and no window remembers the past. */
static void settle(void)
{
	uint64_t latest = 0;

	for (unsigned i = 0; i < CPUS; i++)
		latest = cpus[i].clock > latest ? cpus[i].clock : latest;
	for (unsigned i = 0; i < CPUS; i++) {
		access_drain(&cpus[i]);
		book(&cpus[i], CAUSE_IDLE, latest + 1000000 - cpus[i].clock);
		cpus[i].entered = 0;
	}
}

/* What the machine has counted, to see which of it an access changes. */
struct counts {
	uint64_t l1_misses, transfers, upgrades, llc_hits, dram_reads;
};

static struct counts count(const struct cpu *c)
{
	return (struct counts){ c->l1_misses, machine_stats.transfers, machine_stats.upgrades,
				machine_stats.llc_hits, machine_stats.dram_reads };
}

static enum ref_kind kind_seen(const struct counts *a, const struct counts *b)
{
	if (b->l1_misses == a->l1_misses)
		return REF_L1;
	if (b->transfers > a->transfers)
		return REF_TRANSFER;
	if (b->upgrades > a->upgrades)
		return REF_UPGRADE;
	if (b->llc_hits > a->llc_hits)
		return REF_LLC;
	return b->dram_reads > a->dram_reads ? REF_DRAM : REF_L2;
}

/* Until the line is there, by the profile; for L1: what the program waits for beyond its instruction. */
static uint64_t latency(const struct profile *p, struct ref_access a, bool exclusive)
{
	uint64_t upgrade = a.far ? p->upgrade_far_ps : p->upgrade_ps;
	uint64_t fetch = p->llc.latency_ps;

	switch (a.kind) {
	case REF_L1:
		return exclusive ? 0 : p->l1.latency_ps - p->cycle_ps;
	case REF_L2:
		return p->l2.latency_ps;
	case REF_LLC:
		return p->llc.latency_ps;
	case REF_DRAM:
		return p->dram_ps;
	case REF_TRANSFER:
		if (exclusive)
			return a.far ? p->transfer_far_ps : p->transfer_ps;
		return a.far ? p->transfer_shared_far_ps : p->transfer_shared_ps;
	default:
		/* others are told to drop it while the data come, if they are needed */
		if (!a.others)
			return fetch;
		return a.held || upgrade > fetch ? upgrade : fetch;
	}
}

enum op { OP_LOAD, OP_STORE, OP_RMW };

static void do_access(struct cpu *c, enum op op, uint64_t addr)
{
	cur = c;
	if (op == OP_LOAD)
		access_load(addr);
	else if (op == OP_STORE)
		access_store(addr);
	else
		access_rmw(c, addr - HW_MEM_BASE, addr, __ATOMIC_SEQ_CST, true);
}

/* One access on both; how long the in-order program waited must be the profile's figure. */
static enum ref_kind step(struct ref *ref, const struct profile *p, unsigned i)
{
	/* few lines are hot: they are shared, fought for and replaced in turn */
	uint32_t line = (uint32_t)(draw() % 4 ? draw() % 24 : draw() % LINES);
	unsigned cpu = (unsigned)(draw() % CPUS);
	enum op op = draw() % 8 < 5 ? OP_LOAD : draw() % 2 ? OP_STORE : OP_RMW;
	struct cpu *c = &cpus[cpu];
	struct counts before = count(c), after;
	uint64_t clock = c->clock, want;
	struct ref_access a = op == OP_LOAD ? ref_load(ref, cpu, line) : ref_store(ref, cpu, line);

	do_access(c, op, HW_MEM_BASE + line * HW_LINE_SIZE);
	after = count(c);
	cr_assert_eq(kind_seen(&before, &after), a.kind, "step %u: CPU %u %s line %u: %s, should be %s", i, cpu,
		     op == OP_LOAD ? "loads" : "stores to", line, kind_name[kind_seen(&before, &after)],
		     kind_name[a.kind]);
	want = latency(p, a, op != OP_LOAD);
	if (op == OP_RMW)
		want += p->atomic_ps;
	if (op == OP_STORE)
		want = 0;		/* retires behind the program */
	cr_assert_eq(c->clock - clock, want, "step %u: %s by CPU %u took %" PRIu64 " ps, should be %" PRIu64, i,
		     kind_name[a.kind], cpu, c->clock - clock, want);
	return a.kind;
}

static void compare_with_reference(struct profile *p)
{
	struct ref *ref = malloc(sizeof(*ref));
	unsigned seen[NR_REF_KINDS] = { 0 };

	create_small_machine(p);
	ref_create(ref, CPUS, clusters, shape);
	for (unsigned i = 0; i < STEPS; i++) {
		settle();
		seen[step(ref, p, i)]++;
	}
	machine_check();
	for (unsigned i = 0; i < NR_REF_KINDS; i++)
		cr_expect_gt(seen[i], STEPS / 1000, "%s: only %u of %u accesses", kind_name[i], seen[i], STEPS);
	free(ref);
}

/*
 * An in-order core waits for each load, so its clock shows each latency. The
 * far upgrade is made equal to the near one here; see upgrade_across_clusters.
 */
Test(reference, random_accesses)
{
	struct profile *p = small_profile(A55);

	p->upgrade_far_ps = p->upgrade_ps;
	/* figures that tell the ways apart */
	p->transfer_shared_ps += 1000;
	p->transfer_far_ps += 2000;
	p->transfer_shared_far_ps += 3000;
	compare_with_reference(p);
}

/* Two sharers in different clusters: telling the far one to drop its copy takes the far time. */
Test(reference, upgrade_across_clusters)
{
	struct profile *p = small_profile(A55);
	uint64_t addr = HW_MEM_BASE + 64 * 64, clock;

	p->upgrade_far_ps = p->upgrade_ps + 10000;
	create_small_machine(p);
	do_access(&cpus[0], OP_LOAD, addr);
	settle();
	do_access(&cpus[2], OP_LOAD, addr);
	settle();
	clock = cpus[0].clock;
	do_access(&cpus[0], OP_RMW, addr);
	cr_expect_eq(cpus[0].clock - clock, p->upgrade_far_ps + p->atomic_ps);
}

/* The caches of a run are right whatever the order of the accesses was: checked at the end of each; here it must notice. */
Test(reference, check_notices_a_stale_copy, .exit_code = 1)
{
	struct profile *p = small_profile(A55);
	uint64_t addr = HW_MEM_BASE + 64 * 64;

	create_small_machine(p);
	do_access(&cpus[0], OP_STORE, addr);
	settle();
	machine_check();
	/* as if another CPU had taken the line and this one had kept its copy */
	lines[64].owner = 3;
	machine_check();
}

/* ---- one CPU: the latency of each level ------------------------------------------- */

static struct host_result *run(const struct host_setup *setup)
{
	struct host_result *r = host_run(setup);

	cr_assert(r->done, "%s", r->text);
	return r;
}

static uint64_t ring_lines;		/* of the chase, for make_ring() in the child */

/* One cycle through all lines, in an order without pattern (Sattolo). */
static void make_ring(struct host_result *r)
{
	uint64_t base = HW_MEM_BASE + MEMORY_RING;
	uint32_t *order = malloc(ring_lines * sizeof(*order));

	(void)r;
	for (uint32_t i = 0; i < ring_lines; i++)
		order[i] = i;
	for (uint32_t i = (uint32_t)ring_lines - 1; i > 0; i--) {
		uint32_t k = (uint32_t)(draw() % i), t = order[i];

		order[i] = order[k];
		order[k] = t;
	}
	for (uint32_t i = 0; i < ring_lines; i++)
		*(uint64_t *)(base + order[i] * 64ull) = base + order[(i + 1) % ring_lines] * 64ull;
	free(order);
}

/* Time per load, ps, of a chase over @kib. */
static double chase(const char *profile, uint64_t kib)
{
	uint64_t n = kib * 1024 / 64;
	uint64_t loads = n < 100000 ? 100000 : n;
	struct host_setup s = { .program = "memory", .profile = { profile }, .nr_cpus = 1, .memory_mb = 128,
				.arg = { MEMORY_CHASE, loads / 16 * 16, n }, .before = make_ring };
	struct host_result *r;
	double ps;

	ring_lines = n;
	r = run(&s);
	ps = (double)host_span(r, 0, MEMORY_BEGIN, MEMORY_END) / (double)(loads / 16 * 16);
	host_free(r);
	return ps;
}

static void expect_near(double got, double want, double tolerance, const char *what)
{
	cr_expect(got > want * (1 - tolerance) && got < want * (1 + tolerance), "%s: %.0f ps, should be %.0f", what,
		  got, want);
}

/*
 * Footprints are far from the sizes of the caches, in which a chase in a fixed
 * order hits always or never. The in-order core pays its instructions besides:
 * the load and a sixteenth of the loop's three. On an out-of-order core they
 * pass behind the loads, except when all hit L1: the latency of such hits is
 * part of the sustained instructions per cycle, so there are only they.
 */
static void expect_latencies(const char *name, const uint64_t kib[4])
{
	struct profile *p = host_profile(name);
	double insns = 19.0 / 16 * p->cycle_ps * 1000.0 / p->ipc_milli;
	double beside = p->window ? 0 : insns;

	expect_near(chase(name, kib[0]), p->window ? insns : p->l1.latency_ps - p->cycle_ps + insns, 0.03, "L1");
	expect_near(chase(name, kib[1]), p->l2.latency_ps + beside, 0.03, "L2");
	expect_near(chase(name, kib[2]), p->llc.latency_ps + beside, 0.03, "shared cache");
	expect_near(chase(name, kib[3]), p->dram_ps + beside, 0.03, "DRAM");
	profile_free(p);
}

Test(latency, a55)
{
	expect_latencies(A55, (const uint64_t[]){ 16, 64, 1024, 16 << 10 });
}

Test(latency, a76)
{
	expect_latencies(A76, (const uint64_t[]){ 16, 256, 1024, 16 << 10 });
}

Test(latency, x86)
{
	expect_latencies(X86, (const uint64_t[]){ 16, 256, 8 << 10, 64 << 10 });
}

/* ---- several CPUs ----------------------------------------------------------------- */

/*
 * Two CPUs add to one word in turn, far apart in time. Expect each addition
 * but the first ones to cost a transfer and the atomic.
 */
static void expect_ping_pong(const char *name)
{
	struct host_setup s = { .program = "memory", .profile = { name }, .nr_cpus = 2,
				.arg = { MEMORY_PING_PONG, 20 } };
	struct host_result *r = run(&s);
	struct profile *p = host_profile(name);

	cr_expect_eq(r->value, 40);
	for (int cpu = 0; cpu < 2; cpu++)
		for (unsigned i = 1; i < 20; i++) {
			uint64_t took = host_event(r, MEMORY_AFTER, cpu, i)->ps -
					host_event(r, MEMORY_BEFORE, cpu, i)->ps;

			expect_near((double)took, p->transfer_ps + p->atomic_ps, 0.03, name);
		}
	profile_free(p);
	host_free(r);
}

Test(contention, ping_pong)
{
	expect_ping_pong(A55);
	expect_ping_pong(A76);
	expect_ping_pong(X86);
}

/* ps per transfer when @n CPUs add to one word without pause; the time of all over the transfers. */
static double hammer(const char *name, unsigned n)
{
	struct host_setup s = { .program = "memory", .profile = { name }, .nr_cpus = n,
				.arg = { MEMORY_HAMMER, 200 } };
	struct host_result *r = run(&s);
	uint64_t last = 0;
	double each;

	cr_expect_eq(r->value, n * 200ull, "an addition is lost");
	for (unsigned i = 0; i < n; i++)
		if (host_event(r, MEMORY_END, (int)i, 0)->ps > last)
			last = host_event(r, MEMORY_END, (int)i, 0)->ps;
	each = (double)last / (double)r->stats.transfers;
	host_free(r);
	return each;
}

/*
 * A line in demand moves on as soon as it can: after the occupancy, and the
 * atomic for which it is held. That does not depend on how many wait.
 */
static void expect_occupancy(const char *name)
{
	struct profile *p = host_profile(name);
	double few = hammer(name, 4), many = hammer(name, 32);

	cr_expect_geq(few, p->transfer_occupancy_ps * 0.99);
	cr_expect_leq(few, (p->transfer_occupancy_ps + p->atomic_ps) * 1.05, "%s: %.0f ps a transfer", name, few);
	expect_near(many, few, 0.05, "with 32 CPUs");
	profile_free(p);
}

Test(contention, occupancy)
{
	expect_occupancy(A55);
	expect_occupancy(A76);
	expect_occupancy(X86);
}

/*
 * CPU 0 waits for a load (its window fills), then works for long, then adds to
 * a word that CPU 1 owns. The work is more than any window holds, so:
 * expect the addition to pay the whole transfer, not to have asked for the
 * line back when the load was under way.
 */
static void expect_no_request_before_work(const char *name)
{
	struct host_setup s = { .program = "memory", .profile = { name }, .nr_cpus = 2,
				.arg = { MEMORY_WORK_FIRST } };
	struct host_result *r = run(&s);
	struct profile *p = host_profile(name);

	expect_near((double)host_span(r, 0, MEMORY_BEFORE, MEMORY_AFTER), p->transfer_ps + p->atomic_ps, 0.03,
		    name);
	profile_free(p);
	host_free(r);
}

Test(contention, no_request_from_before_the_work)
{
	expect_no_request_before_work(A55);
	expect_no_request_before_work(A76);
	expect_no_request_before_work(X86);
}

/* ---- a lock is handed on ------------------------------------------------------------ */

/*
 * A queued spinlock changes hands once from each CPU to the next. CPU 0 holds
 * it until all the others wait; they come far apart, so what each of them
 * waits for is known, and every request for a line can be told beforehand:
 * [t] the line comes from its owner, exclusive or to be shared; [u] others
 * drop their copies; [m] nobody owns it, it comes from below. A CPU that spins
 * on a line asks again whenever a writer has taken it.
 *
 * Two CPUs. The lock's line:
 *
 *   CPU 0  takes it                   m
 *   CPU 1  tries, sets pending        t    (it stays with CPU 1, which spins)
 *   CPU 0  unlocks                    t
 *   CPU 1  looks                      t    shared by 0 and 1
 *   CPU 1  takes it                   u    and unlocks: it is the owner
 *
 * A third one waits in the queue, alone, and spins on the lock as well:
 *
 *   CPU 2  tries                      t    CPU 1 looks      t
 *   CPU 2  becomes the tail           u    CPU 1 looks      t
 *   CPU 0  unlocks                    u    CPU 1, 2 look    t m   instead of t t
 *   CPU 1  takes it                   u    CPU 2 looks      t
 *   CPU 1  unlocks                    u    CPU 2 looks      t
 *   CPU 2  takes it, tail and all     u
 *
 * A fourth one queues behind the third and spins on its own node. When it
 * comes, and when CPU 0 unlocks, CPUs 1 and 2 both look:
 *
 *   CPU 3  tries                      u    CPU 1, 2 look    t m
 *   CPU 3  becomes the tail           u    CPU 1, 2 look    t m
 *   CPU 2  takes it, leaves the tail  u    CPU 3 looks      t     once it is head
 *   CPU 2  unlocks                    u    CPU 3 looks      t
 *   CPU 3  takes it                   u    (for the third one's last u)
 *
 * The nodes are a line for each CPU, from below when it first queues (m). Only
 * the fourth CPU makes them move:
 *
 *   CPU 3  links itself to CPU 2's    t
 *   CPU 2  reads the link             t
 *   CPU 2  lets CPU 3 go              t    CPU 3 looks      t
 *   CPU 2, 3  give back their nodes   u u
 */
static const struct hand_off {
	unsigned cpus;
	struct traffic {
		unsigned moves;		/* t and u */
		unsigned misses;	/* m */
	} lock, nodes;
} hand_offs[] = {
	{ 2, { 4, 1 }, { 0, 0 } },
	{ 3, { 12, 2 }, { 0, 1 } },
	{ 4, { 20, 4 }, { 6, 2 } },
};

static struct traffic traffic_of(const char *name)
{
	struct traffic sum = { 0 };

	for (unsigned i = 0; i < names_nr_groups; i++)
		if (!strcmp(names_groups[i].name, name)) {
			sum.moves += (unsigned)names_groups[i].transfers;
			sum.misses += (unsigned)names_groups[i].misses;
		}
	return sum;
}

static void note_traffic(struct host_result *r)
{
	struct traffic lock = traffic_of("lock under test"), nodes = traffic_of("struct mcs_nodes");

	r->note[0] = lock.moves;
	r->note[1] = lock.misses;
	r->note[2] = nodes.moves;
	r->note[3] = nodes.misses;
}

static void expect_hand_off(const char *name, const struct hand_off *h)
{
	struct host_setup s = { .program = "lockup", .profile = { name }, .nr_cpus = h->cpus,
				.arg = { LOCKUP_SPIN, 1, 10, 20, 0, 200 }, .after = note_traffic };
	struct host_result *r = run(&s);

	cr_expect_eq(r->note[0], h->lock.moves, "%s, %u CPUs: the lock moves %" PRIu64 " times, not %u", name,
		     h->cpus, r->note[0], h->lock.moves);
	cr_expect_eq(r->note[1], h->lock.misses, "%s, %u CPUs: the lock misses %" PRIu64 " times, not %u", name,
		     h->cpus, r->note[1], h->lock.misses);
	cr_expect_eq(r->note[2], h->nodes.moves, "%s, %u CPUs: nodes move %" PRIu64 " times, not %u", name,
		     h->cpus, r->note[2], h->nodes.moves);
	cr_expect_eq(r->note[3], h->nodes.misses, "%s, %u CPUs: nodes miss %" PRIu64 " times, not %u", name,
		     h->cpus, r->note[3], h->nodes.misses);
	host_free(r);
}

Test(contention, lock_hand_off)
{
	for (unsigned i = 0; i < sizeof(hand_offs) / sizeof(hand_offs[0]); i++) {
		expect_hand_off(A55, &hand_offs[i]);
		expect_hand_off(A76, &hand_offs[i]);
		expect_hand_off(X86, &hand_offs[i]);
	}
}

/* ---- overlap ---------------------------------------------------------------------- */

static void few_buffers(struct profile *p)
{
	p->miss_buffers = 4;
}

static void small_window(struct profile *p)
{
	p->window = p->window ? 16 : 0;
}

static void odd_and_even(struct host_result *r)
{
	(void)r;
	for (unsigned i = 0; i < 200; i++)
		*(uint64_t *)(HW_MEM_BASE + MEMORY_FAR + i * MEMORY_STRIDE) = draw() >> 7 & 1;
}

static uint64_t span_of(const char *name, enum memory_mode mode, uint64_t n, void (*tune)(struct profile *),
			void (*before)(struct host_result *))
{
	struct host_setup s = { .program = "memory", .profile = { name }, .nr_cpus = 1,
				.arg = { mode, n }, .tune = tune, .before = before };
	struct host_result *r = run(&s);
	uint64_t ps = host_span(r, 0, MEMORY_BEGIN, MEMORY_END);

	host_free(r);
	return ps;
}

/* 32 loads whose addresses are known: an out-of-order core has them all under way; the in-order core waits for each. */
Test(overlap, independent_misses)
{
	static const char *const big[] = { A76, X86 };
	struct profile *little = host_profile(A55);

	for (unsigned i = 0; i < 2; i++) {
		struct profile *p = host_profile(big[i]);
		uint64_t ps = span_of(big[i], MEMORY_INDEPENDENT, 0, NULL, NULL);

		/* one latency, then as fast as memory can; some instructions */
		expect_near((double)ps, p->dram_ps + 31.0 * p->dram_occupancy_ps, 0.2, big[i]);
		profile_free(p);
	}
	cr_expect_geq(span_of(A55, MEMORY_INDEPENDENT, 0, NULL, NULL), 32ull * little->dram_ps);
	profile_free(little);
}

/* With buffers for four misses, 32 take at least eight latencies, and not much more. */
Test(overlap, bounded_by_miss_buffers)
{
	static const char *const big[] = { A76, X86 };

	for (unsigned i = 0; i < 2; i++) {
		struct profile *p = host_profile(big[i]);
		uint64_t ps = span_of(big[i], MEMORY_INDEPENDENT, 0, few_buffers, NULL);

		cr_expect_geq(ps, 8ull * p->dram_ps, "%s: %" PRIu64 " ps", big[i], ps);
		cr_expect_leq(ps, 10ull * p->dram_ps, "%s: %" PRIu64 " ps", big[i], ps);
		profile_free(p);
	}
}

/* A window of 16 instructions and more than that between two loads: nothing overlaps. */
Test(overlap, bounded_by_window)
{
	static const char *const big[] = { A76, X86 };

	for (unsigned i = 0; i < 2; i++) {
		struct profile *p = host_profile(big[i]);
		uint64_t narrow = span_of(big[i], MEMORY_INDEPENDENT, 1, small_window, NULL);
		uint64_t wide = span_of(big[i], MEMORY_INDEPENDENT, 1, NULL, NULL);

		cr_expect_geq(narrow, 31ull * p->dram_ps, "%s: %" PRIu64 " ps", big[i], narrow);
		cr_expect_lt(wide, narrow / 2, "%s: %" PRIu64 " ps", big[i], wide);
		profile_free(p);
	}
}

static void window_of_64(struct profile *p)
{
	p->window = p->window ? 64 : 0;
}

/*
 * A line cannot have been asked for before the load that wants it was in the
 * window. 400 instructions without a stall, in a window of 64: expect a miss
 * to be hidden by no more than 64 of them; after work that is not run as code,
 * by nothing.
 */
Test(overlap, no_load_before_it_is_in_the_window)
{
	static const char *const all[] = { A55, A76, X86 };

	for (unsigned i = 0; i < 3; i++) {
		struct profile *p = host_profile(all[i]);
		uint64_t insn = p->cycle_ps * 1000ull / p->ipc_milli;
		uint64_t code = span_of(all[i], MEMORY_MISS_AFTER, 10, window_of_64, NULL);
		uint64_t work = span_of(all[i], MEMORY_MISS_AFTER, 0, NULL, NULL);

		cr_expect_geq(code, p->dram_ps - 64 * insn, "%s: %" PRIu64 " ps after instructions", all[i], code);
		cr_expect_geq(work, p->dram_ps * 97ull / 100, "%s: %" PRIu64 " ps after work", all[i], work);
		profile_free(p);
	}
}

/* The second load hits L1: it need not wait for the first one, unless that has acquire order. */
Test(overlap, relaxed_load_behind_a_miss)
{
	static const char *const big[] = { A76, X86 };

	for (unsigned i = 0; i < 2; i++) {
		struct profile *p = host_profile(big[i]);
		struct host_setup s = { .program = "memory", .profile = { big[i] }, .nr_cpus = 1,
					.arg = { MEMORY_BEHIND } };
		struct host_result *r = run(&s);

		cr_expect_lt(host_span(r, 0, MEMORY_BEGIN, MEMORY_AFTER), p->dram_ps / 10);
		cr_expect_geq(host_span(r, 0, MEMORY_BEGIN, MEMORY_END), p->dram_ps);
		host_free(r);
		s.arg[0] = MEMORY_BEHIND_ACQUIRE;
		r = run(&s);
		cr_expect_geq(host_span(r, 0, MEMORY_BEGIN, MEMORY_AFTER), p->dram_ps);
		host_free(r);
		profile_free(p);
	}
}

/*
 * 200 values in memory decide a branch each. All even: foreseen, and the loads
 * overlap. Odd or even by chance: about half of the branches are foreseen
 * wrongly, and each of those is known to be wrong only when its load is done.
 */
Test(overlap, mispredicted_branch_waits_for_its_load)
{
	static const char *const big[] = { A76, X86 };

	for (unsigned i = 0; i < 2; i++) {
		struct profile *p = host_profile(big[i]);
		uint64_t even = span_of(big[i], MEMORY_BRANCHES, 200, NULL, NULL);
		uint64_t mixed = span_of(big[i], MEMORY_BRANCHES, 200, NULL, odd_and_even);

		cr_expect_lt(even, 40ull * p->dram_ps, "%s: %" PRIu64 " ps", big[i], even);
		cr_expect_gt(mixed, 60ull * p->dram_ps, "%s: %" PRIu64 " ps", big[i], mixed);
		cr_expect_lt(mixed, 180ull * p->dram_ps, "%s: %" PRIu64 " ps", big[i], mixed);
		profile_free(p);
	}
}
