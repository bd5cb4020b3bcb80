/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validate_host_runs.c - see validate_host_runs.h. */
#include "reports/validate_host_runs.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "native/plan.h"
#include "native/run.h"
#include "reports/runner.h"
#include "scenarios/mem.h"

#define REGION_MOST_MB	128		/* longer runs are preempted more often, and say no more */
#define REGION_LEAST_MB	8
#define BUDGET_NS	75e9		/* of the two minutes; the profile and the simulation take the rest */
#define PAGES_PER_MB	256
#define SPARE_MB	256		/* memory besides the regions: what the software itself needs */

static const char *const variants[] = { "pool-lock", "base", "deferred", "deferred+percpu-stats" };

#define NR_VARIANTS (sizeof(variants) / sizeof(*variants))

/* ---- how many processes, how much memory ---- */

/* Each up to 4; then what doubling gives, and all. */
static unsigned next_procs(unsigned procs, unsigned cpus)
{
	unsigned next = procs < 4 ? procs + 1 : 2 * procs;

	return procs < cpus && next > cpus ? cpus : next;
}

static unsigned memory_for(unsigned cpus, unsigned region_mb)
{
	return 2 * cpus * region_mb + SPARE_MB;
}

static bool fits(unsigned region_mb, unsigned cpus, unsigned repeat, double page_ns, uint64_t free_bytes)
{
	double pages = 0;

	if (free_bytes && (uint64_t)memory_for(cpus, region_mb) << 20 > free_bytes / 2)
		return false;
	for (unsigned procs = 1; procs <= cpus; procs = next_procs(procs, cpus))
		pages += (double)procs * region_mb * PAGES_PER_MB * NR_VARIANTS * repeat;
	return pages * page_ns <= BUDGET_NS;
}

unsigned host_runs_region_mb(unsigned cpus, unsigned repeat, double page_ns, uint64_t free_bytes)
{
	const char *wanted = getenv("ZSMSIM_VALIDATE_REGION_MB");
	unsigned mb = REGION_MOST_MB;

	if (wanted && atoi(wanted) > 0)
		return (unsigned)atoi(wanted);
	while (mb > REGION_LEAST_MB && !fits(mb, cpus, repeat, page_ns, free_bytes))
		mb /= 2;
	return mb;
}

/* ---- the scenario, with what differs here ---- */

static int find_scenario(struct host_runs *r, char *error, size_t error_bytes)
{
	struct scenario_listing all;
	int status = scenario_list(&all, error, error_bytes);

	for (size_t i = 0; status == 0 && i < all.nr; i++) {
		if (!strcmp(all.entries[i].name, "munmap") && !r->scenario)
			r->scenario = scn_strdup(all.entries[i].origin);
	}
	if (status == 0 && !r->scenario) {
		snprintf(error, error_bytes, "zsmsim: scenarios/munmap.json: not found; it comes with the program");
		status = 2;
	}
	scenario_listing_free(&all);
	return status;
}

/* "@key=" and @value as JSON; takes @value. */
static char *assignment(const char *key, cJSON *value)
{
	char *text = cJSON_PrintUnformatted(value), *set;

	if (!text)
		abort();
	set = scn_printf("%s=%s", key, text);
	cJSON_free(text);
	cJSON_Delete(value);
	return set;
}

static cJSON *runs_value(const struct host_runs *r, const char *profile, unsigned cpus)
{
	cJSON *runs = cJSON_CreateArray(), *run = cJSON_CreateObject(), *workload, *sweep;

	cJSON_AddItemToArray(runs, run);
	cJSON_AddItemToObject(run, "profiles", cJSON_CreateStringArray(&profile, 1));
	workload = cJSON_AddObjectToObject(run, "workload");
	cJSON_AddStringToObject(workload, "kind", "munmap");
	sweep = cJSON_AddArrayToObject(cJSON_AddObjectToObject(workload, "procs"), "sweep");
	for (unsigned procs = 1; procs <= cpus; procs = next_procs(procs, cpus))
		cJSON_AddItemToArray(sweep, cJSON_CreateNumber(procs));
	cJSON_AddNumberToObject(workload, "region_mb", r->region_mb);
	return runs;
}

static void make_sets(struct host_runs *r, const char *profile, unsigned cpus)
{
	r->sets[0] = assignment("variants", cJSON_CreateStringArray(variants, NR_VARIANTS));
	r->sets[1] = assignment("machine.cpus", cJSON_CreateNumber(cpus));
	r->sets[2] = assignment("machine.memory_mb", cJSON_CreateNumber(r->memory_mb));
	r->sets[3] = assignment("runs", runs_value(r, profile, cpus));
}

static int load(const struct host_runs *r, struct run_list *list, char *error, size_t error_bytes)
{
	return scenario_load(r->scenario, (const char *const *)r->sets, 4, false, 0, list, error, error_bytes);
}

static void name_command(const struct host_runs *r, struct plan *plan, const char *argv)
{
	plan->argv = argv;
	plan->sets = (char *const *)r->sets;
	plan->nr_sets = 4;
}

int host_runs_create(struct host_runs *r, const struct host *host, const struct cpu_list *cpus, unsigned repeat,
		     const char *profile, const char *argv, char *error, size_t error_bytes)
{
	size_t before = 0;
	int status = find_scenario(r, error, error_bytes);

	if (status)
		return status;
	r->memory_mb = memory_for(cpus->nr, r->region_mb);
	make_sets(r, profile, cpus->nr);
	status = load(r, &r->real_list, error, error_bytes);
	if (status == 0)
		status = load(r, &r->simulated_list, error, error_bytes);
	if (status == 0)
		status = plan_create(&r->simulated, &r->simulated_list, &r->scenario, &before, 1, error, error_bytes);
	if (status)
		return status;
	native_plan(&r->real_list, cpus->nr, repeat);
	r->host_text = native_profile_text(host, cpus);
	plan_create_native(&r->real, &r->real_list, &r->scenario, r->host_text);
	name_command(r, &r->real, argv);
	name_command(r, &r->simulated, argv);
	return 0;
}

void host_runs_destroy(struct host_runs *r)
{
	plan_destroy(&r->real);
	plan_destroy(&r->simulated);
	run_list_free(&r->real_list);
	run_list_free(&r->simulated_list);
	for (size_t i = 0; i < 4; i++)
		free(r->sets[i]);
	free(r->host_text);
	free(r->scenario);
	*r = (struct host_runs){ 0 };
}

/* ---- making them ---- */

/* The module is open already: native_setup() has seen to it. */
static void preload(void)
{
}

/*
 * A run lasts milliseconds; other work of the machine had better wait so long.
 * Where that is not allowed, more runs are preempted, and are told apart.
 */
static int make_undisturbed(struct host_runs *r, struct db *db, const struct runner_options *how, bool *complete)
{
	int nice = getpriority(PRIO_PROCESS, 0), status;

	setpriority(PRIO_PROCESS, 0, PRIO_MIN);
	status = runner_execute(db, &r->real, how, complete);
	setpriority(PRIO_PROCESS, 0, nice);
	return status;
}

int host_runs_make(struct host_runs *r, struct db *db, unsigned jobs, bool progress, bool *complete)
{
	static const struct run_method native = {
		.preload = preload, .on_fault = native_on_fault, .execute = native_execute,
	};
	struct runner_options really = { .jobs = 1, .progress = progress, .in_turn = true, .method = &native };
	struct runner_options simulate = { .jobs = jobs, .progress = progress };
	int status, simulated;

	*complete = false;
	if (db_plan(db, &r->real) || db_plan(db, &r->simulated)) {
		fprintf(stderr, "%s\n", db_error(db));
		return 1;
	}
	/* Nothing else of ours may run meanwhile: the simulator comes after. */
	status = make_undisturbed(r, db, &really, complete);
	if (!*complete)
		return status;
	simulated = runner_execute(db, &r->simulated, &simulate, complete);
	return status ? status : simulated;
}
