/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * calibrate.c - see calibrate.h.
 *
 * A figure is looked for between its sourced low and high. That a time cannot
 * be met there means that something else is wrong, so it is said and not
 * bent: going further has to be asked for, and is said again.
 */
#include "reports/calibrate.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/calibrate_profile.h"
#include "reports/calibrate_rows.h"
#include "reports/calibrate_trial.h"
#include "reports/grid.h"
#include "scenarios/mem.h"
#include "sim/profile.h"

#define LINE_BYTES 1024
#define BEYOND_FACTOR 4			/* how far --beyond goes: a quarter of low to four times high */
#define CALIBRATED_MAX 2		/* figures of one CPU, as the project's rule has it */
#define PS_PER_MS 1e9
#define PRINTED_MS 0.005		/* half of the last digit of a time that is printed with two */
#define NOTE_BEGIN "calibrated: "

struct trial {
	double values[FIT_FIGURES_MAX], ms;
};

struct calibration {
	const struct calibrate_options *options;
	struct profile_tree tree;
	struct tree_figure figures[FIT_FIGURES_MAX];
	double low[FIT_FIGURES_MAX], high[FIT_FIGURES_MAX];	/* as the profile has them */
	struct calibrate_rows rows;
	const struct calibrate_row *row;
	struct trials trials;
	const char *file;		/* of the trials' profile */
	struct fit fit;
	struct trial *tried;		/* the searches ask for some values twice */
	size_t nr_tried;
	char error[LINE_BYTES];
};

static int __attribute__((format(printf, 2, 3))) wrong(struct calibration *c, const char *format, ...)
{
	char what[LINE_BYTES - 32];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	snprintf(c->error, sizeof(c->error), "zsmsim: calibrate: %s", what);
	return 2;
}

static const char *name_of(const struct calibration *c, unsigned index)
{
	return c->options->figures[index];
}

static double measured_ms(const struct calibrate_row *row)
{
	return (double)row->us / 1000;
}

/* ---- before anything is run ---- */

static int load_figure(struct calibration *c, unsigned index)
{
	struct tree_figure *figure = &c->figures[index];
	const char *name = name_of(c, index);

	if (!profile_tree_figure(&c->tree, name, figure))
		return wrong(c, "--fit %.60s: %s has no such figure; zsmsim-profile(5) lists them", name,
			     c->tree.name);
	if (!tree_figure_is_continuous(name, figure))
		return wrong(c, "--fit %s: takes whole numbers only; fit a time, a rate, a clock or ipc",
			     name);
	c->low[index] = figure->low;
	c->high[index] = figure->high;
	if (figure->low < figure->high)
		return 0;
	if (!c->options->beyond)
		return wrong(c, "--fit %s: its low and high are the same, so there is nothing to fit; name another"
			     " figure, or let it leave its range with --beyond", name);
	if (c->options->nr_figures > 1)
		return wrong(c, "--fit %s: its low and high are the same, so it cannot be weighed against another;"
			     " fit it alone", name);
	return 0;
}

static int load_figures(struct calibration *c)
{
	unsigned nr = profile_tree_calibrated(&c->tree);
	int status = 0;

	for (unsigned i = 0; status == 0 && i < c->options->nr_figures; i++) {
		status = load_figure(c, i);
		if (status == 0)
			nr += !c->figures[i].calibrated;
	}
	if (status == 0 && nr > CALIBRATED_MAX)
		return wrong(c, "%s would have %u calibrated figures; at most %d per CPU: begin with the profile from"
			     " sources only", c->tree.name, nr, CALIBRATED_MAX);
	return status;
}

static int load_row(struct calibration *c)
{
	const char *cpu = c->options->cpu ? c->options->cpu : c->tree.name;
	int status = calibrate_rows_load(c->options->rows, &c->rows, c->error, sizeof(c->error));

	if (status)
		return status;
	c->row = calibrate_rows_of(&c->rows, cpu);
	if (c->row)
		return 0;
	return wrong(c, "%s: no row of %.60s; %s", c->rows.file, cpu,
		     c->options->cpu ? "name a CPU that has one" : "name the CPU whose row to use with --cpu");
}

static int load(struct calibration *c)
{
	int status = profile_tree_open(&c->tree, c->options->profile, c->error, sizeof(c->error));

	if (status == 0)
		status = load_figures(c);
	return status ? status : load_row(c);
}

/* ---- one trial ---- */

static void print_trial(struct calibration *c, const double *values, double ms)
{
	printf("  trial %2zu: ", c->nr_tried);
	for (unsigned i = 0; i < c->fit.nr; i++)
		printf(" %s %.6g", name_of(c, i), values[i]);
	printf(": %.3f ms, %+.2f %%\n", ms, (ms / c->fit.measured_ms - 1) * 100);
	/* Each takes a while; who watches wants to see them come. */
	fflush(stdout);
}

/* Give the tree these values, with ranges that hold them. */
static void set_values(struct calibration *c, const double *values)
{
	for (unsigned i = 0; i < c->options->nr_figures; i++) {
		tree_figure_set(&c->figures[i], "value", values[i]);
		tree_figure_set(&c->figures[i], "low", fmin(c->low[i], values[i]));
		tree_figure_set(&c->figures[i], "high", fmax(c->high[i], values[i]));
	}
}

static int run_trial(struct calibration *c, const double *values, double *ms)
{
	static const char *const variants[] = { CALIBRATE_VARIANT };
	int64_t ps = 0;
	int status;

	set_values(c, values);
	status = profile_tree_write(&c->tree, c->file, c->error, sizeof(c->error));
	if (status == 0)
		status = trials_run(&c->trials, &c->file, 1, variants, 1, CALIBRATE_REGION_MB, &ps, c->error,
				    sizeof(c->error));
	*ms = (double)ps / PS_PER_MS;
	return status;
}

static bool same_values(const struct calibration *c, const double *a, const double *b)
{
	for (unsigned i = 0; i < c->options->nr_figures; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

static int simulate(void *arg, const double *values, double *ms)
{
	struct calibration *c = arg;
	struct trial trial = { { 0 }, 0 };
	int status;

	for (size_t i = 0; i < c->nr_tried; i++) {
		if (same_values(c, c->tried[i].values, values)) {
			*ms = c->tried[i].ms;
			return 0;
		}
	}
	status = run_trial(c, values, &trial.ms);
	if (status)
		return status;
	memcpy(trial.values, values, c->options->nr_figures * sizeof(*values));
	c->tried = scn_grow(c->tried, c->nr_tried, sizeof(*c->tried));
	c->tried[c->nr_tried++] = trial;
	*ms = trial.ms;
	print_trial(c, values, *ms);
	return 0;
}

/* ---- the fit ---- */

static void set_range(struct calibration *c, unsigned index)
{
	struct fit_figure *fig = &c->fit.figures[index];
	struct tree_figure width;

	fig->sourced = c->figures[index].value;
	fig->low = c->low[index];
	fig->high = c->high[index];
	/* What lies anywhere between the two with equal chance has this standard deviation. */
	fig->width = (fig->high - fig->low) / sqrt(12);
	if (!c->options->beyond)
		return;
	fig->low /= BEYOND_FACTOR;
	fig->high *= BEYOND_FACTOR;
	/* More than it can issue no core executes; the loader would refuse it. */
	if (!strcmp(name_of(c, index), "ipc") && profile_tree_figure(&c->tree, "issue_width", &width))
		fig->high = fmin(fig->high, width.value);
}

static void prepare_fit(struct calibration *c)
{
	double ms = measured_ms(c->row), spread = ms * c->options->spread_percent / 100;

	c->fit = (struct fit){ .nr = c->options->nr_figures, .measured_ms = ms, .simulate = simulate, .arg = c };
	c->fit.deviation_ms = sqrt(spread * spread + PRINTED_MS * PRINTED_MS);
	for (unsigned i = 0; i < c->fit.nr; i++)
		set_range(c, i);
}

static int run_fit(struct calibration *c)
{
	double sourced[FIT_FIGURES_MAX], before;
	int status;

	c->file = trials_file(&c->trials, "trial");
	prepare_fit(c);
	for (unsigned i = 0; i < c->fit.nr; i++)
		sourced[i] = c->fit.figures[i].sourced;
	printf("%s, as it is, then with other values of %s%s%s:\n", c->tree.name, name_of(c, 0),
	       c->fit.nr > 1 ? " and " : "", c->fit.nr > 1 ? name_of(c, 1) : "");
	status = simulate(c, sourced, &before);
	if (status == 0)
		status = fit_run(&c->fit);
	if (status == FIT_FLAT) {
		snprintf(c->error, sizeof(c->error), "zsmsim: %s:%u: does not depend on %s%s%s; fit another figure",
			 c->rows.file, c->row->line, name_of(c, 0), c->fit.nr > 1 ? " or " : "",
			 c->fit.nr > 1 ? name_of(c, 1) : "");
		return 2;
	}
	if (status == FIT_LOST) {
		wrong(c, "the fit found no end; fit another figure, or one alone");
		return 1;
	}
	return status;
}

/* ---- what came out ---- */

/* Takes @text over. */
static void cell(struct grid *g, char *text)
{
	grid_cell(g, text);
	free(text);
}

static bool is_outside(const struct calibration *c, unsigned index)
{
	double fitted = c->fit.figures[index].fitted;

	return fitted < c->low[index] || fitted > c->high[index];
}

static void print_figures(const struct calibration *c)
{
	struct grid g = { 0 };

	grid_column(&g, NULL, "figure", true);
	grid_column(&g, "sourced", "value", false);
	grid_column(&g, "sourced", "low", false);
	grid_column(&g, "sourced", "high", false);
	grid_column(&g, "fitted", "value", false);
	grid_column(&g, "fitted", "+-", false);
	grid_column(&g, "fitted", "from sourced, %", false);
	grid_column(&g, "", "unit", true);
	grid_column(&g, "", "range", true);
	for (unsigned i = 0; i < c->fit.nr; i++) {
		const struct fit_figure *fig = &c->fit.figures[i];

		grid_cell(&g, name_of(c, i));
		cell(&g, scn_printf("%.4g", fig->sourced));
		cell(&g, scn_printf("%.4g", c->low[i]));
		cell(&g, scn_printf("%.4g", c->high[i]));
		cell(&g, scn_printf("%.4g", fig->fitted));
		cell(&g, scn_printf("%.2g", fig->deviation));
		cell(&g, scn_printf("%+.1f", (fig->fitted / fig->sourced - 1) * 100));
		grid_cell(&g, c->figures[i].unit);
		grid_cell(&g, is_outside(c, i) ? "OUTSIDE" : fig->at_end ? "AT ITS END" : "within");
	}
	grid_print(&g, stdout);
	grid_free(&g);
}

static void print_residual(const struct calibration *c)
{
	double off = c->fit.fitted_ms - c->fit.measured_ms;

	printf("%s:%u %s, %s, 1 process, %d MB:\nmeasured %.2f ms, +- %.2f; fitted %.3f ms; residual %+.3f ms,"
	       " %+.2f %%\n\n", c->rows.file, c->row->line, c->row->cpu, CALIBRATE_VARIANT, CALIBRATE_REGION_MB,
	       c->fit.measured_ms, c->fit.deviation_ms, c->fit.fitted_ms, off, off / c->fit.measured_ms * 100);
}

static void print_warning(const struct calibration *c, unsigned index)
{
	const struct fit_figure *fig = &c->fit.figures[index];
	const char *name = name_of(c, index);

	if (is_outside(c, index))
		printf("WARNING: %s %.4g is OUTSIDE its sourced range %.4g .. %.4g. No source supports it: a mechanism"
		       " is\nmissing, or another figure is wrong.\n", name, fig->fitted, c->low[index], c->high[index]);
	else if (fig->at_end)
		printf("WARNING: %s stands AT THE END of what was allowed, and the row wants it further out. A"
		       " mechanism\nis missing, or another figure is wrong.\n", name);
	if (fabs(fig->slope) * (fig->high - fig->low) < FIT_FLAT_PART * c->fit.deviation_ms)
		printf("WARNING: the row does NOT DEPEND on %s, which is therefore not fitted but sourced.\n",
		       name);
	if (c->figures[index].calibrated)
		printf("WARNING: %s was CALIBRATED ALREADY: what is called sourced here is the earlier fit.\n",
		       name);
}

static void print_warnings(const struct calibration *c)
{
	for (unsigned i = 0; i < c->fit.nr; i++)
		print_warning(c, i);
	if (fabs(c->fit.fitted_ms - c->fit.measured_ms) > c->fit.deviation_ms)
		puts("WARNING: the row is NOT MET within its uncertainty.");
}

static void print_meaning(const struct calibration *c)
{
	if (c->fit.nr == 1)
		printf("One row determines one figure: %s takes up the errors of all others. Its uncertainty is that of"
		       " the\nrow (half of its last digit, and %g %% of spread) over %.3g ms per unit of it.\n",
		       name_of(c, 0), c->options->spread_percent, fabs(c->fit.figures[0].slope));
	else
		printf("One row determines ONE figure; of these two it determines one combination. The other comes from"
		       " the\nsourced values, each held with the standard deviation of its range (correlation of the"
		       " two: %+.2f).\n", c->fit.correlation);
}

static void print_others(const struct calibration *c)
{
	for (size_t i = 0; i < c->rows.nr; i++)
		if (&c->rows.at[i] != c->row)
			printf("%s:%u: of %s, not used for this CPU.\n", c->rows.file, c->rows.at[i].line,
			       c->rows.at[i].cpu);
}

/* ---- the new profile ---- */

static const char *base_name(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? slash + 1 : file;
}

/* @old without what an earlier calibration said, and what this one has to say. */
static char *new_note(const struct calibration *c, unsigned index, const char *old)
{
	const struct fit_figure *fig = &c->fit.figures[index];
	const char *earlier = old ? strstr(old, NOTE_BEGIN) : NULL;
	int keep = old ? (int)(earlier ? (size_t)(earlier - old) : strlen(old)) : 0;
	bool parted = keep >= 2 && !strncmp(old + keep - 2, "; ", 2);

	return scn_printf("%.*s%s" NOTE_BEGIN "%.4g +- %.2g from %s %.4g (range %.4g .. %.4g%s) with row %s line %u:"
			  " %s, %s, 1 process, %d MB, %.2f ms", keep, keep ? old : "", keep && !parted ? "; " : "", fig->fitted,
			  fig->deviation, c->figures[index].calibrated ? "the earlier" : "the sourced", fig->sourced,
			  c->low[index], c->high[index], is_outside(c, index) ? "; LEFT with --beyond" : "",
			  base_name(c->rows.file), c->row->line, c->row->cpu, CALIBRATE_VARIANT, CALIBRATE_REGION_MB,
			  c->fit.measured_ms);
}

static void mark_figure(struct calibration *c, unsigned index)
{
	cJSON *object = c->figures[index].object;
	const cJSON *old = cJSON_GetObjectItemCaseSensitive(object, "note");
	char *note = new_note(c, index, old ? old->valuestring : NULL);

	cJSON_DeleteItemFromObjectCaseSensitive(object, "note");
	cJSON_AddStringToObject(object, "note", note);
	cJSON_DeleteItemFromObjectCaseSensitive(object, "calibrated");
	cJSON_AddTrueToObject(object, "calibrated");
	free(note);
}

/* What was written must be what `run` reads. */
static int check_output(struct calibration *c)
{
	char line[LINE_BYTES - 32];
	struct profile *p = profile_load(c->options->output, line, sizeof(line));

	if (!p)
		snprintf(c->error, sizeof(c->error), "zsmsim: %s", line);
	profile_free(p);
	return p ? 0 : 1;
}

static int write_output(struct calibration *c)
{
	double values[FIT_FIGURES_MAX];
	int status;

	for (unsigned i = 0; i < c->fit.nr; i++) {
		values[i] = c->fit.figures[i].fitted;
		mark_figure(c, i);
	}
	set_values(c, values);
	status = profile_tree_write(&c->tree, c->options->output, c->error, sizeof(c->error));
	if (status == 0)
		status = check_output(c);
	if (status == 0)
		printf("Written: %s, with what was fitted marked as calibrated and the row in the note.\n",
		       c->options->output);
	return status;
}

static int report(struct calibration *c)
{
	putchar('\n');
	print_figures(c);
	putchar('\n');
	print_residual(c);
	print_meaning(c);
	print_others(c);
	print_warnings(c);
	if (c->options->output)
		return write_output(c);
	puts("Not written: no -o.");
	return 0;
}

int calibrate(const struct calibrate_options *options)
{
	struct calibration c = { .options = options };
	int status = load(&c);

	c.trials = (struct trials){ .jobs = 1, .command = options->command };
	if (status == 0) {
		status = trials_begin(&c.trials, c.error, sizeof(c.error));
		if (status == 0)
			status = run_fit(&c);
		if (status == 0)
			status = report(&c);
		trials_end(&c.trials);
	}
	if (status && *c.error)
		fprintf(stderr, "%s\n", c.error);
	profile_tree_close(&c.tree);
	calibrate_rows_free(&c.rows);
	free(c.tried);
	return status;
}
