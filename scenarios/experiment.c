/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * experiment.c - one run from specification to result.
 *
 * The software prepares itself in functional mode (boot, fill, page out);
 * then the machine runs it from time 0 until all is idle; then, in functional
 * mode again, it tears itself down and says whether anything leaked.
 */
#include "scenarios/experiment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#include "scenarios/run_model.h"
#include "sim/machine.h"
#include "sim/module.h"
#include "sim/names.h"
#include "sim/observations.h"
#include "sim/observe.h"
#include "sim/oracle.h"

#define CLASSES_BYTES 32768

static struct result *fault_result;	/* of the run in this process */
static void (*fault_exit)(struct result *);

void experiment_on_fault(void (*fn)(struct result *result))
{
	fault_exit = fn;
}

/* ---- the module ---- */

char *experiment_module_path(void)
{
	const char *env = getenv("ZSMSIM_MODEL");
	const char *const places[] = { ABS_TOP_BUILDDIR "/zsmsim-model.so", PKGLIBDIR "/zsmsim-model.so" };

	if (env)
		return strdup(env);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (!access(places[i], R_OK))
			return strdup(places[i]);
	return NULL;
}

static char *file_hash(const char *path)
{
	char text[32] = "none", buf[65536];
	FILE *f = path ? fopen(path, "rb") : NULL;
	XXH64_state_t *state = XXH64_createState();
	size_t n;

	if (f && state) {
		XXH64_reset(state, 0);
		while ((n = fread(buf, 1, sizeof(buf), f)))
			XXH64_update(state, buf, n);
		snprintf(text, sizeof(text), "%016llx", (unsigned long long)XXH64_digest(state));
	}
	if (f)
		fclose(f);
	XXH64_freeState(state);
	return strdup(text);
}

const char *build_model_id(void)
{
	static char *id;

	if (!id) {
		char *path = experiment_module_path();

		id = file_hash(path);
		free(path);
	}
	return id;
}

static const struct model_ops *load(const char *path)
{
	char error[512];
	const void *ops = module_load(path, "zsmsim_model", error, sizeof(error));

	if (!ops) {
		fprintf(stderr, "zsmsim: %s\n", error);
		exit(1);
	}
	return ops;
}

static const struct model_ops *load_own_model(void)
{
	static const struct model_ops *ops;
	char *path;

	if (ops)
		return ops;
	path = experiment_module_path();
	if (!path) {
		fprintf(stderr, "zsmsim: zsmsim-model.so not found; build it with 'make', or name it in ZSMSIM_MODEL\n");
		exit(1);
	}
	ops = load(path);
	free(path);
	return ops;
}

/*
 * The module of a tree. Results are stored under the id that the file had when
 * the scenario was loaded; a long command outlives a rebuild, so look again.
 */
static const struct model_ops *load_kernel_model(const struct run_spec *spec)
{
	const struct model_ops *ops = load(spec->kernel);
	struct module_info now;
	char error[512];
	bool same = !module_info_read(spec->kernel, &now, error, sizeof(error)) &&
		    !strcmp(now.id, spec->kernel_info->id);

	module_info_free(&now);
	if (!same) {
		fprintf(stderr, "zsmsim: %s: changed since this command began; give the command again\n",
			spec->kernel);
		exit(1);
	}
	return ops;
}

void experiment_preload(void)
{
	load_own_model();
}

/* ---- specification to machine and model ---- */

static const struct profile *load_profile(const char *name)
{
	char error[512];
	const struct profile *p = profile_load(name, error, sizeof(error));

	if (!p) {
		fprintf(stderr, "zsmsim: %s\n", error);
		exit(2);
	}
	return p;
}

static struct machine_config machine_of(const struct run_spec *spec)
{
	struct machine_config m = {
		.memory_bytes = (uint64_t)spec->memory_mb << 20,
		.sample_ps = (uint64_t)spec->sample_us * 1000000,
		.jitter = spec->jitter,
	};

	for (unsigned i = 0; i < spec->nr_clusters; i++) {
		const struct profile *p = load_profile(spec->clusters[i].profile);

		for (unsigned k = 0; k < spec->clusters[i].cpus; k++) {
			m.profile[m.nr_cpus] = p;
			m.cluster[m.nr_cpus++] = i;
		}
	}
	return m;
}

/* ---- observations to result ---- */

/* Picoseconds as a metric in milliseconds, to the picosecond. */
static void add_ms(struct result *r, const char *metric, const char *stat, uint64_t ps)
{
	result_add_metric(r, metric, "ms", stat, (int64_t)ps, 9);
}

static void add_count(struct result *r, const char *metric, const char *unit, const char *stat, uint64_t n)
{
	result_add_metric(r, metric, unit, stat, (int64_t)n, 0);
}

static uint64_t mark_ps(const char *name, unsigned index)
{
	size_t nr;
	const struct mark *m = observe_marks(&nr);

	for (size_t i = 0; i < nr; i++)
		if (m[i].index == index && !strcmp(m[i].name, name))
			return m[i].ps;
	hw_fault("the run ended without mark '%s' of process %u: a task never finished", name, index);
}

/* Returns when the first process began to unmap. */
static uint64_t collect_munmap(struct result *r, const struct run_spec *spec)
{
	uint64_t sum = 0, longest = 0, first = UINT64_MAX;
	char stat[16];

	for (unsigned i = 0; i < spec->procs; i++) {
		uint64_t begin = mark_ps("munmap_begin", i), end = mark_ps("munmap_end", i);

		snprintf(stat, sizeof(stat), "p%u", i);
		add_ms(r, "munmap_ms", stat, end - begin);
		sum += end - begin;
		longest = end - begin > longest ? end - begin : longest;
		first = begin < first ? begin : first;
	}
	add_ms(r, "munmap_ms", "mean", (sum + spec->procs / 2) / spec->procs);
	add_ms(r, "munmap_ms", "max", longest);
	return first;
}

/* Each pass of the mapping test, and both. */
static void collect_mapping(struct result *r)
{
	uint64_t read = mark_ps("read_end", 0) - mark_ps("read_begin", 0);
	uint64_t write = mark_ps("write_end", 0) - mark_ps("write_begin", 0);

	add_ms(r, "mapping_ms", "read", read);
	add_ms(r, "mapping_ms", "write", write);
	add_ms(r, "mapping_ms", "sum", read + write);
}

/*
 * Of a pool from the field: what is in it, what its dump promised, and what of
 * the dump could not be taken over. The rest the software observes itself.
 */
static void collect_field_pool(struct result *r, const struct run_spec *spec)
{
	const struct dump *dump = spec->pool->dump;
	struct model_pool *fill = dump_fill(dump, spec->chain_size);
	uint64_t empty_ps = observe_fall_ps(GAUGE_ZSPAGE_PAGES, 1000);

	if (empty_ps != UINT64_MAX)
		add_ms(r, "free_complete_ms", "value", empty_ps - mark_ps("free_begin", 0));
	add_count(r, "zspage_pages_start", "pages", "value", (uint64_t)observe_gauge(GAUGE_ZSPAGE_PAGES)->at_start);
	add_count(r, "dump_pages", "pages", "value", dump->total.pages_used);
	add_count(r, "dump_objects", "objects", "value", dump->total.used);
	add_count(r, "dump_freeable", "pages", "value", dump->total.freeable);
	add_count(r, "dump_repacked", "classes", "classes", fill->repacked_classes);
	add_count(r, "dump_repacked", "objects", "objects", fill->repacked_objects);
	add_count(r, "dump_left_out", "zspages", "value", dump->total.empty);
	free(fill);
}

/* What the pool holds before and after. */
static void collect_pool_pages(struct result *r)
{
	const struct gauge *zspages = observe_gauge(GAUGE_ZSPAGE_PAGES);

	add_count(r, "zspage_pages_start", "pages", "value", (uint64_t)zspages->at_start);
	add_count(r, "zspage_pages_end", "pages", "value", (uint64_t)zspages->value);
}

static void collect_release(struct result *r, uint64_t begin)
{
	static const struct {
		const char *metric;
		unsigned permille;
	} points[] = { { "release_t50_ms", 500 }, { "release_t90_ms", 900 }, { "release_t99_ms", 990 },
		       { "free_complete_ms", 1000 } };

	for (size_t i = 0; i < sizeof(points) / sizeof(points[0]); i++) {
		uint64_t ps = observe_fall_ps(GAUGE_ZSPAGE_PAGES, points[i].permille);

		if (ps != UINT64_MAX)
			add_ms(r, points[i].metric, "value", ps - begin);
	}
	collect_pool_pages(r);
	add_count(r, "deferred_objects_end", "objects", "value",
		  (uint64_t)observe_gauge(GAUGE_DEFERRED_OBJECTS)->value);
	add_count(r, "pinned_pages_end", "pages", "value", (uint64_t)observe_gauge(GAUGE_PINNED_PAGES)->value);
}

static void collect_series(struct result *r)
{
	size_t nr;
	const struct sample *s = observe_samples(&nr);

#define GAUGE(id, name, unit) result_add_series(r, name, unit);
	MODEL_GAUGES(GAUGE)
#undef GAUGE
	for (size_t i = 0; i < nr; i++)
		for (unsigned g = 0; g < MODEL_NR_GAUGES; g++)
			result_add_sample(r, g, s[i].ps / 1000, s[i].value[g]);
}

static void collect_tasks(struct result *r)
{
	for (unsigned t = 0; t < MAX_TASKS; t++) {
		const struct task_stats *task = observe_task(t);
		uint64_t sum = 0;

		if (!task)
			continue;
		for (unsigned c = 0; c < NR_CAUSES; c++) {
			if (!task->cause[c])
				continue;
			result_add_cause(r, task->name, cause_name(c), task->cause[c]);
			sum += c == CAUSE_IDLE ? 0 : task->cause[c];
		}
		if (t && sum)
			add_ms(r, "cpu_ms", task->name, sum);
	}
}

static void collect_locks(struct result *r)
{
	for (unsigned i = 1; i < locks_count(); i++) {
		const struct lock_stats *l = locks_stats(i);

		if (!l->acquisitions)
			continue;
		result_add_lock(r, &(struct result_lock){
			.lock = (char *)l->name, .acquisitions = l->acquisitions, .contentions = l->contentions,
			.bounces = l->bounces, .wait_ps = l->wait_ps, .wait_max_ps = l->wait_max_ps,
			.hold_ps = l->hold_ps, .hold_max_ps = l->hold_max_ps });
		add_ms(r, "lock_wait_ms", l->name, l->wait_ps);
	}
}

static void collect_lines(struct result *r)
{
	for (unsigned i = 0; i < names_nr_groups; i++) {
		const struct group_stats *g = &names_groups[i];

		if (g->transfers || g->misses)
			result_add_lines(r, &(struct result_lines){
				.group = (char *)g->name, .transfers = g->transfers,
				.transfer_ps = g->transfer_ps, .misses = g->misses });
	}
}

/* Spans are shown in microseconds and kept in picoseconds. */
static void collect_observations(struct result *r)
{
	unsigned nr;
	const struct observation *o = observations(&nr);

	for (unsigned i = 0; i < nr; i++) {
		bool span = o[i].kind == OBSERVE_SPANS;

		if (o[i].kind == OBSERVE_SUM)
			result_add_metric(r, o[i].name, o[i].unit, "sum", o[i].sum, 0);
		else if (o[i].nr)
			result_add_observations(r, o[i].name, span ? "us" : o[i].unit, span ? 6 : 0, o[i].unit,
						o[i].values, o[i].nr);
	}
}

static void collect_counters(struct result *r)
{
	uint64_t insns = 0, branches = 0, mispredicts = 0, copies = 0, bytes = 0;

	for (unsigned i = 0; i < nr_cpus; i++) {
		insns += cpus[i].insns;
		branches += cpus[i].branches;
		mispredicts += cpus[i].mispredicts;
		copies += cpus[i].copies;
		bytes += cpus[i].bytes_copied;
	}
	add_count(r, "instructions", "instructions", "total", insns);
	add_count(r, "branches", "branches", "total", branches);
	add_count(r, "mispredicts", "branches", "total", mispredicts);
	add_count(r, "copies", "copies", "total", copies);
	add_count(r, "bytes_copied", "bytes", "total", bytes);
	add_count(r, "line_transfers", "transfers", "total", machine_stats.transfers + machine_stats.upgrades);
	add_count(r, "dram_reads", "lines", "total", machine_stats.dram_reads);
	r->accesses = machine_accesses();
}

/* The processor time of this run: what else the host does does not count. */
static uint64_t host_clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static void on_fault(const char *report)
{
	if (!fault_result)
		return;
	fault_result->fault = strdup(report);
	if (fault_exit)
		fault_exit(fault_result);
}

/* What the software has prepared in this process, for one run or several. */
static struct {
	const struct model_ops *model;
	char *classes;
} prepared;

static void watch(struct result *result)
{
	fault_result = result;
	oracle_on_fault(on_fault);
}

void experiment_prepare(const struct run_spec *spec, struct result *result)
{
	struct machine_config machine = machine_of(spec);
	struct model_config config = run_model_config(spec, machine.nr_cpus);

	watch(result);
	prepared.model = spec->kernel ? load_kernel_model(spec) : load_own_model();
	prepared.classes = calloc(1, CLASSES_BYTES);
	if (!prepared.classes)
		abort();
	observe_create(MODEL_NR_GAUGES, machine.sample_ps);
	observe_watch_fall(GAUGE_ZSPAGE_PAGES);
	machine_create(&machine);
	prepared.model->prepare(&config);
	prepared.model->classes(prepared.classes, CLASSES_BYTES);
	prepared.model->check_pages();
	fault_result = NULL;
}

void experiment_use_profiles(const struct run_spec *spec)
{
	struct machine_config machine = machine_of(spec);

	machine_set_profiles(&machine);
}

bool experiment_same_start(const struct run_spec *a, const struct run_spec *b)
{
	const struct model_variant *x = &a->axes, *y = &b->axes;
	const char *i = a->kernel_info ? a->kernel_info->id : "", *k = b->kernel_info ? b->kernel_info->id : "";

	if (strcmp(i, k) || a->nr_clusters != b->nr_clusters || a->break_what || b->break_what)
		return false;
	for (unsigned c = 0; c < a->nr_clusters; c++)
		if (a->clusters[c].cpus != b->clusters[c].cpus)
			return false;
	return x->lookup == y->lookup && x->page_release == y->page_release && x->free == y->free &&
	       x->defer_batch == y->defer_batch && x->zram_stats == y->zram_stats && x->mapping == y->mapping && x->shrinker == y->shrinker &&
	       x->shrinker_ratio == y->shrinker_ratio && a->kind == b->kind && run_same_fields(a, b, NR_FIELDS);
}

void experiment_measure(const struct run_spec *spec, struct result *result)
{
	const struct model_ops *model = prepared.model;
	struct model_report report = { 0 };
	uint64_t began = host_clock_ns();

	watch(result);
	machine_run(model->cpu_main);
	result->host_ns = host_clock_ns() - began;
	machine_check();
	result->trace_hash = trace_hash;
	result->sim_ps = 0;
	for (unsigned i = 0; i < nr_cpus; i++)
		if (cpus[i].clock > result->sim_ps)
			result->sim_ps = cpus[i].clock;
	if (spec->kind == WORKLOAD_MUNMAP)
		collect_release(result, collect_munmap(result, spec));
	else if (spec->kind == WORKLOAD_MAPPING)
		collect_mapping(result);
	else if (spec->kind == WORKLOAD_FIELD_POOL)
		collect_field_pool(result, spec);
	else if (spec->kind == WORKLOAD_COMPACTION)
		collect_pool_pages(result);
	collect_series(result);
	collect_tasks(result);
	collect_locks(result);
	collect_lines(result);
	collect_counters(result);
	collect_observations(result);
	model->check_pages();
	model->finish(&report);
	if (*report.mm_stat) {
		result_add_mm_stat(result, report.mm_stat);
		result->mm_stat = strdup(report.mm_stat);
	}
	result->classes = prepared.classes;
	fault_result = NULL;
}

int experiment_execute(const struct run_spec *spec, struct result *result)
{
	experiment_prepare(spec, result);
	experiment_measure(spec, result);
	return 0;
}
