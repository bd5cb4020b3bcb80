/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_calibrate.c - rows that may be used, the fits, profiles as trees, and the ranking of figures. */
#include <criterion/criterion.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/calibrate_fit.h"
#include "reports/calibrate_profile.h"
#include "reports/calibrate_rows.h"
#include "reports/validate_sensitivity.h"
#include "sim/profile.h"

#define HEADER "cpu,freq_mhz,soc,region_mb,variant,munmap_ms\n"

/* ---- rows ---- */

static char error[512];

static int load_rows(const char *text, struct calibrate_rows *rows)
{
	char file[] = "/tmp/zsmsim-rows-XXXXXX";
	int fd = mkstemp(file), status;

	cr_assert_geq(fd, 0);
	cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	*error = '\0';
	status = calibrate_rows_load(file, rows, error, sizeof(error));
	unlink(file);
	return status;
}

/* Base, one process, 256 MB, one row per CPU. Expect the times to the thousandth, and each CPU to have its own. */
Test(rows, allowed)
{
	struct calibrate_rows rows;

	cr_assert_eq(load_rows(HEADER "cortex-a55,1800,x,256,base,56.06\n"
			       "cortex-a76,2400,x,256,base,22.9\r\n", &rows), 0, "%s", error);
	cr_expect_eq(rows.nr, 2);
	cr_expect_eq(calibrate_rows_of(&rows, "cortex-a55")->us, 56060);
	cr_expect_eq(calibrate_rows_of(&rows, "cortex-a76")->us, 22900);
	cr_expect_eq(calibrate_rows_of(&rows, "cortex-a76")->line, 3);
	cr_expect_null(calibrate_rows_of(&rows, "cortex-a5"));
	calibrate_rows_free(&rows);
}

/* The other table's columns, with processes: one of them is allowed. */
Test(rows, allowed_with_procs)
{
	struct calibrate_rows rows;

	cr_assert_eq(load_rows("procs,cpu,region_mb_each,variant,munmap_ms\n"
			       "1,x86,256,base,12.51\n", &rows), 0, "%s", error);
	cr_expect_eq(calibrate_rows_of(&rows, "x86")->us, 12510);
	calibrate_rows_free(&rows);
}

static const struct refusal {
	const char *what, *text;
	unsigned line;
	const char *reason;
} refusals[] = {
	{ "another variant", HEADER "c,1,x,256,deferred,14.26\n", 2, "variant \"deferred\"" },
	{ "another size", HEADER "a,1,x,256,base,1\nc,1,x,64,base,13.81\n", 3, "a region of 64 MB" },
	{ "a size with a tail", HEADER "c,1,x,256x,base,13.81\n", 2, "not a whole number" },
	{ "several processes", "cpu,procs,region_mb_each,variant,munmap_ms\nc,2,256,base,16\n", 2, "2 processes" },
	{ "a second row", HEADER "c,1,x,256,base,1\nd,1,x,256,base,1\nc,1,x,256,base,2\n", 4,
	  "a second row of c, after line 2" },
	{ "no time", HEADER "c,1,x,256,base,\n", 2, "munmap_ms \"\"" },
	{ "a time of nothing", HEADER "c,1,x,256,base,0.00\n", 2, "a positive number" },
	{ "a negative time", HEADER "c,1,x,256,base,-3\n", 2, "a positive number" },
	{ "a time with a tail", HEADER "c,1,x,256,base,3.1ms\n", 2, "a positive number" },
	{ "a short line", HEADER "c,1,x,256,base\n", 2, "5 fields; the header has 6" },
	{ "a long line", HEADER "c,1,x,256,base,3,4\n", 2, "7 fields" },
	{ "an empty line", HEADER "c,1,x,256,base,3\n\n", 3, "1 fields" },
	{ "no CPU", HEADER ",1,x,256,base,3\n", 2, "no CPU" },
	{ "no rows", HEADER, 1, "no rows" },
	{ "an empty file", "", 0, "no rows" },
	{ "a missing column", "cpu,region_mb,munmap_ms\nc,256,3\n", 1, "no column variant" },
	{ "no size", "cpu,variant,munmap_ms\nc,base,3\n", 1, "no column region_mb" },
	{ "too many columns", "a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a\n", 1, "17 columns" },
};

/* Expect status 2, and the line and the reason in the message. One wrong row is enough, whatever stands around it. */
Test(rows, refused)
{
	for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++) {
		const struct refusal *r = &refusals[i];
		struct calibrate_rows rows;
		char line[16];

		snprintf(line, sizeof(line), ":%u: ", r->line);
		cr_expect_eq(load_rows(r->text, &rows), 2, "%s", r->what);
		cr_expect_not_null(strstr(error, line), "%s: no \"%s\" in: %s", r->what, line, error);
		cr_expect_not_null(strstr(error, r->reason), "%s: no \"%s\" in: %s", r->what, r->reason, error);
		calibrate_rows_free(&rows);
	}
}

Test(rows, unreadable)
{
	struct calibrate_rows rows;

	cr_expect_eq(calibrate_rows_load("/nonexistent/rows.csv", &rows, error, sizeof(error)), 2);
	cr_expect_not_null(strstr(error, "/nonexistent/rows.csv: cannot be read"));
	calibrate_rows_free(&rows);
	/* Opens, but cannot be read. */
	cr_expect_eq(calibrate_rows_load("/tmp", &rows, error, sizeof(error)), 2);
	cr_expect_not_null(strstr(error, "cannot be read"), "%s", error);
	calibrate_rows_free(&rows);
}

/* ---- fits: of formulas, whose results are known ---- */

/* As a time depends on instructions per cycle: a part that does not, and one over it. */
static int over_x(void *arg, const double *x, double *ms)
{
	(*(int *)arg)++;
	*ms = 20 + 30 / x[0];
	return 0;
}

static struct fit fit_over_x(double measured, int *trials)
{
	return (struct fit){ .nr = 1, .figures = { { .sourced = 1.2, .low = 0.5, .high = 3 } }, .measured_ms = measured,
			     .deviation_ms = 1, .simulate = over_x, .arg = trials };
}

/*
 * 20 + 30/x = 40 at x = 1.5, where the slope is -30/1.5^2 = -13.3 (-13.43 between
 * the neighbours at 5 % of the range); so 1 ms of doubt is 1/13.43 = 0.0745.
 */
Test(fit, one_figure)
{
	int trials = 0;
	struct fit f = fit_over_x(40, &trials);

	cr_assert_eq(fit_run(&f), 0);
	cr_expect_float_eq(f.figures[0].fitted, 1.5, 0.002);
	cr_expect_float_eq(f.fitted_ms, 40, 0.02);
	cr_expect_float_eq(f.figures[0].slope, -13.43, 0.05);
	cr_expect_float_eq(f.figures[0].deviation, 0.0745, 0.0005);
	cr_expect_not(f.figures[0].at_end);
	/* Each is a run of half a second. */
	cr_expect_leq(trials, 20, "%d trials", trials);
}

/* 20 + 30/3 = 30 is the fastest that the range allows. Expect its end for 25 ms, and that it is said. */
Test(fit, out_of_reach)
{
	int trials = 0;
	struct fit f = fit_over_x(25, &trials);

	cr_assert_eq(fit_run(&f), 0);
	cr_expect_float_eq(f.figures[0].fitted, 3, 1e-9);
	cr_expect_float_eq(f.fitted_ms, 30, 1e-9);
	cr_expect(f.figures[0].at_end);

	/* And the slow end, 20 + 30/0.5 = 80, for 90 ms. */
	f = fit_over_x(90, &trials);
	cr_assert_eq(fit_run(&f), 0);
	cr_expect_float_eq(f.figures[0].fitted, 0.5, 1e-9);
	cr_expect(f.figures[0].at_end);
}

/* 30 ms are reached exactly at the end of the range: nothing wants further out. */
Test(fit, exactly_at_the_end)
{
	int trials = 0;
	struct fit f = fit_over_x(30, &trials);

	cr_assert_eq(fit_run(&f), 0);
	cr_expect_float_eq(f.figures[0].fitted, 3, 0.002);
	cr_expect_not(f.figures[0].at_end);
}

static int constant(void *arg, const double *x, double *ms)
{
	(void)arg;
	/* Less than a tenth of the row's deviation. */
	*ms = 40 + x[0] * 0.01;
	return 0;
}

static int broken(void *arg, const double *x, double *ms)
{
	(void)x;
	*ms = 40;
	return ++*(int *)arg > 3 ? 7 : 0;
}

/* A figure without effect cannot be fitted, alone or in a pair; a trial that fails ends the fit with its status. */
Test(fit, no_result)
{
	int trials = 0;
	struct fit f = fit_over_x(40, &trials);

	f.simulate = constant;
	cr_expect_eq(fit_run(&f), FIT_FLAT);
	f.nr = 2;
	f.figures[0].width = 1;
	f.figures[1] = (struct fit_figure){ .sourced = 1, .width = 1, .low = 0, .high = 2 };
	cr_expect_eq(fit_run(&f), FIT_FLAT);
	f.simulate = broken;
	cr_expect_eq(fit_run(&f), 7);
	f.nr = 1;
	trials = 0;
	f.simulate = over_x;
	cr_expect_eq(fit_run(&f), 0);
	f.simulate = broken;
	trials = 3;
	cr_expect_eq(fit_run(&f), 7);
}

static int plane(void *arg, const double *x, double *ms)
{
	(*(int *)arg)++;
	*ms = 10 + 2 * x[0] + x[1];
	return 0;
}

static struct fit fit_plane(double measured, int *trials)
{
	return (struct fit){ .nr = 2, .measured_ms = measured, .deviation_ms = 1, .simulate = plane, .arg = trials,
			     .figures = { { .sourced = 5, .width = 1, .low = 0, .high = 10 },
					  { .sourced = 4, .width = 2, .low = 0, .high = 10 } } };
}

/*
 * 10 + 2x + y with x = 5 +- 1 and y = 4 +- 2 is 24; measured 28 +- 1. By hand,
 * as for every linear problem: the gap of 4 is shared as the variances of
 * y (4), 2x (4) and the measurement (1): x + 8/9, y + 16/9, 4/9 stay.
 * Variances 1 - 4/9 and 4 - 16/9, covariance -8/9: a correlation of -0.8.
 */
Test(fit, two_figures)
{
	int trials = 0;
	struct fit f = fit_plane(28, &trials);

	cr_assert_eq(fit_run(&f), 0);
	cr_expect_float_eq(f.figures[0].fitted, 5 + 8 / 9.0, 0.1);
	cr_expect_float_eq(f.figures[1].fitted, 4 + 16 / 9.0, 0.2);
	cr_expect_float_eq(f.fitted_ms, 28 - 4 / 9.0, 0.1);
	cr_expect_float_eq(f.figures[0].deviation, sqrt(5 / 9.0), 1e-4);
	cr_expect_float_eq(f.figures[1].deviation, sqrt(20 / 9.0), 1e-4);
	cr_expect_float_eq(f.correlation, -0.8, 1e-4);
	cr_expect_leq(trials, 60, "%d trials", trials);
}

/* 10 + 20 + 10 is all that the ranges allow. Expect both ends for 80 ms. */
Test(fit, two_out_of_reach)
{
	int trials = 0;
	struct fit f = fit_plane(80, &trials);

	cr_assert_eq(fit_run(&f), 0);
	cr_expect_float_eq(f.figures[0].fitted, 10, 0.05);
	cr_expect_float_eq(f.figures[1].fitted, 10, 0.05);
	cr_expect_leq(f.figures[0].fitted, 10);
}

/* ---- profiles as trees ---- */

/* The tests of trees work in a directory of their own each. */
static void enter_directory(void)
{
	char directory[] = "/tmp/zsmsim-calibrate-XXXXXX";

	cr_assert_not_null(mkdtemp(directory));
	cr_assert_eq(chdir(directory), 0);
}

static void leave_directory(void)
{
	char directory[64];

	cr_assert_not_null(getcwd(directory, sizeof(directory)));
	cr_assert_eq(rmdir(directory), 0, "files were left");
}

TestSuite(tree, .init = enter_directory, .fini = leave_directory);

static struct profile *load(const char *name)
{
	struct profile *p = profile_load(name, error, sizeof(error));

	cr_assert_not_null(p, "%s", error);
	return p;
}

/* Written as it is, a profile is the same one by another name. */
Test(tree, writes_what_it_read)
{
	struct profile *before = load("cortex-a76"), *after;
	struct profile_tree t;

	cr_assert_eq(profile_tree_open(&t, "cortex-a76", error, sizeof(error)), 0);
	cr_expect_str_eq(t.name, "cortex-a76");
	cr_assert_eq(profile_tree_write(&t, "copy.json", error, sizeof(error)), 0, "%s", error);
	after = load("copy.json");
	cr_expect_str_eq(after->name, "copy");
	cr_expect_eq(after->nr_work, before->nr_work);
	for (unsigned i = 0; i < before->nr_work; i++)
		cr_expect_eq(profile_work(after, before->work[i].name)->ps, before->work[i].ps);
	/* All figures stand between the texts at the beginning and the work items. */
	cr_expect_arr_eq(&after->cycle_ps, &before->cycle_ps,
			 offsetof(struct profile, work) - offsetof(struct profile, cycle_ps));
	unlink("copy.json");
	profile_free(before);
	profile_free(after);
	profile_tree_close(&t);
}

Test(tree, figures)
{
	struct profile_tree t;
	struct tree_figure ipc, syscall, window;
	struct profile *p;

	cr_assert_eq(profile_tree_open(&t, "cortex-a55", error, sizeof(error)), 0);
	cr_assert(profile_tree_figure(&t, "ipc", &ipc));
	cr_assert(profile_tree_figure(&t, "work.syscall", &syscall));
	cr_assert(profile_tree_figure(&t, "window", &window));
	cr_expect_not(profile_tree_figure(&t, "syscall", &ipc));
	cr_expect_not(profile_tree_figure(&t, "work.", &ipc));
	cr_expect(tree_figure_is_continuous("ipc", &ipc));
	cr_expect(tree_figure_is_continuous("work.syscall", &syscall));
	cr_expect_not(tree_figure_is_continuous("window", &window));
	/* What is set is what the machine gets. */
	tree_figure_set(&ipc, "low", 0.75);
	tree_figure_set(&ipc, "value", 0.75);
	cr_assert_eq(profile_tree_write(&t, "figures.json", error, sizeof(error)), 0, "%s", error);
	p = load("figures.json");
	cr_expect_eq(p->ipc_milli, 750);
	unlink("figures.json");
	profile_free(p);
	profile_tree_close(&t);
}

Test(tree, failures)
{
	struct profile_tree t;

	cr_expect_eq(profile_tree_open(&t, "no-such-cpu", error, sizeof(error)), 2);
	cr_expect_not_null(strstr(error, "\"no-such-cpu\" is unknown"), "%s", error);
	profile_tree_close(&t);
	cr_assert_eq(profile_tree_open(&t, "cortex-a55", error, sizeof(error)), 0);
	cr_expect_eq(profile_tree_write(&t, "/nonexistent/x.json", error, sizeof(error)), 1);
	cr_expect_not_null(strstr(error, "/nonexistent/x.json: "), "%s", error);
	profile_tree_close(&t);
}

/* ---- sensitivity ---- */

/*
 *              result 0 (1000)          result 1 (2000)
 *  small       -1 % at low, +2 % high    0, 0
 *  large       +3 % at low,  0           -10 % at low, +4 % high
 *  one-sided   +4 % at low, +1 % high    0, -7.5 %
 *  no end      neither was tried; what stands there is no result
 *
 * Expect large (10 %), one-sided (7.5 %), small (2 %), no end. Bands: result 0
 * goes down by 1 and up by the root of 2^2 + 3^2 + 4^2 = 5.39 (one-sided counts
 * once), result 1 down by the root of 10^2 + 7.5^2 = 12.5 and up by 4.
 */
Test(sensitivity, ranks_and_bands)
{
	struct sensitivity_figure figures[] = {
		{ .name = "no end", .ps = { { 5000, 5000 }, { 5000, 5000 } } },
		{ .name = "small", .tried = { true, true }, .ps = { { 990, 2000 }, { 1020, 2000 } } },
		{ .name = "large", .tried = { true, true }, .ps = { { 1030, 1800 }, { 1000, 2080 } } },
		{ .name = "one-sided", .tried = { true, true }, .ps = { { 1040, 2000 }, { 1010, 1850 } } },
	};
	const char *const order[] = { "large", "one-sided", "small", "no end" };
	struct sensitivity s = { .nr_results = 2, .ps = { 1000, 2000 }, .figures = figures, .nr = 4 };
	struct sensitivity_band band;

	cr_expect_eq(sensitivity_largest(&s, &figures[0]), 0);
	cr_expect_eq(sensitivity_largest(&s, &figures[2]), 1000);
	sensitivity_rank(&s);
	for (size_t i = 0; i < 4; i++)
		cr_expect_str_eq(s.figures[i].name, order[i]);
	band = sensitivity_band(&s, 0);
	cr_expect_eq(band.down, 100);
	cr_expect_eq(band.up, 539);
	band = sensitivity_band(&s, 1);
	cr_expect_eq(band.down, 1250);
	cr_expect_eq(band.up, 400);
}

/* Half a hundredth of a per cent goes away from zero, on both sides. */
Test(sensitivity, changes_are_rounded)
{
	cr_expect_eq(sensitivity_change(1000000, 1000050), 1);
	cr_expect_eq(sensitivity_change(1000000, 999950), -1);
	cr_expect_eq(sensitivity_change(1000000, 1000049), 0);
	cr_expect_eq(sensitivity_change(1000000, 1000000), 0);
}
