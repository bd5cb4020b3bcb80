/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate_fit.c - see calibrate_fit.h. */
#include "reports/calibrate_fit.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multimin.h>
#include <gsl/gsl_roots.h>

#define STEPS_ONE_MAX 40
#define STEPS_TWO_MAX 120
#define CLOSE_ENOUGH 2e-4		/* of the measured time: far below what it was measured to */
#define SIMPLEX_BEGIN 0.25		/* of a figure's range */
#define SIMPLEX_END 1e-2		/* likewise: where sources differ by the whole range */
#define SLOPE_STEP 0.05			/* likewise, to either side */
#define END_PART 1e-3			/* of a range: this near is at its end */

/* As it is to be printed; still within its range. */
static double presentable(const struct fit_figure *fig, double value)
{
	char text[40];

	snprintf(text, sizeof(text), "%.4g", value);
	return fmax(fig->low, fmin(fig->high, strtod(text, NULL)));
}

/* The time for @values; NaN once a simulation has failed. */
static double time_at(struct fit *f, const double *values)
{
	double ms = NAN;

	if (!f->status)
		f->status = f->simulate(f->arg, values, &ms);
	return f->status ? NAN : ms;
}

/* ---- one figure ---- */

static double excess(double value, void *arg)
{
	struct fit *f = arg;

	return time_at(f, &value) - f->measured_ms;
}

static int find_root(struct fit *f, double *value)
{
	struct fit_figure *fig = &f->figures[0];
	gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
	gsl_function function = { excess, f };
	int going = gsl_root_fsolver_set(solver, &function, fig->low, fig->high);
	double low = fig->low, high = fig->high, off = INFINITY;

	*value = fig->low;
	for (int i = 0; !going && !f->status && i < STEPS_ONE_MAX; i++) {
		going = gsl_root_fsolver_iterate(solver);
		*value = gsl_root_fsolver_root(solver);
		off = excess(*value, f);
		low = gsl_root_fsolver_x_lower(solver);
		high = gsl_root_fsolver_x_upper(solver);
		if (fabs(off) <= CLOSE_ENOUGH * f->measured_ms ||
		    gsl_root_test_interval(low, high, 0, CLOSE_ENOUGH) == GSL_SUCCESS)
			break;
	}
	gsl_root_fsolver_free(solver);
	return f->status ? f->status : going ? FIT_LOST : 0;
}

/* Times rise or fall with a figure, so where both ends are too slow or too fast, the nearer is the best. */
static int fit_one(struct fit *f)
{
	struct fit_figure *fig = &f->figures[0];
	double low = excess(fig->low, f), high = excess(fig->high, f), value;
	int status = 0;

	if (f->status)
		return f->status;
	if (fabs(high - low) < FIT_FLAT_PART * f->deviation_ms)
		return FIT_FLAT;
	if ((low < 0) == (high < 0))
		value = fabs(low) < fabs(high) ? fig->low : fig->high;
	else
		status = find_root(f, &value);
	fig->fitted = presentable(fig, value);
	return status;
}

/* ---- two figures: in parts of their ranges, so that they weigh alike ---- */

static double value_of(const struct fit_figure *fig, double part)
{
	return fig->low + (part < 0 ? 0 : part > 1 ? 1 : part) * (fig->high - fig->low);
}

/* Beyond the ranges the sum is that of the nearest point within, and a wall. */
static double sum_of_squares(const gsl_vector *parts, void *arg)
{
	struct fit *f = arg;
	double values[FIT_FIGURES_MAX], sum = 0, ms;

	for (unsigned i = 0; i < f->nr; i++) {
		const struct fit_figure *fig = &f->figures[i];
		double part = gsl_vector_get(parts, i), beyond = part < 0 ? -part : part > 1 ? part - 1 : 0;

		values[i] = value_of(fig, part);
		sum += pow((values[i] - fig->sourced) / fig->width, 2) + 1e4 * beyond * beyond;
	}
	ms = time_at(f, values);
	/* A number, since the simplex has no use for NaN; the status tells. */
	return f->status ? DBL_MAX : sum + pow((ms - f->measured_ms) / f->deviation_ms, 2);
}

static void begin_simplex(const struct fit *f, gsl_vector *at, gsl_vector *step)
{
	for (unsigned i = 0; i < f->nr; i++) {
		const struct fit_figure *fig = &f->figures[i];
		double part = (fig->sourced - fig->low) / (fig->high - fig->low);

		gsl_vector_set(at, i, part);
		gsl_vector_set(step, i, part > 0.5 ? -SIMPLEX_BEGIN : SIMPLEX_BEGIN);
	}
}

static void take_part(struct fit_figure *fig, double part)
{
	fig->fitted = presentable(fig, value_of(fig, part));
}

static bool is_flat(struct fit *f)
{
	double values[FIT_FIGURES_MAX], least = INFINITY, most = -INFINITY;

	for (unsigned corner = 0; corner < 1u << f->nr; corner++) {
		double ms;

		for (unsigned i = 0; i < f->nr; i++)
			values[i] = corner >> i & 1 ? f->figures[i].high : f->figures[i].low;
		ms = time_at(f, values);
		least = fmin(least, ms);
		most = fmax(most, ms);
	}
	return !f->status && most - least < FIT_FLAT_PART * f->deviation_ms;
}

static int fit_two(struct fit *f)
{
	gsl_multimin_function function = { sum_of_squares, f->nr, f };
	gsl_multimin_fminimizer *simplex;
	gsl_vector *at, *step;
	int going;

	if (is_flat(f) || f->status)
		return f->status ? f->status : FIT_FLAT;
	simplex = gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, f->nr);
	at = gsl_vector_alloc(f->nr);
	step = gsl_vector_alloc(f->nr);
	begin_simplex(f, at, step);
	going = gsl_multimin_fminimizer_set(simplex, &function, at, step) ? GSL_FAILURE : GSL_CONTINUE;
	for (int i = 0; going == GSL_CONTINUE && !f->status && i < STEPS_TWO_MAX; i++) {
		going = gsl_multimin_fminimizer_iterate(simplex);
		if (!going)
			going = gsl_multimin_test_size(gsl_multimin_fminimizer_size(simplex), SIMPLEX_END);
	}
	for (unsigned i = 0; i < f->nr; i++)
		take_part(&f->figures[i], gsl_vector_get(simplex->x, i));
	gsl_multimin_fminimizer_free(simplex);
	gsl_vector_free(at);
	gsl_vector_free(step);
	return f->status ? f->status : going ? FIT_LOST : 0;
}

/* ---- how sure ---- */

/* Does the figure stand at an end of its range, and would the time be nearer beyond it? */
static bool wants_out(const struct fit *f, const struct fit_figure *fig)
{
	double near = END_PART * (fig->high - fig->low), off = f->fitted_ms - f->measured_ms;

	if (fabs(off) <= 2 * CLOSE_ENOUGH * f->measured_ms)
		return false;
	/* Too slow, and slower with more of it: it wants less. */
	return off * fig->slope > 0 ? fig->fitted - fig->low < near :
	       off * fig->slope < 0 && fig->high - fig->fitted < near;
}

static void measure_slope(struct fit *f, unsigned index)
{
	struct fit_figure *fig = &f->figures[index];
	double step = SLOPE_STEP * (fig->high - fig->low), values[FIT_FIGURES_MAX];
	double below = fmax(fig->fitted - step, fig->low), above = fmin(fig->fitted + step, fig->high), slower;

	for (unsigned i = 0; i < f->nr; i++)
		values[i] = f->figures[i].fitted;
	values[index] = above;
	slower = time_at(f, values);
	values[index] = below;
	fig->slope = (slower - time_at(f, values)) / (above - below);
	fig->at_end = wants_out(f, fig);
}

/* The inverse of the matrix of second derivatives of half the sum of squares. */
static void deviations_of_two(struct fit *f)
{
	struct fit_figure *a = &f->figures[0], *b = &f->figures[1];
	double weight = 1 / (f->deviation_ms * f->deviation_ms);
	double aa = 1 / (a->width * a->width) + weight * a->slope * a->slope;
	double bb = 1 / (b->width * b->width) + weight * b->slope * b->slope;
	double ab = weight * a->slope * b->slope, determinant = aa * bb - ab * ab;

	a->deviation = sqrt(bb / determinant);
	b->deviation = sqrt(aa / determinant);
	f->correlation = -ab / sqrt(aa * bb);
}

static int judge(struct fit *f)
{
	double values[FIT_FIGURES_MAX];

	for (unsigned i = 0; i < f->nr; i++)
		values[i] = f->figures[i].fitted;
	f->fitted_ms = time_at(f, values);
	for (unsigned i = 0; i < f->nr; i++)
		measure_slope(f, i);
	if (f->status)
		return f->status;
	if (f->nr == 2)
		deviations_of_two(f);
	else
		f->figures[0].deviation = f->deviation_ms / fabs(f->figures[0].slope);
	return 0;
}

int fit_run(struct fit *f)
{
	/* GSL's own handler would end the program. */
	gsl_error_handler_t *handler = gsl_set_error_handler_off();
	int status;

	f->status = 0;
	status = f->nr == 1 ? fit_one(f) : fit_two(f);
	if (!status)
		status = judge(f);
	gsl_set_error_handler(handler);
	return status;
}
