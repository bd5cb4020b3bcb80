/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulate.c - see simulate.h: a scenario in a directory of its own, run like any other. */
#include "realkernel/simulate.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/db.h"
#include "reports/plan.h"
#include "reports/runner.h"
#include "scenarios/mem.h"
#include "scenarios/scenario.h"

/* As scenarios/block.c asks for: 1.5 x regions, 1/32 of the memory and 64 MiB; and room. */
#define MEMORY_MB(regions)	((regions) * 2 + 512)

struct simulation {
	const struct simulate_options *options;
	char *dir, *profile, *scenario, *database;
	struct run_list list;
	struct plan plan;
	struct db db;
	char *error;
	size_t error_bytes;
};

static int fail(struct simulation *s, const char *what)
{
	snprintf(s->error, s->error_bytes, "zsmsim: %s: %s", what, strerror(errno));
	return 1;
}

/* ---- the files ---- */

static int write_file(struct simulation *s, const char *path, const char *text)
{
	FILE *f = fopen(path, "w");
	bool ok = f && fputs(text, f) >= 0;

	if (f && fclose(f))
		ok = false;
	return ok ? 0 : fail(s, path);
}

static char *scenario_text(const struct simulation *s)
{
	const struct simulate_options *o = s->options;
	char *procs = scn_strdup("1"), *text;

	for (unsigned i = 2; i <= o->procs_max; i++) {
		char *more = scn_printf("%s, %u", procs, i);

		free(procs);
		procs = more;
	}
	text = scn_printf("{ \"name\": \"kernel-test\", \"variants\": [\"%s\"], \"profiles\": [\"%s\"],\n"
			  "\"machine\": { \"cpus\": %u, \"memory_mb\": %u, \"page_kb\": 4 },\n"
			  "\"zsmalloc\": { \"chain_size\": %u },\n"
			  "\"workload\": { \"kind\": \"munmap\", \"region_mb\": %u, \"procs\": { \"sweep\": [%s] } } }\n",
			  o->variant, s->profile, o->cpus, MEMORY_MB(o->region_mb * o->procs_max), o->chain_size,
			  o->region_mb, procs);
	free(procs);
	return text;
}

static int write_files(struct simulation *s)
{
	const char *tmp = getenv("TMPDIR");
	char *text, *profile;
	int status;

	s->dir = scn_printf("%s/zsmsim-kernel-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (!mkdtemp(s->dir)) {
		fail(s, s->dir);
		free(s->dir);
		s->dir = NULL;
		return 1;
	}
	s->profile = scn_printf("%s/host.json", s->dir);
	s->scenario = scn_printf("%s/scenario.json", s->dir);
	s->database = scn_printf("%s/results.db", s->dir);
	profile = cJSON_Print(s->options->profile);
	status = write_file(s, s->profile, profile ? profile : "");
	cJSON_free(profile);
	text = scenario_text(s);
	if (status == 0)
		status = write_file(s, s->scenario, text);
	free(text);
	return status;
}

static void remove_files(struct simulation *s)
{
	if (s->dir) {
		unlink(s->profile);
		unlink(s->scenario);
		unlink(s->database);
		rmdir(s->dir);
	}
	free(s->profile);
	free(s->scenario);
	free(s->database);
	free(s->dir);
}

/* ---- the runs ---- */

static int make_runs(struct simulation *s)
{
	struct runner_options how = { .jobs = s->options->jobs, .progress = s->options->progress };
	size_t before = 0;
	bool complete;
	int status = scenario_load(s->scenario, NULL, 0, false, 0, &s->list, s->error, s->error_bytes);

	if (status == 0)
		status = plan_create(&s->plan, &s->list, &s->scenario, &before, 1, s->error, s->error_bytes);
	s->plan.argv = "zsmsim validate --kernel";
	if (status)
		return status;
	if (db_open_for_runs(&s->db, s->database) || db_plan(&s->db, &s->plan)) {
		snprintf(s->error, s->error_bytes, "%s", db_error(&s->db));
		return 1;
	}
	return runner_execute(&s->db, &s->plan, &how, &complete);
}

static double scaled(int64_t value, int decimals)
{
	return (double)value / pow(10, decimals);
}

/* Texts end at the line's end. */
static void take_row(sqlite3_stmt *stmt, struct simulated *out)
{
	const char *mm_stat = (const char *)sqlite3_column_text(stmt, 2);

	out->mean_ns = scaled(sqlite3_column_int64(stmt, 0), sqlite3_column_int(stmt, 1)) * 1e6;
	snprintf(out->mm_stat, sizeof(out->mm_stat), "%s", mm_stat ? mm_stat : "");
	out->mm_stat[strcspn(out->mm_stat, "\n")] = '\0';
}

static int read_run(struct simulation *s, unsigned procs, struct simulated *out)
{
	static const char sql[] = "SELECT value, decimals, mm_stat FROM run JOIN metric USING (run_id)"
				  " WHERE procs = ? AND metric = 'munmap_ms' AND stat = 'mean'";
	sqlite3_stmt *stmt = db_prepare(&s->db, sql);
	bool row = false;
	int status = 1;

	if (stmt) {
		sqlite3_bind_int(stmt, 1, (int)procs);
		status = db_step(&s->db, stmt, &row);
	}
	if (status)
		snprintf(s->error, s->error_bytes, "%s", db_error(&s->db));
	else if (row)
		take_row(stmt, out);
	sqlite3_finalize(stmt);
	return row ? 0 : 1;
}

int simulate_rounds(const struct simulate_options *options, struct simulated *out, char *error, size_t error_bytes)
{
	struct simulation s = { .options = options, .error = error, .error_bytes = error_bytes };
	int status;

	*error = '\0';
	memset(out, 0, options->procs_max * sizeof(*out));
	status = write_files(&s);
	if (status == 0)
		status = make_runs(&s);
	for (unsigned i = 0; status == 0 && i < options->procs_max; i++)
		status = read_run(&s, i + 1, &out[i]);
	db_close(&s.db);
	plan_destroy(&s.plan);
	run_list_free(&s.list);
	remove_files(&s);
	return status;
}
