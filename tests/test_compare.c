/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_compare.c - ratios, their intervals, and the tables they are printed in. */
#include <criterion/criterion.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/compare.h"
#include "reports/grid.h"
#include "reports/matrix.h"
#include "reports/ratio.h"

static struct matrix_cell cell_of(size_t nr, const int64_t *values)
{
	struct matrix_cell cell = { 0 };

	for (size_t i = 0; i < nr; i++)
		matrix_cell_add(&cell, i + 1, values[i], 9);
	return cell;
}

/* ---- ratios ---- */

/*
 * Baseline 100, 100, 100; variant 50, 55, 60. By hand: mean of the logarithms
 * -0.60060, standard deviation 0.09121, t(0.975; 2) = 4.30265, so
 * exp(-0.60060 -+ 4.30265 x 0.09121 / sqrt 3) = 0.43730 .. 0.68793.
 */
Test(ratio, paired_t_interval)
{
	struct matrix_cell base = cell_of(3, (int64_t[]){ 100, 100, 100 });
	struct matrix_cell cell = cell_of(3, (int64_t[]){ 50, 55, 60 });
	struct ratio r = ratio_of(&base, &cell);

	cr_expect_eq(r.test, RATIO_PAIRED_T);
	cr_expect_eq(r.seeds, 3);
	cr_expect_float_eq(r.ratio, 0.54848066, 1e-7);
	cr_expect_float_eq(r.low, 0.43729932, 1e-7);
	cr_expect_float_eq(r.high, 0.68792933, 1e-7);
	free(base.values);
	free(cell.values);
}

/*
 * The seeds differ by a factor of 1000, the variants by exactly 2. Pairing
 * must see that: expect no width at all, which unpaired values would not give.
 */
Test(ratio, pairs_by_seed)
{
	struct matrix_cell base = { 0 }, cell = { 0 };
	struct ratio r;

	matrix_cell_add(&base, 1, 2000, 9);
	matrix_cell_add(&base, 2, 2000000, 9);
	matrix_cell_add(&cell, 2, 1000000, 9);
	matrix_cell_add(&cell, 1, 1000, 9);
	/* A seed that the baseline has not is not used. */
	matrix_cell_add(&cell, 3, 1, 9);
	r = ratio_of(&base, &cell);
	cr_expect_eq(r.seeds, 2);
	cr_expect_float_eq(r.ratio, 0.5, 1e-12);
	cr_expect_float_eq(r.high - r.low, 0, 1e-9);
	free(base.values);
	free(cell.values);
}

/* One seed is exact; a value without a logarithm, or no seed in common, gives no ratio. */
Test(ratio, other_cases)
{
	struct matrix_cell base = cell_of(1, (int64_t[]){ 400 }), one = cell_of(1, (int64_t[]){ 100 });
	struct matrix_cell zero = cell_of(1, (int64_t[]){ 0 }), none = { 0 };

	cr_expect_eq(ratio_of(&base, &one).test, RATIO_EXACT);
	cr_expect_float_eq(ratio_of(&base, &one).ratio, 0.25, 1e-12);
	cr_expect_eq(ratio_of(&base, &zero).test, RATIO_NONE);
	cr_expect_eq(ratio_of(&zero, &one).test, RATIO_NONE);
	cr_expect_eq(ratio_of(&none, &one).test, RATIO_NONE);
	cr_expect_eq(ratio_of(&one, &none).test, RATIO_NONE);
	free(base.values);
	free(one.values);
	free(zero.values);
}

/* ---- matrix and grid ---- */

Test(matrix, means_and_marks)
{
	struct matrix_cell cell = cell_of(2, (int64_t[]){ 1000000000, 2000000001 }), none = { 0 };

	/* 1500000000.5 picoseconds round to ...001. */
	cr_expect_str_eq(matrix_text(&cell, 9).text, "1.500000001");
	cr_expect_str_eq(matrix_text(&cell, 3).text, "1.500");
	cr_expect_str_eq(matrix_text(&none, 3).text, "-");
	cell.fault = true;
	cr_expect_str_eq(matrix_text(&cell, 3).text, "fault");
	free(cell.values);
}

/* The baseline is what was wanted, else base wherever it stands, else the first. */
Test(matrix, baseline)
{
	struct matrix m = { 0 };

	matrix_cell(&m, "p", "procs=1", "deferred");
	cr_expect_eq(matrix_baseline(&m, NULL), 0);
	matrix_cell(&m, "p", "procs=1", "base");
	cr_expect_eq(matrix_baseline(&m, NULL), 1);
	cr_expect_eq(matrix_baseline(&m, "deferred"), 0);
	cr_expect_eq(matrix_baseline(&m, "nothing"), m.nr_variants);
	matrix_free(&m);
}

static char *print_grid(struct grid *g)
{
	char *text = NULL;
	size_t nr;
	FILE *out = open_memstream(&text, &nr);

	grid_print(g, out);
	fclose(out);
	grid_free(g);
	return text;
}

/*
 * Labels of text at the left, numbers at the right, headings of groups over
 * the end of their columns, and no blank at the end of a line.
 */
Test(grid, aligns)
{
	struct grid g = { 0 };
	char *text;

	grid_column(&g, NULL, "cpu", true);
	grid_column(&g, "a long heading", "ms", false);
	grid_column(&g, "b", "ms", false);
	grid_column(&g, "b", "x", false);
	for (int i = 0; i < 8; i++)
		grid_cell(&g, (const char *[]){ "a55", "1.5", "10", "2x", "i7-1", "100.25", "9", "" }[i]);
	text = print_grid(&g);
	cr_expect_str_eq(text, "      a long heading      b\n"
			       "cpu               ms  ms  x\n"
			       "a55              1.5  10 2x\n"
			       "i7-1          100.25   9\n");
	free(text);
}

/* Three groups of 40 characters do not fit 100: expect two parts, both with labels, none too wide. */
Test(grid, splits_what_is_too_wide)
{
	struct grid g = { 0 };
	unsigned parts = 0;
	char *text, *line, *rest;

	grid_column(&g, NULL, "cpu", true);
	for (int i = 0; i < 3; i++)
		grid_column(&g, (const char *[]){ "a", "b", "c" }[i], "0123456789012345678901234567890123456789", false);
	for (int i = 0; i < 4; i++)
		grid_cell(&g, "v");
	text = print_grid(&g);
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		parts += !strncmp(line, "cpu ", 4);
		cr_expect(strlen(line) <= GRID_WIDTH);
	}
	cr_expect_eq(parts, 2);
	free(text);
}

/* ---- from a database ---- */

static char directory[] = "/tmp/zsmsim-cmp-XXXXXX";
static char path[64], csv_path[64], error[1024];
static struct db db;

static void store(unsigned seed, char *variant, int64_t munmap_ps)
{
	struct run_spec spec = { .scenario = "s", .variant = variant, .profile = "p", .seed = seed,
				 .params = "procs=1", .variant_text = "{}", .scenario_text = "{}" };
	struct planned run = { .spec = &spec, .clusters = "[]", .profile_text = "[]" };
	struct plan plan = { .at = &run, .nr = 1 };
	struct result r = { 0 };

	snprintf(run.identity, sizeof(run.identity), "%s %u", variant, seed);
	result_add_metric(&r, "munmap_ms", "ms", "p0", 2 * munmap_ps, 9);
	result_add_metric(&r, "munmap_ms", "ms", "mean", munmap_ps, 9);
	result_add_metric(&r, "lock_wait_ms", "ms", "class lock", 0, 9);
	cr_assert_eq(db_plan(&db, &plan), 0);
	cr_assert_eq(db_store(&db, &run, "argv", &r), 0);
	result_free(&r);
}

static void set_up(void)
{
	cr_assert_not_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/x.db", directory);
	snprintf(csv_path, sizeof(csv_path), "%s/x.csv", directory);
	cr_assert_eq(db_open_for_runs(&db, path), 0);
}

static void tear_down(void)
{
	db_close(&db);
	unlink(path);
	unlink(csv_path);
	rmdir(directory);
}

TestSuite(compare, .init = set_up, .fini = tear_down);

static char *compare(const struct compare_options *options, int expected)
{
	char *text = NULL;
	size_t nr;
	FILE *out = open_memstream(&text, &nr);

	cr_expect_eq(compare_print(&db, options, out, error, sizeof(error)), expected, "%s", error);
	fclose(out);
	return text;
}

/* 4 ms against 1 ms, one seed. The table as a user sees it. */
Test(compare, one_seed)
{
	struct compare_options options = { .metric = "munmap_ms", .csv = csv_path };
	char *text, csv[512];
	FILE *file;

	store(1, "base", 4000000000);
	store(1, "deferred", 1000000000);
	text = compare(&options, 0);
	cr_expect_str_eq(text,
		"s: munmap_ms (mean) in ms, and its ratio to base\n"
		"\n"
		"                 base     deferred\n"
		"profile  procs  value  value ratio\n"
		"p            1  4.000  1.000 0.250\n"
		"\n"
		"exact (one seed): the same input gives the same figure, so there is no interval\n");
	free(text);
	file = fopen(csv_path, "r");
	cr_assert_not_null(file);
	csv[fread(csv, 1, sizeof(csv) - 1, file)] = '\0';
	fclose(file);
	cr_expect_str_eq(csv,
		"scenario,profile,params,metric,unit,stat,variant,baseline,seeds,value,ratio,low,high,test\n"
		"s,p,procs=1,munmap_ms,ms,mean,base,base,1,4.000000000,1.000000,,,exact (one seed)\n"
		"s,p,procs=1,munmap_ms,ms,mean,deferred,base,1,1.000000000,0.250000,,,exact (one seed)\n");
}

/*
 * Several seeds bring an interval and the name of its test; another baseline
 * turns the ratio over. Ratios 4.001, 4.002, 4.003: 4.002 -+ 4.303 x 0.001 /
 * sqrt 3, so 3.9995 .. 4.0045.
 */
Test(compare, several_seeds_and_a_baseline)
{
	struct compare_options options = { .metric = "munmap_ms", .baseline = "deferred" };
	char *text;

	for (unsigned seed = 1; seed <= 3; seed++) {
		store(seed, "base", 4000000000 + seed * 1000000);
		store(seed, "deferred", 1000000000);
	}
	text = compare(&options, 0);
	cr_expect_not_null(strstr(text, "ratio to deferred"));
	cr_expect_not_null(strstr(text, "4.002 4.000 .. 4.004"), "%s", text);
	cr_expect_not_null(strstr(text, "paired t on log ratios (3 seeds)"));
	free(text);
}

/* A stat can be named; a metric whose stats are names of things shows each. */
Test(compare, stats)
{
	struct compare_options options = { .metric = "munmap_ms/p0" };
	char *text;

	store(1, "base", 4000000000);
	text = compare(&options, 0);
	cr_expect_not_null(strstr(text, "munmap_ms (p0)"));
	cr_expect_not_null(strstr(text, "8.000"));
	free(text);
	options.metric = "lock_wait_ms";
	text = compare(&options, 0);
	cr_expect_not_null(strstr(text, "lock_wait_ms (class lock)"));
	free(text);
}

/* What is not there is a wrong input, and the nearest that is there is named. */
Test(compare, refuses_unknown_names)
{
	struct compare_options options = { .metric = "munmap_m" };
	char line[256];

	free(compare(&options, 2));
	snprintf(line, sizeof(line), "zsmsim: %s: no finished run in it; make one with zsmsim run", path);
	cr_expect_str_eq(error, line);
	store(1, "base", 4000000000);
	free(compare(&options, 2));
	snprintf(line, sizeof(line), "zsmsim: %s: no metric \"munmap_m\" in it; the nearest is \"munmap_ms\"", path);
	cr_expect_str_eq(error, line);
	options = (struct compare_options){ .metric = "munmap_ms", .baseline = "bse", .csv = csv_path };
	free(compare(&options, 2));
	snprintf(line, sizeof(line), "zsmsim: %s: no variant \"bse\" in it; the nearest is \"base\"", path);
	cr_expect_str_eq(error, line);
	/* No CSV is left of a comparison that failed. */
	cr_expect_eq(access(csv_path, F_OK), -1);
}
