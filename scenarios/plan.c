/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plan.c - the runs of all blocks together: what is the same run is made
 * once, and params tell the rest apart (see loader.h).
 */
#include "scenarios/loader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/breaks.h"
#include "scenarios/mem.h"

static void free_spec(struct run_spec *spec)
{
	for (unsigned i = 0; i < spec->nr_clusters; i++)
		free(spec->clusters[i].profile);
	free(spec->scenario);
	free(spec->variant);
	free(spec->profile);
	free(spec->params);
	free(spec->variant_text);
}

static void free_run(struct planned_run *run)
{
	free_spec(&run->spec);
	free(run->clusters);
}

void plan_free(struct loader *ld)
{
	for (size_t i = 0; i < ld->nr_runs; i++)
		free_run(&ld->runs[i]);
	free(ld->runs);
	field_pools_free(&ld->pools);
	distributions_free(&ld->distributions);
	contents_free(&ld->contents);
	ld->runs = NULL;
	ld->nr_runs = 0;
}

void run_list_free(struct run_list *list)
{
	for (size_t i = 0; i < list->nr; i++)
		free_spec(&list->runs[i]);
	for (size_t i = 0; i < list->nr_texts; i++)
		free(list->texts[i]);
	kernel_modules_free(&list->kernels);
	field_pools_free(&list->pools);
	distributions_free(&list->distributions);
	contents_free(&list->contents);
	free(list->runs);
	free(list->texts);
	memset(list, 0, sizeof(*list));
}

/* A text to sort runs by, and the run. Equal keys keep the runs' order. */
struct sorted_run {
	char *key;
	size_t run;
};

static int compare_sorted(const void *a, const void *b)
{
	const struct sorted_run *x = a, *y = b;
	int order = strcmp(x->key, y->key);

	return order ? order : x->run < y->run ? -1 : x->run > y->run;
}

static struct sorted_run *sort_runs(const struct loader *ld, char *(*key)(const struct planned_run *))
{
	struct sorted_run *sorted = scn_zalloc(ld->nr_runs, sizeof(*sorted));

	for (size_t i = 0; i < ld->nr_runs; i++)
		sorted[i] = (struct sorted_run){ key(&ld->runs[i]), i };
	qsort(sorted, ld->nr_runs, sizeof(*sorted), compare_sorted);
	return sorted;
}

static void free_sorted(struct sorted_run *sorted, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		free(sorted[i].key);
	free(sorted);
}

/* All that decides what a run does. */
static char *identity_key(const struct planned_run *run)
{
	const struct run_spec *s = &run->spec;

	char *variant = variant_identity(s), *settings = run_settings(s);
	char *key = scn_printf("%s %s %s %d", variant, run->clusters, settings, (int)s->break_what);

	free(settings);
	free(variant);
	return key;
}

/* Keep the first of each group of identical runs. */
static void merge_identical(struct loader *ld)
{
	struct sorted_run *sorted = sort_runs(ld, identity_key);
	bool *drop = scn_zalloc(ld->nr_runs, sizeof(*drop));
	size_t nr = ld->nr_runs, kept = 0;

	for (size_t i = 1; i < nr; i++) {
		if (strcmp(sorted[i - 1].key, sorted[i].key))
			continue;
		/* Equal keys are in run order, so the survivor is the first of its group. */
		drop[sorted[i].run] = true;
	}
	for (size_t i = 0; i < nr; i++) {
		if (drop[i])
			free_run(&ld->runs[i]);
		else
			ld->runs[kept++] = ld->runs[i];
	}
	ld->nr_runs = kept;
	free(drop);
	free_sorted(sorted, nr);
}

static char *variant_key(const struct planned_run *run)
{
	return scn_strdup(run->spec.variant);
}

static bool same_software(const struct run_spec *a, const struct run_spec *b)
{
	if (!a->kernel || !b->kernel)
		return !a->kernel && !b->kernel;
	return !strcmp(a->kernel_info->id, b->kernel_info->id);
}

static bool same_axes(const struct model_variant *a, const struct model_variant *b)
{
	return a->lookup == b->lookup && a->page_release == b->page_release && a->free == b->free &&
	       a->zram_stats == b->zram_stats && a->mapping == b->mapping && a->shrinker == b->shrinker &&
	       a->shrinker_ratio == b->shrinker_ratio;
}

/* Runs of one variant's name must mean the same software. */
static int meaning_check(struct loader *ld, const struct planned_run *run, const struct planned_run *one)
{
	if (!same_software(&run->spec, &one->spec))
		return source_fault(&ld->src, run->variant_item,
				    "variant \"%s\" is another allocator elsewhere; give one of them another \"name\"",
				    run->spec.variant);
	if (!same_axes(&run->spec.axes, &one->spec.axes))
		return source_fault(&ld->src, run->variant_item,
				    "variant \"%s\" has other axes elsewhere; choose another name",
				    run->spec.variant);
	return 0;
}

/*
 * Go through each variant's runs: its axes must be the same in all, and if
 * its batch is not, or was swept in some, then params of all of them show it.
 */
static int settle_variants(struct loader *ld)
{
	struct sorted_run *sorted = sort_runs(ld, variant_key);
	size_t nr = ld->nr_runs, first = 0;
	int status = 0;

	for (size_t end = 0; status == 0 && first < nr; first = end) {
		struct planned_run *one = &ld->runs[sorted[first].run];
		bool shown = false;

		for (; end < nr && !strcmp(sorted[end].key, sorted[first].key); end++) {
			struct planned_run *run = &ld->runs[sorted[end].run];

			shown |= run->batch_shown;
			shown |= run->spec.axes.defer_batch != one->spec.axes.defer_batch;
			if (status == 0)
				status = meaning_check(ld, run, one);
		}
		for (size_t i = first; i < end; i++)
			ld->runs[sorted[i].run].batch_shown = shown;
	}
	free_sorted(sorted, nr);
	return status;
}

/* Is @field a choice of the scenario? A module's chain size is not: then it is no label either. */
static bool is_chosen(const struct run_spec *spec, enum field field)
{
	if (!field_of_kind(field, spec->kind))
		return false;
	return field != FIELD_CHAIN_SIZE || !spec->kernel;
}

static bool field_differs(const struct loader *ld, enum field field)
{
	const struct run_spec *first = NULL;

	for (size_t r = 0; r < ld->nr_runs; r++) {
		const struct run_spec *spec = &ld->runs[r].spec;

		if (!is_chosen(spec, field))
			continue;
		if (!first)
			first = spec;
		if (run_field(spec, field) != run_field(first, field))
			return true;
	}
	return false;
}

/* Fields that params must show: always these two, the swept, and what differs. */
static void settle_fields(struct loader *ld)
{
	for (int i = 0; i < NR_FIELDS; i++)
		ld->shown[i] = ld->shown[i] || field_differs(ld, i);
	ld->shown[FIELD_PROCS] = ld->shown[FIELD_REGION_MB] = true;
	ld->shown[FIELD_SEED] = false;	/* has a column of its own */
}

static char *hardware_key(const struct planned_run *run)
{
	return scn_printf("%s %" PRIu64, run->spec.profile, (uint64_t)run_cpus(&run->spec));
}

/* Two machines of the same first CPU and size need their clusters to tell them apart. */
static void settle_clusters(struct loader *ld)
{
	struct sorted_run *sorted = sort_runs(ld, hardware_key);

	for (size_t i = 1; i < ld->nr_runs && !ld->clusters_shown; i++)
		ld->clusters_shown = !strcmp(sorted[i - 1].key, sorted[i].key) &&
				     strcmp(ld->runs[sorted[i - 1].run].clusters,
					    ld->runs[sorted[i].run].clusters);
	free_sorted(sorted, ld->nr_runs);
}

struct params {
	char *entry[NR_FIELDS + 7];
	size_t nr;
};

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *join_params(struct params *p)
{
	size_t bytes = 1;
	char *text;

	qsort(p->entry, p->nr, sizeof(*p->entry), compare_texts);
	for (size_t i = 0; i < p->nr; i++)
		bytes += strlen(p->entry[i]) + 1;
	text = scn_zalloc(bytes, 1);
	for (size_t i = 0; i < p->nr; i++) {
		strcat(text, i ? ";" : "");
		strcat(text, p->entry[i]);
		free(p->entry[i]);
	}
	return text;
}

static char *run_params(const struct loader *ld, const struct planned_run *run)
{
	const char *fault = break_name(run->spec.break_what);
	struct params p = { .nr = 0 };

	for (int i = 0; i < NR_FIELDS; i++) {
		uint64_t value = run_field(&run->spec, i);
		const char *word = field_word(i, value);

		if (!ld->shown[i] || !is_chosen(&run->spec, i))
			continue;
		p.entry[p.nr++] = word ? scn_printf("%s=%s", field_info[i].key, word) :
					 scn_printf("%s=%" PRIu64, field_info[i].key, value);
	}
	if (run->batch_shown)
		p.entry[p.nr++] = scn_printf("defer_batch=%u", run->spec.axes.defer_batch);
	if (ld->clusters_shown)
		p.entry[p.nr++] = scn_printf("clusters=%s", run->clusters);
	if (run->spec.pool)
		p.entry[p.nr++] = scn_printf("pool=%s", run->spec.pool->name);
	if (run->spec.sizes)
		p.entry[p.nr++] = scn_printf("sizes=%s", run->spec.sizes->name);
	if (run->spec.contents)
		p.entry[p.nr++] = scn_printf("contents=%s", run->spec.contents->name);
	if (fault)
		p.entry[p.nr++] = scn_printf("break=%s", fault);
	return join_params(&p);
}

/* Move the runs into @list; the scenario's text is theirs in common. */
static void hand_over(struct loader *ld, struct run_list *list)
{
	char *text = scn_strdup(ld->src.texts[0]->text);

	list->texts = scn_grow(list->texts, list->nr_texts, sizeof(*list->texts));
	list->texts[list->nr_texts++] = text;
	for (size_t i = 0; i < ld->nr_runs; i++) {
		ld->runs[i].spec.scenario_text = text;
		list->runs = scn_grow(list->runs, list->nr, sizeof(*list->runs));
		list->runs[list->nr++] = ld->runs[i].spec;
		free(ld->runs[i].clusters);
	}
	ld->nr_runs = 0;
	kernel_modules_move(&list->kernels, &ld->variants.kernels);
	field_pools_move(&list->pools, &ld->pools);
	distributions_move(&list->distributions, &ld->distributions);
	contents_move(&list->contents, &ld->contents);
}

int plan_finish(struct loader *ld, struct run_list *list)
{
	merge_identical(ld);
	if (settle_variants(ld))
		return 2;
	settle_fields(ld);
	settle_clusters(ld);
	for (size_t i = 0; i < ld->nr_runs; i++)
		ld->runs[i].spec.params = run_params(ld, &ld->runs[i]);
	hand_over(ld, list);
	return 0;
}
