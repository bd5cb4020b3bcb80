/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_native.c - the machine itself as a machine: what it is said to be, what
 * becomes of a scenario's runs on it, statistics over repetitions, and the
 * software on real threads. Criterion gives each test a process of its own,
 * which the module needs.
 */
#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "native/host.h"
#include "native/load.h"
#include "native/measure.h"
#include "native/nearest.h"
#include "native/plan.h"
#include "native/spread.h"
#include "scenarios/mem.h"

/* ---- statistics ---- */

/* 0 to 10 in any order. Expect the median 5, and 1 and 9 a tenth from the ends. */
Test(spread, percentiles_of_eleven)
{
	double samples[] = { 3, 7, 0, 10, 5, 1, 9, 2, 8, 4, 6 };
	struct spread s = spread_of(samples, 11);

	cr_expect_float_eq(s.low, 1, 1e-12);
	cr_expect_float_eq(s.value, 5, 1e-12);
	cr_expect_float_eq(s.high, 9, 1e-12);
	cr_expect_float_eq(spread_relative(&s), 1.6, 1e-12);
}

/* Percentiles that fall between samples. 10 and 20: expect a tenth, a half and nine tenths of the way. */
Test(spread, between_samples)
{
	double two[] = { 20, 10 }, one[] = { 7 };
	struct spread s = spread_of(two, 2);

	cr_expect_float_eq(s.low, 11, 1e-12);
	cr_expect_float_eq(s.value, 15, 1e-12);
	cr_expect_float_eq(s.high, 19, 1e-12);
	s = spread_of(one, 1);
	cr_expect(s.low == 7 && s.value == 7 && s.high == 7, "one sample is all there is");
}

/* One sample of many is far off, as when somebody else ran. Expect the median not to notice. */
Test(spread, outlier)
{
	double samples[] = { 5, 5, 5, 5, 5000, 5, 5, 5, 5, 5, 5 };

	cr_expect_eq(spread_of(samples, 11).value, 5);
}

/* ---- lists of CPUs ---- */

static void expect_list(const char *text, const int *cpus, unsigned nr)
{
	struct cpu_list list;
	const char *wrong = cpu_list_parse(text, &list);

	cr_assert_null(wrong, "%s: %s", text, wrong);
	cr_assert_eq(list.nr, nr, "%s gives %u CPUs", text, list.nr);
	for (unsigned i = 0; i < nr; i++)
		cr_expect_eq(list.at[i], cpus[i], "%s: number %u is %d", text, i, list.at[i]);
	cpu_list_free(&list);
}

/* As the kernel writes them, and out of order. Expect ascending numbers. */
Test(host, lists)
{
	expect_list("0", (int[]){ 0 }, 1);
	expect_list("0-3,6", (int[]){ 0, 1, 2, 3, 6 }, 5);
	expect_list("7,2-3", (int[]){ 2, 3, 7 }, 3);
	expect_list("5-5", (int[]){ 5 }, 1);
}

/* Each is wrong in another way. Expect words, and nothing to free. */
Test(host, wrong_lists)
{
	static const char *const wrong[] = {
		"", "x", "0,", ",0", "0-", "-1", "3-1", "0-3-5", "0 1", "1,1", "0-3,2", "99999999999999999999", "0x1",
	};
	struct cpu_list list;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		cr_expect_not_null(cpu_list_parse(wrong[i], &list), "'%s' was taken", wrong[i]);
		cr_expect_null(list.at, "'%s' left a list", wrong[i]);
	}
}

/* ---- what the machine says of itself ---- */

static void make_file(const char *root, const char *path, const char *text)
{
	char full[512];
	FILE *f;

	snprintf(full, sizeof(full), "%s%s", root, path);
	for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(full, 0777);
		*slash = '/';
	}
	f = fopen(full, "w");
	cr_assert_not_null(f, "%s", full);
	fputs(text, f);
	fclose(f);
}

static void make_cache(const char *root, int index, const char *level, const char *type, const char *size,
		       const char *ways, const char *shared)
{
	const char *const names[] = { "level", "type", "size", "ways_of_associativity", "shared_cpu_list" };
	const char *const texts[] = { level, type, size, ways, shared };
	char path[128];

	for (int i = 0; i < 5; i++) {
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu2/cache/index%d/%s", index, names[i]);
		make_file(root, path, texts[i]);
	}
}

/*
 * A made-up machine of 8 CPUs: CPU 2 has 48 KiB + 32 KiB first level, 2 MiB
 * shared by two, 36 MiB shared by all. Expect data caches, not the
 * instructions' one, and the words of /proc/cpuinfo.
 */
Test(host, description)
{
	char root[] = "/tmp/zsmsim-host-XXXXXX", command[64];
	struct host h;

	cr_assert_not_null(mkdtemp(root));
	make_file(root, "/proc/cpuinfo",
		  "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 183\n"
		  "model name\t: Made Up 9000 @ 3.00GHz\nprocessor\t: 1\nvendor_id\t: Other\n");
	make_file(root, "/proc/meminfo", "MemTotal:       1000 kB\nMemAvailable:    500 kB\n");
	make_cache(root, 0, "1\n", "Data\n", "48K\n", "12\n", "2\n");
	make_cache(root, 1, "1\n", "Instruction\n", "32K\n", "8\n", "2\n");
	make_cache(root, 2, "2\n", "Unified\n", "2048K\n", "16\n", "2-3\n");
	make_cache(root, 3, "3\n", "Unified\n", "36M\n", "9\n", "0-7\n");
	host_describe(&h, root, 2);
	cr_expect_str_eq(h.cpu, "Made Up 9000 @ 3.00GHz");
	cr_expect_str_eq(h.vendor, "GenuineIntel");
	cr_expect_eq(h.family, 6);
	cr_expect_eq(h.model, 183);
	cr_expect(h.cache[0].bytes == 48 << 10 && h.cache[0].ways == 12 && h.cache[0].shared.nr == 1);
	cr_expect(h.cache[1].bytes == 2 << 20 && h.cache[1].ways == 16 && h.cache[1].shared.nr == 2);
	cr_expect(h.cache[2].bytes == 36 << 20 && h.cache[2].ways == 9 && h.cache[2].shared.nr == 8);
	cr_expect_eq(h.huge_page_bytes, 0, "the made-up machine has none");
	cr_expect_eq(host_memory_available(root), 500 << 10);
	host_free(&h);
	snprintf(command, sizeof(command), "rm -rf %s", root);
	cr_expect_eq(system(command), 0);
}

/* A system that says nothing. Expect an empty description, and no crash. */
Test(host, silence)
{
	struct host h;

	host_describe(&h, "/nonexistent", 0);
	cr_expect_eq(h.cache[0].bytes + h.cache[1].bytes + h.cache[2].bytes, 0);
	cr_expect_str_eq(h.vendor, "");
	cr_expect_not_null(strstr(h.cpu, "processor"), "%s", h.cpu);
	cr_expect_eq(host_memory_available("/nonexistent"), 0);
	host_free(&h);
}

/* ---- which profile lends what cannot be measured ---- */

static int likeness(const char *vendor, unsigned family, unsigned model, bool x86, const char *text)
{
	struct host h = { .family = family, .model = model };
	struct profile p = { .text = (char *)text, .atomic_is_fence = x86 };

	snprintf(h.vendor, sizeof(h.vendor), "%s", vendor);
	return nearest_likeness(&h, &p);
}

/* Expect the architecture to count most, then the vendor, then the core. */
Test(nearest, order)
{
	int zen3 = likeness("AuthenticAMD", 0x19, 1, true, "AMD EPYC 7763 (Zen 3)");
	int zen2 = likeness("AuthenticAMD", 0x19, 1, true, "AMD EPYC 7702 (Zen 2)");
	int intel = likeness("AuthenticAMD", 0x19, 1, true, "Intel Core");
	int arm = likeness("AuthenticAMD", 0x19, 1, false, "Cortex-A76, licensed by AMD");

	cr_expect(zen3 > zen2 && zen2 > intel && intel > arm, "%d %d %d %d", zen3, zen2, intel, arm);
	cr_expect_gt(likeness("0x41", 0, 0xd0b, false, "Arm Cortex-A76"), likeness("0x41", 0, 0xd05, false, "Arm Cortex-A76"));
	cr_expect_gt(likeness("0x41", 0, 0xd05, false, "Arm Cortex-A76"), likeness("0x41", 0, 0xd05, true, "AMD"));
}

/* ---- from a scenario's runs to native ones ---- */

static void add_run(struct run_list *list, const char *profile, unsigned cpus, unsigned procs, uint64_t seed,
		    const char *params)
{
	list->runs = scn_grow(list->runs, list->nr, sizeof(*list->runs));
	list->runs[list->nr++] = (struct run_spec){
		.scenario = scn_strdup("s"), .variant = scn_strdup("base"), .profile = scn_strdup(profile),
		.params = scn_strdup(params), .variant_text = scn_strdup("{}"), .seed = seed, .procs = procs,
		.memory_mb = 100 * procs, .nr_clusters = 1,
		.clusters = { { .profile = scn_strdup(profile), .cpus = cpus } },
	};
}

/*
 * Two profiles, 1 and 4 processes, on a host of 2 CPUs, three times. Expect
 * one run of 1 process, three times, with seeds 5, 6, 7; the two of 4
 * processes left out.
 */
Test(plan, profiles_become_one)
{
	struct run_list list = { 0 };
	struct native_plan made;

	add_run(&list, "cortex-a55", 8, 1, 5, "procs=1");
	add_run(&list, "cortex-a76", 8, 1, 5, "procs=1");
	add_run(&list, "cortex-a55", 8, 4, 5, "procs=4");
	add_run(&list, "cortex-a76", 8, 4, 5, "procs=4");
	made = native_plan(&list, 2, 3);
	cr_expect_eq(made.left_out, 2);
	cr_expect_eq(made.most_procs, 4);
	cr_expect_eq(made.most_memory_mb, 100);
	cr_assert_eq(list.nr, 3);
	for (size_t i = 0; i < 3; i++) {
		cr_expect_str_eq(list.runs[i].profile, NATIVE_PROFILE);
		cr_expect_str_eq(list.runs[i].clusters[0].profile, NATIVE_PROFILE);
		cr_expect_eq(list.runs[i].clusters[0].cpus, 2);
		cr_expect_eq(list.runs[i].seed, 5 + i);
	}
	run_list_free(&list);
}

/*
 * Seeds 3 and 7, twice, 1 and 2 processes. Expect all runs of the first
 * repetition before any of the second, and no two alike: the second has seeds
 * 8 and 12. CPUs that are shown are those there are; kinds of CPUs are not.
 */
Test(plan, repetitions_in_turn)
{
	static const uint64_t seeds[] = { 3, 7, 3, 7, 8, 12, 8, 12 };
	static const unsigned procs[] = { 1, 1, 2, 2, 1, 1, 2, 2 };
	struct run_list list = { 0 };

	for (unsigned p = 1; p <= 2; p++) {
		add_run(&list, "a", 4, p, 3, "clusters=a:2+b:2;cpus=4;procs");
		add_run(&list, "a", 4, p, 7, "clusters=a:2+b:2;cpus=4;procs");
		list.runs[list.nr - 1].params[strlen(list.runs[list.nr - 1].params) - 1] = (char)('0' + p);
		list.runs[list.nr - 2].params[strlen(list.runs[list.nr - 2].params) - 1] = (char)('0' + p);
	}
	native_plan(&list, 3, 2);
	cr_assert_eq(list.nr, 8);
	for (size_t i = 0; i < 8; i++) {
		cr_expect_eq(list.runs[i].seed, seeds[i], "run %zu has seed %lu", i, (unsigned long)list.runs[i].seed);
		cr_expect_eq(list.runs[i].procs, procs[i]);
		cr_expect_str_eq(list.runs[i].params, procs[i] == 1 ? "cpus=3;proc1" : "cpus=3;proc2");
	}
	run_list_free(&list);
}

/* ---- the software on threads ---- */

static void on_fault(const char *report)
{
	fprintf(stderr, "%s\n", report);
	_exit(3);
}

/*
 * @cpus CPUs of the software on those of the host in turn: where there are
 * fewer, a thread is interrupted anywhere, in the middle of a lock too, and
 * every order of events comes up sooner or later.
 */
static struct model_report run_threads(unsigned cpus, const struct model_variant *variant, unsigned region_mb)
{
	struct cpu_list host = host_cpus();
	int host_cpu[16];
	struct native_machine machine = {
		.nr_cpus = cpus, .host_cpu = host_cpu, .memory_bytes = 256ull << 20, .sweep_bytes = 1 << 20,
		.timeout_s = 60, .on_fault = on_fault,
	};
	struct model_config config = {
		.nr_cpus = cpus, .memory_bytes = machine.memory_bytes, .chain_size = 8, .variant = *variant,
		.nr_procs = cpus, .region_bytes = (uint64_t)region_mb << 20, .seed = 1,
	};
	struct model_report report = { 0 };
	char error[256];
	const struct native_ops *ops = native_load(error, sizeof(error));
	const struct native_mark *marks;
	size_t nr;

	cr_assert_not_null(ops, "%s", error);
	for (unsigned i = 0; i < cpus; i++)
		host_cpu[i] = host.at[i % host.nr];
	cr_assert_eq(ops->create(&machine, error, sizeof(error)), 0, "%s", error);
	ops->model->prepare(&config);
	cr_assert_eq(ops->run(), 0, "the CPUs did not come to rest");
	ops->model->check_pages();
	marks = ops->marks(&nr);
	cr_expect_eq(nr, 2 * cpus, "each process begins and ends once");
	for (size_t i = 0; i < nr; i++)
		cr_expect_leq(marks[i].ns, ops->rest_ns(), "mark %s after the end", marks[i].name);
	/* Says so itself, by a fault, if a page, an object or a slot is lost or there twice. */
	ops->model->finish(&report);
	cpu_list_free(&host);
	return report;
}

static void expect_clean_of(unsigned cpus, struct model_variant variant, unsigned region_mb)
{
	struct model_report report = run_threads(cpus, &variant, region_mb);
	unsigned long stored, left;

	cr_expect_eq(sscanf(report.mm_stat, "%lu", &stored), 1);
	cr_expect_eq(sscanf(report.mm_stat_end, "%lu", &left), 1);
	cr_expect_eq(stored, cpus * ((unsigned long)region_mb << 20) + 4096, "%lu bytes were stored", stored);
	/* The swap header stays until the device goes. */
	cr_expect_eq(left, 4096, "%lu bytes were left", left);
}

static void expect_clean(unsigned cpus, struct model_variant variant)
{
	expect_clean_of(cpus, variant, 2);
}

#define VARIANT(find, release, way, size, statistics) \
	(struct model_variant){ .lookup = LOOKUP_##find, .page_release = PAGE_RELEASE_##release##_CLASS_LOCK, \
				.free = FREE_##way, .defer_batch = size, .zram_stats = ZRAM_STATS_##statistics }

/* Expect each way of freeing to give everything back, with as many threads as processes and more than CPUs. */
Test(threads, pool_lock, .timeout = 120)
{
	expect_clean(4, VARIANT(POOL_LOCK, UNDER, SYNC, 64, SHARED_ATOMIC));
}

Test(threads, class_in_obj, .timeout = 120)
{
	expect_clean(4, VARIANT(CLASS_IN_OBJ, OUTSIDE, SYNC, 64, PERCPU));
}

/* Each free wakes a worker, which then has one object to free: all is waking and sleeping. */
Test(threads, batches_of_one, .timeout = 120)
{
	expect_clean(4, VARIANT(CLASS_IN_OBJ, OUTSIDE, DEFER_BATCH, 1, SHARED_ATOMIC));
}

Test(threads, batches, .timeout = 120)
{
	expect_clean(3, VARIANT(POOL_LOCK, UNDER, DEFER_BATCH, 64, PERCPU));
}

/* Each thread fills two pages of 1024 slots to the last. */
Test(threads, page_pool, .timeout = 120)
{
	expect_clean_of(4, VARIANT(CLASS_IN_OBJ, OUTSIDE, DEFER_PAGE_POOL, 64, SHARED_ATOMIC), 8);
}

/* All threads try the same lock; half of what the list has room for is never reached, and goes with the device. */
Test(threads, global_list, .timeout = 120)
{
	expect_clean(4, VARIANT(POOL_LOCK, UNDER, DEFER_GLOBAL_LIST, 64, PERCPU));
}

/* It is reached, and the worker frees beside those who find no room or no lock. */
Test(threads, global_list_half_full, .timeout = 120)
{
	expect_clean_of(4, VARIANT(CLASS_IN_OBJ, OUTSIDE, DEFER_GLOBAL_LIST, 64, SHARED_ATOMIC), 32);
}

/* One thread more than there are processes. */
Test(threads, mm_thread, .timeout = 120)
{
	expect_clean(4, VARIANT(CLASS_IN_OBJ, OUTSIDE, DEFER_MM_THREAD, 64, SHARED_ATOMIC));
}

/* The only CPU's kicks are of itself. */
Test(threads, one_cpu, .timeout = 120)
{
	expect_clean(1, VARIANT(CLASS_IN_OBJ, OUTSIDE, DEFER_BATCH, 8, SHARED_ATOMIC));
}

/* Expect a page of the pattern to come back as it was: hostprofile times these two. */
Test(threads, compressor)
{
	char error[256];
	const struct native_ops *ops = native_load(error, sizeof(error));
	static char page[4096], packed[8192], again[4096];
	size_t bytes;

	cr_assert_not_null(ops, "%s", error);
	for (int i = 0; i < 1000; i++)
		page[i] = (char)(i * 7);
	bytes = ops->compress(page, packed);
	cr_expect(bytes > 0 && bytes < sizeof(page), "%zu bytes", bytes);
	cr_expect_eq(ops->decompress(packed, bytes, again), sizeof(page));
	cr_expect_arr_eq(page, again, sizeof(page));
}

/* ---- measurements whose outcome is known ---- */

/* A chain through the first @lines lines. Expect each to be visited once before the first comes again. */
Test(measure, chase_visits_all)
{
	enum { LINES_HERE = 1000 };
	static char arena[LINES_HERE * MEASURE_LINE] __attribute__((aligned(64)));
	struct bench b = { .arena = arena, .arena_bytes = sizeof(arena) };
	char *at = arena;
	int steps = 0;

	chase_prepare(&b, sizeof(arena));
	do {
		cr_assert(at >= arena && at < arena + sizeof(arena), "out of the memory");
		at = *(char **)at;
	} while (++steps <= LINES_HERE && at != arena);
	cr_expect_eq(steps, LINES_HERE, "back after %d steps", steps);
}

/* The counted code is the same each time. Expect equal counts, and not fewer than one for each object. */
Test(measure, instruction_count_repeats)
{
	double first, second;

	if (!count_instructions(&first))
		cr_skip_test("single steps are not allowed here");
	cr_assert(count_instructions(&second));
	cr_expect_float_eq(first, second, 0.01, "%g and %g instructions", first, second);
	cr_expect_gt(first, 128);
}
