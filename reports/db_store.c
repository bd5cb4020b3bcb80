/* SPDX-License-Identifier: GPL-3.0-or-later */
/* db_store.c - runs into the database, one transaction each (see db.h). */
#include "reports/db.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "reports/build_info.h"
#include "scenarios/breaks.h"
#include "scenarios/experiment.h"

/* ---- binding ---- */

/*
 * A statement being filled, by position. A failure to bind (memory) sticks
 * in SQLite's error code, so one check at the end is enough.
 */
struct filling {
	sqlite3_stmt *stmt;
	int at;
	bool failed;
};

static void put_int(struct filling *f, int64_t value)
{
	f->failed |= sqlite3_bind_int64(f->stmt, ++f->at, value) != SQLITE_OK;
}

/* NULL is bound as NULL. The text must live until the statement is reset. */
static void put_text(struct filling *f, const char *text)
{
	f->failed |= sqlite3_bind_text(f->stmt, ++f->at, text, -1, SQLITE_STATIC) != SQLITE_OK;
}

/* Execute a filled statement that returns nothing, and make it ready for the next row. */
static int flush(struct db *db, struct filling *f)
{
	int code = f->failed ? SQLITE_NOMEM : sqlite3_step(f->stmt);
	int status = code == SQLITE_DONE ? 0 : db_fail(db);

	sqlite3_reset(f->stmt);
	f->at = 0;
	return status;
}

/* ---- numbers for runs ---- */

/* The number that the run has already, or a new one. */
static int plan_one(struct db *db, sqlite3_stmt *insert, sqlite3_stmt *find, struct planned *run)
{
	struct filling in = { .stmt = insert }, out = { .stmt = find };
	bool row = false;
	int status;

	put_text(&in, run->identity);
	if (flush(db, &in))
		return 1;
	put_text(&out, run->identity);
	status = db_step(db, find, &row);
	if (row)
		run->run_id = sqlite3_column_int64(find, 0);
	sqlite3_reset(find);
	return status;
}

int db_plan(struct db *db, struct plan *plan)
{
	sqlite3_stmt *insert = db_prepare(db, "INSERT OR IGNORE INTO plan (identity) VALUES (?)");
	sqlite3_stmt *find = db_prepare(db, "SELECT run_id FROM plan WHERE identity = ?");
	int status = insert && find ? db_exec(db, "BEGIN IMMEDIATE") : 1;

	for (size_t i = 0; status == 0 && i < plan->nr; i++)
		status = plan_one(db, insert, find, &plan->at[i]);
	if (status == 0)
		status = db_exec(db, "COMMIT");
	sqlite3_finalize(insert);
	sqlite3_finalize(find);
	return status;
}

int db_is_done(struct db *db, int64_t run_id, bool *done)
{
	sqlite3_stmt *stmt = db_prepare(db, "SELECT 1 FROM run WHERE run_id = ? AND fault IS NULL");
	struct filling f = { .stmt = stmt };
	int status = 1;

	*done = false;
	if (stmt) {
		put_int(&f, run_id);
		status = db_step(db, stmt, done);
	}
	sqlite3_finalize(stmt);
	return status;
}

/* ---- the row of the run ---- */

/* The put functions of a row follow the order of the columns in the statement below. */
static void put_label(struct filling *f, const struct planned *run)
{
	const struct run_spec *s = run->spec;

	put_int(f, run->run_id);
	put_text(f, s->scenario);
	put_text(f, s->variant);
	put_text(f, s->profile);
	put_int(f, (int64_t)s->seed);
	put_text(f, s->params);
	put_text(f, s->scenario_text);
	put_text(f, s->variant_text);
	put_text(f, run->profile_text);
	put_text(f, run->clusters);
}

static void put_figures(struct filling *f, const struct run_spec *s, const char *settings)
{
	put_int(f, s->memory_mb);
	put_int(f, s->page_kb);
	put_int(f, s->chain_size);
	put_int(f, s->procs);
	put_int(f, s->region_mb);
	put_text(f, field_word(FIELD_KIND, s->kind));
	put_text(f, settings);
	put_int(f, s->sample_us);
	put_text(f, break_name(s->break_what));
}

static void put_build(struct filling *f, const struct planned *run)
{
	const struct run_spec *s = run->spec;

	put_text(f, build_version());
	put_text(f, s->kernel ? s->kernel_info->id : build_model_id());
	if (!s->kernel)
		put_text(f, build_model_compiler());
	else
		put_text(f, run->kernel_compiler ? run->kernel_compiler : "unknown");
	put_text(f, build_compiler());
}

static void put_kernel(struct filling *f, const struct run_spec *s)
{
	const struct module_info none = { 0 }, *info = s->kernel ? s->kernel_info : &none;

	put_text(f, info->tree);
	put_text(f, info->patches);
	put_text(f, info->defines);
	put_text(f, info->compiler);
	put_text(f, info->source_id);
}

static int store_run(struct db *db, const struct planned *run, const struct result *r)
{
	struct filling f = { .stmt = db_prepare(db,
		"INSERT INTO run (run_id, scenario, variant, profile, seed, params, scenario_text,"
		" variant_text, profile_text, clusters, memory_mb, page_kb, chain_size, procs, region_mb, workload, settings,"
		" sample_us, broken, program_version, build_id, compiler, host_compiler,"
		" kernel_tree, kernel_patches, kernel_defines, kernel_compiler, kernel_source_id, trace_hash,"
		" sim_ps, accesses, mm_stat, classes, fault)"
		" VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)") };
	char hash[17], *settings;
	int status;

	if (!f.stmt)
		return 1;
	snprintf(hash, sizeof(hash), "%016" PRIx64, r->trace_hash);
	put_label(&f, run);
	settings = run_settings(run->spec);
	put_figures(&f, run->spec, settings);
	put_build(&f, run);
	put_kernel(&f, run->spec);
	put_text(&f, hash);
	put_int(&f, (int64_t)r->sim_ps);
	put_int(&f, (int64_t)r->accesses);
	put_text(&f, r->mm_stat);
	put_text(&f, r->classes);
	put_text(&f, r->fault);
	status = flush(db, &f);
	free(settings);
	sqlite3_finalize(f.stmt);
	return status;
}

/* Apart from the run's row: what is not the same when the run is made again. */
static int store_host(struct db *db, int64_t run_id, const char *argv, const struct result *r)
{
	struct filling f = { .stmt = db_prepare(db, "INSERT INTO run_host VALUES (?,?,?)") };
	int status;

	if (!f.stmt)
		return 1;
	put_int(&f, run_id);
	put_int(&f, (int64_t)r->host_ns);
	put_text(&f, argv);
	status = flush(db, &f);
	sqlite3_finalize(f.stmt);
	return status;
}

/* ---- its tables ---- */

static void put_metric(struct filling *f, const struct result *r, size_t i)
{
	const struct result_metric *m = &r->metrics[i];

	put_int(f, (int64_t)i);
	put_text(f, m->metric);
	put_text(f, m->unit);
	put_text(f, m->stat);
	put_int(f, m->value);
	put_int(f, m->decimals);
}

static void put_series(struct filling *f, const struct result *r, size_t i)
{
	put_int(f, (int64_t)i);
	put_text(f, r->series[i].name);
	put_text(f, r->series[i].unit);
}

static void put_sample(struct filling *f, const struct result *r, size_t i)
{
	const struct result_sample *s = &r->samples[i];

	put_int(f, s->series);
	put_int(f, (int64_t)i);
	put_int(f, (int64_t)s->t_ns);
	put_int(f, s->value);
}

static void put_cause(struct filling *f, const struct result *r, size_t i)
{
	const struct result_cause *c = &r->causes[i];

	put_int(f, (int64_t)i);
	put_text(f, c->task);
	put_text(f, c->cause);
	put_int(f, (int64_t)c->ps);
}

static void put_lock(struct filling *f, const struct result *r, size_t i)
{
	const struct result_lock *l = &r->locks[i];

	put_int(f, (int64_t)i);
	put_text(f, l->lock);
	put_int(f, (int64_t)l->acquisitions);
	put_int(f, (int64_t)l->contentions);
	put_int(f, (int64_t)l->bounces);
	put_int(f, (int64_t)l->wait_ps);
	put_int(f, (int64_t)l->wait_max_ps);
	put_int(f, (int64_t)l->hold_ps);
	put_int(f, (int64_t)l->hold_max_ps);
}

static void put_lines(struct filling *f, const struct result *r, size_t i)
{
	const struct result_lines *l = &r->lines[i];

	put_int(f, (int64_t)i);
	put_text(f, l->group);
	put_int(f, (int64_t)l->transfers);
	put_int(f, (int64_t)l->transfer_ps);
	put_int(f, (int64_t)l->misses);
}

static void put_value(struct filling *f, const struct result_observation *o, size_t seq)
{
	put_text(f, o->name);
	put_int(f, (int64_t)seq);
	put_text(f, o->unit);
	put_int(f, o->values[seq]);
}

static int store_observations(struct db *db, int64_t run_id, const struct result *r)
{
	struct filling f = { .stmt = db_prepare(db, "INSERT INTO observation VALUES (?,?,?,?,?)") };
	int status = f.stmt ? 0 : 1;

	for (size_t i = 0; i < r->nr_observations; i++) {
		for (size_t seq = 0; status == 0 && seq < r->observations[i].nr; seq++) {
			put_int(&f, run_id);
			put_value(&f, &r->observations[i], seq);
			status = flush(db, &f);
		}
	}
	sqlite3_finalize(f.stmt);
	return status;
}

/* Rows 0 .. @nr - 1 of one table; @put fills in what follows run_id. */
static int store_rows(struct db *db, const char *sql, int64_t run_id, const struct result *r, size_t nr,
		      void (*put)(struct filling *, const struct result *, size_t))
{
	struct filling f = { .stmt = db_prepare(db, sql) };
	int status = f.stmt ? 0 : 1;

	for (size_t i = 0; status == 0 && i < nr; i++) {
		put_int(&f, run_id);
		put(&f, r, i);
		status = flush(db, &f);
	}
	sqlite3_finalize(f.stmt);
	return status;
}

static int store_tables(struct db *db, int64_t id, const struct result *r)
{
	return store_rows(db, "INSERT INTO metric VALUES (?,?,?,?,?,?,?)", id, r, r->nr_metrics, put_metric) ||
	       store_rows(db, "INSERT INTO series VALUES (?,?,?,?)", id, r, r->nr_series, put_series) ||
	       store_rows(db, "INSERT INTO sample VALUES (?,?,?,?,?)", id, r, r->nr_samples, put_sample) ||
	       store_rows(db, "INSERT INTO cause VALUES (?,?,?,?,?)", id, r, r->nr_causes, put_cause) ||
	       store_rows(db, "INSERT INTO lock VALUES (?,?,?,?,?,?,?,?,?,?)", id, r, r->nr_locks, put_lock) ||
	       store_rows(db, "INSERT INTO lines VALUES (?,?,?,?,?,?)", id, r, r->nr_lines, put_lines) ||
	       store_observations(db, id, r);
}

/* The earlier row is one that ended in a fault, or a twin that another command made meanwhile. */
static int drop_earlier(struct db *db, int64_t run_id)
{
	char sql[64];

	snprintf(sql, sizeof(sql), "DELETE FROM run WHERE run_id = %" PRId64, run_id);
	return db_exec(db, sql);
}

int db_store(struct db *db, const struct planned *run, const char *argv, const struct result *r)
{
	int status = db_exec(db, "BEGIN IMMEDIATE");

	if (status == 0)
		status = drop_earlier(db, run->run_id) || store_run(db, run, r) ||
			 store_host(db, run->run_id, argv, r) || store_tables(db, run->run_id, r) ||
			 db_exec(db, "COMMIT");
	/* The error's text is kept already; some errors have rolled back by themselves. */
	if (status && !sqlite3_get_autocommit(db->sql))
		sqlite3_exec(db->sql, "ROLLBACK", NULL, NULL, NULL);
	return status;
}
