/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hostprofile.c - see hostprofile.h.
 *
 * The nearest shipped profile is copied whole, as estimates, and each figure
 * that can be measured here then takes the place of the one it lent. So what
 * a profile must have is said in one place, the schema, and not again here.
 */
#include "native/hostprofile.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "native/load.h"
#include "native/measure.h"
#include "native/nearest.h"
#include "scenarios/mem.h"

#define REPEATS		501
#define REPEATS_QUICK	101
#define PAIRS		28		/* of CPUs, most that are measured */
#define PAIRS_QUICK	4
#define CROWD		4		/* CPUs that contend */
#define CHAINS_MAX	48
#define PATTERN_PAGES	16
#define APART_MOST	1024		/* instructions or stores between two loads */

struct work {
	struct hostprofile *out;
	const struct hostprofile_options *options;
	struct host host;
	struct bench bench;
	cJSON *figures, *work;
	char source[256];
	double *spreads;
	size_t nr_spreads;
	double llc_ns, dram_ns, zero_gb_s;
	struct spread transfer;		/* between near CPUs */
	double occupancy_share;		/* of a transfer, in the nearest profile */
};

/* ---- figures ---- */

/* Four digits: more would be noise, and fewer a rounding that shows. */
static double rounded(double value, bool whole)
{
	char text[32];

	if (whole)
		return floor(value + 0.5);
	snprintf(text, sizeof(text), "%.4g", value);
	return strtod(text, NULL);
}

static cJSON *figure(double value, double low, double high, const char *unit, const char *kind,
		     const char *source, const char *note)
{
	cJSON *f = cJSON_CreateObject();

	cJSON_AddNumberToObject(f, "value", value);
	cJSON_AddStringToObject(f, "unit", unit);
	cJSON_AddNumberToObject(f, "low", low);
	cJSON_AddNumberToObject(f, "high", high);
	cJSON_AddStringToObject(f, "kind", kind);
	cJSON_AddStringToObject(f, "source", source);
	if (note)
		cJSON_AddStringToObject(f, "note", note);
	return f;
}

static void replace(cJSON *object, const char *key, cJSON *f)
{
	if (cJSON_HasObjectItem(object, key))
		cJSON_ReplaceItemInObjectCaseSensitive(object, key, f);
	else
		cJSON_AddItemToObject(object, key, f);
}

static bool is_whole(const char *unit)
{
	return strcmp(unit, "ns") && strcmp(unit, "GHz") && strcmp(unit, "GB/s") && strcmp(unit, "MB/s") &&
	       (strcmp(unit, "instructions/cycle"));
}

static void note_spread(struct work *w, const char *key, const struct spread *s)
{
	double relative = spread_relative(s);

	w->spreads = scn_grow(w->spreads, w->nr_spreads, sizeof(*w->spreads));
	w->spreads[w->nr_spreads++] = relative;
	if (relative < w->out->worst_spread)
		return;
	w->out->worst_spread = relative;
	snprintf(w->out->worst, sizeof(w->out->worst), "%s", key);
}

/* A figure in @object: measured, or derived from what was. Less than nothing is noise around nothing. */
static void put(struct work *w, cJSON *object, const char *key, const char *unit, struct spread s,
		const char *kind, const char *note)
{
	bool whole = is_whole(unit) || !strcmp(key, "issue_width");
	double low = rounded(fmax(s.low, 0), whole), high = rounded(fmax(s.high, 0), whole);

	note_spread(w, key, &s);
	replace(object, key, figure(rounded(fmax(s.value, 0), whole), low, high, unit, kind, w->source, note));
}

static void put_measured(struct work *w, const char *key, const char *unit, struct spread s, const char *note)
{
	put(w, w->figures, key, unit, s, "measured", note);
}

static void put_derived(struct work *w, const char *key, const char *unit, struct spread s, const char *note)
{
	put(w, w->figures, key, unit, s, "derived", note);
}

/* What the system says, exactly. */
static void put_known(struct work *w, const char *key, const char *unit, double value, const char *note)
{
	char source[sizeof(w->source) + 64];

	snprintf(source, sizeof(source), "as this machine describes itself: %s, %s", w->host.cpu, w->host.kernel);
	replace(w->figures, key, figure(value, value, value, unit, "specification", source, note));
}

static struct spread scaled(struct spread s, double factor)
{
	return (struct spread){ s.low * factor, s.value * factor, s.high * factor, s.nr };
}

static struct spread shifted(struct spread s, double by)
{
	return (struct spread){ s.low + by, s.value + by, s.high + by, s.nr };
}

/* In whatever unit; the loader has seen that it is there. */
static double value_of(const cJSON *object, const char *key)
{
	return cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(
		cJSON_GetObjectItemCaseSensitive(object, key), "value"));
}

/* ---- one core ---- */

static void measure_clock(struct work *w)
{
	struct spread s = bench_repeat(&w->bench, sample_clock_ghz, 0);

	w->bench.ghz = s.value;
	put_measured(w, "clock", "GHz", s, "additions in a chain, one a cycle");
}

static void put_width(struct work *w, struct spread width)
{
	put_measured(w, "issue_width", "instructions/cycle", width,
		     "instructions that do nothing, to the next whole number; at least what list code does");
}

/* A core that does so many instructions of list code in a cycle can begin as many, whatever the other measurement says. */
static void measure_ipc(struct work *w)
{
	struct spread width = bench_repeat(&w->bench, sample_issue_width, 0), round, ipc;
	double instructions;

	if (!count_instructions(&instructions)) {
		put_width(w, width);
		return;
	}
	round = bench_repeat(&w->bench, sample_round_ns, 0);
	ipc = (struct spread){ instructions / round.high / w->bench.ghz, instructions / round.value / w->bench.ghz,
			       instructions / round.low / w->bench.ghz, round.nr };
	width.value = fmax(floor(width.value + 0.5), ceil(ipc.value));
	width.high = fmax(width.high, width.value);
	/* On a machine that changes its clock in between it could be more. */
	ipc.high = fmin(ipc.high, width.value);
	put_width(w, width);
	put_measured(w, "ipc", "instructions/cycle", ipc,
		     "list and counter code in the first-level cache, its instructions counted by single steps");
}

static void measure_branches(struct work *w)
{
	put_measured(w, "mispredict", "ns", bench_repeat(&w->bench, sample_mispredict_ns, 0),
		     "branches on random bits less the same branches on a constant");
}

static void measure_atomics(struct work *w)
{
	struct spread add = bench_repeat(&w->bench, sample_atomic_ns, 0);
	struct spread exchange = bench_repeat(&w->bench, sample_cmpxchg_ns, 0);
	char note[96];

	w->bench.atomic_ns = add.value;
	snprintf(note, sizeof(note), "fetch-and-add, line held; compare-and-exchange takes %.3g ns", exchange.value);
	put_measured(w, "atomic", "ns", add, note);
}

static void measure_fence(struct work *w)
{
	struct spread fence = bench_repeat(&w->bench, sample_fence_ns, 0);
	struct spread drain = bench_repeat(&w->bench, sample_drain_ns, 16);
	char note[128];

	snprintf(note, sizeof(note), "nothing to wait for; behind 16 stores to lines of the first level %.3g ns", drain.value);
	put_measured(w, "fence", "ns", fence, note);
	put_measured(w, "relax", "ns", bench_repeat(&w->bench, sample_relax_ns, 0), NULL);
}

/* ---- memory ---- */

/* Sizes from @least to @most, doubling: a plateau if each gives the same. */
static void measure_level(struct work *w, const char *key, size_t least, size_t most, const char *note)
{
	double low = 0, high = 0;
	struct spread s, best = { 0 };

	for (size_t bytes = least; bytes <= most; bytes *= 2) {
		chase_prepare(&w->bench, bytes);
		s = bench_repeat(&w->bench, sample_chase_ns, bytes);
		low = low && low < s.low ? low : s.low;
		high = high > s.high ? high : s.high;
		/* The middle size is farthest from the levels on both sides. */
		if (!best.nr || bytes * bytes <= least * most)
			best = s;
	}
	best.low = low;
	best.high = high;
	if (best.nr)
		put_measured(w, key, "ns", best, note);
}

static void measure_l1(struct work *w)
{
	size_t l1 = w->host.cache[0].bytes ? w->host.cache[0].bytes : 32 << 10;

	measure_level(w, "l1_latency", l1 / 4, l1 / 2, "chain of loads in random order over a quarter and half of the level");
}

static void measure_l2(struct work *w)
{
	size_t l1 = w->host.cache[0].bytes, l2 = w->host.cache[1].bytes;

	if (l1 && l2 >= 8 * l1)
		measure_level(w, "l2_latency", 4 * l1, l2 / 2, "the same from four first-level sizes to half of the level");
}

/*
 * Others may fill the last level meanwhile, on this machine or, unseen, beside
 * it on the same processor. Of the sizes that should fit, the fastest one did,
 * and its slow samples are the memory's time and not the level's.
 */
static void measure_l3(struct work *w)
{
	size_t l2 = w->host.cache[1].bytes, l3 = w->host.cache[2].bytes;
	struct spread best = { 0 }, s;

	if (!l2 || l3 < 8 * l2)
		return;
	for (size_t bytes = 2 * l2; bytes <= l3 / 4; bytes *= 2) {
		chase_prepare(&w->bench, bytes);
		s = bench_repeat(&w->bench, sample_chase_ns, bytes);
		if (!best.nr || s.low < best.low)
			best = s;
	}
	w->llc_ns = best.value = best.low;
	put_measured(w, "llc_latency", "ns", best,
		     "the same over two second-level sizes to a quarter of the level, the fastest of these, 10th"
		     " percentile: slower samples missed the level");
}

/*
 * What is left of the last level: the largest half, quarter and so on through
 * which a chain still goes nearer to its latency than to the memory's. The
 * best of the samples counts, since what others do comes and goes.
 */
static void measure_l3_share(struct work *w)
{
	size_t l2 = w->host.cache[1].bytes, l3 = w->host.cache[2].bytes, bytes;
	struct spread s, share;

	if (!w->llc_ns)
		return;
	for (bytes = l3; bytes > 2 * l2; bytes /= 2) {
		chase_prepare(&w->bench, bytes);
		s = bench_repeat(&w->bench, sample_chase_ns, bytes);
		if (s.low < (w->llc_ns + w->dram_ns) / 2)
			break;
	}
	if (bytes == l3)
		return;
	share = (struct spread){ (double)(bytes >> 10), (double)(bytes >> 10), (double)(l3 >> 10), s.nr };
	replace(w->figures, "llc_size",
		figure(share.value, share.low, share.high, "KiB", "measured", w->source,
		       "the part in which a chain of loads finds its lines: others use the rest"));
}

static void measure_dram(struct work *w)
{
	struct spread s;

	chase_prepare(&w->bench, w->bench.arena_bytes);
	s = bench_repeat(&w->bench, sample_chase_ns, w->bench.arena_bytes);
	/* What was still in a cache took next to nothing of the time. */
	w->dram_ns = s.value;
	put_measured(w, "dram_latency", "ns", s, "the same over four last-level sizes or more, in large pages");
}

/* ---- how far the core looks ahead ---- */

static void put_edge(struct work *w, const char *key, size_t edge, unsigned unit, const char *note)
{
	struct spread s = { (double)((edge - 1) * unit), (double)((edge - 1) * unit), (double)(edge * unit), APART_REPEATS };

	if (edge > 1)
		put_measured(w, key, "entries", s, note);
}

/* Not of a core that the nearest profile takes to be in order: it has no window. */
static void measure_window(struct work *w)
{
	if (!value_of(w->figures, "window"))
		return;
	chase_prepare(&w->bench, w->bench.arena_bytes);
	put_edge(w, "window", apart_edge(&w->bench, sample_apart_instructions_ns, APART_MOST / APART_INSTRUCTIONS),
		 APART_INSTRUCTIONS, "additions between two loads that miss and still overlap: as many results as there is room for");
	put_edge(w, "store_buffer", apart_edge(&w->bench, sample_apart_stores_ns, APART_MOST / APART_STORES), APART_STORES,
		 "stores between two loads that miss and still overlap");
#if defined(__x86_64__) || defined(__i386__)
	bool ahead = apart_ns(&w->bench, sample_apart_atomics_ns, 1) < APART_FACTOR * apart_ns(&w->bench, sample_apart_atomics_ns, 0);

	put_measured(w, "atomic_runs_ahead", "flag", (struct spread){ ahead, ahead, ahead, APART_REPEATS },
		     "a load that misses, an atomic, a load that misses: do the loads overlap?");
#endif
}

/* Misses in flight: how many times faster independent chains are than one. The memory is still that chain. */
static void measure_parallel(struct work *w)
{
	struct spread best = { 0 }, s;

	for (size_t chains = 4; chains <= CHAINS_MAX; chains += 4) {
		s = bench_repeat(&w->bench, sample_parallel_ns, chains);
		if (!best.nr || s.value < best.value)
			best = s;
	}
	put_derived(w, "miss_buffers", "entries",
		    (struct spread){ w->dram_ns / best.high, w->dram_ns / best.value, w->dram_ns / best.low, best.nr },
		    "dram_latency over the time of a load of as many independent chains as are fastest");
}

/* Each reads a part of its own, of a memory that only has room for so many. */
static unsigned threads(const struct work *w)
{
	unsigned most = MEASURE_THREADS / 4;

	return w->bench.cpus->nr < most ? w->bench.cpus->nr : most;
}

static void measure_streams(struct work *w)
{
	struct spread one = bench_repeat(&w->bench, sample_read_gb_s, 1), all, ahead;
	char note[96];

	all = threads(w) > 1 ? bench_repeat(&w->bench, sample_read_gb_s, threads(w)) : one;
	snprintf(note, sizeof(note), "%u CPU%s reading at once; one alone reads %.3g GB/s", threads(w),
		 threads(w) == 1 ? "" : "s", one.value);
	put_measured(w, "dram_bandwidth", "GB/s", all, note);
	ahead = scaled(one, w->dram_ns / MEASURE_LINE);
	put_derived(w, "prefetch_ahead", "lines", ahead,
		    "Little's law on what one CPU reads in sequence and dram_latency: lines in flight");
}

static void measure_pages(struct work *w)
{
	struct spread zero = bench_repeat(&w->bench, sample_zero_gb_s, 0);

	w->zero_gb_s = zero.value;
	put_measured(w, "copy_bandwidth", "GB/s", bench_repeat(&w->bench, sample_copy_gb_s, 0),
		     "memcpy() of 4 KiB between pages out of cache");
	put_measured(w, "zero_bandwidth", "GB/s", zero, "memset() of 4 KiB pages out of cache");
}

/* ---- between CPUs ---- */

/* Pairs of one kind: do both share the last level? */
struct pairs {
	size_t at[PAIRS];
	size_t nr;
};

static bool are_near(const struct work *w, unsigned i, unsigned j)
{
	struct host h;
	const struct host_cache *last;
	bool near;

	host_describe(&h, "", w->bench.cpus->at[i]);
	last = &h.cache[h.cache[2].bytes ? 2 : 1];
	near = !last->shared.nr || cpu_list_has(&last->shared, w->bench.cpus->at[j]);
	host_free(&h);
	return near;
}

/* With many CPUs those at growing distance: neighbours alone would be one kind. */
static struct pairs choose_pairs(const struct work *w, bool near)
{
	size_t most = w->options->quick ? PAIRS_QUICK : PAIRS;
	unsigned nr = w->bench.cpus->nr;
	struct pairs pairs = { .nr = 0 };

	for (unsigned step = 1; step < nr; step++) {
		for (unsigned i = 0; i + step < nr && pairs.nr < most; i += nr > 8 ? nr / 8 + step : 1) {
			if (are_near(w, i, i + step) == near)
				pairs.at[pairs.nr++] = PAIR(i, i + step);
		}
	}
	return pairs;
}

/* Samples of all pairs together: the spread says how alike they are. */
static struct spread over_pairs(struct work *w, const struct pairs *pairs, sample_fn fn)
{
	size_t each = w->bench.repeats / pairs->nr > 5 ? w->bench.repeats / pairs->nr : 5, nr = 0;
	double *samples = scn_zalloc(each * pairs->nr, sizeof(*samples));
	struct spread s;

	for (size_t p = 0; p < pairs->nr; p++) {
		fn(&w->bench, pairs->at[p]);
		for (size_t i = 0; i < each; i++)
			samples[nr++] = fn(&w->bench, pairs->at[p]);
	}
	s = spread_of(samples, nr);
	free(samples);
	return s;
}

/* The loader takes the operation out of a transfer, so one that was measured without gets it. */
static void measure_pairs(struct work *w, const struct pairs *pairs, const char *far)
{
	struct spread moved = over_pairs(w, pairs, sample_ping_pong_ns);
	struct spread read = over_pairs(w, pairs, sample_read_dirty_ns);
	struct spread upgrade = over_pairs(w, pairs, sample_upgrade_ns);
	double atomic = w->bench.atomic_ns;
	char key[64];

	if (!*far)
		w->transfer = moved;
	snprintf(key, sizeof(key), "transfer%s", far);
	put_measured(w, key, "ns", moved, "compare-and-exchange by two CPUs in turn, one way, the operation included");
	snprintf(key, sizeof(key), "transfer_shared%s", far);
	put_derived(w, key, "ns", shifted(read, atomic),
		    "chain of loads over lines that the other CPU modified, and an atomic operation, as in transfer");
	snprintf(key, sizeof(key), "upgrade%s", far);
	put_derived(w, key, "ns", shifted(upgrade, -atomic),
		    "chain of atomics over lines that both CPUs have, less the operation");
}

static void measure_near(struct work *w)
{
	struct pairs pairs = choose_pairs(w, true);

	if (pairs.nr)
		measure_pairs(w, &pairs, "");
}

static void copy_figure(struct work *w, const char *to, const char *from, const char *note)
{
	cJSON *f = cJSON_Duplicate(cJSON_GetObjectItemCaseSensitive(w->figures, from), true);

	replace(f, "kind", cJSON_CreateString("estimate"));
	replace(f, "note", cJSON_CreateString(note));
	replace(w->figures, to, f);
}

/* Without two clusters no line ever goes so far: the figures must be there and are not used. */
static void measure_far(struct work *w)
{
	static const char note[] = "all CPUs share the last level here; the near figure stands in";
	struct pairs pairs = choose_pairs(w, false);

	if (pairs.nr) {
		measure_pairs(w, &pairs, "_far");
	} else if (w->bench.cpus->nr > 1) {
		copy_figure(w, "transfer_far", "transfer", note);
		copy_figure(w, "transfer_shared_far", "transfer_shared", note);
		copy_figure(w, "upgrade_far", "upgrade", note);
	}
}

/*
 * With two CPUs a line can only go back, so what it takes before it could go on
 * cannot be seen: then the nearest profile's share of a transfer. With more,
 * each one pauses between its turns, or it would take several in a row.
 */
static void measure_crowd(struct work *w)
{
	unsigned cpus = w->bench.cpus->nr < CROWD ? w->bench.cpus->nr : CROWD;
	const char *key = "transfer_occupancy";
	struct spread s;

	if (cpus < 2)
		return;
	s = bench_repeat(&w->bench, sample_contended_ns, cpus);
	if (cpus > 2) {
		put_measured(w, key, "ns", s, "between two atomics on one line that several CPUs want");
		return;
	}
	s = scaled(w->transfer, w->occupancy_share);
	put(w, w->figures, key, "ns", s, "estimate", "two CPUs: the nearest profile's share of transfer");
}

/* ---- through the system ---- */

static void measure_kick(struct work *w)
{
	double *send, *arrive;
	unsigned nr = w->bench.repeats;

	if (w->bench.cpus->nr < 2)
		return;
	send = scn_zalloc(nr, sizeof(*send));
	arrive = scn_zalloc(nr, sizeof(*arrive));
	sample_kick(&w->bench, PAIR(0, 1));
	for (unsigned i = 0; i < nr; i++) {
		struct kick_times k = sample_kick(&w->bench, PAIR(0, 1));

		send[i] = k.send_ns;
		arrive[i] = k.arrive_ns;
	}
	put_measured(w, "kick", "ns", spread_of(send, nr),
		     "a futex that wakes a thread on another CPU: more than an interrupt sent by a kernel");
	put_measured(w, "kick_latency", "ns", spread_of(arrive, nr), "until the woken thread runs, the switch to it included");
	free(send);
	free(arrive);
}

static void put_work(struct work *w, const char *key, struct spread s, const char *kind, const char *note)
{
	put(w, w->work, key, "ns", s, kind, note);
}

static void measure_system(struct work *w)
{
	struct spread call = bench_repeat(&w->bench, sample_syscall_ns, 0), hand, fault;

	put_work(w, "syscall", call, "measured", "getppid()");
	hand = shifted(bench_repeat(&w->bench, sample_handover_ns, 0), -2 * call.value);
	put_work(w, "context_switch", scaled(hand, 0.6), "derived",
		 "a byte through a pipe between two threads of one CPU, less two system calls; 60 to 40 between switch and"
		 " wake-up, which is a judgement");
	put_work(w, "wake_up", scaled(hand, 0.4), "derived", "the other part of context_switch");
	fault = bench_repeat(&w->bench, sample_page_fault_ns, 0);
	put_work(w, "page_fault", shifted(fault, -4096 / w->zero_gb_s), "derived",
		 "first touch of a page of 4 KiB, less its clearing by zero_bandwidth");
}

/* ---- compression, by the software's own compressor ---- */

static const struct native_ops *module;
static uint64_t pages[PATTERN_PAGES][512];
static char packed[PATTERN_PAGES][8192];
static size_t packed_bytes[PATTERN_PAGES];

/* As the test program of the munmap scenario fills memory. */
static void fill_pages(void)
{
	for (uint64_t i = 0; i < PATTERN_PAGES; i++) {
		for (uint64_t k = 0; k < 512; k++)
			pages[i][k] = k < 106 + 8 * i ? k * 8 * 2654435761ull : 0;
	}
}

static double sample_compress_ns(struct bench *b, size_t unused)
{
	uint64_t began = bench_now_ns();

	(void)b;
	(void)unused;
	for (int i = 0; i < PATTERN_PAGES; i++)
		packed_bytes[i] = module->compress(pages[i], packed[i]);
	return (double)(bench_now_ns() - began) / PATTERN_PAGES;
}

static double sample_decompress_ns(struct bench *b, size_t unused)
{
	static char page[4096];
	uint64_t began = bench_now_ns();

	(void)b;
	(void)unused;
	for (int i = 0; i < PATTERN_PAGES; i++)
		module->decompress(packed[i], packed_bytes[i], page);
	return (double)(bench_now_ns() - began) / PATTERN_PAGES;
}

static void measure_compression(struct work *w)
{
	static const char note[] = "lzo-rle as the simulator's software has it, pages of its munmap workload";
	char error[256];

	module = native_load(error, sizeof(error));
	if (!module)
		return;
	fill_pages();
	put_work(w, "compress_page", bench_repeat(&w->bench, sample_compress_ns, 0), "measured", note);
	put_work(w, "decompress_page", bench_repeat(&w->bench, sample_decompress_ns, 0), "measured", note);
}

static void measure_noise(struct work *w)
{
	w->out->clock_step_ns = bench_repeat(&w->bench, sample_clock_step_ns, 0).value;
	w->out->lost_percent = bench_repeat(&w->bench, sample_lost_percent, 0).value;
}

/* ---- what the machine says of itself ---- */

static void put_cache(struct work *w, int level, const char *size, const char *ways)
{
	const struct host_cache *c = &w->host.cache[level];

	if (!c->bytes || !c->ways)
		return;
	put_known(w, size, "KiB", (double)(c->bytes >> 10), NULL);
	put_known(w, ways, "ways", c->ways, NULL);
}

static void describe(struct work *w)
{
	put_cache(w, 0, "l1_size", "l1_ways");
	put_cache(w, 1, "l2_size", "l2_ways");
	put_cache(w, 2, "llc_size", "llc_ways");
	if (w->host.cache[1].bytes && !w->host.cache[2].bytes) {
		put_known(w, "llc_size", "KiB", 0, "no third level");
		put_known(w, "llc_ways", "ways", 0, "no third level");
	}
#if defined(__x86_64__) || defined(__i386__)
	put_known(w, "lse", "flag", 1, "an atomic is one instruction");
	put_known(w, "atomic_is_fence", "flag", 1, "locked instructions drain the store buffer");
#elif defined(__aarch64__)
	put_known(w, "atomic_is_fence", "flag", 0, NULL);
#endif
}

/* ---- all together ---- */

/* Every figure of @object was @from's, and is a guess about this machine. */
static void mark_estimates(cJSON *object, const char *from)
{
	cJSON *f;

	cJSON_ArrayForEach(f, object) {
		const cJSON *source = cJSON_GetObjectItemCaseSensitive(f, "source");
		char *text = scn_printf("not measured here; profile %s: %s", from,
					source ? source->valuestring : "no source");

		replace(f, "source", cJSON_CreateString(text));
		replace(f, "kind", cJSON_CreateString("estimate"));
		cJSON_DeleteItemFromObjectCaseSensitive(f, "calibrated");
		free(text);
	}
}

static int begin(struct work *w, char *error, size_t error_bytes)
{
	struct profile *near = nearest_profile(&w->host, error, error_bytes);
	cJSON *root;
	char text[512];

	if (!near)
		return -1;
	w->out->root = root = cJSON_Parse(near->text);
	snprintf(w->out->nearest, sizeof(w->out->nearest), "%s", near->name);
	profile_free(near);
	w->figures = cJSON_GetObjectItemCaseSensitive(root, "figures");
	w->work = cJSON_GetObjectItemCaseSensitive(root, "work");
	w->occupancy_share = value_of(w->figures, "transfer_occupancy") / value_of(w->figures, "transfer");
	mark_estimates(w->figures, w->out->nearest);
	mark_estimates(w->work, w->out->nearest);
	snprintf(w->source, sizeof(w->source), "measured on this machine: %s, %s", w->host.cpu, w->host.kernel);
	snprintf(text, sizeof(text), "%s, measured by zsmsim hostprofile%s", w->host.cpu,
		 w->options->as_native ? "; work items as native runs pay them" : "");
	replace(root, "name", cJSON_CreateString(w->options->name));
	replace(root, "description", cJSON_CreateString(text));
	replace(root, "soc", cJSON_CreateString(w->host.cpu));
	return 0;
}

/* Native runs switch contexts in user space and flush nothing. */
static void pay_as_native(struct work *w)
{
	static const char *const free_of_charge[] = { "context_switch", "wake_up", "syscall", "ipi_handle", "tlb_flush" };

	for (size_t i = 0; i < sizeof(free_of_charge) / sizeof(free_of_charge[0]); i++)
		replace(w->work, free_of_charge[i],
			figure(0, 0, 0, "ns", "specification", "native runs do not do this", NULL));
}

static void count_kinds(struct hostprofile *out, const cJSON *object)
{
	const cJSON *f;

	cJSON_ArrayForEach(f, object) {
		const cJSON *kind = cJSON_GetObjectItemCaseSensitive(f, "kind");

		if (!strcmp(kind->valuestring, "estimate"))
			out->estimated++;
		else
			out->measured++;
	}
}

static void finish(struct work *w)
{
	if (w->options->as_native)
		pay_as_native(w);
	count_kinds(w->out, w->figures);
	count_kinds(w->out, w->work);
	w->out->median_spread = spread_of(w->spreads, w->nr_spreads).value;
}

static void (*const steps[])(struct work *w) = {
	measure_clock, measure_noise, measure_ipc, measure_branches, measure_atomics, measure_fence, measure_l1,
	measure_l2, measure_l3, measure_dram, measure_window, measure_parallel, measure_l3_share, measure_streams,
	measure_pages, measure_near, measure_far, measure_crowd, measure_kick, measure_system, measure_compression,
};

#define NR_STEPS (sizeof(steps) / sizeof(steps[0]))

static void report_progress(const struct work *w, size_t step)
{
	if (w->options->progress)
		w->options->progress(w->options->arg, step, NR_STEPS);
}

int hostprofile_measure(struct hostprofile *out, const struct hostprofile_options *options, char *error,
			size_t error_bytes)
{
	struct work w = { .out = out, .options = options };
	int status;

	*out = (struct hostprofile){ 0 };
	host_describe(&w.host, "", options->cpus->at[0]);
	w.bench = (struct bench){ .host = &w.host, .cpus = options->cpus,
				  .repeats = options->quick ? REPEATS_QUICK : REPEATS };
	status = begin(&w, error, error_bytes);
	if (status == 0 && bench_create(&w.bench)) {
		snprintf(error, error_bytes, "memory and a CPU to measure with: %s", strerror(errno));
		status = -1;
	}
	if (status == 0) {
		describe(&w);
		for (size_t i = 0; i < NR_STEPS; i++) {
			report_progress(&w, i);
			steps[i](&w);
		}
		report_progress(&w, NR_STEPS);
		finish(&w);
	}
	bench_destroy(&w.bench);
	host_free(&w.host);
	free(w.spreads);
	return status;
}

void hostprofile_free(struct hostprofile *p)
{
	cJSON_Delete(p->root);
	p->root = NULL;
}
