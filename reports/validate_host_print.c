/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validate_host_print.c - how validate_host_table.h is shown. */
#include "reports/validate_host_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/grid.h"
#include "scenarios/mem.h"

#define ASKED_RATIO	0.15
#define ASKED_TIME	0.30

/* Relative; NAN if either is missing. */
static double error_of(double simulated, double measured)
{
	return simulated > 0 && measured > 0 ? simulated / measured - 1 : NAN;
}

static void add(struct grid *g, const char *format, double a, double b)
{
	char text[64];

	snprintf(text, sizeof(text), format, a, b);
	grid_cell(g, isnan(a) ? "-" : text);
}

static void add_spread(struct grid *g, const struct spread *s, int decimals)
{
	char text[64] = "-";

	if (s->nr)
		snprintf(text, sizeof(text), "%.*f .. %.*f", decimals, s->low, decimals, s->high);
	grid_cell(g, text);
}

/* ---- times ---- */

static void add_cell(struct grid *g, const struct host_cell *c)
{
	char quiet[64];

	add(g, "%.0f", c->procs, 0);
	grid_cell(g, c->variant);
	add(g, "%.3f", c->all.nr ? c->all.value : NAN, 0);
	add_spread(g, &c->all, 3);
	snprintf(quiet, sizeof(quiet), "%zu of %zu", c->quiet, c->nr);
	grid_cell(g, quiet);
	add(g, "%.3f", c->judged.nr ? c->judged.value : NAN, 0);
	add(g, "%.3f", c->simulated_ms > 0 ? c->simulated_ms : NAN, 0);
	add(g, "%+.1f %%", 100 * error_of(c->simulated_ms, c->judged.value), 0);
}

static void print_times(const struct host_table *t, FILE *out)
{
	struct grid g = { 0 };

	grid_column(&g, NULL, "procs", false);
	grid_column(&g, NULL, "variant", true);
	grid_column(&g, "measured", "median", false);
	grid_column(&g, "measured", "10 .. 90 %", false);
	grid_column(&g, "not preempted", "runs", false);
	grid_column(&g, "not preempted", "median", false);
	grid_column(&g, "simulated", "ms", false);
	grid_column(&g, "simulated", "error", false);
	for (size_t i = 0; i < t->nr; i++)
		add_cell(&g, &t->cells[i]);
	grid_print(&g, out);
	grid_free(&g);
}

/* ---- ratios ---- */

/* "deferred / base, 2 processes", "base, 2 processes to 1", newly allocated. */
static char *ratio_name(const struct host_ratio *r)
{
	if (r->cell->procs != r->to->procs)
		return scn_printf("%s, %u processes to %u", r->cell->variant, r->cell->procs, r->to->procs);
	return scn_printf("%s / %s, %u process%s", r->cell->variant, r->to->variant, r->cell->procs,
			  r->cell->procs == 1 ? "" : "es");
}

static void add_ratio(struct grid *g, const struct host_ratio *r)
{
	char *name = ratio_name(r);

	grid_cell(g, name);
	add(g, "%.3f", r->measured.nr ? r->measured.value : NAN, 0);
	add_spread(g, &r->measured, 3);
	add(g, "%.0f", (double)r->measured.nr, 0);
	add(g, "%.3f", r->simulated > 0 ? r->simulated : NAN, 0);
	add(g, "%+.1f %%", 100 * error_of(r->simulated, r->measured.value), 0);
	free(name);
}

static void print_ratios(const struct host_table *t, FILE *out)
{
	struct grid g = { 0 };

	grid_column(&g, NULL, "ratio", true);
	grid_column(&g, "measured", "median", false);
	grid_column(&g, "measured", "10 .. 90 %", false);
	grid_column(&g, "measured", "pairs", false);
	grid_column(&g, "simulated", "ratio", false);
	grid_column(&g, "simulated", "error", false);
	for (size_t i = 0; i < t->nr_ratios; i++)
		add_ratio(&g, &t->ratios[i]);
	grid_print(&g, out);
	grid_free(&g);
}

/* ---- asked and reached ---- */

struct reached {
	size_t within, of;
	double largest;
};

static void count(struct reached *r, double error, double asked)
{
	if (isnan(error))
		return;
	r->of++;
	r->within += fabs(error) <= asked;
	r->largest = fabs(error) > r->largest ? fabs(error) : r->largest;
}

static void print_reached(const struct host_table *t, FILE *out)
{
	struct reached times = { 0 }, variants = { 0 }, procs = { 0 };

	for (size_t i = 0; i < t->nr; i++)
		count(&times, error_of(t->cells[i].simulated_ms, t->cells[i].judged.value), ASKED_TIME);
	for (size_t i = 0; i < t->nr_ratios; i++) {
		const struct host_ratio *r = &t->ratios[i];

		count(r->cell->procs == r->to->procs ? &variants : &procs,
		      error_of(r->simulated, r->measured.value), ASKED_RATIO);
	}
	fprintf(out, "asked: ratios between variants within 15 %%; reached: %zu of %zu, largest error %.0f %%\n",
		variants.within, variants.of, variants.largest * 100);
	if (procs.of)
		fprintf(out, "asked: ratios to 1 process within 15 %%; reached: %zu of %zu, largest error %.0f %%\n",
			procs.within, procs.of, procs.largest * 100);
	fprintf(out, "asked: times within 30 %%; reached: %zu of %zu, largest error %.0f %%\n", times.within, times.of,
		times.largest * 100);
}

void host_table_print(const struct host_table *t, unsigned region_mb, FILE *out)
{
	fprintf(out, "\nmunmap_ms (mean over processes, %u MB each); errors are of the median of runs not preempted, if"
		" those are a\nquarter or more, else of all\n\n", region_mb);
	print_times(t, out);
	fputs("\nRatios: the median of those within repetitions\n\n", out);
	print_ratios(t, out);
	fputc('\n', out);
	print_reached(t, out);
}

/* ---- CSV ---- */

static void csv_number(struct csv *csv, double value, bool known)
{
	char text[32];

	snprintf(text, sizeof(text), "%.6g", value);
	csv_text(csv, known ? text : NULL);
}

static void csv_line(struct csv *csv, const char *kind, const struct host_cell *cell, const struct host_cell *to,
		     const struct spread *measured, double simulated)
{
	double error = error_of(simulated, measured->value);

	csv_text(csv, kind);
	csv_text(csv, cell->variant);
	csv_int(csv, cell->procs);
	csv_text(csv, to ? to->variant : NULL);
	csv_number(csv, to ? to->procs : 0, to);
	csv_number(csv, measured->value, measured->nr);
	csv_number(csv, measured->low, measured->nr);
	csv_number(csv, measured->high, measured->nr);
	csv_int(csv, (int64_t)measured->nr);
	csv_number(csv, simulated, simulated > 0);
	csv_number(csv, error * 100, !isnan(error));
	csv_end_line(csv);
}

/* Times twice: of all runs, and of those that errors are taken of. */
void host_table_csv(const struct host_table *t, struct csv *csv)
{
	static const char *const names[] = {
		"kind", "variant", "procs", "to_variant", "to_procs", "measured", "low", "high", "samples",
		"simulated", "error_percent",
	};

	csv_header(csv, names, sizeof(names) / sizeof(*names));
	for (size_t i = 0; i < t->nr; i++) {
		const struct host_cell *c = &t->cells[i];

		csv_line(csv, "munmap_ms, all runs", c, NULL, &c->all, c->simulated_ms);
		csv_line(csv, "munmap_ms", c, NULL, &c->judged, c->simulated_ms);
	}
	for (size_t i = 0; i < t->nr_ratios; i++) {
		const struct host_ratio *r = &t->ratios[i];

		csv_line(csv, "ratio", r->cell, r->to, &r->measured, r->simulated);
	}
}
