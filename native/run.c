/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.c - see run.h. */
#include "native/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "native/load.h"
#include "scenarios/mem.h"
#include "scenarios/run_model.h"

#define CLASSES_BYTES	32768
#define TIMEOUT_S	120
#define SWEEP_MAX_BYTES	(256ull << 20)

static const struct native_ops *ops;
static const struct host *host;
static const struct cpu_list *host_list;

static struct result *fault_result;	/* of the run in this process */
static void (*fault_exit)(struct result *);

int native_setup(const struct host *machine, const struct cpu_list *cpus, char *error, size_t error_bytes)
{
	ops = native_load(error, error_bytes);
	host = machine;
	host_list = cpus;
	return ops ? 0 : -1;
}

/* A shared cache is swept by all that share it together. */
size_t native_sweep_bytes(const struct host *machine, unsigned cpus)
{
	size_t most = 0;

	for (int i = 0; i < HOST_LEVELS; i++) {
		const struct host_cache *cache = &machine->cache[i];
		unsigned sharers = cache->shared.nr < cpus ? cache->shared.nr : cpus;
		size_t each = cache->bytes / (sharers ? sharers : 1);

		most = each > most ? each : most;
	}
	return 2 * most < SWEEP_MAX_BYTES ? 2 * most : SWEEP_MAX_BYTES;
}

void native_on_fault(void (*fn)(struct result *result))
{
	fault_exit = fn;
}

static void on_fault(const char *report)
{
	fault_result->fault = strdup(report);
	if (fault_exit)
		fault_exit(fault_result);
	fprintf(stderr, "%s\n", report);
	exit(1);
}

/* ---- what was observed ---- */

static void add_ms(struct result *r, const char *metric, const char *stat, uint64_t ns)
{
	result_add_metric(r, metric, "ms", stat, (int64_t)ns, 6);
}

static uint64_t mark_ns(const char *name, unsigned index)
{
	size_t nr;
	const struct native_mark *m = ops->marks(&nr);

	for (size_t i = 0; i < nr; i++) {
		if (m[i].index == index && !strcmp(m[i].name, name))
			return m[i].ns;
	}
	on_fault("fault: all is quiet, but a process never finished: a wake-up was lost\n");
	return 0;
}

static void collect_times(struct result *r, const struct run_spec *spec)
{
	uint64_t sum = 0, longest = 0, first = UINT64_MAX;
	char stat[16];

	for (unsigned i = 0; i < spec->procs; i++) {
		uint64_t begin = mark_ns("munmap_begin", i), ns = mark_ns("munmap_end", i) - begin;

		snprintf(stat, sizeof(stat), "p%u", i);
		add_ms(r, "munmap_ms", stat, ns);
		sum += ns;
		longest = ns > longest ? ns : longest;
		first = begin < first ? begin : first;
	}
	add_ms(r, "munmap_ms", "mean", (sum + spec->procs / 2) / spec->procs);
	add_ms(r, "munmap_ms", "max", longest);
	add_ms(r, "free_complete_ms", "value", ops->rest_ns() - first);
	r->host_ns = ops->rest_ns() - first;
}

/* What the measured part suffered: should be none of either. */
static void collect_disturbance(struct result *r)
{
	struct native_disturbance d = ops->disturbance();

	result_add_metric(r, "page_faults", "faults", "total", d.page_faults, 0);
	result_add_metric(r, "preemptions", "switches", "total", d.preemptions, 0);
}

/* ---- the run ---- */

static int create(const struct run_spec *spec)
{
	struct native_machine machine = {
		.nr_cpus = spec->clusters[0].cpus,
		.host_cpu = host_list->at,
		.memory_bytes = (uint64_t)spec->memory_mb << 20,
		.sweep_bytes = native_sweep_bytes(host, spec->clusters[0].cpus),
		.timeout_s = TIMEOUT_S,
		.on_fault = on_fault,
	};
	char error[256];

	if (machine.nr_cpus > host_list->nr) {
		fprintf(stderr, "zsmsim: a native run on %u CPUs, of which there are %u\n", machine.nr_cpus,
			host_list->nr);
		return 1;
	}
	if (!ops->create(&machine, error, sizeof(error)))
		return 0;
	fprintf(stderr, "zsmsim: %s\n", error);
	return 1;
}

int native_execute(const struct run_spec *spec, struct result *result)
{
	struct model_config config = run_model_config(spec, spec->clusters[0].cpus);
	struct model_report report = { 0 };

	fault_result = result;
	if (create(spec))
		return 1;
	result->classes = scn_zalloc(CLASSES_BYTES, 1);
	ops->model->prepare(&config);
	ops->model->classes(result->classes, CLASSES_BYTES);
	ops->model->check_pages();
	if (ops->run())
		on_fault("fault: the CPUs did not come to rest: one waits for what never comes\n");
	collect_disturbance(result);
	collect_times(result, spec);
	ops->model->check_pages();
	ops->model->finish(&report);
	result_add_mm_stat(result, report.mm_stat);
	result->mm_stat = scn_strdup(report.mm_stat);
	return 0;
}
