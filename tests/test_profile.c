/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CPU profiles: the shipped ones load and mean what they say, damaged ones
 * are refused with the place and the reason, and schema and loader accept the
 * same files.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cjson/cJSON.h>
#include <criterion/criterion.h>

#include "sim/datapath.h"
#include "sim/profile.h"

static struct profile *must_load(const char *name)
{
	char error[512] = "";
	struct profile *p = profile_load(name, error, sizeof(error));

	cr_assert_not_null(p, "%s", error);
	return p;
}

/* ---- what is shipped ---------------------------------------------------- */

/* The profiles that scenarios name are there, in byte order, and nothing that is no profile. */
Test(profile, names_are_sorted_and_loadable)
{
	static const char *const expected[] = {
		"cortex-a510", "cortex-a520", "cortex-a55", "cortex-a710", "cortex-a72", "cortex-a720",
		"cortex-a76", "cortex-x2", "epyc-zen3", "i7-12700", "i7-14700hx-p", "neoverse-n1",
	};
	const unsigned nr = sizeof(expected) / sizeof(expected[0]);
	char **names = profile_names();
	unsigned i, found = 0;

	cr_assert_not_null(names);
	for (i = 0; names[i]; i++) {
		cr_expect(i == 0 || strcmp(names[i - 1], names[i]) < 0, "%s is out of order", names[i]);
		cr_expect_str_neq(names[i], "schema");
		if (found < nr && strcmp(names[i], expected[found]) == 0)
			found++;
		profile_free(must_load(names[i]));
	}
	cr_expect_eq(found, nr);
	profile_names_free(names);
}

/*
 * Each kind of figure, converted by hand from the numbers in the file:
 *   clock 1.823 GHz          1000 / 1.823            = 548.55 -> 549 ps
 *   mispredict 8 cycles      8 * 1000 / 1.823        = 4388.37 -> 4388 ps
 *                            (8 * 549 = 4392 would be the rounded clock's)
 *   l1 32 KiB                32768 / 64              = 512 lines
 *   llc 3072 KiB, 12 ways    49152 lines, 4096 sets
 *   dram 20.3 GB/s           64000 / 20.3            = 3152.7 -> 3153 ps a line
 *   copy 5885 MB/s           1024e6 / 5885           = 174001.7 -> 174002 ps a KiB
 *   zero 22141 MB/s          1024e6 / 22141          = 46249.0 -> 46249 ps a KiB
 */
Test(profile, cortex_a55_by_hand)
{
	struct profile *p = must_load("cortex-a55");

	cr_expect_str_eq(p->name, "cortex-a55");
	cr_expect_eq(p->cycle_ps, 549);
	cr_expect_eq(p->mispredict_ps, 4388);
	cr_expect_eq(p->issue_width, 2);
	cr_expect_eq(p->ipc_milli, 1210);
	cr_expect_eq(p->window, 0, "an in-order core");
	cr_expect_eq(p->l1.lines, 512);
	cr_expect_eq(p->l1.ways, 4);
	cr_expect_eq(p->l1.latency_ps, 1650);
	cr_expect_eq(p->l2.lines, 2048);
	cr_expect_eq(p->llc.lines, 49152);
	cr_expect_eq(p->llc.lines / p->llc.ways, 4096);
	cr_expect_eq(p->dram_ps, 134700);
	cr_expect_eq(p->dram_occupancy_ps, 3153);
	/* 29 ns by the source, 6 ns of them the compare-exchange itself */
	cr_expect_eq(p->transfer_ps, 23000);
	cr_expect_eq(p->upgrade_ps, 26500);
	cr_expect_eq(p->dtlb_entries, 16);
	cr_expect_eq(p->tlb_entries, 1024);
	cr_expect_eq(p->tlb_ps, 3291, "6 cycles of 548.5 ps");
	cr_expect_eq(p->copy_ps_per_kib, 174002);
	cr_expect_eq(p->zero_ps_per_kib, 46249);
	cr_expect(p->lse);
	cr_expect_not(p->atomic_is_fence);
	profile_free(p);
}

/*
 * At 2.1 GHz a cycle is 476.19 ps. Sizes in MiB and waits in microseconds:
 *   pause 160 cycles = 76190 ps; lock add 18 cycles = 8571 ps
 *   llc 33 MiB = 540672 lines = 45056 sets of 12 ways, not a power of two
 */
Test(profile, i7_14700hx_by_hand)
{
	struct profile *p = must_load("i7-14700hx-p");

	cr_expect_eq(p->cycle_ps, 476);
	cr_expect_eq(p->relax_ps, 76190);
	cr_expect_eq(p->atomic_ps, 8571);
	cr_expect_eq(p->window, 512);
	cr_expect_eq(p->llc.lines, 540672);
	cr_expect_eq(p->llc.lines / p->llc.ways, 45056);
	/* the sources' figures less the operation of 18 cycles: 8571 ps */
	cr_expect_eq(p->transfer_ps, 95000 - p->atomic_ps);
	cr_expect_eq(p->transfer_occupancy_ps, 60000 - p->atomic_ps);
	cr_expect(p->atomic_is_fence);
	profile_free(p);
}

/* Work that the model names must have its price in every profile: a name that is missing is a fault at run time. */
Test(profile, work_items)
{
	static const char *const needed[] = {
		"context_switch", "wake_up", "syscall", "ipi_handle",
		"compress_page", "decompress_page", "tlb_flush", "page_fault",
	};
	char **names = profile_names();
	unsigned i, j;

	for (i = 0; names[i]; i++) {
		struct profile *p = must_load(names[i]);

		for (j = 0; j < sizeof(needed) / sizeof(needed[0]); j++) {
			const struct profile_work *work = profile_work(p, needed[j]);

			cr_assert_not_null(work, "%s lacks %s", names[i], needed[j]);
			cr_expect_gt(work->ps, 0);
		}
		cr_expect_null(profile_work(p, "no_such_work"));
		profile_free(p);
	}
	profile_names_free(names);
}

/*
 * The cores without single-instruction atomics are the Armv8.0 ones, and only
 * x86 orders everything with each atomic: a copied profile would keep the
 * flags of the one that it was copied from.
 */
Test(profile, atomics_are_those_of_the_architecture)
{
	char **names = profile_names();
	unsigned i;

	for (i = 0; names[i]; i++) {
		struct profile *p = must_load(names[i]);
		bool x86 = strncmp(names[i], "i7", 2) == 0 || strncmp(names[i], "epyc", 4) == 0;

		cr_expect_eq(p->lse, strcmp(names[i], "cortex-a72") != 0, "%s", names[i]);
		cr_expect_eq(p->atomic_is_fence, x86, "%s", names[i]);
		cr_expect(p->window > 0 || !p->atomic_runs_ahead, "%s: in order", names[i]);
		profile_free(p);
	}
	profile_names_free(names);
}

/* The deeper a level, the longer it takes; a hierarchy that does not obey holds a slip of the pen. */
Test(profile, levels_are_ordered)
{
	char **names = profile_names();
	unsigned i;

	for (i = 0; names[i]; i++) {
		struct profile *p = must_load(names[i]);

		cr_expect_lt(p->l1.latency_ps, p->l2.latency_ps, "%s", names[i]);
		cr_expect_lt(p->l2.latency_ps, p->llc.latency_ps, "%s", names[i]);
		cr_expect_lt(p->llc.latency_ps, p->dram_ps, "%s", names[i]);
		cr_expect_lt(p->l1.lines, p->l2.lines, "%s", names[i]);
		cr_expect_lt(p->l2.lines, p->llc.lines, "%s", names[i]);
		cr_expect_leq(p->transfer_occupancy_ps, p->transfer_ps + p->upgrade_ps, "%s", names[i]);
		profile_free(p);
	}
	profile_names_free(names);
}

/* The text is kept byte for byte: a run's row must be able to repeat the run. */
Test(profile, text_is_the_file)
{
	struct profile *p = must_load("cortex-a76");
	char *path = datapath("profiles/cortex-a76.json"), *text;
	FILE *file = fopen(path, "rb");
	size_t bytes = strlen(p->text);

	cr_assert_not_null(file);
	text = calloc(1, bytes + 2);
	cr_expect_eq(fread(text, 1, bytes + 1, file), bytes);
	cr_expect_str_eq(text, p->text);
	fclose(file);
	free(text);
	free(path);
	profile_free(p);
}

/* ---- damaged profiles -------------------------------------------------------- */

static char directory[64];

static void set_up_directory(void)
{
	char sub[80];

	strcpy(directory, "/tmp/zsmsim-profile-XXXXXX");
	cr_assert_not_null(mkdtemp(directory));
	snprintf(sub, sizeof(sub), "%s/profiles", directory);
	cr_assert_eq(mkdir(sub, 0700), 0);
}

static void tear_down_directory(void)
{
	char path[96];

	snprintf(path, sizeof(path), "%s/profiles/cortex-a55.json", directory);
	unlink(path);
	snprintf(path, sizeof(path), "%s/profiles", directory);
	rmdir(path);
	rmdir(directory);
}

/* Make @bytes of @text the one profile that there is. */
static void install_text(const char *text, size_t bytes)
{
	char path[96];
	FILE *file;

	snprintf(path, sizeof(path), "%s/profiles/cortex-a55.json", directory);
	file = fopen(path, "wb");
	cr_assert_not_null(file);
	cr_assert_eq(fwrite(text, 1, bytes, file), bytes);
	fclose(file);
	setenv("ZSMSIM_DATA", directory, 1);
}

/* The good profile with the first @from behind @after replaced by @to. */
static char *damaged(const char *after, const char *from, const char *to)
{
	struct profile *p;
	char *at, *text;

	unsetenv("ZSMSIM_DATA");
	p = must_load("cortex-a55");
	at = strstr(p->text, after);
	cr_assert_not_null(at, "no %s in the profile", after);
	at = strstr(at, from);
	cr_assert_not_null(at, "no %s behind %s", from, after);
	text = malloc(strlen(p->text) + strlen(to) + 1);
	sprintf(text, "%.*s%s%s", (int)(at - p->text), p->text, to, at + strlen(from));
	profile_free(p);
	return text;
}

/* Loading must fail with one line that holds @place and @reason, in this order. */
static void expect_refusal(const char *place, const char *reason)
{
	char error[512] = "", *at;
	struct profile *p = profile_load("cortex-a55", error, sizeof(error));

	cr_expect_null(p, "accepted, though %s: %s", place, reason);
	at = strstr(error, place);
	cr_expect(at && strstr(at, reason), "expected \"%s ... %s\", got \"%s\"", place, reason, error);
	cr_expect_null(strchr(error, '\n'), "more than one line: %s", error);
	cr_expect(strchr(error, ';'), "does not say what would be right: %s", error);
	profile_free(p);
}

struct damage {
	const char *after, *from, *to;	/* what is done to the good file */
	const char *place, *reason;	/* what must be said */
	bool schema_sees;		/* a JSON Schema can express it */
};

static const struct damage damages[] = {
	{ "\"clock\"", "\"clock\"", "\"clok\"",
	  "$.figures: ", "unknown key \"clok\"; did you mean \"clock\"?", true },
	{ "\"soc\"", "\"soc\"", "\"sok\"",
	  "$: ", "unknown key \"sok\"; did you mean \"soc\"?", true },
	{ "\"window\"", "\"kind\"", "\"kinda\"",
	  "$.figures.window: ", "unknown key \"kinda\"; did you mean \"kind\"?", true },
	{ "\"l1_size\"", "\"l1_size\"", "\"l2_size\"",
	  "$.figures: ", "key \"l2_size\" appears twice", true },
	{ "\"window\"", "\"low\": 0, ", "",
	  "$.figures.window: ", "key \"low\" is missing", true },
	{ "\"clock\"", "\"GHz\"", "\"ns\"",
	  "$.figures.clock: ", "unit \"ns\" does not fit; GHz or MHz is expected", true },
	{ "\"transfer\"", "\"ns\"", "\"ps\"",
	  "$.figures.transfer: ", "unit \"ps\" does not fit; ns or us or cycles is expected", true },
	{ "\"l1_latency\"", "1.65", "-1.65",
	  "$.figures.l1_latency: ", "\"value\" is negative", true },
	{ "\"l1_latency\"", "1.65", "\"1.65\"",
	  "$.figures.l1_latency: ", "\"value\" is not a number", true },
	{ "\"l1_latency\"", "1.65", "1e400",
	  "$.figures.l1_latency: ", "\"value\" is not a number", false },
	{ "\"l1_latency\"", "1.65", "0",
	  "$.figures.l1_latency: ", "value 0 is not between low 1.1 and high 1.65", true },
	{ "\"l1_latency\"", "\"low\": 1.1", "\"low\": 1.7",
	  "$.figures.l1_latency: ", "value 1.65 is not between low 1.7 and high 1.65", false },
	{ "\"l1_latency\"", "\"high\": 1.65", "\"high\": 1.6",
	  "$.figures.l1_latency: ", "low <= value <= high", false },
	{ "\"l1_latency\"", "\"value\": 1.65, \"unit\": \"ns\", \"low\": 1.1", "\"value\": 0, \"unit\": \"ns\", \"low\": 0",
	  "$.figures.l1_latency: ", "value is 0; more than 0 is expected", true },
	{ "\"l1_latency\"", "\"value\": 1.65, \"unit\": \"ns\", \"low\": 1.1", "\"value\": 1e-9, \"unit\": \"ns\", \"low\": 0",
	  "$.figures.l1_latency: ", "rounds to 0", false },
	{ "\"window\"", "\"value\": 0, \"unit\": \"entries\", \"low\": 0, \"high\": 0",
	  "\"value\": 1.5, \"unit\": \"entries\", \"low\": 0, \"high\": 9",
	  "$.figures.window: ", "value 1.5 is not a whole number", true },
	{ "\"lse\"", "\"value\": 1, \"unit\": \"flag\", \"low\": 1, \"high\": 1",
	  "\"value\": 2, \"unit\": \"flag\", \"low\": 1, \"high\": 2",
	  "$.figures.lse: ", "0 or 1 is expected", true },
	{ "\"l1_ways\"", "\"value\": 4, \"unit\": \"ways\", \"low\": 4, \"high\": 4",
	  "\"value\": 3, \"unit\": \"ways\", \"low\": 3, \"high\": 4",
	  "$.figures.l1_ways: ", "512 lines do not make whole sets of 3 ways", false },
	{ "\"tlb_ways\"", "\"value\": 4, \"unit\": \"ways\", \"low\": 4, \"high\": 4",
	  "\"value\": 3, \"unit\": \"ways\", \"low\": 3, \"high\": 4",
	  "$.figures.tlb_ways: ", "1024 entries do not make whole sets of 3 ways", false },
	{ "\"dtlb_entries\"", "\"value\": 16, \"unit\": \"entries\", \"low\": 16, \"high\": 16",
	  "\"value\": 200, \"unit\": \"entries\", \"low\": 16, \"high\": 200",
	  "$.figures.dtlb_entries: ", "at most 128", true },
	{ "\"dtlb_entries\"", "\"value\": 16, \"unit\": \"entries\", \"low\": 16",
	  "\"value\": 0, \"unit\": \"entries\", \"low\": 0",
	  "$.figures.dtlb_entries: ", "value is 0", true },
	{ "\"ipc\"", "\"value\": 1.21, \"unit\": \"instructions/cycle\", \"low\": 0.9, \"high\": 1.5",
	  "\"value\": 2.5, \"unit\": \"instructions/cycle\", \"low\": 0.9, \"high\": 3",
	  "$.figures.ipc: ", "more than issue_width 2", false },
	{ "\"atomic\"", "\"estimate\"", "\"guess\"",
	  "$.figures.atomic: ", "kind \"guess\" is unknown", true },
	{ "\"syscall\"", "\"ns\"", "\"instructions\"",
	  "$.work.syscall: ", "unit \"instructions\" does not fit", true },
	{ "\"syscall\"", "\"source\"", "\"src\"",
	  "$.work.syscall: ", "unknown key \"src\"", true },
	{ "\"syscall\"", "\"syscall\"", "\"wake_up\"",
	  "$.work.wake_up: ", "appears twice", false },
	{ "\"name\"", "cortex-a55", "cortex-a5",
	  "$.name: ", "\"cortex-a5\" is not the file's name", false },
	{ "\"figures\"", "\"figures\": {", "\"figures\": 7, \"work\": {",
	  "$: ", "key \"work\" appears twice", false },
	{ "\"soc\"", "\"soc\":", "\"soc\"",
	  "$: ", "JSON syntax error at line 4", false },
};

#define NR_DAMAGES (sizeof(damages) / sizeof(damages[0]))

/* One thing is wrong in an otherwise good file. Expect it to be named with its path. */
Test(profile, damage_is_named, .init = set_up_directory, .fini = tear_down_directory)
{
	unsigned i;

	for (i = 0; i < NR_DAMAGES; i++) {
		const struct damage *d = &damages[i];
		char *text = damaged(d->after, d->from, d->to);

		install_text(text, strlen(text));
		expect_refusal(d->place, d->reason);
		free(text);
	}
}

/* A latency of 5 seconds does not fit into 32 bits of picoseconds: refused, not cut. */
Test(profile, too_large_is_refused, .init = set_up_directory, .fini = tear_down_directory)
{
	char *text = damaged("\"dram_latency\"", "\"value\": 134.7, \"unit\": \"ns\", \"low\": 134, \"high\": 146",
			     "\"value\": 5e6, \"unit\": \"us\", \"low\": 134, \"high\": 5e6");

	install_text(text, strlen(text));
	expect_refusal("$.figures.dram_latency: ", "out of range");
	free(text);
}

/* What is not text, not JSON or cut short. */
Test(profile, garbage_is_refused, .init = set_up_directory, .fini = tear_down_directory)
{
	char *text = damaged("{", "{", "{"), *big;

	install_text("", 0);
	expect_refusal("$: ", "JSON syntax error at line 1, column 1");
	install_text(text, strlen(text) / 2);
	expect_refusal("$: ", "JSON syntax error");
	install_text("[]", 2);
	expect_refusal("$: ", "not an object");
	install_text("{}\0{}", 5);
	expect_refusal("$: ", "zero byte");
	big = calloc(1, (1 << 20) + 1);
	memset(big, ' ', (1 << 20) + 1);
	install_text(big, (1 << 20) + 1);
	expect_refusal("$: ", "longer than 1048576 bytes");
	free(big);
	free(text);
}

/* Names that are no profile. Expect the known ones to be listed, and no file outside the directory to be opened. */
Test(profile, unknown_names)
{
	static const char *const names[] = {
		"cortex-a56", "", ".", "../variants", "schema", "/etc/passwd", "a/b",
		"a-name-that-is-much-longer-than-any-profile-has-and-would-overflow-something",
	};
	char **known = profile_names(), **k, error[512];
	unsigned i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *list;

		*error = 0;
		cr_expect_null(profile_load(names[i], error, sizeof(error)), "%s", names[i]);
		list = strstr(error, "is unknown; known are: ");
		cr_assert_not_null(list, "%s", error);
		for (k = known; *k; k++)
			cr_expect(strstr(list, *k), "%s is not in: %s", *k, error);
	}
	profile_names_free(known);
}

/* A message that does not fit is cut and terminated; no room at all is no fault either. */
Test(profile, short_error_buffer)
{
	char error[8] = "1234567";

	cr_expect_null(profile_load("nothing", error, 4));
	cr_expect_eq(error[3], 0);
	cr_expect_str_eq(error + 4, "567", "written beyond its size");
	cr_expect_null(profile_load("nothing", error, 0));
}

/* ---- schema -------------------------------------------------------------------- */

/* Exit status of the validator for @file: 0 valid, 1 invalid, 77 no validator. */
static int validate(const char *file)
{
	char *schema = datapath("profiles/schema.json"), command[1024];
	int status;

	cr_assert_not_null(schema);
	snprintf(command, sizeof(command),
		 "python3 -c '"
		 "import json, sys\n"
		 "try:\n"
		 "    import jsonschema\n"
		 "except ImportError:\n"
		 "    sys.exit(77)\n"
		 "schema = json.load(open(sys.argv[1]))\n"
		 "jsonschema.Draft202012Validator.check_schema(schema)\n"
		 "v = jsonschema.Draft202012Validator(schema)\n"
		 "def once(pairs):\n"
		 "    if len(dict(pairs)) < len(pairs): sys.exit(1)\n"
		 "    return dict(pairs)\n"
		 "sys.exit(0 if v.is_valid(json.load(open(sys.argv[2]), object_pairs_hook=once)) else 1)\n"
		 "' '%s' '%s'", schema, file);
	free(schema);
	status = system(command);
	return status < 0 || !WIFEXITED(status) ? 2 : WEXITSTATUS(status) == 127 ? 77 : WEXITSTATUS(status);
}

Test(profile, schema_accepts_what_is_shipped)
{
	char **names = profile_names();
	unsigned i;

	for (i = 0; names[i]; i++) {
		char relative[96], *path;
		int status;

		snprintf(relative, sizeof(relative), "profiles/%s.json", names[i]);
		path = datapath(relative);
		status = validate(path);
		if (status == 77)
			cr_skip_test("python3-jsonschema is not installed");
		cr_expect_eq(status, 0, "%s: status %d", names[i], status);
		free(path);
	}
	profile_names_free(names);
}

/* Each damage that a schema can express must be refused by the schema too. */
Test(profile, schema_refuses_damage, .init = set_up_directory, .fini = tear_down_directory)
{
	unsigned i;

	for (i = 0; i < NR_DAMAGES; i++) {
		const struct damage *d = &damages[i];
		char *text, path[96];
		int status;

		if (!d->schema_sees)
			continue;
		text = damaged(d->after, d->from, d->to);
		install_text(text, strlen(text));
		unsetenv("ZSMSIM_DATA");
		snprintf(path, sizeof(path), "%s/profiles/cortex-a55.json", directory);
		status = validate(path);
		if (status == 77)
			cr_skip_test("python3-jsonschema is not installed");
		cr_expect_eq(status, 1, "%s -> %s: status %d", d->from, d->to, status);
		free(text);
	}
}

/* ---- the data path ------------------------------------------------------------- */

/* A set ZSMSIM_DATA is the only place; an empty one counts as not set. */
Test(datapath, environment_overrides, .init = set_up_directory, .fini = tear_down_directory)
{
	char expected[128], *path;

	setenv("ZSMSIM_DATA", directory, 1);
	cr_expect_null(datapath("profiles/cortex-a55.json"));
	install_text("{}", 2);
	snprintf(expected, sizeof(expected), "%s/profiles/cortex-a55.json", directory);
	path = datapath("profiles/cortex-a55.json");
	cr_assert_not_null(path);
	cr_expect_str_eq(path, expected);
	free(path);

	setenv("ZSMSIM_DATA", "", 1);
	path = datapath("profiles/cortex-a55.json");
	cr_assert_not_null(path);
	cr_expect_str_neq(path, expected);
	free(path);
	cr_expect_null(datapath("profiles/no-such-file"));
}
