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

#define DATA ABS_TOP_SRCDIR "/tests/data/scenario/"
#define SCENARIOS ABS_TOP_SRCDIR "/scenarios/"

static char error[2048];
static struct run_list list;

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
	expect_refusal("bad/later-value", "2:50: $.runs[0].variants[0].free: \"defer-page-pool\" comes with a later version; known now: sync, defer-batch");
	expect_refusal("bad/later-axis", "2:42: $.runs[0].variants[0].mapping: the axis mapping comes with a later version; leave it out");
	expect_refusal("bad/no-variants", "1:51: $.runs[1]: no variant is named; add \"variants\": [...]");
}

/* What only the meaning of the values decides. */
Test(scenario, refuses_impossible_runs)
{
	expect_refusal("bad-semantic/procs-over-cpus", "3:44: $.workload.procs.sweep[2]: 3 processes on 2 CPUs, but each has its own; at most 2 processes or at least 3 CPUs");
	expect_refusal("bad-semantic/region-over-memory", "2:42: $.workload.region_mb: 4 x 1024 MiB do not fit 4096 MiB of simulated memory (1.5 x regions + memory / 32 + 64 MiB); memory_mb of at least 6409 or smaller regions");
	expect_refusal("bad-semantic/unknown-variant", "2:27: $.runs[0].variants[0]: unknown variant \"bsae\"; known: pool-lock, lookup-only, release-only, base, percpu-stats, deferred, deferred+percpu-stats");
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

/* A file that is not there, and a directory. */
Test(scenario, refuses_what_is_no_file)
{
	cr_expect_eq(load("no-such.json"), 2);
	cr_expect_str_eq(error, "zsmsim: no-such.json:1:1: $: cannot be opened: No such file or directory; give a readable file");
	cr_expect_eq(load("/"), 2);
	cr_expect_str_eq(error, "zsmsim: /:1:1: $: is a directory; give a scenario file");
	/* The name is printed on one line, whatever it holds. */
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
	char directory[] = "/tmp/test_scenario.XXXXXX", path[64];
	int fd;

	cr_assert(mkdtemp(directory));
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
	unlink(path);
	rmdir(directory);
}

/* A pipe has no size to refuse it by. Expect: refused after the limit, /dev/zero never ends. */
Test(scenario, refuses_an_endless_device)
{
	cr_expect_eq(load("/dev/zero"), 2);
	cr_expect_str_eq(error, "zsmsim: /dev/zero:1:1: $: a text of more than 1048576 bytes; at most that many are read");
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
	cr_expect_str_eq(r->variant_text, "{\"name\":\"deferred+percpu-stats\",\"lookup\":\"class-in-obj\",\"page_release\":\"outside-class-lock\",\"free\":\"defer-batch\",\"defer_batch\":64,\"zram_stats\":\"percpu\"}");
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
	cr_assert_geq(listing.nr, 2);
	for (size_t i = 0; i < listing.nr; i++) {
		cr_expect(*listing.entries[i].name, "%s", listing.entries[i].origin);
		cr_expect_eq(load(listing.entries[i].origin), 0, "%s", error);
	}
	scenario_listing_free(&listing);
}

/* A data directory without variants. Expect: a line that names the file, not a crash. */
Test(scenario, missing_variants_are_reported)
{
	setenv("ZSMSIM_DATA", "/nonexistent", 1);
	cr_expect_eq(load(SCENARIOS "quick.json"), 2);
	cr_expect_str_eq(error, "zsmsim: data/variants.json:1:1: $: cannot be opened: No such file or directory; give a readable file");
}
