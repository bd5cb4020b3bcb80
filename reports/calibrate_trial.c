/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate_trial.c - see calibrate_trial.h. */
#include "reports/calibrate_trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "reports/plan.h"
#include "reports/runner.h"
#include "scenarios/mem.h"
#include "scenarios/scenario.h"

#define DATABASE "trials.db"

/* ---- the directory ---- */

/* The scenario comes with the program. */
static int find_scenario(struct trials *t, char *error, size_t error_bytes)
{
	struct scenario_listing all;
	int status = scenario_list(&all, error, error_bytes);

	for (size_t i = 0; status == 0 && i < all.nr; i++)
		if (!strcmp(all.entries[i].name, "munmap"))
			t->scenario = scn_strdup(all.entries[i].origin);
	if (status == 0 && !t->scenario) {
		snprintf(error, error_bytes, "zsmsim: scenarios/munmap.json: not found; it comes with the program");
		status = 2;
	}
	scenario_listing_free(&all);
	return status;
}

static int make_directory(struct trials *t, char *error, size_t error_bytes)
{
	const char *where = getenv("TMPDIR");
	char *dir = scn_printf("%s/zsmsim-trials-XXXXXX", where && *where ? where : "/tmp");

	if (mkdtemp(dir)) {
		t->dir = dir;
		return 0;
	}
	snprintf(error, error_bytes, "zsmsim: %s: cannot be made: %m; name another directory in TMPDIR", dir);
	free(dir);
	return 1;
}

int trials_begin(struct trials *t, char *error, size_t error_bytes)
{
	int status = find_scenario(t, error, error_bytes);
	char *file;

	if (status == 0)
		status = make_directory(t, error, error_bytes);
	if (status)
		return status;
	file = scn_printf("%s/" DATABASE, t->dir);
	status = db_open_for_runs(&t->db, file);
	if (status)
		snprintf(error, error_bytes, "%s", db_error(&t->db));
	free(file);
	return status;
}

static void remove_file(const struct trials *t, const char *name)
{
	char *file = scn_printf("%s/%s", t->dir, name);

	unlink(file);
	free(file);
}

void trials_end(struct trials *t)
{
	db_close(&t->db);
	for (size_t i = 0; i < t->nr_files; i++) {
		unlink(t->files[i]);
		free(t->files[i]);
	}
	if (t->dir) {
		remove_file(t, DATABASE);
		remove_file(t, DATABASE "-journal");
		rmdir(t->dir);
	}
	free(t->files);
	free(t->dir);
	free(t->scenario);
	*t = (struct trials){ 0 };
}

const char *trials_file(struct trials *t, const char *profile_name)
{
	t->files = scn_grow(t->files, t->nr_files, sizeof(*t->files));
	t->files[t->nr_files] = scn_printf("%s/%s.json", t->dir, profile_name);
	return t->files[t->nr_files++];
}

/* ---- the runs ---- */

/* "KEY=[...]", as --set would be given it. */
static char *list_set(const char *key, const char *const *words, size_t nr)
{
	cJSON *list = cJSON_CreateStringArray(words, (int)nr);
	char *text = cJSON_PrintUnformatted(list), *set = scn_printf("%s=%s", key, text);

	cJSON_free(text);
	cJSON_Delete(list);
	return set;
}

static size_t index_of(const char *word, const char *const *words, size_t nr)
{
	size_t i = 0;

	while (i < nr && strcmp(word, words[i]))
		i++;
	return i;
}

/* By number and not from the view of current runs: trials of one profile are all called alike. */
static int time_of(struct trials *t, const struct planned *run, int64_t *ps)
{
	sqlite3_stmt *stmt = db_prepare(&t->db, "SELECT value FROM metric"
					" WHERE run_id = ? AND metric = 'munmap_ms' AND stat = 'mean'");
	bool row = false;
	int status;

	if (!stmt)
		return 1;
	sqlite3_bind_int64(stmt, 1, run->run_id);
	status = db_step(&t->db, stmt, &row);
	/* munmap_ms is kept to the picosecond */
	if (row)
		*ps = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return status;
}

/* Make the runs of @plan and collect their times, in the order that trials_run() promises. */
static int make_runs(struct trials *t, struct plan *plan, const char *const *files, size_t nr,
		     const char *const *variants, size_t nr_variants, int64_t *ps)
{
	struct runner_options options = { .jobs = t->jobs, .progress = t->progress };
	bool complete;
	int status = db_plan(&t->db, plan);

	if (status)
		return status;
	/* It has said what went wrong. */
	if (runner_execute(&t->db, plan, &options, &complete))
		return -1;
	for (size_t i = 0; status == 0 && i < plan->nr; i++) {
		size_t file = index_of(plan->at[i].spec->clusters[0].profile, files, nr);
		size_t variant = index_of(plan->at[i].spec->variant, variants, nr_variants);

		if (file < nr && variant < nr_variants)
			status = time_of(t, &plan->at[i], &ps[file * nr_variants + variant]);
	}
	return status;
}

int trials_run(struct trials *t, const char *const *files, size_t nr, const char *const *variants,
	       size_t nr_variants, unsigned region_mb, int64_t *ps, char *error, size_t error_bytes)
{
	char *sets[] = { list_set("profiles", files, nr), list_set("variants", variants, nr_variants),
			 scn_strdup("workload.procs=1"), scn_printf("workload.region_mb=%u", region_mb) };
	const size_t nr_sets = sizeof(sets) / sizeof(*sets), before = 0;
	struct run_list list = { 0 };
	struct plan plan = { 0 };
	int status = scenario_load(t->scenario, (const char *const *)sets, nr_sets, false, 0, &list, error,
				   error_bytes);

	*error = status ? *error : '\0';
	if (status == 0)
		status = plan_create(&plan, &list, &t->scenario, &before, 1, error, error_bytes);
	plan.argv = t->command;
	plan.sets = sets;
	plan.nr_sets = nr_sets;
	if (status == 0) {
		status = make_runs(t, &plan, files, nr, variants, nr_variants, ps);
		if (status > 0)
			snprintf(error, error_bytes, "%s", db_error(&t->db));
	}
	plan_destroy(&plan);
	run_list_free(&list);
	for (size_t i = 0; i < nr_sets; i++)
		free(sets[i]);
	return status < 0 ? 1 : status;
}
