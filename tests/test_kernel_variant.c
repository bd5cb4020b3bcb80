/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_kernel_variant.c - the real program with modules in the place of its
 * own. The module is a copy of the program's own with a trailer, so the
 * figures must be those of its variant of the same axes, to the byte: what is
 * tested is that another module is loaded, and that nothing else changes.
 */
#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sqlite3.h>

#include "tests/module_file.h"

#define ZSMSIM ABS_TOP_BUILDDIR "/zsmsim"
#define OWN_MODULE ABS_TOP_BUILDDIR "/zsmsim-model.so"
#define QUICK ABS_TOP_SRCDIR "/scenarios/quick.json"

static char directory[] = "/tmp/zsmsim-kernel-XXXXXX";

/* The status of a shell's command line; what it prints is of no interest. */
static int shell(const char *line)
{
	char command[4096];
	int status;

	snprintf(command, sizeof(command), "{ %s; } >out 2>err", line);
	status = system(command);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void copy_own_module(const char *file, char *tree)
{
	struct module_info info = module_file_info(tree, 8);
	char line[512];

	snprintf(line, sizeof(line), "cp '%s' %s", OWN_MODULE, file);
	cr_assert_eq(shell(line), 0);
	cr_assert_eq(module_info_append(file, &info), 0);
}

static void set_up(void)
{
	cr_assert_not_null(mkdtemp(directory));
	cr_assert_eq(chdir(directory), 0);
	copy_own_module("a.so", "6.12");
}

static void tear_down(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -r %s", directory);
	cr_assert_eq(system(command), 0);
}

TestSuite(kernel_variant, .init = set_up, .fini = tear_down);

static int text_into(void *text, int nr, char **values, char **names)
{
	(void)nr;
	(void)names;
	snprintf(text, 256, "%s", values[0] ? values[0] : "");
	return 0;
}

/* First column of the last row. */
static const char *query(const char *file, const char *sql)
{
	static char text[256];
	char *message = NULL;
	sqlite3 *db;

	*text = '\0';
	cr_assert_eq(sqlite3_open(file, &db), SQLITE_OK);
	sqlite3_exec(db, sql, text_into, text, &message);
	cr_expect_null(message, "%s: %s", sql, message);
	sqlite3_close(db);
	return text;
}

#define RUN "'" ZSMSIM "' run -q '" QUICK "' "

/*
 * Own variants before, between and after modules in one command, so that
 * modules replace a loaded one in processes of all histories. Expect: one
 * trace hash per pair of variant and row.
 */
Test(kernel_variant, equals_the_own_allocator)
{
	copy_own_module("b.so", "6.1");
	cr_assert_eq(shell(RUN "-o x.db -j 2 --set 'variants=[\"pool-lock\",\"a.so\",\"b.so\","
			   "{\"name\":\"own-percpu\",\"from\":\"pool-lock\",\"zram_stats\":\"percpu\"},"
			   "{\"kernel\":\"a.so\",\"name\":\"percpu\",\"zram_stats\":\"percpu\"}]'"), 0);
	cr_expect_str_eq(query("x.db", "SELECT count(*) FROM run"), "10");
	cr_expect_str_eq(query("x.db", "SELECT count(DISTINCT build_id) FROM run"), "3");
	cr_expect_str_eq(query("x.db", "SELECT count(DISTINCT trace_hash) FROM run WHERE variant IN ('pool-lock', 'a', 'b')"),
			 "2");
	cr_expect_str_eq(query("x.db", "SELECT count(DISTINCT trace_hash) FROM run WHERE variant LIKE '%percpu'"), "2");
	cr_expect_str_eq(query("x.db", "SELECT count(DISTINCT trace_hash) FROM run"), "4");
	/* Also what is stored besides the hash. */
	cr_expect_str_eq(query("x.db", "SELECT count(*) FROM run a JOIN run b ON a.variant = 'a' AND b.variant = 'pool-lock'"
			       " AND a.params = b.params AND a.mm_stat = b.mm_stat AND a.classes = b.classes"
			       " AND a.accesses = b.accesses AND a.sim_ps = b.sim_ps AND a.compiler = b.compiler"), "2");
}

/*
 * With the own module loaded first and without, from another path and place in
 * memory. Expect: the same bytes.
 */
Test(kernel_variant, place_does_not_matter)
{
	/* But for the numbers of the runs. */
	cr_assert_eq(shell(RUN "-o x.db --csv x --set variants=base,a.so && grep ',a,' x/results.csv | cut -d, -f2- >x.txt"
			   " && grep ',a,' x/series.csv | cut -d, -f2- >>x.txt"), 0);
	cr_assert_eq(shell("mkdir dir && mv a.so dir && ZSMSIM_MODEL=/nowhere " RUN "-o y.db --csv y --set variants=dir/a.so"
			   " && tail -qn +2 y/results.csv y/series.csv | cut -d, -f2- >y.txt"), 0);
	cr_expect_eq(shell("test $(wc -l <x.txt) -gt 100 && cmp x.txt y.txt"), 0);
	cr_expect_str_eq(query("x.db", "ATTACH 'y.db' AS y; SELECT count(*) FROM run a JOIN y.run b USING (params, trace_hash)"
			       " WHERE a.variant = 'a'"), "2");
}

/* All modules, none of them our own: that need not be there. Without it the others are refused. */
Test(kernel_variant, own_module_may_be_absent)
{
	cr_expect_eq(shell("ZSMSIM_MODEL=/nowhere " RUN "-o x.db --set variant=a.so --set workload.procs=1"), 0);
	cr_expect_str_eq(query("x.db", "SELECT count(*) FROM run WHERE kernel_tree = '6.12' AND fault IS NULL"), "1");
	cr_expect_eq(shell("ZSMSIM_MODEL=/nowhere " RUN "-o x.db --set variants=a.so,base --set workload.procs=1"), 1);
}

/* The file is what it says, but nothing that can be run. Expect: status 1, a line that names it, no row. */
Test(kernel_variant, what_cannot_be_loaded)
{
	struct module_info info = module_file_info("6.12", 8);

	cr_assert(module_file_write("empty.so", &info));
	cr_expect_eq(shell(RUN "-o x.db --set variant=empty.so 2>told"), 1);
	cr_expect_eq(shell("grep -q '^zsmsim: .*empty.so' told"), 0);
	cr_expect_str_eq(query("x.db", "SELECT count(*) FROM run"), "0");
}

/* A mistake made on purpose in a module. Expect: a fault, and the advised command finds it again. */
Test(kernel_variant, fault_is_replayed)
{
	cr_expect_eq(shell(RUN "-o x.db --set variant=a.so --set break=double-free -j 1 2>told"), 1);
	cr_expect_eq(shell("grep -q 'set variants=a.so' told"), 0);
	cr_expect_eq(shell("line=$(sed -n 's/.*to replay it: zsmsim //p' told | head -n 1) &&"
			   " eval \"'" ZSMSIM "' $line -o y.db\""), 1);
	cr_expect_str_eq(query("y.db", "SELECT count(*) FROM run WHERE fault IS NOT NULL AND kernel_tree = '6.12'"), "1");
}
