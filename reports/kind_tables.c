/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kind_tables.c - see kind_tables.h. */
#include "reports/kind_tables.h"

#include <string.h>

#include "reports/decimal.h"
#include "reports/params.h"

bool shown_value(const struct shown_table *t, size_t figure, size_t row, size_t variant, double *value)
{
	const struct matrix_cell *cell = matrix_at(&t->figures[figure], row, variant);
	int64_t mean;
	unsigned decimals;

	if (cell->fault || !matrix_mean(cell, &mean, &decimals))
		return false;
	*value = decimal_double(mean, decimals);
	return true;
}

/* ---- munmap ---- */

enum { MUNMAP_TIME, MUNMAP_COMPLETE, MUNMAP_WAITING, MUNMAP_LEFT };

/* The variant with the least of @figure in @row; nr_variants if there is none. */
static size_t least(const struct shown_table *t, size_t figure, size_t row)
{
	size_t best = t->figures[figure].nr_variants;
	double least_value = 0, value;

	for (size_t v = 0; v < t->figures[figure].nr_variants; v++) {
		if (!shown_value(t, figure, row, v, &value))
			continue;
		if (best == t->figures[figure].nr_variants || value < least_value) {
			best = v;
			least_value = value;
		}
	}
	return best;
}

/* Do the values of @key in two rows' parameters differ? */
static bool differ_in(const struct matrix_row *a, const struct matrix_row *b, const char *key)
{
	size_t bytes, other_bytes;
	const char *value = params_find(a->params, key, &bytes), *other = params_find(b->params, key, &other_bytes);

	return value && other && (bytes != other_bytes || strncmp(value, other, bytes));
}

/* Users of the allocator are compared: how much faster each of them is with @variant than with the baseline. */
static void tell_users(const struct shown_table *t, size_t variant, FILE *out)
{
	const struct matrix *m = &t->figures[MUNMAP_TIME];
	const struct matrix_row *before = NULL;

	for (size_t row = 0; row < m->nr_rows; row++) {
		const struct matrix_row *r = &m->rows[row];
		bool same_profile = before && !strcmp(before->profile, r->profile);
		size_t bytes, procs_bytes;
		const char *user = params_find(r->params, "user", &bytes), *procs = params_find(r->params, "procs", &procs_bytes);
		double base, ms;

		if (!user || !shown_value(t, MUNMAP_TIME, row, t->baseline, &base) ||
		    !shown_value(t, MUNMAP_TIME, row, variant, &ms))
			continue;
		if (!same_profile)
			fprintf(out, "%s on %s", before ? ";" : "", r->profile);
		fprintf(out, "%s %.2fx as fast with %.*s", same_profile ? "," : "", ms > 0 ? base / ms : 0, (int)bytes, user);
		if (procs)
			fprintf(out, " (%.*s)", (int)procs_bytes, procs);
		before = r;
	}
}

static bool compares_users(const struct matrix *m)
{
	for (size_t row = 1; row < m->nr_rows; row++)
		if (differ_in(&m->rows[0], &m->rows[row], "user"))
			return true;
	return false;
}

static void answer_users(const struct shown_table *t, FILE *out)
{
	const struct matrix *m = &t->figures[MUNMAP_TIME];
	const char *separator = "";

	for (size_t v = 0; v < m->nr_variants; v++) {
		if (v == t->baseline)
			continue;
		fprintf(out, "%smunmap() with %s instead of %s (processes):", separator, m->variants[v], m->variants[t->baseline]);
		tell_users(t, v, out);
		separator = ". ";
	}
	fputs(".\n", out);
}

/* The variant with which all memory is back first, of those with which it comes back: none leaves objects waiting. */
static size_t soonest_back(const struct shown_table *t, size_t row)
{
	size_t nr = t->figures[MUNMAP_COMPLETE].nr_variants, best = nr;
	double best_ms = 0, ms, left;

	for (size_t v = 0; v < nr; v++) {
		if (!shown_value(t, MUNMAP_COMPLETE, row, v, &ms) || !shown_value(t, MUNMAP_LEFT, row, v, &left) || left > 0)
			continue;
		if (best == nr || ms < best_ms) {
			best = v;
			best_ms = ms;
		}
	}
	return best;
}

/* "with VARIANT, X ms (BASELINE Y ms)" of @figure. */
static void tell_time(const struct shown_table *t, size_t figure, size_t row, size_t variant, FILE *out)
{
	const struct matrix *m = &t->figures[figure];
	double ms, base;

	if (!shown_value(t, figure, row, variant, &ms) || !shown_value(t, figure, row, t->baseline, &base))
		fputs(" -", out);
	else
		fprintf(out, " with %s, %.3f ms (%s %.3f ms)", m->variants[variant], ms, m->variants[t->baseline], base);
}

/* Variants whose objects go on waiting when all is quiet. */
static void tell_left(const struct shown_table *t, size_t row, FILE *out)
{
	const struct matrix *m = &t->figures[MUNMAP_LEFT];
	const char *separator = "; left waiting:";
	double left;

	for (size_t v = 0; v < m->nr_variants; v++) {
		if (!shown_value(t, MUNMAP_LEFT, row, v, &left) || left <= 0)
			continue;
		fprintf(out, "%s %.0f objects with %s", separator, left, m->variants[v]);
		separator = ",";
	}
}

/* For each profile and point: with which variant the processes are back first, and with which the memory. */
static void answer_munmap(const struct shown_table *t, FILE *out)
{
	const struct matrix *m = &t->figures[MUNMAP_TIME];

	if (compares_users(m)) {
		answer_users(t, out);
		return;
	}
	for (size_t row = 0; row < m->nr_rows; row++) {
		fprintf(out, "%sn %s (%s) munmap() returns soonest", row ? " O" : "O", m->rows[row].profile, m->rows[row].params);
		tell_time(t, MUNMAP_TIME, row, least(t, MUNMAP_TIME, row), out);
		fputs(", all memory is back soonest", out);
		tell_time(t, MUNMAP_COMPLETE, row, soonest_back(t, row), out);
		tell_left(t, row, out);
		putc('.', out);
	}
	putc('\n', out);
}

/* ---- mapping ---- */

enum { MAPPING_TIME, MAPPING_INSTRUCTIONS, MAPPING_BRANCHES, MAPPING_COPIES, MAPPING_BYTES };

/* How much less @variant needs than @other, in per cent. */
static double saving(const struct shown_table *t, size_t figure, size_t row, size_t variant, size_t other)
{
	double mine = 0, theirs = 0;

	shown_value(t, figure, row, variant, &mine);
	shown_value(t, figure, row, other, &theirs);
	return theirs > 0 ? 100 * (theirs - mine) / theirs : 0;
}

static void answer_mapping(const struct shown_table *t, FILE *out)
{
	const struct matrix *m = &t->figures[MAPPING_INSTRUCTIONS];
	size_t old = t->baseline, new_api = least(t, MAPPING_INSTRUCTIONS, 0);

	for (size_t v = 0; v < m->nr_variants; v++) {
		if (v != new_api && (old == new_api || v != t->baseline))
			old = v;
	}
	if (old == new_api || new_api == m->nr_variants)
		return;
	fprintf(out, "%s takes %.2f %% fewer instructions than %s, %.2f %% fewer branches, %.2f %% fewer copies"
		" and copies %.2f %% fewer bytes (%s).\n", m->variants[new_api],
		saving(t, MAPPING_INSTRUCTIONS, 0, new_api, old), m->variants[old],
		saving(t, MAPPING_BRANCHES, 0, new_api, old), saving(t, MAPPING_COPIES, 0, new_api, old),
		saving(t, MAPPING_BYTES, 0, new_api, old), m->rows[0].profile);
}

/* ---- field-pool ---- */

enum { FIELD_POOL_PAGES, FIELD_POOL_FREEABLE, FIELD_POOL_FREED, FIELD_POOL_COMPACT };

/* "POOL on PROFILE", or the profile alone where no row is named after its pool. */
static void print_row_name(const struct matrix_row *row, FILE *out)
{
	size_t bytes;
	const char *pool = params_find(row->params, "pool", &bytes);

	if (pool)
		fprintf(out, "%.*s on ", (int)bytes, pool);
	fputs(row->profile, out);
}

/* The baseline's, pool by pool; what differs between variants is in the table. */
static void answer_field_pool(const struct shown_table *t, FILE *out)
{
	const struct matrix *m = &t->figures[FIELD_POOL_PAGES];
	double pages, freed, compact_us;
	const char *separator = "";

	fprintf(out, "Compaction gives back, with %s: ", m->variants[t->baseline]);
	for (size_t row = 0; row < m->nr_rows; row++) {
		if (!shown_value(t, FIELD_POOL_PAGES, row, t->baseline, &pages) ||
		    !shown_value(t, FIELD_POOL_FREED, row, t->baseline, &freed) ||
		    !shown_value(t, FIELD_POOL_COMPACT, row, t->baseline, &compact_us))
			continue;
		fputs(separator, out);
		separator = "; ";
		print_row_name(&m->rows[row], out);
		fprintf(out, " %.0f of %.0f pages (%.2f %%) in %.3f ms", freed, pages, pages > 0 ? 100 * freed / pages : 0,
			compact_us / 1000);
		if (freed > 0)
			fprintf(out, ", %.2f us each", compact_us / freed);
	}
	fputs(".\n", out);
}

/* ---- compaction ---- */

enum { COMPACTION_CALLS, COMPACTION_MEDIAN, COMPACTION_P95, COMPACTION_LONGEST, COMPACTION_RATIO, COMPACTION_PAGES,
       COMPACTION_KSWAPD, COMPACTION_HELD, COMPACTION_HOLD, COMPACTION_READ, COMPACTION_FREE, COMPACTION_STORE };

/* Pages given back per millisecond for which compaction held pool->lock; 0 if it never did. */
static double pages_per_held_ms(const struct shown_table *t, size_t row, size_t variant)
{
	double pages, held_us;

	if (!shown_value(t, COMPACTION_PAGES, row, variant, &pages) ||
	    !shown_value(t, COMPACTION_HELD, row, variant, &held_us) || held_us <= 0)
		return 0;
	return pages * 1000 / held_us;
}

/* The longest that another task took to read, free or store an object, us. */
static double longest_operation(const struct shown_table *t, size_t row, size_t variant)
{
	double longest = 0, us;

	for (size_t figure = COMPACTION_READ; figure <= COMPACTION_STORE; figure++)
		if (shown_value(t, figure, row, variant, &us) && us > longest)
			longest = us;
	return longest;
}

/* Of what a variant's memory cost; the best price and the shortest tail of all are named last. */
static void answer_compaction(const struct shown_table *t, FILE *out)
{
	const struct matrix *m = &t->figures[COMPACTION_PAGES];

	for (size_t row = 0; row < m->nr_rows; row++) {
		size_t cheapest = 0, calmest = 0;

		fprintf(out, "%sn %s memory given back, that per ms of held pool->lock, and the others' longest operation are",
			row ? " O" : "O", m->rows[row].profile);
		for (size_t v = 0; v < m->nr_variants; v++) {
			double pages = 0;

			shown_value(t, COMPACTION_PAGES, row, v, &pages);
			fprintf(out, "%s %.0f pages, ", v ? ";" : "", pages);
			/* what a kernel tree's compaction holds is not seen */
			if (pages > 0 && pages_per_held_ms(t, row, v) <= 0)
				fputs("unknown", out);
			else
				fprintf(out, "%.0f", pages_per_held_ms(t, row, v));
			fprintf(out, ", %.1f us with %s", longest_operation(t, row, v), m->variants[v]);
			if (pages_per_held_ms(t, row, v) > pages_per_held_ms(t, row, cheapest))
				cheapest = v;
			if (longest_operation(t, row, v) < longest_operation(t, row, calmest))
				calmest = v;
		}
		fprintf(out, ": the best price has %s, the shortest tail %s.", m->variants[cheapest], m->variants[calmest]);
	}
	fputc('\n', out);
}

/* ---- the kinds ---- */

static const struct kind_table tables[] = {
	[WORKLOAD_MUNMAP] = {
		"munmap_ms (mean over processes), speed-up over %s, and free_complete_ms",
		{ { "munmap_ms", "mean", "munmap", 3, true, false },
		  { "free_complete_ms", "value", "complete", 3, false, false },
		  { "deferred_objects", NULL, "waiting", 0, false, true },
		  { "deferred_objects_end", "value", "left", 0, false, true } },
		answer_munmap,
	},
	[WORKLOAD_MAPPING] = {
		"one pass for reading and one for writing; speed-up over %s",
		{ { "mapping_ms", "sum", "ms", 3, true }, { "instructions", "total", "instructions", 0, false },
		  { "branches", "total", "branches", 0, false }, { "copies", "total", "copies", 0, false },
		  { "bytes_copied", "total", "bytes", 0, false } },
		answer_mapping,
	},
	[WORKLOAD_FIELD_POOL] = {
		"a pool from the field, compacted, then freed object by object; speed-up over %s",
		{ { "zspage_pages_start", "value", "pages", 0, false }, { "dump_freeable", "value", "freeable", 0, false },
		  { "compact_freed_pages", "sum", "freed", 0, false }, { "compact_us", "sum", "compact us", 3, true },
		  { "free_us", "sum", "free us", 3, true },
		  { "free_complete_ms", "value", "complete ms", 3, false }, { "dump_objects", "value", "objects", 0, false },
		  { "dump_repacked", "objects", "repacked", 0, false } },
		answer_field_pool,
	},
	[WORKLOAD_COMPACTION] = {
		"shrinker calls (count; us: median, 95th percentile, longest), median compactable ratio before (ppm), pages given back,"
		" kswapd's CPU time (ms), pool->lock held by compaction (us: in all, longest), other tasks' longest read, free and"
		" store (us)",
		{ { "callback", "count", "calls", 0, false }, { "callback", "p50", "p50", 0, false },
		  { "callback", "p95", "p95", 0, false }, { "callback", "max", "longest", 0, false },
		  { "compactable_ratio", "p50", "ratio", 0, false },
		  { "given_back", "sum", "pages", 0, false }, { "cpu_ms", "kswapd", "kswapd", 2, false },
		  { "compaction_hold", "sum", "held", 0, false }, { "compaction_hold", "max", "hold", 1, false },
		  { "object_read", "max", "read", 1, false }, { "object_free", "max", "free", 1, false },
		  { "object_store", "max", "store", 1, false } },
		answer_compaction,
	},
};

const struct kind_table *kind_table(enum model_workload kind)
{
	return &tables[kind];
}
