/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_scenario.c - from scenario files to runs: the cross product, its
 * labels, --set, and the one line that each wrong input gets.
 */
#include <criterion/criterion.h>

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scenarios/scenario.h"
#include "scenarios/variants.h"
#include "sim/profile.h"
#include "tests/module_file.h"

/* The names in data/variants.json, as a message lists them. */
#define KNOWN_VARIANTS								\
	"pool-lock, lookup-only, release-only, base, percpu-stats, deferred, deferred+percpu-stats" \
	", defer-page-pool, defer-global-list, defer-mm-thread, percpu-copy, budget-cursor, ratio-skip, no-shrinker"

#define DATA ABS_TOP_SRCDIR "/tests/data/scenario/"
#define SCENARIOS ABS_TOP_SRCDIR "/scenarios/"

static char error[2048];
static struct run_list list;
static char directory[] = "/tmp/test_scenario.XXXXXX";

/* Each test works where the modules lie that the scenarios name. */
static void set_up(void)
{
	struct module_info six_12 = module_file_info("6.12", 8), six_1 = module_file_info("6.1", 4);
	struct module_info zram = module_file_info("6.12", 8);

	zram.with_zram = true;
	cr_assert(mkdtemp(directory));
	cr_assert_eq(chdir(directory), 0);
	cr_assert(module_file_write("tree.so", &six_12) && module_file_write("my.so", &six_12));
	cr_assert(module_file_write("old.so", &six_1) && module_file_write("zram.so", &zram));
	cr_assert(module_file_write("tree_6.12.so", &six_12));
}

static void tear_down(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -r %s", directory);
	cr_assert_eq(system(command), 0);
}

TestSuite(scenario, .init = set_up, .fini = tear_down);

static int load(const char *file)
{
	run_list_free(&list);
	return scenario_load(file, NULL, 0, false, 0, &list, error, sizeof(error));
}

static int load_set(const char *file, const char *set)
{
	run_list_free(&list);
	return scenario_load(file, &set, 1, false, 0, &list, error, sizeof(error));
}

/* Expect @file under tests/data/scenario to be refused with "zsmsim: FILE:" and @rest. */
static void expect_refusal(const char *file, const char *rest)
{
	char path[512], line[2048];

	snprintf(path, sizeof(path), DATA "%s.json", file);
	snprintf(line, sizeof(line), "zsmsim: %s:%s", path, rest);
	cr_expect_eq(load(path), 2, "%s was accepted", file);
	cr_expect_str_eq(error, line);
	cr_expect_eq(list.nr, 0);
}

static void expect_set_refusal(const char *set, const char *line)
{
	cr_expect_eq(load_set(SCENARIOS "munmap.json", set), 2, "--set %s was accepted", set);
	cr_expect_str_eq(error, line);
}

/* The loader's share of "bad input": text that is not JSON, or beyond a limit. */
Test(scenario, refuses_bad_text)
{
	expect_refusal("bad-text/empty", "1:1: $: empty file; write a JSON object");
	expect_refusal("bad-text/truncated", "2:12: $: the text ends too early; expected \",\" or \"}\"");
	expect_refusal("bad-text/trailing-comma", "3:1: $: unexpected \"}\"; expected a key in double quotes");
	expect_refusal("bad-text/trailing-garbage", "2:1: $: unexpected \"{\"; expected nothing after the JSON value");
	expect_refusal("bad-text/duplicate-key", "3:27: $.machine.cpus: duplicate key; keep one, the first is at line 3 column 16");
	expect_refusal("bad-text/nan", "2:24: $.machine.cpus: \"NaN\" is not JSON; expected a number, a \"string\", true, false, null, { or [");
	expect_refusal("bad-text/huge-number", "2:30: $.workload.region_mb: number beyond what a double holds; write one below 1.8e308");
	expect_refusal("bad-text/utf8", "2:22: $.description: invalid UTF-8 (byte 0xe9); save the file as UTF-8");
	expect_refusal("bad-text/bom", "1:1: $: byte order mark; save the file as UTF-8 without one");
}

/* Keys, types and ranges. */
Test(scenario, refuses_bad_values)
{
	expect_refusal("bad/unknown-key", "2:16: $.machine.cpu: unknown key; the nearest known key is \"cpus\"");
	expect_refusal("bad/unknown-top-key", "2:3: $.sede: unknown key; the nearest known key is \"seed\"");
	expect_refusal("bad/wrong-type", "2:24: $.machine.cpus: a string where a number belongs; expected a whole number of CPUs from 1 to 256");
	expect_refusal("bad/range-high", "2:24: $.machine.cpus: 257 is out of range; expected a whole number of CPUs from 1 to 256");
	expect_refusal("bad/range-low", "2:31: $.zsmalloc.chain_size: 3 is out of range; expected a whole number of pages from 4 to 16");
	expect_refusal("bad/fraction", "2:30: $.workload.region_mb: 1.5 is not a whole number; expected a whole number of MiB from 1 to 16384");
	expect_refusal("bad/negative", "2:11: $.seed: -1 is negative; expected a whole number from 0 to 9007199254740991");
	expect_refusal("bad/page-16", "2:27: $.machine.page_kb: 16 is out of range; 4 (KiB) is right, 16 comes later");
	expect_refusal("bad/sweep-bad-element", "2:44: $.workload.procs.sweep[2]: 0 is out of range; expected a whole number of processes from 1 to 256");
	expect_refusal("bad/unknown-axis-value", "2:52: $.runs[0].variants[0].lookup: unknown value \"magic\" of axis lookup; known: pool-lock, class-in-obj");
	expect_refusal("bad/unknown-free", "2:50: $.runs[0].variants[0].free: unknown value \"defer-later\" of axis free; known: sync, defer-batch, defer-page-pool, defer-global-list, defer-mm-thread");
	expect_refusal("bad/no-variants", "1:51: $.runs[1]: no variant is named; add \"variants\": [...]");
}

/* What only the meaning of the values decides. */
Test(scenario, refuses_impossible_runs)
{
	expect_refusal("bad-semantic/procs-over-cpus", "3:44: $.workload.procs.sweep[2]: 3 processes on 2 CPUs, but each has its own; at most 2 processes or at least 3 CPUs");
	expect_refusal("bad-semantic/region-over-memory", "2:42: $.workload.region_mb: 4 x 1024 MiB do not fit 4096 MiB of simulated memory (1.5 x regions + memory / 32 + 64 MiB); memory_mb of at least 6409 or smaller regions");
	expect_refusal("bad/pool-unknown-key", "3:13: $.pool.clases: unknown key; the nearest known key is \"classes\"");
	expect_refusal("bad/pool-number", "3:24: $.pool.classes: a number where text belongs; write a \"string\"");
	expect_refusal("bad/pool-empty", "3:24: $.pool.classes: an empty name; name a file with what debugfs 'classes' printed");
	expect_refusal("bad-semantic/pool-missing", "3:24: $.pool.classes: no such file; name one with what debugfs 'classes' printed, or write one with 'zsmsim dump'");
	expect_refusal("bad-semantic/pool-none", "1:1: $: no dump of a pool is named; add \"pool\": {\"classes\": \"FILE\"}");
	expect_refusal("bad-semantic/pool-of-munmap", "3:3: $.pool: a pool, which only a workload of kind \"field-pool\" begins with; leave it out");
	expect_refusal("bad-semantic/pool-mm-stat", "3:59: $.pool.mm_stat: 5 numbers; the line of mm_stat has 7 to 9 and nothing else");
	expect_refusal("bad-semantic/unknown-variant", "2:27: $.runs[0].variants[0]: unknown variant \"bsae\"; known: " KNOWN_VARIANTS);
	expect_refusal("bad-semantic/two-meanings", "3:20: $.runs[1].variants[0]: variant \"x\" has other axes elsewhere; choose another name");
	expect_refusal("bad-semantic/batch-without-batching", "2:42: $.runs[0].variants[0].defer_batch: defer_batch without a batch; add \"free\": \"defer-batch\" or leave it out");
}

/* The list of known profiles is that of the data directory, so only its beginning is fixed. */
Test(scenario, unknown_profile_lists_the_known)
{
	cr_expect_eq(load(DATA "bad-semantic/unknown-profile.json"), 2);
	cr_expect(strstr(error, ".json:2:27: $.runs[0].profiles[0]: unknown profile \"cortex-a53\"; known: "), "%s", error);
	cr_expect(strstr(error, "cortex-a55"), "%s", error);
	cr_expect(strstr(error, "i7-14700hx-p"), "%s", error);
}

/* "zsmsim: FILE:LINE:COLUMN: $...: wrong; right", and nothing after it. */
static bool well_formed(const char *line, const char *file)
{
	const char *at = line + strlen("zsmsim: ") + strlen(file), *path;
	unsigned row, column;
	int used = 0;

	if (strncmp(line, "zsmsim: ", 8) || strncmp(line + 8, file, strlen(file)))
		return false;
	if (sscanf(at, ":%u:%u: $%n", &row, &column, &used) != 2 || !used || !row || !column)
		return false;
	path = strstr(at + used, ": ");
	return path && strstr(path, "; ") && !strchr(line, '\n');
}

static void expect_directory(const char *directory, bool good)
{
	DIR *dir = opendir(directory);
	struct dirent *entry;
	char path[1024];
	unsigned nr = 0;

	cr_assert(dir, "%s", directory);
	while ((entry = readdir(dir))) {
		if (!strstr(entry->d_name, ".json"))
			continue;
		snprintf(path, sizeof(path), "%s%s", directory, entry->d_name);
		error[0] = '\0';
		cr_expect_eq(load(path), good ? 0 : 2, "%s: %s", path, error);
		cr_expect_eq(list.nr > 0, good, "%s", path);
		cr_expect(good || well_formed(error, path), "%s", error);
		nr++;
	}
	closedir(dir);
	cr_expect_geq(nr, 8, "%s has files to try", directory);
}

/* Each file of the collections. Expect: the verdict of its directory, and the form of the line. */
Test(scenario, verdict_of_every_file)
{
	expect_directory(DATA "good/", true);
	expect_directory(DATA "bad/", false);
	expect_directory(DATA "bad-semantic/", false);
	expect_directory(DATA "bad-text/", false);
}

/* A file that is not there, and a directory; the name is printed on one line, whatever it holds. */
Test(scenario, refuses_what_is_no_file)
{
	cr_expect_eq(load("no-such.json"), 2);
	cr_expect_str_eq(error, "zsmsim: no-such.json:1:1: $: cannot be opened: No such file or directory; give a readable file");
	cr_expect_eq(load("/"), 2);
	cr_expect_str_eq(error, "zsmsim: /:1:1: $: is a directory; give a scenario file");
	cr_expect_eq(load("a\nb"), 2);
	cr_expect(well_formed(error, "a?b"), "%s", error);
}

static void write_repeated(const char *path, const char *what, size_t times)
{
	FILE *file = fopen(path, "w");

	cr_assert(file);
	while (times--)
		fputs(what, file);
	fclose(file);
}

/*
 * 100 MB of zeros (a hole), and a million brackets (1 MB, within the size
 * limit). Expect: the first is refused by its size, the second by its depth.
 */
Test(scenario, refuses_huge_files)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "%s/huge.json", directory);
	fd = open(path, O_WRONLY | O_CREAT, 0600);
	cr_assert_eq(ftruncate(fd, 100000000), 0);
	close(fd);
	cr_expect_eq(load(path), 2);
	cr_expect(well_formed(error, path), "%s", error);
	cr_expect(strstr(error, ":1:1: $: a file of 100000000 bytes; at most 1048576 are read"), "%s", error);

	write_repeated(path, "[", 1000000);
	cr_expect_eq(load(path), 2);
	cr_expect(strstr(error, ":1:65: $[0][0][0]"), "%s", error);
	cr_expect(strstr(error, ": nested deeper than 64 levels; a scenario needs 7"), "%s", error);
}

/* A pipe has no size to refuse it by. Expect: refused after the limit, /dev/zero never ends. */
Test(scenario, refuses_an_endless_device)
{
	cr_expect_eq(load("/dev/zero"), 2);
	cr_expect_str_eq(error, "zsmsim: /dev/zero:1:1: $: a text of more than 1048576 bytes; at most that many are read");
}

/* scenarios/cpus.json. Expect: one block of the three variants for each profile that there is, none forgotten. */
Test(scenario, cpus_has_every_profile)
{
	char **names = profile_names();
	unsigned i;

	cr_assert_eq(load(SCENARIOS "cpus.json"), 0, "%s", error);
	for (i = 0; names[i]; i++) {
		cr_assert_lt(3 * i, list.nr, "%s is not in cpus.json", names[i]);
		cr_expect_str_eq(list.runs[3 * i].profile, names[i]);
		cr_expect_str_eq(list.runs[3 * i + 2].variant, "deferred+percpu-stats");
	}
	cr_expect_eq(list.nr, 3 * i);
	profile_names_free(names);
}

/*
 * scenarios/phone.json: process i is on CPU i, so the first cluster decides who unmaps.
 * Expect: 3 orders of the clusters x 3 numbers of processes x 3 variants, always on the 8 CPUs of 1 + 3 + 4.
 */
Test(scenario, phone_is_one_machine)
{
	unsigned i, j;

	cr_assert_eq(load(SCENARIOS "phone.json"), 0, "%s", error);
	cr_assert_eq(list.nr, 27);
	for (i = 0; i < list.nr; i++) {
		const struct run_spec *r = &list.runs[i];
		unsigned cpus = 0;

		cr_assert_eq(r->nr_clusters, 3);
		for (j = 0; j < 3; j++)
			cpus += r->clusters[j].cpus;
		cr_expect_eq(cpus, 8);
		cr_expect_eq(r->region_mb, 64);
	}
	cr_expect_str_eq(list.runs[0].profile, "cortex-x2");
	cr_expect_str_eq(list.runs[0].params, "procs=1;region_mb=64");
	cr_expect_str_eq(list.runs[26].profile, "cortex-a510");
	cr_expect_str_eq(list.runs[26].params, "procs=3;region_mb=64");
}

/*
 * scenarios/munmap.json:
 *	block 1: 3 profiles x 6 sizes x 3 variants, 1 process	= 54
 *	block 2: x86, 1 to 4 processes x 3 variants, 256 MB	= 12
 *	of which 1 process x 3 variants are in block 1		= -3
 * Expect: 63 runs in the order of the file, variants next to each other.
 */
Test(scenario, munmap_cross_product)
{
	const struct run_spec *r;

	cr_assert_eq(load(SCENARIOS "munmap.json"), 0, "%s", error);
	cr_assert_eq(list.nr, 63);
	r = &list.runs[0];
	cr_expect_str_eq(r->scenario, "munmap");
	cr_expect_str_eq(r->profile, "cortex-a55");
	cr_expect_str_eq(r->variant, "base");
	cr_expect_str_eq(r->params, "procs=1;region_mb=64");
	cr_expect_eq(r->nr_clusters, 1);
	cr_expect_eq(r->clusters[0].cpus, 8);
	cr_expect_eq(r->memory_mb, 4096);
	cr_expect_eq(r->page_kb, 4);
	cr_expect_eq(r->chain_size, 8);
	cr_expect_eq(r->sample_us, 100);
	cr_expect_eq(r->seed, 1);
	cr_expect_eq(r->break_what, BREAK_NOTHING);
	cr_expect_str_eq(list.runs[1].variant, "deferred");
	cr_expect_eq(list.runs[1].axes.free, FREE_DEFER_BATCH);
	cr_expect_eq(list.runs[1].axes.defer_batch, 64);
	cr_expect_str_eq(list.runs[3].params, "procs=1;region_mb=128");
	cr_expect_str_eq(list.runs[53].profile, "i7-14700hx-p");
	cr_expect_str_eq(list.runs[53].params, "procs=1;region_mb=1024");
	cr_expect_str_eq(list.runs[54].params, "procs=2;region_mb=256");
	r = &list.runs[62];
	cr_expect_str_eq(r->variant, "deferred+percpu-stats");
	cr_expect_str_eq(r->params, "procs=4;region_mb=256");
	cr_expect_str_eq(r->variant_text, "{\"name\":\"deferred+percpu-stats\",\"lookup\":\"class-in-obj\",\"page_release\":\"outside-class-lock\",\"free\":\"defer-batch\",\"defer_batch\":64,\"zram_stats\":\"percpu\",\"mapping\":\"direct\",\"shrinker\":\"full-pool\"}");
}

/* No two runs of a scenario share what results are told apart by. */
static void expect_distinct_labels(void)
{
	for (size_t i = 0; i < list.nr; i++) {
		for (size_t j = 0; j < i; j++) {
			const struct run_spec *a = &list.runs[i], *b = &list.runs[j];

			cr_expect(strcmp(a->variant, b->variant) || strcmp(a->profile, b->profile) ||
				  a->seed != b->seed || strcmp(a->params, b->params),
				  "%s %s %s", a->variant, a->profile, a->params);
		}
	}
}

/*
 * Everything swept: 2 CPU counts x 2 memories x 1 page size x 2 chains x 2
 * samplings x 2 process counts x 2 regions x 2 seeds = 128. Expect: all keys
 * but the seed in params, sorted; the seed is the fastest to change.
 */
Test(scenario, sweeps_multiply)
{
	cr_assert_eq(load(DATA "good/sweep-all.json"), 0, "%s", error);
	cr_assert_eq(list.nr, 128);
	cr_expect_str_eq(list.runs[0].params, "chain_size=4;cpus=2;memory_mb=1024;page_kb=4;procs=1;region_mb=16;sample_us=100");
	cr_expect_eq(list.runs[0].seed, 1);
	cr_expect_eq(list.runs[1].seed, 2);
	cr_expect_str_eq(list.runs[127].params, "chain_size=8;cpus=4;memory_mb=2048;page_kb=4;procs=2;region_mb=32;sample_us=200");
	expect_distinct_labels();
}

/* CPUs of two kinds. Expect: both clusters in order, the profile is that of CPU 0. */
Test(scenario, clusters_replace_profiles)
{
	cr_assert_eq(load(DATA "good/clusters.json"), 0, "%s", error);
	cr_assert_eq(list.nr, 1);
	cr_expect_eq(list.runs[0].nr_clusters, 2);
	cr_expect_str_eq(list.runs[0].profile, "cortex-a55");
	cr_expect_str_eq(list.runs[0].clusters[1].profile, "cortex-a76");
	cr_expect_eq(list.runs[0].clusters[1].cpus, 4);
	cr_expect_eq(list.runs[0].procs, 8);
}

/* Three machines that begin with an A55 and have 8 CPUs. Expect: params name the clusters. */
Test(scenario, clusters_tell_machines_apart)
{
	cr_assert_eq(load(DATA "good/two-machines.json"), 0, "%s", error);
	cr_assert_eq(list.nr, 3);
	cr_expect_str_eq(list.runs[1].params, "clusters=cortex-a55:6+cortex-a76:2;procs=1;region_mb=256");
	cr_expect_str_eq(list.runs[2].params, "clusters=cortex-a55:8;procs=1;region_mb=256");
	expect_distinct_labels();
}

/*
 * Variants made in place, one with a swept batch. Expect: axes of "from" (base
 * if none) with the named ones changed; defer_batch in params only where it
 * tells runs apart.
 */
Test(scenario, variants_in_place)
{
	cr_assert_eq(load(DATA "good/inline-variants.json"), 0, "%s", error);
	cr_assert_eq(list.nr, 5);
	cr_expect_str_eq(list.runs[1].variant, "batch-16");
	cr_expect_eq(list.runs[1].axes.free, FREE_DEFER_BATCH);
	cr_expect_eq(list.runs[1].axes.defer_batch, 16);
	cr_expect_str_eq(list.runs[1].params, "procs=1;region_mb=256");
	cr_expect_str_eq(list.runs[2].params, "defer_batch=1;procs=1;region_mb=256");
	cr_expect_str_eq(list.runs[3].params, "defer_batch=64;procs=1;region_mb=256");
	cr_expect_eq(list.runs[4].axes.lookup, LOOKUP_POOL_LOCK);
	cr_expect_eq(list.runs[4].axes.page_release, PAGE_RELEASE_UNDER_CLASS_LOCK);
	cr_expect_eq(list.runs[4].axes.free, FREE_SYNC);
	cr_expect_eq(list.runs[4].axes.zram_stats, ZRAM_STATS_PERCPU);
	expect_distinct_labels();
}

/*
 * Two blocks under common defaults. Expect: a block inherits key by key (its
 * own "machine" does not hide the top's memory_mb), and what differs between
 * blocks is shown though nothing is swept.
 */
Test(scenario, blocks_inherit_defaults)
{
	cr_assert_eq(load(DATA "good/defaults.json"), 0, "%s", error);
	cr_assert_eq(list.nr, 2);
	cr_expect_eq(list.runs[0].memory_mb, 2048);
	cr_expect_eq(list.runs[0].clusters[0].cpus, 2);
	cr_expect_eq(list.runs[1].memory_mb, 1024);
	cr_expect_eq(list.runs[1].clusters[0].cpus, 8);
	cr_expect_str_eq(list.runs[1].params, "chain_size=4;cpus=8;memory_mb=1024;procs=1;region_mb=64");
}

/* Blocks 16, 32 MB x 1 process and 32 MB x 1, 2 processes. Expect: 3 runs, not 4. */
Test(scenario, identical_runs_are_merged)
{
	cr_assert_eq(load(DATA "good/merged.json"), 0, "%s", error);
	cr_assert_eq(list.nr, 3);
	cr_expect_str_eq(list.runs[1].params, "procs=1;region_mb=32");
	cr_expect_str_eq(list.runs[2].params, "procs=2;region_mb=32");
}

/* A deliberate fault is part of the label, so that no one takes the run for a sound one. */
Test(scenario, break_is_read)
{
	cr_assert_eq(load(DATA "good/break.json"), 0, "%s", error);
	cr_expect_eq(list.runs[0].break_what, BREAK_DOUBLE_FREE);
	cr_expect_str_eq(list.runs[0].params, "break=double-free;procs=1;region_mb=256");
}

/* 4.0 and 1.024e3 are whole numbers, 2^53 - 1 is the largest seed in a file. */
Test(scenario, whole_numbers_in_any_spelling)
{
	cr_assert_eq(load(DATA "good/whole-numbers.json"), 0, "%s", error);
	cr_expect_eq(list.runs[0].clusters[0].cpus, 4);
	cr_expect_eq(list.runs[0].memory_mb, 1024);
	cr_expect_eq(list.runs[0].seed, 9007199254740991);
}

/* --set with each kind of value. Expect: it reaches every block, and params show it. */
Test(scenario, set_changes_values)
{
	cr_assert_eq(load_set(SCENARIOS "munmap.json", "workload.region_mb=32"), 0, "%s", error);
	/* 3 profiles x 3 variants with 1 process, and 3 more process counts on x86 */
	cr_expect_eq(list.nr, 18);
	cr_expect_str_eq(list.runs[17].params, "procs=4;region_mb=32");

	cr_assert_eq(load_set(SCENARIOS "munmap.json", "variants=pool-lock,base"), 0, "%s", error);
	cr_expect_eq(list.nr, 42);
	cr_expect_str_eq(list.runs[0].variant, "pool-lock");

	cr_assert_eq(load_set(SCENARIOS "munmap.json", "profiles=[\"cortex-a76\"]"), 0, "%s", error);
	cr_expect_str_eq(list.runs[0].profile, "cortex-a76");

	cr_assert_eq(load_set(SCENARIOS "munmap.json", "zsmalloc.chain_size={\"sweep\":[4,16]}"), 0, "%s", error);
	cr_expect_eq(list.nr, 126);

	cr_assert_eq(load_set(SCENARIOS "munmap.json", "machine.memory_mb=8192"), 0, "%s", error);
	cr_expect_str_eq(list.runs[0].params, "memory_mb=8192;procs=1;region_mb=64");

	cr_assert_eq(load_set(SCENARIOS "munmap.json", "runs[1].workload.procs.sweep[3]=8"), 0, "%s", error);
	cr_expect_str_eq(list.runs[62].params, "procs=8;region_mb=256");

	cr_assert_eq(load_set(SCENARIOS "munmap.json", "seed=3"), 0, "%s", error);
	cr_expect_eq(list.runs[0].seed, 3);
	cr_expect_str_eq(list.runs[0].params, "procs=1;region_mb=64");
}

/* Later assignments win over earlier ones, also where the first made the object. */
Test(scenario, sets_are_applied_in_order)
{
	const char *sets[] = { "workload.region_mb=32", "workload.region_mb=48", "name=mine" };

	cr_assert_eq(scenario_load(DATA "good/minimal.json", sets, 3, false, 0, &list, error, sizeof(error)), 0, "%s", error);
	cr_expect_eq(list.runs[0].region_mb, 48);
	cr_expect_str_eq(list.runs[0].scenario, "mine");
}

/* Wrong assignments. Expect: the option in the place of file and line. */
Test(scenario, set_errors_name_the_option)
{
	expect_set_refusal("workload.regoin_mb=64", "zsmsim: --set workload.regoin_mb: $.workload.regoin_mb: unknown key; the nearest known key is \"region_mb\"");
	expect_set_refusal("machine.cpus=300", "zsmsim: --set machine.cpus: $.machine.cpus: 300 is out of range; expected a whole number of CPUs from 1 to 256");
	expect_set_refusal("machine.cpus=many", "zsmsim: --set machine.cpus: $.machine.cpus: a string where a number belongs; expected a whole number of CPUs from 1 to 256");
	expect_set_refusal("seed=1e400", "zsmsim: --set seed: $.seed: number beyond what a double holds; write one below 1.8e308");
	expect_set_refusal("workload={\"procs\":1,\"procs\":2}", "zsmsim: --set workload: $.workload.procs: duplicate key; keep one, the first is at line 1 column 2");
	expect_set_refusal("workload.procs.sweep=[1,0]", "zsmsim: --set workload.procs.sweep: $.workload.procs.sweep[1]: 0 is out of range; expected a whole number of processes from 1 to 256");
	expect_set_refusal("machine.cpus=2", "zsmsim: " SCENARIOS "munmap.json:23:32: $.runs[1].workload.procs.sweep[2]: 3 processes on 2 CPUs, but each has its own; at most 2 processes or at least 3 CPUs");
	expect_set_refusal("workload.procs=9", "zsmsim: --set workload.procs: $.workload.procs: 9 processes on 8 CPUs, but each has its own; at most 8 processes or at least 9 CPUs");
	expect_set_refusal("runs[7].seed=1", "zsmsim: --set runs[7].seed: $.runs[7].seed: leads nowhere in this scenario; name keys of objects and elements that exist");
	expect_set_refusal("seed", "zsmsim: --set seed: $.seed: no \"=\"; write PATH=VALUE such as workload.region_mb=64");
	expect_set_refusal("a..b=1", "zsmsim: --set a..b: $.a..b: not a path; write keys and indices such as workload.region_mb or runs[1].variants");
	expect_set_refusal("=1", "zsmsim: --set : $.: no path before \"=\"; write PATH=VALUE such as workload.region_mb=64");
}

/* A --set that a block's clusters would hide. Expect: an error, not silence. */
Test(scenario, set_without_effect_is_refused)
{
	cr_expect_eq(load_set(DATA "good/two-machines.json", "machine.cpus=4"), 2);
	cr_expect_str_eq(error, "zsmsim: --set machine.cpus: $.machine.cpus: has no effect on a block with machine.clusters; set those instead");
}

/* --seed takes the place of every seed, swept or not, with all its 64 bits. */
Test(scenario, seed_option_replaces_seeds)
{
	cr_assert_eq(scenario_load(DATA "good/sweep-all.json", NULL, 0, true, UINT64_MAX, &list, error, sizeof(error)), 0, "%s", error);
	cr_expect_eq(list.nr, 64);
	cr_expect_eq(list.runs[63].seed, UINT64_MAX);
}

/* Two files. Expect: the second's runs after the first's; a name used twice is refused and changes nothing. */
Test(scenario, files_are_appended)
{
	cr_assert_eq(load(SCENARIOS "quick.json"), 0, "%s", error);
	cr_assert_eq(list.nr, 6);
	cr_assert_eq(scenario_load(DATA "good/merged.json", NULL, 0, false, 0, &list, error, sizeof(error)), 0, "%s", error);
	cr_expect_eq(list.nr, 9);
	cr_expect_str_eq(list.runs[6].scenario, "t");
	cr_expect(strstr(list.runs[0].scenario_text, "\"quick\""));
	cr_expect(strstr(list.runs[8].scenario_text, "\"t\""));
	cr_expect_eq(scenario_load(DATA "good/break.json", NULL, 0, false, 0, &list, error, sizeof(error)), 2);
	cr_expect(strstr(error, "$.name: \"t\" is also the name of an earlier file; give each its own"), "%s", error);
	cr_expect_eq(list.nr, 9);
}

/* What `zsmsim list` shows. Expect: the three variants of the thread, and no schema among the scenarios. */
Test(scenario, listings)
{
	struct scenario_listing listing;
	unsigned found = 0;

	cr_assert_eq(scenario_variants(&listing, error, sizeof(error)), 0, "%s", error);
	for (size_t i = 0; i < listing.nr; i++) {
		const char *name = listing.entries[i].name;

		found += !strcmp(name, "base") || !strcmp(name, "deferred") || !strcmp(name, "deferred+percpu-stats");
		cr_expect(*listing.entries[i].description && *listing.entries[i].origin, "%s", name);
	}
	cr_expect_eq(found, 3);
	scenario_listing_free(&listing);

	cr_assert_eq(scenario_list(&listing, error, sizeof(error)), 0, "%s", error);
	cr_assert_geq(listing.nr, 3);
	/* The module that bring-your-own wants is here: set_up() made it. */
	for (size_t i = 0; i < listing.nr; i++) {
		cr_expect(*listing.entries[i].name, "%s", listing.entries[i].origin);
		cr_expect_eq(load(listing.entries[i].origin), 0, "%s", error);
	}
	scenario_listing_free(&listing);
}

/* ---- modules of kernel trees ---- */

/* Write @text to k.json here and load that. */
static int load_text(const char *text)
{
	FILE *file = fopen("k.json", "w");

	cr_assert(file);
	fputs(text, file);
	fclose(file);
	return load("k.json");
}

/* A scenario whose variants are @variants. */
static int load_variants(const char *variants)
{
	char text[2048];

	snprintf(text, sizeof(text), "{ \"name\": \"k\", \"profiles\": [\"cortex-a55\"],\n\"variants\": [%s] }", variants);
	return load_text(text);
}

static void expect_variants_refusal(const char *variants, const char *rest)
{
	cr_expect_eq(load_variants(variants), 2, "%s was accepted", variants);
	cr_expect_str_eq(error + strlen("zsmsim: k.json:"), rest);
	cr_expect_eq(list.nr, 0);
}

/*
 * A file's name and an object. Expect: what the module says, the name from the
 * file, the counters as chosen; of the axes what an untouched tree is closest
 * to; and a text that tells all but the path.
 */
Test(scenario, a_module_is_a_variant)
{
	const struct run_spec *r;
	char text[512];

	cr_assert_eq(load_variants("\"tree.so\", { \"kernel\": \"./old.so\", \"name\": \"six-1\", \"zram_stats\": \"percpu\" }"),
		     0, "%s", error);
	cr_assert_eq(list.nr, 2);
	r = &list.runs[0];
	cr_expect_str_eq(r->variant, "tree");
	cr_expect_str_eq(r->kernel, "tree.so");
	cr_expect_str_eq(r->kernel_info->tree, "6.12");
	cr_expect_eq(r->chain_size, 8);
	cr_expect_eq(r->axes.lookup, LOOKUP_POOL_LOCK);
	cr_expect_eq(r->axes.page_release, PAGE_RELEASE_UNDER_CLASS_LOCK);
	cr_expect_eq(r->axes.free, FREE_SYNC);
	cr_expect_eq(r->axes.zram_stats, ZRAM_STATS_SHARED_ATOMIC);
	snprintf(text, sizeof(text), "{\"name\":\"tree\",\"kernel\":\"tree.so\",\"kernel_id\":\"%s\",\"tree\":\"6.12\","
		 "\"patches\":\"one.patch, two.patch\",\"defines\":\"CONFIG_A=1\",\"zram_stats\":\"shared-atomic\"}",
		 r->kernel_info->id);
	cr_expect_str_eq(r->variant_text, text);
	r = &list.runs[1];
	cr_expect_str_eq(r->variant, "six-1");
	cr_expect_str_eq(r->kernel, "./old.so");
	cr_expect_eq(r->chain_size, 4);
	cr_expect_eq(r->axes.zram_stats, ZRAM_STATS_PERCPU);
	cr_expect(strstr(r->variant_text, "\"kernel\":\"old.so\""), "%s", r->variant_text);
	cr_expect_eq(strlen(r->kernel_info->id), 16);
}

/* The project's own variants have no module. */
Test(scenario, own_variants_have_no_module)
{
	cr_assert_eq(load_variants("\"base\", \"tree.so\""), 0, "%s", error);
	cr_expect_null(list.runs[0].kernel);
	cr_expect_null(list.runs[0].kernel_info);
	cr_expect_str_eq(list.runs[1].kernel, "tree.so");
}

/* Keys, each with its place: those that the tree decides, and wrong ones. */
Test(scenario, refuses_keys_beside_kernel)
{
	expect_refusal("bad/kernel-lookup", "2:37: $.variants[0].lookup: the tree decides lookup; leave it out");
	expect_refusal("bad/kernel-from", "2:37: $.variants[0].from: the tree decides from; leave it out");
	expect_refusal("bad/kernel-batch", "2:37: $.variants[0].defer_batch: the tree decides defer_batch; leave it out");
	expect_refusal("bad/kernel-unknown-key", "2:37: $.variants[0].zram_stat: unknown key; the nearest known key is \"zram_stats\"");
	expect_refusal("bad/kernel-unknown-stats", "2:51: $.variants[0].zram_stats: unknown value \"tree\" of axis zram_stats; known: shared-atomic, percpu");
	expect_refusal("bad/kernel-number", "2:26: $.variants[0].kernel: a number where text belongs; write a \"string\"");
	expect_refusal("bad/kernel-empty", "2:26: $.variants[0].kernel: an empty name; name a file that 'zsmsim kernel build TREE -o my.so' made");
	expect_variants_refusal("{ \"kernel\": \"zram.so\", \"zram_stats\": \"percpu\" }",
				"2:37: $.variants[0].zram_stats: the tree's own zram counts; leave zram_stats out");
}

/* Without the key such a module is fine, and the text says whose counters they are. */
Test(scenario, a_tree_may_bring_its_zram)
{
	cr_assert_eq(load_variants("\"zram.so\""), 0, "%s", error);
	cr_expect(strstr(list.runs[0].variant_text, "\"zram_stats\":\"tree\""), "%s", list.runs[0].variant_text);
}

/* One byte in the middle of @file becomes another. */
static void damage(const char *file)
{
	FILE *f = fopen(file, "r+");

	cr_assert(f);
	fseek(f, 10, SEEK_SET);
	fputc('!', f);
	fclose(f);
}

/* No file, no module, a damaged one. */
Test(scenario, refuses_what_is_no_module)
{
	expect_refusal("bad-semantic/kernel-missing", "2:22: $.variants[1]: no module here; build one with 'zsmsim kernel build TREE -o none.so'");
	expect_refusal("bad-semantic/kernel-missing-object", "2:34: $.variants[1].kernel: no module here; build one with 'zsmsim kernel build TREE -o none.so'");
	expect_variants_refusal("\"k.json\", { \"kernel\": \"k.json\" }",
				"2:14: $.variants[0]: unknown variant \"k.json\"; known: " KNOWN_VARIANTS);
	cr_expect_eq(load_variants("{ \"kernel\": \"k.json\" }"), 2);
	cr_expect(strstr(error, "k.json:2:26: $.variants[0].kernel: not a module of 'zsmsim kernel build'; "), "%s", error);
	damage("tree.so");
	cr_expect_eq(load_variants("\"tree.so\""), 2);
	cr_expect(strstr(error, "k.json:2:14: $.variants[0]: damaged: "), "%s", error);
	cr_expect_eq(truncate("my.so", 40), 0);
	cr_expect_eq(load_variants("\"my.so\""), 2);
	cr_expect(strstr(error, "k.json:2:14: $.variants[0]: ") && strstr(error, "not a module of 'zsmsim kernel build'; "),
		  "%s", error);
}

/* Names that others have, or that the file does not give. */
Test(scenario, refuses_names_of_modules)
{
	expect_refusal("bad-semantic/kernel-taken-name", "2:45: $.variants[0].name: \"base\" is a named variant already; choose another name");
	expect_refusal("bad-semantic/kernel-name-from-file", "2:14: $.variants[0]: the file's name gives no variant name (a-z, 0-9, - and +, at most 64); give one with \"name\"");
	expect_refusal("bad-semantic/kernel-two-meanings", "2:52: $.variants[1]: variant \"x\" is another allocator elsewhere; give one of them another \"name\"");
	expect_variants_refusal("\"tree.so\", { \"kernel\": \"old.so\", \"name\": \"tree\" }",
				"2:25: $.variants[1]: variant \"tree\" is another allocator elsewhere; give one of them another \"name\"");
	expect_variants_refusal("\"tree.so\", { \"kernel\": \"tree.so\", \"zram_stats\": \"percpu\" }",
				"2:25: $.variants[1]: variant \"tree\" has other axes elsewhere; choose another name");
	cr_assert_eq(rename("tree.so", "deferred.so"), 0);
	expect_variants_refusal("\"deferred.so\"",
				"2:14: $.variants[0]: \"deferred\" is a named variant already; give the module another with \"name\"");
}

/* Looked for from the current directory, then beside the scenario; an absolute path is one. */
Test(scenario, modules_are_found)
{
	char text[256];

	cr_assert_eq(system("mkdir dir && mv tree.so dir && cp old.so dir/my.so"), 0);
	cr_assert_eq(load_variants("\"base\""), 0);
	cr_assert_eq(rename("k.json", "dir/k.json"), 0);
	cr_assert_eq(load_set("dir/k.json", "variants=tree.so,my.so"), 0, "%s", error);
	cr_expect_str_eq(list.runs[0].kernel, "dir/tree.so");
	cr_expect_str_eq(list.runs[0].variant, "tree");
	cr_expect_str_eq(list.runs[1].kernel, "my.so");
	cr_expect_str_eq(list.runs[1].kernel_info->tree, "6.12");
	snprintf(text, sizeof(text), "\"%s/dir/tree.so\"", directory);
	cr_assert_eq(load_variants(text), 0, "%s", error);
	cr_expect_str_eq(list.runs[0].variant, "tree");
	cr_expect_eq(load_variants("\"tree.so\""), 2);
}

/* What a run is depends on what the file holds: two copies under one name are one variant. */
Test(scenario, copies_of_a_module_are_one)
{
	char *a, *b;

	cr_assert_eq(load_variants("\"tree.so\", { \"kernel\": \"my.so\", \"name\": \"tree\" }"), 0, "%s", error);
	cr_expect_eq(list.nr, 1);
	a = variant_identity(&list.runs[0]);
	cr_assert_eq(load_variants("{ \"kernel\": \"my.so\", \"name\": \"tree\" }"), 0, "%s", error);
	b = variant_identity(&list.runs[0]);
	cr_expect_str_eq(a, b);
	free(b);
	cr_assert_eq(load_variants("{ \"kernel\": \"old.so\", \"name\": \"tree\" }"), 0, "%s", error);
	b = variant_identity(&list.runs[0]);
	cr_expect_str_neq(a, b);
	free(a);
	free(b);
}

/*
 * tree.so was compiled with chains of 8, old.so with 4.
 *	no chain size given	-> no params show one, though they differ: rows line up
 *	a sweep of 4 and 8	-> own variants twice, a module once, without a label
 */
Test(scenario, chain_size_of_modules_is_no_label)
{
	cr_assert_eq(load_variants("\"tree.so\", \"old.so\", \"base\""), 0, "%s", error);
	cr_assert_eq(list.nr, 3);
	for (size_t i = 0; i < list.nr; i++)
		cr_expect_str_eq(list.runs[i].params, "procs=1;region_mb=256");

	cr_assert_eq(load(DATA "good/kernel.json"), 0, "%s", error);
	cr_assert_eq(list.nr, 4);
	cr_expect_str_eq(list.runs[0].variant, "tree");
	cr_expect_str_eq(list.runs[0].params, "procs=1;region_mb=256");
	cr_expect_eq(list.runs[0].chain_size, 8);
	cr_expect_str_eq(list.runs[1].variant, "tree+percpu");
	cr_expect_str_eq(list.runs[2].params, "chain_size=4;procs=1;region_mb=256");
	cr_expect_str_eq(list.runs[3].params, "chain_size=8;procs=1;region_mb=256");
	expect_distinct_labels();
}

/* "variant" is "variants" with one entry, at the top and in a block, whose word counts as for the list. */
Test(scenario, one_variant)
{
	cr_assert_eq(load(DATA "good/one-variant.json"), 0, "%s", error);
	cr_assert_eq(list.nr, 4);
	cr_expect_str_eq(list.runs[0].variant, "base");
	cr_expect_str_eq(list.runs[1].variant, "tree");
	cr_expect_str_eq(list.runs[2].variant, "pool-lock");
	cr_expect_str_eq(list.runs[3].variant, "base");
	expect_refusal("bad/variant-and-variants", "2:1: $.variant: variant beside variants; keep one");
	expect_refusal("bad/variant-and-variants-in-block", "2:34: $.runs[0].variant: variant beside variants; keep one");
	expect_refusal("bad/variant-list", "2:12: $.variant: a list where a variant belongs; expected a name, a module \"FILE.so\" or {\"name\": ..., axes}");
}

/* --set of either key takes the place of both, at the top and in each block that has one. */
Test(scenario, set_replaces_one_variant)
{
	cr_assert_eq(load_set(DATA "good/one-variant.json", "variants=old.so,pool-lock"), 0, "%s", error);
	cr_assert_eq(list.nr, 6);
	cr_expect_str_eq(list.runs[0].variant, "old");
	cr_expect_str_eq(list.runs[5].variant, "pool-lock");
	cr_assert_eq(load_set(DATA "good/one-variant.json", "variant=old.so"), 0, "%s", error);
	cr_assert_eq(list.nr, 3);
	cr_expect_str_eq(list.runs[2].variant, "old");
	cr_assert_eq(load_set(SCENARIOS "quick.json", "variant={\"kernel\": \"old.so\", \"name\": \"mine\"}"), 0, "%s", error);
	cr_assert_eq(list.nr, 2);
	cr_expect_str_eq(list.runs[1].variant, "mine");
}

/* The scenario for a user's own tree. Expect: with its module all four variants in a row; without it the line that says what to do. */
Test(scenario, bring_your_own)
{
	static const char *const names[] = { "mine", "mine+percpu-stats", "pool-lock", "base" };

	cr_assert_eq(load(SCENARIOS "bring-your-own.json"), 0, "%s", error);
	cr_assert_eq(list.nr, 12);
	for (size_t i = 0; i < 4; i++)
		cr_expect_str_eq(list.runs[4 + i].variant, names[i]);
	for (size_t i = 0; i < 4; i++)
		cr_expect_str_eq(list.runs[4 + i].params, "procs=2;region_mb=64");
	cr_assert_eq(unlink("my.so"), 0);
	cr_expect_eq(load(SCENARIOS "bring-your-own.json"), 2);
	cr_expect(strstr(error, "$.variants[0].kernel: no module here; build one with 'zsmsim kernel build TREE -o my.so'"), "%s", error);
}

/* A data directory without variants. Expect: a line that names the file, not a crash. */
Test(scenario, missing_variants_are_reported)
{
	setenv("ZSMSIM_DATA", "/nonexistent", 1);
	cr_expect_eq(load(SCENARIOS "quick.json"), 2);
	cr_expect_str_eq(error, "zsmsim: data/variants.json:1:1: $: cannot be opened: No such file or directory; give a readable file");
}
