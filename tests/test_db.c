/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_db.c - the results database: what goes in, what is refused, what stays untouched. */
#include <criterion/criterion.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports/db.h"

static char directory[] = "/tmp/zsmsim-db-XXXXXX";
static char path[64];
static struct db db;

static void set_up(void)
{
	cr_assert_not_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/x.db", directory);
}

static void tear_down(void)
{
	db_close(&db);
	unlink(path);
	rmdir(directory);
}

TestSuite(db, .init = set_up, .fini = tear_down);

static int64_t query_int(const char *sql)
{
	sqlite3_stmt *stmt = db_prepare(&db, sql);
	bool row = false;
	int64_t value;

	cr_assert_not_null(stmt, "%s", db_error(&db));
	cr_assert_eq(db_step(&db, stmt, &row), 0);
	cr_assert(row, "no row from %s", sql);
	value = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return value;
}

/* Two planned runs that differ in their variant. */
static struct run_spec specs[2] = {
	{ .scenario = "s", .variant = "base", .profile = "p", .seed = 1, .params = "procs=1", .procs = 1,
	  .region_mb = 16, .variant_text = "{}", .scenario_text = "{}" },
	{ .scenario = "s", .variant = "deferred", .profile = "p", .seed = 1, .params = "procs=1", .procs = 1,
	  .region_mb = 16, .variant_text = "{}", .scenario_text = "{}" },
};

static struct planned runs[2] = {
	{ .spec = &specs[0], .identity = "00", .clusters = "[]", .profile_text = "[]" },
	{ .spec = &specs[1], .identity = "01", .clusters = "[]", .profile_text = "[]" },
};

static struct plan plan = { .at = runs, .nr = 2, .argv = "zsmsim run" };

static void store(size_t run, int64_t munmap_ps, const char *fault)
{
	struct result r = { .fault = fault ? strdup(fault) : NULL };

	result_add_metric(&r, "munmap_ms", "ms", "mean", munmap_ps, 9);
	result_add_metric(&r, "free_complete_ms", "ms", "value", 2 * munmap_ps, 9);
	result_add_series(&r, "free_pages", "pages");
	result_add_sample(&r, 0, 5, 6);
	cr_assert_eq(db_store(&db, &runs[run], "argv", &r), 0, "%s", db_error(&db));
	result_free(&r);
}

/* A run with a module of a kernel tree has all of the module in its row; a run without has none of it. */
Test(db, kernel_columns)
{
	struct module_info info = { .id = "00000000000000ab", .tree = "6.12.9", .source_id = "00000000000000cd",
				    .patches = "a.patch", .defines = "", .compiler = "gcc 1", .chain_size = 8 };

	cr_assert_eq(db_open_for_runs(&db, path), 0);
	cr_assert_eq(db_plan(&db, &plan), 0);
	specs[1].kernel = "x.so";
	specs[1].kernel_info = &info;
	runs[1].kernel_compiler = "signature";
	store(0, 1, NULL);
	store(1, 1, NULL);
	cr_expect_eq(query_int("SELECT count(*) FROM run WHERE variant = 'deferred' AND build_id = '00000000000000ab'"
			       " AND compiler = 'signature' AND kernel_tree = '6.12.9' AND kernel_patches = 'a.patch'"
			       " AND kernel_defines = '' AND kernel_compiler = 'gcc 1'"
			       " AND kernel_source_id = '00000000000000cd' AND trace_hash = '0000000000000000'"), 1);
	cr_expect_eq(query_int("SELECT count(*) FROM run WHERE variant = 'base' AND build_id <> '00000000000000ab'"
			       " AND coalesce(kernel_tree, kernel_patches, kernel_defines, kernel_compiler,"
			       " kernel_source_id) IS NULL"), 1);
}

/* What SQLite itself says about a fresh file. */
Test(db, is_what_the_contract_says)
{
	cr_assert_eq(db_open_for_runs(&db, path), 0, "%s", db_error(&db));
	cr_expect_eq(query_int("PRAGMA application_id"), DB_APPLICATION_ID);
	cr_expect_eq(query_int("PRAGMA user_version"), DB_VERSION);
	cr_expect_eq(query_int("PRAGMA foreign_keys"), 1);
	cr_expect(query_int("SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
			    " AND strict") >= 9);
	cr_expect_eq(query_int("SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
			       " AND NOT strict AND name NOT LIKE 'sqlite_%'"), 0);
	/* Each view can be read: its columns exist. */
	cr_expect_eq(query_int("SELECT count(*) FROM munmap"), 0);
	cr_expect_eq(query_int("SELECT count(*) FROM result"), 0);
	cr_expect_eq(query_int("SELECT count(*) FROM series_value"), 0);
	cr_expect_eq(query_int("SELECT count(*) FROM cause_share"), 0);
	cr_expect_eq(query_int("SELECT count(*) FROM lock_wait"), 0);
}

/* A run with everything in it comes back; one that was stored twice is there once. */
Test(db, stores_runs_whole)
{
	bool done;

	cr_assert_eq(db_open_for_runs(&db, path), 0);
	cr_assert_eq(db_plan(&db, &plan), 0);
	cr_assert_eq(db_is_done(&db, runs[0].run_id, &done), 0);
	cr_expect_not(done);
	store(0, 1500000000, NULL);
	store(0, 1500000000, NULL);
	cr_assert_eq(db_is_done(&db, runs[0].run_id, &done), 0);
	cr_expect(done);
	cr_expect_eq(query_int("SELECT count(*) FROM run"), 1);
	cr_expect_eq(query_int("SELECT count(*) FROM metric"), 2);
	cr_expect_eq(query_int("SELECT count(*) FROM sample"), 1);
	cr_expect_eq(query_int("SELECT count(*) FROM run_host"), 1);
	cr_expect_eq(query_int("SELECT munmap_ms = 1.5 AND free_complete_ms = 3.0 FROM munmap"), 1);
}

/*
 * Runs are numbered when they are first asked for: another order, and runs
 * that were there before, change no number.
 */
Test(db, numbers_stay)
{
	struct planned swapped[2] = { runs[1], runs[0] };
	struct plan other = { .at = swapped, .nr = 2 };

	cr_assert_eq(db_open_for_runs(&db, path), 0);
	cr_assert_eq(db_plan(&db, &plan), 0);
	cr_expect_eq(runs[0].run_id, 1);
	cr_expect_eq(runs[1].run_id, 2);
	cr_assert_eq(db_plan(&db, &other), 0);
	cr_expect_eq(swapped[0].run_id, 2);
	cr_expect_eq(swapped[1].run_id, 1);
}

/* A run with a fault is kept, but counts neither as done nor as a result; a good one replaces it. */
Test(db, faults_are_no_results)
{
	bool done;

	cr_assert_eq(db_open_for_runs(&db, path), 0);
	cr_assert_eq(db_plan(&db, &plan), 0);
	store(0, 1, "freed twice");
	cr_assert_eq(db_is_done(&db, runs[0].run_id, &done), 0);
	cr_expect_not(done);
	cr_expect_eq(query_int("SELECT count(*) FROM run WHERE fault = 'freed twice'"), 1);
	cr_expect_eq(query_int("SELECT count(*) FROM result"), 0);
	cr_expect_eq(query_int("SELECT count(*) FROM current_run"), 0);
	store(0, 2, NULL);
	cr_expect_eq(query_int("SELECT count(*) FROM run"), 1);
	cr_expect_eq(query_int("SELECT count(*) FROM current_run"), 1);
}

/* Of two builds' runs with one label, the later is the current one. */
Test(db, the_last_build_is_current)
{
	struct planned rebuilt = runs[0];
	struct plan again = { .at = &rebuilt, .nr = 1 };
	struct result r = { 0 };

	strcpy(rebuilt.identity, "ff");
	cr_assert_eq(db_open_for_runs(&db, path), 0);
	cr_assert_eq(db_plan(&db, &plan), 0);
	store(0, 1000000000, NULL);
	store(1, 1000000000, NULL);
	cr_assert_eq(db_plan(&db, &again), 0);
	result_add_metric(&r, "munmap_ms", "ms", "mean", 7000000000, 9);
	cr_assert_eq(db_store(&db, &rebuilt, "argv", &r), 0);
	result_free(&r);
	cr_expect_eq(query_int("SELECT count(*) FROM run"), 3);
	cr_expect_eq(query_int("SELECT count(*) FROM current_run"), 2);
	cr_expect_eq(query_int("SELECT munmap_ms = 7.0 FROM munmap WHERE variant = 'base'"), 1);
}

/* A result that breaks a rule of the tables leaves nothing of itself behind. */
Test(db, a_bad_run_leaves_nothing)
{
	struct result r = { 0 };

	cr_assert_eq(db_open_for_runs(&db, path), 0);
	cr_assert_eq(db_plan(&db, &plan), 0);
	result_add_metric(&r, "munmap_ms", "ms", "mean", 1, 9);
	result_add_metric(&r, "munmap_ms", "ms", "max", 1, 99);
	cr_expect_eq(db_store(&db, &runs[0], "argv", &r), 1);
	cr_expect_eq(query_int("SELECT count(*) FROM run"), 0);
	cr_expect_eq(query_int("SELECT count(*) FROM metric"), 0);
	result_free(&r);
	/* And the database goes on working. */
	store(0, 1, NULL);
	cr_expect_eq(query_int("SELECT count(*) FROM run"), 1);
}

/* ---- files that are not ours ---- */

static void write_file(const void *bytes, size_t nr)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	cr_assert_eq(write(fd, bytes, nr), (ssize_t)nr);
	close(fd);
}

static size_t read_file(char *bytes, size_t room)
{
	int fd = open(path, O_RDONLY);
	ssize_t nr = read(fd, bytes, room);

	close(fd);
	cr_assert(nr >= 0);
	return (size_t)nr;
}

/* Expect both ways of opening to refuse the file with @rest, and to leave every byte as it was. */
static void expect_refusal(const char *rest)
{
	static char before[65536], after[65536];
	size_t nr = read_file(before, sizeof(before));
	char line[512];

	snprintf(line, sizeof(line), "zsmsim: %s: %s", path, rest);
	cr_expect_eq(db_open_for_runs(&db, path), 2);
	cr_expect_str_eq(db_error(&db), line);
	db_close(&db);
	cr_expect_eq(db_open_existing(&db, path), 2);
	cr_expect_str_eq(db_error(&db), line);
	db_close(&db);
	cr_expect_eq(read_file(after, sizeof(after)), nr);
	cr_expect_arr_eq(before, after, nr);
}

Test(db, refuses_text)
{
	char text[200];

	memset(text, 'x', sizeof(text));
	write_file(text, sizeof(text));
	expect_refusal("not an SQLite database; name a new file or one that zsmsim made");
	write_file("short", 5);
	expect_refusal("not an SQLite database; name a new file or one that zsmsim made");
}

static void make_database(const char *sql)
{
	sqlite3 *other;

	cr_assert_eq(sqlite3_open(path, &other), SQLITE_OK);
	cr_assert_eq(sqlite3_exec(other, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(other);
}

Test(db, refuses_databases_of_others)
{
	make_database("CREATE TABLE run (run_id INTEGER PRIMARY KEY)");
	expect_refusal("a database of another program; name a new file or one that zsmsim made");
}

Test(db, refuses_newer_versions)
{
	cr_assert_eq(db_open_for_runs(&db, path), 0);
	db_close(&db);
	make_database("PRAGMA user_version = 4");
	expect_refusal("database version 4, but this zsmsim knows version 3; use a newer zsmsim or another file");
}

/* Version 1 has no columns for kernel trees: nothing is added to it, nothing lost. */
Test(db, refuses_older_versions)
{
	cr_assert_eq(db_open_for_runs(&db, path), 0);
	db_close(&db);
	make_database("PRAGMA user_version = 1");
	expect_refusal("database version 1, but this zsmsim knows version 3; use an older zsmsim or another file");
}

/* The second half of a database of ours is missing. */
Test(db, refuses_damaged_files)
{
	cr_assert_eq(db_open_for_runs(&db, path), 0);
	db_close(&db);
	cr_assert_eq(truncate(path, 6000), 0);
	expect_refusal("damaged (database disk image is malformed); name another file");
}

Test(db, refuses_what_is_no_file)
{
	char error[256];

	cr_expect_eq(db_probe(directory, error, sizeof(error)), 2);
	cr_expect_str_eq(error + strlen("zsmsim: ") + strlen(directory), ": is a directory; name a database file");
	cr_assert_eq(mkfifo(path, 0600), 0);
	/* A pipe without a writer would block whoever opens it to read. */
	cr_expect_eq(db_probe(path, error, sizeof(error)), 2);
	unlink(path);
	cr_expect_eq(db_probe("/dev/null", error, sizeof(error)), 2);
	cr_expect_eq(db_open_existing(&db, path), 2);
	cr_expect_eq(access(path, F_OK), -1);
}

/* A file of no bytes is as good as none: nothing is lost in it. */
Test(db, takes_an_empty_file)
{
	write_file("", 0);
	cr_expect_eq(db_open_for_runs(&db, path), 0);
	cr_expect_eq(query_int("SELECT count(*) FROM run"), 0);
}
