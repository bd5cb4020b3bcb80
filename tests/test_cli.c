/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_cli.c - the program from outside: exit statuses, the one line of wrong
 * usage, databases and CSV files after runs that end well, badly, or in the
 * middle. It runs zsmsim-fake, whose figures come at once from a formula (see
 * fake_experiment.c); ZSMSIM_FAKE names another one.
 */
#include <criterion/criterion.h>

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sqlite3.h>

#include "tests/module_file.h"

#define QUICK ABS_TOP_SRCDIR "/scenarios/quick.json"
#define ARGS_MAX 24
#define SECONDS_MAX 120

static char directory[] = "/tmp/zsmsim-cli-XXXXXX";
static char out[65536], err[65536];

static void set_up(void)
{
	cr_assert_not_null(mkdtemp(directory));
	cr_assert_eq(chdir(directory), 0);
	/* A program that hangs ends its test. */
	alarm(SECONDS_MAX);
}

static void tear_down(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -r %s", directory);
	cr_assert_eq(system(command), 0);
}

TestSuite(cli, .init = set_up, .fini = tear_down);

/* ---- running the program ---- */

static const char *program(void)
{
	const char *fake = getenv("ZSMSIM_FAKE");

	return fake ? fake : ABS_TOP_BUILDDIR "/tests/zsmsim-fake";
}

static void redirect(const char *file, int fd)
{
	int to = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	dup2(to, fd);
	close(to);
}

/* The words end with NULL. */
static pid_t start(const char *word, va_list more)
{
	const char *argv[ARGS_MAX] = { "zsmsim", word };
	pid_t pid;

	for (size_t nr = 2; word && nr < ARGS_MAX - 1; nr++)
		argv[nr] = word = va_arg(more, const char *);
	pid = fork();
	if (pid == 0) {
		redirect("stdout", STDOUT_FILENO);
		redirect("stderr", STDERR_FILENO);
		execv(program(), (char *const *)argv);
		_exit(127);
	}
	cr_assert(pid > 0);
	return pid;
}

static void load(const char *file, char *text, size_t room)
{
	int fd = open(file, O_RDONLY);
	size_t at = 0;
	ssize_t nr;

	cr_assert(fd >= 0, "%s is not there", file);
	while ((nr = read(fd, text + at, room - 1 - at)) > 0)
		at += (size_t)nr;
	text[at] = '\0';
	close(fd);
}

/* The exit status, or minus the signal that ended it. */
static int finish(pid_t pid)
{
	int status;

	cr_assert_eq(waitpid(pid, &status, 0), pid);
	load("stdout", out, sizeof(out));
	load("stderr", err, sizeof(err));
	return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static int zsmsim(const char *word, ...)
{
	va_list more;
	pid_t pid;

	va_start(more, word);
	pid = start(word, more);
	va_end(more);
	return finish(pid);
}

static pid_t zsmsim_start(const char *word, ...)
{
	va_list more;
	pid_t pid;

	va_start(more, word);
	pid = start(word, more);
	va_end(more);
	return pid;
}

#define expect_wrong(line, ...) do {				\
	cr_expect_eq(zsmsim(__VA_ARGS__, NULL), 2);		\
	cr_expect_str_eq(err, "zsmsim: " line "\n");		\
	cr_expect_str_eq(out, "");				\
} while (0)

static void expect_same_file(const char *a, const char *b)
{
	static char left[1 << 20], right[1 << 20];

	load(a, left, sizeof(left));
	load(b, right, sizeof(right));
	cr_expect(*left != '\0');
	cr_expect(!strcmp(left, right), "%s and %s differ", a, b);
}

static void expect_same_csv(const char *a, const char *b)
{
	static const char *const names[] = { "results", "series", "causes", "locks", "lines" };
	char left[64], right[64];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(left, sizeof(left), "%s/%s.csv", a, names[i]);
		snprintf(right, sizeof(right), "%s/%s.csv", b, names[i]);
		expect_same_file(left, right);
	}
}

/* ---- looking into the database ---- */

static int text_into(void *text, int nr, char **values, char **names)
{
	(void)nr;
	(void)names;
	snprintf(text, 64, "%s", values[0] ? values[0] : "");
	return 0;
}

/* First column of the last row; the file is opened as any other program would. */
static const char *query(const char *file, const char *sql)
{
	static char text[64];
	char *message = NULL;
	sqlite3 *db;

	*text = '\0';
	cr_assert_eq(sqlite3_open(file, &db), SQLITE_OK);
	sqlite3_exec(db, sql, text_into, text, &message);
	cr_expect_null(message, "%s: %s", sql, message);
	sqlite3_close(db);
	return text;
}

/* It opens, is sound, and each run in it has the rows that the fake makes for a run. */
static void expect_whole_runs(const char *file)
{
	cr_expect_str_eq(query(file, "PRAGMA integrity_check"), "ok");
	cr_expect_str_eq(query(file, "PRAGMA foreign_key_check"), "");
	cr_expect_str_eq(query(file,
		"SELECT count(*) FROM run WHERE"
		" (SELECT count(*) FROM metric WHERE metric.run_id = run.run_id) <> 6 + procs OR"
		" (SELECT count(*) FROM sample WHERE sample.run_id = run.run_id) <> 100 OR"
		" (SELECT count(*) FROM lines WHERE lines.run_id = run.run_id) <> 1"), "0");
}

/* ---- usage ---- */

/* One line each, status 2, nothing on standard output. */
Test(cli, wrong_usage)
{
	expect_wrong("rnu: unknown command; the nearest is run", "rnu");
	expect_wrong("report: this command comes in a later version; zsmsim --help lists what is there", "report", "x.db");
	expect_wrong("trace: this command comes in a later version; zsmsim --help lists what is there", "trace");
	expect_wrong("run: no scenario; name a file, as in zsmsim run scenarios/munmap.json", "run");
	expect_wrong("run: --jbos: unknown option; the nearest is --jobs", "run", "--jbos", "3", QUICK);
	expect_wrong("run: -x: unknown option; see zsmsim run --help", "run", "-q", "-vx", QUICK);
	expect_wrong("run: -j: its value is missing; write -j N", "run", QUICK, "-j");
	expect_wrong("run: --seed: its value is missing; write --seed N", "run", QUICK, "--seed");
	expect_wrong("run: --quiet: takes no value; leave it out", "run", QUICK, "--quiet=1");
	expect_wrong("run: -j 0: not a number it takes; give a whole number from 1 to 256", "run", "-j", "0", QUICK);
	expect_wrong("run: -j 1x: not a number it takes; give a whole number from 1 to 256", "run", "-j1x", QUICK);
	expect_wrong("run: --seed -1: not a number it takes; give a whole number from 0 to 9007199254740991",
		     "run", "--seed", "-1", QUICK);
	expect_wrong("list: profile: unknown; the nearest is profiles", "list", "profile");
	expect_wrong("compare: no database; name one that zsmsim run made", "compare");
	cr_expect_eq(zsmsim(NULL), 2);
}

/* Help and version are no errors. */
Test(cli, help_and_version)
{
	cr_expect_eq(zsmsim("--help", NULL), 0);
	cr_expect_not_null(strstr(out, "compare"));
	cr_expect_eq(zsmsim("--version", NULL), 0);
	cr_expect(!strncmp(out, "zsmsim ", 7));
	for (int i = 0; i < 3; i++) {
		cr_expect_eq(zsmsim((const char *[]){ "run", "compare", "list" }[i], "--help", NULL), 0);
		cr_expect(!strncmp(out, "Usage: zsmsim ", 14));
		cr_expect_str_eq(err, "");
	}
}

Test(cli, lists)
{
	cr_expect_eq(zsmsim("list", "variants", NULL), 0);
	cr_expect_not_null(strstr(out, "deferred+percpu-stats "));
	cr_expect_eq(zsmsim("list", "profiles", NULL), 0);
	cr_expect_not_null(strstr(out, "cortex-a76 "));
	cr_expect_eq(zsmsim("list", "profiles", "--all", NULL), 0);
	cr_expect_not_null(strstr(out, "clock = "));
	cr_expect_eq(zsmsim("list", "metrics", NULL), 0);
	cr_expect_not_null(strstr(out, "free_complete_ms "));
	cr_expect_not_null(strstr(out, "pinned_pages "));
	cr_expect_eq(zsmsim("list", "scenarios", NULL), 0);
	cr_expect_not_null(strstr(out, "munmap "));
	/* Without the module that it wants. */
	cr_expect_not_null(strstr(out, "bring-your-own "));
}

/* ---- outputs that cannot be ---- */

/* Expect each to be refused before anything runs, and what is there to stay as it is. */
Test(cli, impossible_outputs)
{
	expect_wrong("nowhere/x.db: cannot be opened: No such file or directory; name a file that can be",
		     "run", QUICK, "-o", "nowhere/x.db");
	expect_wrong("/dev/full: is not a plain file; name a database file", "run", QUICK, "-o", "/dev/full");
	cr_assert_eq(system("echo text >text && cp text text.copy && mkdir -p csv/series.csv"), 0);
	expect_wrong("text: not an SQLite database; name a new file or one that zsmsim made",
		     "run", QUICK, "-o", "text");
	expect_same_file("text", "text.copy");
	expect_wrong("nowhere/csv: cannot be made: No such file or directory; name a directory that can be",
		     "run", QUICK, "--csv", "nowhere/csv", "-o", "x.db");
	expect_wrong("csv/series.csv: cannot be written: Is a directory; name a plain file",
		     "run", QUICK, "--csv", "csv", "-o", "x.db");
	cr_expect_eq(access("x.db", F_OK), -1, "a database was made for runs that were refused");
}

/* ---- runs that end well ---- */

/* The default database is named after the scenario; all runs are in it and in the CSV. */
Test(cli, run_stores_everything)
{
	cr_expect_eq(zsmsim("run", QUICK, "--csv", "csv", NULL), 0);
	cr_expect_str_eq(err, "");
	expect_whole_runs("quick.db");
	cr_expect_str_eq(query("quick.db", "SELECT count(*) FROM run"), "6");
	cr_expect_str_eq(query("quick.db", "SELECT json_extract(scenario_text, '$.name') FROM run"), "quick");
	cr_expect_str_eq(query("quick.db", "SELECT json_extract(profile_text, '$[0].name') FROM run"),
			 "i7-14700hx-p");
	cr_expect_str_eq(query("quick.db", "SELECT json_extract(variant_text, '$.free') FROM run WHERE variant = 'base'"),
			 "sync");
	/* From the formula of the fake, for 16 MiB of one process and seed 1. */
	load("csv/results.csv", out, sizeof(out));
	cr_expect(!strncmp(out, "run_id,scenario,variant,profile,seed,params,metric,unit,stat,value\n"
			   "1,quick,base,i7-14700hx-p,1,procs=1;region_mb=16,munmap_ms,ms,p0,0.801001971\n", 143));
	load("csv/series.csv", out, sizeof(out));
	cr_expect(!strncmp(out, "run_id,scenario,variant,profile,seed,params,series,unit,t_ns,value\n"
			   "1,quick,base,i7-14700hx-p,1,procs=1;region_mb=16,free_pages,pages,0,1000\n", 138));
}

/* Whatever the jobs, the directory of the CSV and what the database held before: the same bytes. */
Test(cli, same_bytes)
{
	cr_expect_eq(zsmsim("run", QUICK, "-o", "a.db", "--csv", "a", "-j", "1", NULL), 0);
	cr_expect_eq(zsmsim("run", QUICK, "-o", "b.db", "--csv", "b", "-j", "4", NULL), 0);
	expect_same_csv("a", "b");
	cr_expect_eq(zsmsim("run", QUICK, "-o", "c.db", "--seed", "7", NULL), 0);
	cr_expect_eq(zsmsim("run", QUICK, "-o", "c.db", "--csv", "c", NULL), 0);
	expect_same_csv("a", "c");
	cr_expect_str_eq(query("c.db", "SELECT count(*) FROM run"), "12");
}

/* The same command again runs nothing: the rows of run_host, which name the process, stay. */
Test(cli, resume_skips_finished_runs)
{
	char before[64];

	cr_expect_eq(zsmsim("run", QUICK, "--csv", "a", NULL), 0);
	strcpy(before, query("quick.db", "SELECT sum(host_ns) FROM run_host"));
	query("quick.db", "PRAGMA foreign_keys = ON; DELETE FROM run WHERE run_id = 3");
	cr_expect_eq(zsmsim("run", QUICK, "--csv", "b", NULL), 0);
	expect_same_csv("a", "b");
	cr_expect_str_eq(query("quick.db", "SELECT count(*) FROM run"), "6");
	strcpy(before, query("quick.db", "SELECT sum(host_ns) FROM run_host"));
	cr_expect_eq(zsmsim("run", QUICK, NULL), 0);
	cr_expect_str_eq(query("quick.db", "SELECT sum(host_ns) FROM run_host"), before);
}

/* Results of another build of the software are not taken for ours. */
Test(cli, a_new_build_runs_again)
{
	cr_expect_eq(zsmsim("run", QUICK, NULL), 0);
	setenv("ZSMSIM_FAKE_BUILD", "other", 1);
	cr_expect_eq(zsmsim("run", QUICK, NULL), 0);
	unsetenv("ZSMSIM_FAKE_BUILD");
	cr_expect_str_eq(query("quick.db", "SELECT count(*) FROM run"), "12");
	cr_expect_str_eq(query("quick.db", "SELECT count(*) FROM current_run WHERE build_id = 'other'"), "6");
	cr_expect_eq(zsmsim("compare", "quick.db", NULL), 0);
	cr_expect_null(strstr(out, "note:"));
}

Test(cli, compare_prints_ratios)
{
	cr_expect_eq(zsmsim("run", QUICK, "--set", "seed={\"sweep\":[1,2,3]}", NULL), 0);
	cr_expect_eq(zsmsim("compare", "quick.db", "--csv", "c.csv", NULL), 0);
	cr_expect_not_null(strstr(out, "paired t on log ratios (3 seeds)"));
	load("c.csv", out, sizeof(out));
	cr_expect_not_null(strstr(out, ",deferred,base,3,"));
	expect_wrong("none.db: No such file or directory; name a database that zsmsim run made", "compare", "none.db");
}

/* ---- modules of kernel trees ---- */

/* Make @file; chain sizes tell modules apart. */
static void make_module(const char *file, unsigned chain_size)
{
	struct module_info info = module_file_info("6.12.9", chain_size);

	cr_assert(module_file_write(file, &info));
}

/* Side by side with an own variant, in one row of the table; the row of the run says which tree it was. */
Test(cli, module_beside_own_variant)
{
	make_module("k612.so", 4);
	cr_expect_eq(zsmsim("run", QUICK, "--set", "variants=k612.so,pool-lock", NULL), 0);
	cr_expect_str_eq(err, "");
	cr_expect_not_null(strstr(out, "k612 "));
	expect_whole_runs("quick.db");
	cr_expect_str_eq(query("quick.db", "SELECT group_concat(kernel_tree || ' ' || kernel_defines || ' ' || chain_size)"
			       " FROM run WHERE variant = 'k612'"), "6.12.9 CONFIG_A=1 4,6.12.9 CONFIG_A=1 4");
	cr_expect_str_eq(query("quick.db", "SELECT count(*) FROM run WHERE kernel_tree IS NULL"), "2");
	cr_expect_str_eq(query("quick.db", "SELECT count(*) FROM run WHERE json_extract(variant_text, '$.kernel_id')"
			       " = build_id"), "2");
	cr_expect_str_eq(query("quick.db", "SELECT count(DISTINCT params) FROM run"), "2");
	/* Nothing is called base, so the first is what is compared with. */
	cr_expect_eq(zsmsim("compare", "quick.db", NULL), 0);
	cr_expect_not_null(strstr(out, "pool-lock"));
}

/*
 * Runs are known by what the module holds. Expect: nothing runs again when the
 * file has moved, everything when it was built anew.
 */
Test(cli, module_is_known_by_its_contents)
{
	make_module("a.so", 8);
	cr_expect_eq(zsmsim("run", QUICK, "--set", "variants=[{\"kernel\":\"a.so\",\"name\":\"mine\"}]", NULL), 0);
	cr_assert_eq(system("mkdir dir && mv a.so dir/b.so"), 0);
	cr_expect_eq(zsmsim("run", QUICK, "--set", "variants=[{\"kernel\":\"dir/b.so\",\"name\":\"mine\"}]", NULL), 0);
	cr_expect_str_eq(query("quick.db", "SELECT count(*) FROM plan"), "2");
	cr_expect_str_eq(query("quick.db", "SELECT count(*) FROM run WHERE variant_text LIKE '%a.so%'"), "2");
	make_module("dir/b.so", 4);
	cr_expect_eq(zsmsim("run", QUICK, "--set", "variants=[{\"kernel\":\"dir/b.so\",\"name\":\"mine\"}]", NULL), 0);
	cr_expect_str_eq(query("quick.db", "SELECT count(*) FROM run"), "4");
	/* The newer build is the one that is looked at. */
	cr_expect_str_eq(query("quick.db", "SELECT count(*) FROM current_run WHERE chain_size = 4"), "2");
	/* Another build of the own allocator is nothing to a module. */
	setenv("ZSMSIM_FAKE_BUILD", "other", 1);
	cr_expect_eq(zsmsim("run", QUICK, "--set", "variants=[{\"kernel\":\"dir/b.so\",\"name\":\"mine\"}]", NULL), 0);
	unsetenv("ZSMSIM_FAKE_BUILD");
	cr_expect_str_eq(query("quick.db", "SELECT count(*) FROM run"), "4");
}

/* The own module is missed only by runs that need it. */
Test(cli, modules_need_no_own_allocator)
{
	make_module("k612.so", 8);
	setenv("ZSMSIM_FAKE_ABSENT", "1", 1);
	cr_expect_eq(zsmsim("run", QUICK, "--set", "variant=k612.so", NULL), 0);
	cr_expect_str_eq(err, "");
	cr_expect_str_eq(query("quick.db", "SELECT count(*) FROM run"), "2");
	cr_expect_eq(zsmsim("run", QUICK, "--set", "variants=k612.so,base", NULL), 1);
	cr_expect_not_null(strstr(err, "zsmsim-model.so: not found"));
	unsetenv("ZSMSIM_FAKE_ABSENT");
}

/* Wrong modules are wrong input: nothing is made. */
Test(cli, refuses_modules)
{
	expect_wrong("--set variants: $.variants[0]: no module here; build one with 'zsmsim kernel build TREE -o k.so'",
		     "run", QUICK, "--set", "variants=k.so", "-o", "x.db");
	make_module("k.so", 8);
	expect_wrong("--set variants: $.variants[0].free: the tree decides free; leave it out",
		     "run", QUICK, "--set", "variants=[{\"kernel\":\"k.so\",\"free\":\"sync\"}]", "-o", "x.db");
	cr_expect_eq(access("x.db", F_OK), -1);
}

/* Give the command that the message advises; the run it makes is left in replay.db. */
static void replay_as_told(void)
{
	char command[4096], *replay = strstr(err, "to replay it: zsmsim ");

	cr_assert_not_null(replay);
	replay += strlen("to replay it: zsmsim ");
	snprintf(command, sizeof(command), "rm -f replay.db; '%s' %.*s -o replay.db >stdout 2>stderr", program(),
		 (int)strcspn(replay, "\n"), replay);
	cr_expect_eq(WEXITSTATUS(system(command)), 1);
	cr_expect_str_eq(query("replay.db", "SELECT count(*) FROM run"), "1");
}

/* A fault in a tree's allocator. Expect: the file alone where that says all, else the object; and it leads there. */
Test(cli, replay_of_modules)
{
	make_module("k612.so", 8);
	make_module("x,y.so", 4);
	cr_expect_eq(zsmsim("run", QUICK, "--set", "variants=k612.so,base", "--set", "break=double-free", "-j", "1", NULL), 1);
	cr_expect_not_null(strstr(err, " --set variants=k612.so "));
	replay_as_told();
	cr_expect_str_eq(query("replay.db", "SELECT variant || ' ' || kernel_tree FROM run"), "k612 6.12.9");

	cr_expect_eq(zsmsim("run", QUICK, "--set", "variant={\"kernel\":\"./k612.so\",\"name\":\"mine\",\"zram_stats\":\"percpu\"}",
			    "--set", "break=double-free", "-o", "b.db", "-j", "1", NULL), 1);
	cr_expect_not_null(strstr(err, "{\"kernel\":\"./k612.so\",\"name\":\"mine\",\"zram_stats\":\"percpu\"}"));
	cr_expect_null(strstr(err, "variant="));
	replay_as_told();
	cr_expect_str_eq(query("replay.db", "SELECT variant || ' ' || json_extract(variant_text, '$.zram_stats') FROM run"),
			 "mine percpu");

	/* A name that a list of words would cut in two. */
	cr_expect_eq(zsmsim("run", QUICK, "--set", "variants=[{\"kernel\":\"x,y.so\",\"name\":\"x\"}]", "--set",
			    "break=double-free", "-o", "c.db", "-j", "1", NULL), 1);
	replay_as_told();
	cr_expect_str_eq(query("replay.db", "SELECT chain_size FROM run"), "4");
}

/* ---- runs that end badly ---- */

/*
 * A fault: status 1, the report and a replay command on standard error, the
 * report in the database, no figures in the CSV. The replay command, as it
 * stands, leads to the same fault and to no other run.
 */
Test(cli, fault)
{
	char command[4096], *replay;

	cr_expect_eq(zsmsim("run", QUICK, "--set", "break=double-free", "--csv", "csv", "-j", "1", NULL), 1);
	cr_expect_not_null(strstr(err, "an oracle found a fault"));
	cr_expect_not_null(strstr(err, "fault: freed twice\nat 12 ns on CPU 0\n"));
	cr_expect_not_null(strstr(out, "fault"));
	cr_expect_str_eq(query("quick.db", "SELECT count(*) FROM run WHERE fault LIKE 'fault: freed twice%'"), "6");
	load("csv/results.csv", out, sizeof(out));
	cr_expect_str_eq(out, "run_id,scenario,variant,profile,seed,params,metric,unit,stat,value\n");

	replay = strstr(err, "to replay it: zsmsim ");
	cr_assert_not_null(replay);
	replay += strlen("to replay it: zsmsim ");
	snprintf(command, sizeof(command), "'%s' %.*s -o replay.db >stdout 2>stderr", program(),
		 (int)strcspn(replay, "\n"), replay);
	cr_expect_eq(WEXITSTATUS(system(command)), 1);
	load("stderr", err, sizeof(err));
	cr_expect_not_null(strstr(err, "fault: freed twice"));
	cr_expect_str_eq(query("replay.db", "SELECT count(*) FROM run"), "1");
}

/* Runs of clusters and of variants made in place can be replayed as well. */
Test(cli, replay_of_what_has_no_name)
{
	char command[4096], *replay;
	FILE *file = fopen("s.json", "w");

	fputs("{\"name\": \"s\", \"break\": \"double-free\", \"workload\": {\"region_mb\": 16, \"procs\": {\"sweep\": [1, 2]}},"
	      " \"machine\": {\"clusters\": [{\"profile\": \"cortex-a55\", \"cpus\": 2}, {\"profile\": \"cortex-a76\", \"cpus\": 2}]},"
	      " \"variants\": [{\"name\": \"mine\", \"from\": \"deferred\", \"defer_batch\": {\"sweep\": [8, 16]}}]}", file);
	fclose(file);
	cr_expect_eq(zsmsim("run", "s.json", "-j", "1", NULL), 1);
	replay = strstr(err, "to replay it: zsmsim ");
	cr_assert_not_null(replay);
	replay += strlen("to replay it: zsmsim ");
	snprintf(command, sizeof(command), "'%s' %.*s -o replay.db >stdout 2>stderr", program(),
		 (int)strcspn(replay, "\n"), replay);
	cr_expect_eq(WEXITSTATUS(system(command)), 1);
	cr_expect_str_eq(query("replay.db", "SELECT count(*) FROM run"), "1");
	cr_expect_str_eq(query("replay.db", "SELECT json_extract(clusters, '$[1].profile') FROM run"), "cortex-a76");
}

/* A run whose process is killed: status 1 and its name; the others are made. */
Test(cli, crash)
{
	cr_expect_eq(zsmsim("run", QUICK, "--set", "break=leak", NULL), 1);
	cr_expect_not_null(strstr(err, "died of signal 9 (Killed)"));
	cr_expect_not_null(strstr(err, "to replay it: zsmsim run "));
	cr_expect_str_eq(query("quick.db", "SELECT count(*) FROM run"), "0");
}

/* A run that gives up has said why; the next would say it again, so none is started. */
Test(cli, gives_up)
{
	cr_expect_eq(zsmsim("run", QUICK, "--set", "break=lose-page", "-j", "1", NULL), 1);
	cr_expect_not_null(strstr(err, "zsmsim: the fake gives up\n"));
	cr_expect_null(strstr(strstr(err, "gives up") + 1, "gives up"));
	cr_expect_str_eq(out, "");
}

/* ---- interruptions ---- */

static void interrupt(int signal)
{
	pid_t pid = zsmsim_start("run", QUICK, "--set", "break=deadlock", "-o", "x.db", NULL);

	/* Long enough to be past the start; too short a wait only makes the test easier. */
	usleep(200000);
	kill(pid, signal);
	cr_expect_eq(finish(pid), 1);
	cr_expect_str_eq(err, "zsmsim: interrupted with 0 of 6 runs made; the same command will make the rest\n");
	expect_whole_runs("x.db");
}

Test(cli, sigint)
{
	interrupt(SIGINT);
}

Test(cli, sigterm)
{
	interrupt(SIGTERM);
}

/*
 * Killed without warning at 40 moments spread over a command that takes some
 * 100 ms. Expect a sound database of whole runs each time; then the same
 * command makes what is missing, and the CSV is that of an undisturbed one.
 */
Test(cli, kill_at_any_moment)
{
	cr_expect_eq(zsmsim("run", QUICK, "--set", "seed={\"sweep\":[1,2,3,4,5]}", "-o", "whole.db", "--csv", "whole",
			    NULL), 0);
	setenv("ZSMSIM_FAKE_US", "4000", 1);
	for (unsigned i = 0; i < 40; i++) {
		pid_t pid = zsmsim_start("run", QUICK, "--set", "seed={\"sweep\":[1,2,3,4,5]}", "-o", "x.db", "--csv",
					 "x", "-j", "2", NULL);

		usleep(1000 + i * 2700);
		kill(pid, SIGKILL);
		finish(pid);
		if (access("x.db", F_OK))
			continue;
		cr_expect_str_eq(query("x.db", "PRAGMA integrity_check"), "ok");
		/* Before the first transaction there are no tables. */
		if (!strcmp(query("x.db", "SELECT count(*) FROM sqlite_schema WHERE name = 'run'"), "1"))
			expect_whole_runs("x.db");
		/* Every third time from where it was; otherwise anew. */
		if (i % 3)
			unlink("x.db");
	}
	unsetenv("ZSMSIM_FAKE_US");
	cr_expect_eq(zsmsim("run", QUICK, "--set", "seed={\"sweep\":[1,2,3,4,5]}", "-o", "x.db", "--csv", "x", NULL), 0);
	expect_whole_runs("x.db");
	expect_same_csv("whole", "x");
}

/*
 * The file may not grow beyond what a few runs take: writing fails in the
 * middle as on a full disk. Expect status 1, one line, whole runs only; and
 * with room again the same command makes the rest.
 */
Test(cli, no_room)
{
	struct rlimit limit, small;
	struct stat st;

	cr_assert_eq(zsmsim("run", QUICK, "-o", "whole.db", NULL), 0);
	cr_assert_eq(stat("whole.db", &st), 0);
	getrlimit(RLIMIT_FSIZE, &limit);
	small = (struct rlimit){ (rlim_t)st.st_size * 3 / 4, limit.rlim_max };
	setrlimit(RLIMIT_FSIZE, &small);
	cr_expect_eq(zsmsim("run", QUICK, "-o", "x.db", "-j", "2", NULL), 1);
	setrlimit(RLIMIT_FSIZE, &limit);
	cr_expect(!strncmp(err, "zsmsim: x.db: ", 14), "%s", err);
	cr_expect_eq(strchr(err, '\n'), err + strlen(err) - 1, "more than one line: %s", err);
	expect_whole_runs("x.db");
	cr_expect_str_eq(query("x.db", "SELECT count(*) BETWEEN 1 AND 5 FROM run"), "1");
	cr_expect_eq(zsmsim("run", QUICK, "-o", "x.db", NULL), 0);
	cr_expect_str_eq(query("x.db", "SELECT count(*) FROM run"), "6");
}
