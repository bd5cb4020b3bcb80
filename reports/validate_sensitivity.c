/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validate_sensitivity.c - running, ranking and printing (see validate_sensitivity.h). */
#include "reports/validate_sensitivity.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/calibrate_profile.h"
#include "reports/calibrate_trial.h"
#include "reports/csv.h"
#include "reports/decimal.h"
#include "reports/grid.h"
#include "reports/published.h"
#include "scenarios/mem.h"
#include "sim/profile.h"

#define LINE_BYTES 1024
#define REGION_MB 64			/* the smallest published; the order of figures is that of the others */
#define JUMP_MIN 100			/* hundredths of a per cent: less is not worth a word */
#define NAME_CHARS 40			/* of a figure's name in the name of its trial's profile */

static const char *const variants[] = { "base", "deferred", "deferred+percpu-stats" };

#define NR_VARIANTS (sizeof(variants) / sizeof(*variants))

_Static_assert(NR_VARIANTS <= SENSITIVITY_RESULTS_MAX, "a result per variant");

/* ---- the arithmetic ---- */

int64_t sensitivity_change(int64_t base, int64_t ps)
{
	int64_t difference = (ps - base) * 10000;

	return (difference + (difference < 0 ? -base : base) / 2) / base;
}

int64_t sensitivity_largest(const struct sensitivity *s, const struct sensitivity_figure *figure)
{
	int64_t largest = 0;

	for (int end = 0; end < NR_ENDS; end++) {
		for (size_t i = 0; figure->tried[end] && i < s->nr_results; i++) {
			int64_t change = llabs(sensitivity_change(s->ps[i], figure->ps[end][i]));

			largest = change > largest ? change : largest;
		}
	}
	return largest;
}

/* Insertion: stable, and there are some dozens. */
void sensitivity_rank(struct sensitivity *s)
{
	for (size_t i = 1; i < s->nr; i++) {
		struct sensitivity_figure figure = s->figures[i];
		int64_t largest = sensitivity_largest(s, &figure);
		size_t at = i;

		for (; at && sensitivity_largest(s, &s->figures[at - 1]) < largest; at--)
			s->figures[at] = s->figures[at - 1];
		s->figures[at] = figure;
	}
}

/* The larger of the figure's changes of one result to one side. */
static double change_to(const struct sensitivity *s, const struct sensitivity_figure *figure, size_t result, int sign)
{
	int64_t most = 0;

	for (int end = 0; end < NR_ENDS; end++) {
		int64_t change = figure->tried[end] ?
				 sign * sensitivity_change(s->ps[result], figure->ps[end][result]) : 0;

		most = change > most ? change : most;
	}
	return (double)most;
}

struct sensitivity_band sensitivity_band(const struct sensitivity *s, size_t result)
{
	double down = 0, up = 0;

	for (size_t i = 0; i < s->nr; i++) {
		down += pow(change_to(s, &s->figures[i], result, -1), 2);
		up += pow(change_to(s, &s->figures[i], result, 1), 2);
	}
	return (struct sensitivity_band){ llround(sqrt(down)), llround(sqrt(up)) };
}

void sensitivity_free(struct sensitivity *s)
{
	for (size_t i = 0; i < s->nr; i++) {
		free(s->figures[i].name);
		free(s->figures[i].unit);
		free(s->figures[i].why_not);
	}
	free(s->figures);
	free(s->profile);
	*s = (struct sensitivity){ 0 };
}

/* ---- the trials ---- */

struct mode {
	const struct validate_options *options;
	struct trials trials;
	struct csv csv;
	char error[LINE_BYTES];
};

/* Files to be run, and where the results of each go: NR_VARIANTS of them. */
struct batch {
	const char **files;
	int64_t **results;
	size_t nr;
};

static void add_to_batch(struct batch *b, const char *file, int64_t *results)
{
	b->files = scn_grow(b->files, b->nr, sizeof(*b->files));
	b->results = scn_grow(b->results, b->nr, sizeof(*b->results));
	b->files[b->nr] = file;
	b->results[b->nr++] = results;
}

/* "a76_ipc_low": a name that no profile has and that a message may show. */
static char *trial_name(const char *profile, const char *figure, const char *end)
{
	char *name = scn_printf("%.12s_%.*s_%s", profile, NAME_CHARS, figure, end);

	for (char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '-')
			*c = '_';
	return name;
}

static int write_trial(struct mode *m, struct profile_tree *tree, const char *figure, const char *end,
		       const char **file)
{
	/* The number keeps names apart that were cut or changed. */
	char *name = trial_name(tree->name, figure, end), *numbered = scn_printf("t%zu_%s", m->trials.nr_files, name);
	int status;

	*file = trials_file(&m->trials, numbered);
	status = profile_tree_write(tree, *file, m->error, sizeof(m->error));
	free(name);
	free(numbered);
	return status;
}

/* Can the loader read it? Otherwise its reason is kept, without the temporary file's name. */
static bool is_loadable(const char *file, char **why_not)
{
	char line[LINE_BYTES] = "";
	struct profile *p = profile_load(file, line, sizeof(line));
	const char *reason = strstr(line, ": ");

	if (!p && !*why_not)
		*why_not = scn_strdup(reason ? reason + 2 : line);
	profile_free(p);
	return p;
}

static int plan_end(struct mode *m, struct profile_tree *tree, struct tree_figure *figure,
		    struct sensitivity_figure *out, enum sensitivity_end end, struct batch *batch)
{
	const char *file;
	int status;

	out->at[end] = end == END_LOW ? figure->low : figure->high;
	if (out->at[end] == out->value)
		return 0;
	tree_figure_set(figure, "value", out->at[end]);
	status = write_trial(m, tree, out->name, end == END_LOW ? "low" : "high", &file);
	tree_figure_set(figure, "value", out->value);
	if (status || !is_loadable(file, &out->why_not))
		return status;
	out->tried[end] = true;
	add_to_batch(batch, file, out->ps[end]);
	return 0;
}

/* All figures of which sources differ; s->figures is complete before results go into it. */
static void list_figures(struct sensitivity *s, const struct profile_tree *tree)
{
	char **names = profile_tree_names(tree), **name;
	struct tree_figure figure;

	for (name = names; *name; name++) {
		if (!profile_tree_figure(tree, *name, &figure) || figure.low == figure.high) {
			free(*name);
			continue;
		}
		s->figures = scn_grow(s->figures, s->nr, sizeof(*s->figures));
		s->figures[s->nr++] = (struct sensitivity_figure){
			.name = *name, .unit = scn_strdup(figure.unit), .value = figure.value,
		};
	}
	free(names);
}

static int plan_trials(struct mode *m, struct profile_tree *tree, struct sensitivity *s, struct batch *batch)
{
	const char *file;
	int status = write_trial(m, tree, "as", "is", &file);

	add_to_batch(batch, file, s->ps);
	for (size_t i = 0; status == 0 && i < s->nr; i++) {
		struct tree_figure figure;

		profile_tree_figure(tree, s->figures[i].name, &figure);
		for (int end = 0; status == 0 && end < NR_ENDS; end++)
			status = plan_end(m, tree, &figure, &s->figures[i], end, batch);
	}
	return status;
}

static int run_batch(struct mode *m, struct batch *batch)
{
	int64_t *ps = scn_zalloc(batch->nr * NR_VARIANTS, sizeof(*ps));
	int status = trials_run(&m->trials, batch->files, batch->nr, variants, NR_VARIANTS, REGION_MB, ps, m->error,
				sizeof(m->error));

	for (size_t i = 0; status == 0 && i < batch->nr; i++)
		memcpy(batch->results[i], &ps[i * NR_VARIANTS], NR_VARIANTS * sizeof(*ps));
	free(ps);
	return status;
}

/* Fill @s for profile @name; free it in either case. */
static int measure(struct mode *m, const char *name, struct sensitivity *s)
{
	struct profile_tree tree;
	struct batch batch = { 0 };
	int status = profile_tree_open(&tree, name, m->error, sizeof(m->error));

	*s = (struct sensitivity){ .nr_results = NR_VARIANTS };
	if (status == 0) {
		s->profile = scn_strdup(tree.name);
		list_figures(s, &tree);
		status = plan_trials(m, &tree, s, &batch);
	}
	if (status == 0)
		status = run_batch(m, &batch);
	if (status == 0)
		sensitivity_rank(s);
	profile_tree_close(&tree);
	free(batch.files);
	free(batch.results);
	return status;
}

/* ---- printing ---- */

static char *change_text(const struct sensitivity *s, const struct sensitivity_figure *f, int end, size_t result)
{
	int64_t change = f->tried[end] ? sensitivity_change(s->ps[result], f->ps[end][result]) : 0;

	if (!f->tried[end])
		return scn_strdup("-");
	return scn_printf("%s%s", change > 0 ? "+" : "", decimal_exact(change, 2).text);
}

static void take_cell(struct grid *g, char *text)
{
	grid_cell(g, text);
	free(text);
}

static void print_row(const struct sensitivity *s, const struct sensitivity_figure *f, struct grid *g)
{
	grid_cell(g, f->name);
	take_cell(g, scn_printf("%g", f->at[END_LOW]));
	take_cell(g, scn_printf("%g", f->value));
	take_cell(g, scn_printf("%g", f->at[END_HIGH]));
	/* The long one would break the table in two. */
	grid_cell(g, strcmp(f->unit, "instructions/cycle") ? f->unit : "1/cycle");
	for (size_t result = 0; result < s->nr_results; result++)
		for (int end = 0; end < NR_ENDS; end++)
			take_cell(g, change_text(s, f, end, result));
}

static void print_ranking(const struct sensitivity *s)
{
	struct grid g = { 0 };

	grid_column(&g, NULL, "figure", true);
	grid_column(&g, NULL, "low", false);
	grid_column(&g, NULL, "value", false);
	grid_column(&g, NULL, "high", false);
	grid_column(&g, NULL, "unit", true);
	for (size_t i = 0; i < s->nr_results; i++) {
		char *group = scn_printf("%s, %%", !strcmp(variants[i], "deferred+percpu-stats") ? "+percpu-stats" :
					 variants[i]);

		grid_column(&g, group, "low", false);
		grid_column(&g, group, "high", false);
		free(group);
	}
	for (size_t i = 0; i < s->nr && sensitivity_largest(s, &s->figures[i]); i++)
		print_row(s, &s->figures[i], &g);
	grid_print(&g, stdout);
	grid_free(&g);
}

/* The names of the figures that @wanted picks, if any, after @before. */
static void print_names(const struct sensitivity *s, const char *before,
			bool (*wanted)(const struct sensitivity *s, const struct sensitivity_figure *f))
{
	const char *separator = before;
	size_t column = 0;

	for (size_t i = 0; i < s->nr; i++) {
		if (!wanted(s, &s->figures[i]))
			continue;
		column += strlen(separator) + strlen(s->figures[i].name);
		if (separator != before && column > 98) {
			separator = ",\n  ";
			column = strlen(s->figures[i].name) + 2;
		}
		printf("%s%s", separator, s->figures[i].name);
		separator = ", ";
	}
	if (separator != before)
		puts(".");
}

static bool is_without_effect(const struct sensitivity *s, const struct sensitivity_figure *f)
{
	return (f->tried[END_LOW] || f->tried[END_HIGH]) && !sensitivity_largest(s, f);
}

static void print_skipped(const struct sensitivity *s)
{
	for (size_t i = 0; i < s->nr; i++)
		if (s->figures[i].why_not)
			printf("Left out: an end of %s: %s\n", s->figures[i].name, s->figures[i].why_not);
}

static void print_bands(const struct sensitivity *s)
{
	puts("The band, all figures together (root of the sum of squares, either side by itself):");
	for (size_t i = 0; i < s->nr_results; i++) {
		struct sensitivity_band band = sensitivity_band(s, i);

		printf("  %-22s %9s ms  -%s %% +%s %%\n", variants[i], decimal_round(s->ps[i], 9, 3).text,
		       decimal_round(band.down, 2, 1).text, decimal_round(band.up, 2, 1).text);
	}
}

/*
 * The smaller of a figure's two changes of a result, if both go the same way.
 * No slope does that: the figure has shifted who comes first where CPUs meet.
 */
static int64_t jump_of(const struct sensitivity *s, const struct sensitivity_figure *f, size_t result)
{
	int64_t low, high;

	if (!f->tried[END_LOW] || !f->tried[END_HIGH])
		return 0;
	low = sensitivity_change(s->ps[result], f->ps[END_LOW][result]);
	high = sensitivity_change(s->ps[result], f->ps[END_HIGH][result]);
	return (low < 0) != (high < 0) ? 0 : llabs(low) < llabs(high) ? llabs(low) : llabs(high);
}

static void print_jumps(const struct sensitivity *s)
{
	for (size_t i = 0; i < s->nr_results; i++) {
		int64_t largest = 0;
		size_t nr = 0;

		for (size_t k = 0; k < s->nr; k++) {
			int64_t jump = jump_of(s, &s->figures[k], i);

			nr += jump >= JUMP_MIN;
			largest = jump > largest ? jump : largest;
		}
		if (nr)
			printf("Jumps: %s moves the same way at both ends of %zu figure%s, by up to %s %%:\n"
			       "  its band and its ranking are no finer than that.\n", variants[i], nr,
			       nr > 1 ? "s" : "", decimal_round(largest, 2, 1).text);
	}
}

static void print(const struct sensitivity *s)
{
	printf("%s: change of munmap() of %d MB by one process, each figure by itself at its low and its high\n\n",
	       s->profile, REGION_MB);
	print_ranking(s);
	putchar('\n');
	print_names(s, "No effect here: ", is_without_effect);
	print_skipped(s);
	print_bands(s);
	print_jumps(s);
	putchar('\n');
	/* The next profile takes its time. */
	fflush(stdout);
}

/* ---- CSV ---- */

static void csv_number(struct csv *csv, double number)
{
	char text[40];

	snprintf(text, sizeof(text), "%.15g", number);
	csv_text(csv, text);
}

static void write_end(struct csv *csv, const struct sensitivity *s, const struct sensitivity_figure *f, int end)
{
	for (size_t i = 0; i < s->nr_results; i++) {
		csv_text(csv, s->profile);
		csv_text(csv, f->name);
		csv_text(csv, f->unit);
		csv_number(csv, f->value);
		csv_text(csv, end == END_LOW ? "low" : "high");
		csv_number(csv, f->at[end]);
		csv_text(csv, variants[i]);
		csv_text(csv, decimal_exact(f->ps[end][i], 9).text);
		csv_text(csv, decimal_exact(sensitivity_change(s->ps[i], f->ps[end][i]), 2).text);
		csv_end_line(csv);
	}
}

/* The band, as the ends of a figure called "all". */
static void write_band(struct csv *csv, const struct sensitivity *s, int end)
{
	for (size_t i = 0; i < s->nr_results; i++) {
		struct sensitivity_band band = sensitivity_band(s, i);

		csv_text(csv, s->profile);
		csv_text(csv, "all");
		csv_text(csv, NULL);
		csv_text(csv, NULL);
		csv_text(csv, end == END_LOW ? "down" : "up");
		csv_text(csv, NULL);
		csv_text(csv, variants[i]);
		csv_text(csv, decimal_exact(s->ps[i], 9).text);
		csv_text(csv, decimal_exact(end == END_LOW ? -band.down : band.up, 2).text);
		csv_end_line(csv);
	}
}

static void write_csv(struct csv *csv, const struct sensitivity *s)
{
	for (size_t i = 0; i < s->nr; i++)
		for (int end = 0; end < NR_ENDS; end++)
			if (s->figures[i].tried[end])
				write_end(csv, s, &s->figures[i], end);
	for (int end = 0; end < NR_ENDS; end++)
		write_band(csv, s, end);
}

static int open_csv(struct mode *m)
{
	static const char *const names[] = { "profile", "figure", "unit", "value", "end", "end_value", "variant",
					     "munmap_ms", "change_percent" };
	int status = csv_probe(m->options->csv, m->error, sizeof(m->error));

	if (status == 0)
		status = csv_open(&m->csv, m->options->csv, m->error, sizeof(m->error));
	if (status == 0)
		csv_header(&m->csv, names, sizeof(names) / sizeof(*names));
	return status;
}

/* ---- the profiles ---- */

static int one_profile(struct mode *m, const char *name)
{
	struct sensitivity s;
	int status = measure(m, name, &s);

	if (status == 0)
		print(&s);
	if (status == 0 && m->csv.stream)
		write_csv(&m->csv, &s);
	sensitivity_free(&s);
	return status;
}

static bool seen_before(const struct published_table *table, size_t cell)
{
	for (size_t i = 0; i < cell; i++)
		if (!strcmp(table->cells[i].profile, table->cells[cell].profile))
			return true;
	return false;
}

/* Each CPU of the published tables; the first has them all. */
static int published_profiles(struct mode *m)
{
	struct published_table table;
	int status = published_load("munmap-sizes", &table, m->error, sizeof(m->error));

	for (size_t i = 0; status == 0 && i < table.nr; i++)
		if (!seen_before(&table, i))
			status = one_profile(m, table.cells[i].profile);
	published_free(&table);
	return status;
}

static int finish_csv(struct mode *m, int status)
{
	if (!m->csv.stream)
		return status;
	if (status == 0)
		return csv_commit(&m->csv, m->error, sizeof(m->error));
	csv_discard(&m->csv);
	return status;
}

int validate_sensitivity(const struct validate_options *options)
{
	struct mode m = {
		.options = options,
		.trials = { .jobs = options->jobs, .progress = !options->quiet,
			    .command = "zsmsim validate --sensitivity" },
	};
	int status = options->csv ? open_csv(&m) : 0;

	if (status == 0) {
		status = trials_begin(&m.trials, m.error, sizeof(m.error));
		if (status == 0)
			status = options->profile ? one_profile(&m, options->profile) : published_profiles(&m);
		trials_end(&m.trials);
		status = finish_csv(&m, status);
	}
	if (status && *m.error)
		fprintf(stderr, "%s\n", m.error);
	return status;
}
