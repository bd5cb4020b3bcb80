/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * validate_host.c - zsmsim validate --host: measure the machine, run the
 * software on it for real, simulate the same on the measured profile, and
 * print how far apart they are.
 */
#include "config.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "native/hostprofile.h"
#include "native/run.h"
#include "reports/csv.h"
#include "reports/progress.h"
#include "reports/validate_host_runs.h"
#include "reports/validate_host_table.h"
#include "reports/validate_modes.h"
#include "scenarios/mem.h"

#define LINE_BYTES	2048
#define REPEAT_ENOUGH	20		/* fewer are for a quick look: then the profile is measured quickly, too */
#define STORING		1.3		/* a page takes so many times its compression to be filled and stored */
#define NOISY		0.10		/* (90th - 10th percentile) / median */

struct validation {
	const struct validate_options *options;
	struct host host;
	struct cpu_list cpus;
	struct hostprofile profile;
	struct progress bar;
	struct host_runs runs;
	struct db db;
	char *dir, *profile_file, *db_file;
	char error[LINE_BYTES];
};

/* ---- the profile ---- */

static void show_progress(void *arg, size_t step, size_t of)
{
	struct validation *v = arg;

	if (!step) {
		progress_begin(&v->bar, !v->options->quiet, of, of);
		v->bar.things = "measurements";
	} else {
		progress_step(&v->bar, 1);
	}
}

/* Measuring keeps the thread on one CPU; the simulated runs are to have all again. */
static void leave_cpu(const struct cpu_list *cpus)
{
	int most = cpus->at[cpus->nr - 1];
	cpu_set_t *set = CPU_ALLOC(most + 1);
	size_t bytes = CPU_ALLOC_SIZE(most + 1);

	if (!set)
		return;
	CPU_ZERO_S(bytes, set);
	for (unsigned i = 0; i < cpus->nr; i++)
		CPU_SET_S(cpus->at[i], bytes, set);
	/* If it cannot be, they take longer. */
	(void)!sched_setaffinity(0, bytes, set);
	CPU_FREE(set);
}

static int measure(struct validation *v)
{
	const struct hostprofile_options how = {
		.name = "measured", .cpus = &v->cpus, .quick = v->options->repeat < REPEAT_ENOUGH, .as_native = true,
		.progress = show_progress, .arg = v,
	};
	int nice = getpriority(PRIO_PROCESS, 0), status;
	char why[LINE_BYTES - 32];

	/* As the runs themselves: see validate_host_runs.c. */
	setpriority(PRIO_PROCESS, 0, PRIO_MIN);
	status = hostprofile_measure(&v->profile, &how, why, sizeof(why));
	setpriority(PRIO_PROCESS, 0, nice);
	progress_clear(&v->bar);
	leave_cpu(&v->cpus);
	if (!status)
		return 0;
	snprintf(v->error, sizeof(v->error), "zsmsim: validate --host: %s", why);
	return 1;
}

/* What a page takes before it can be unmapped, by its compression. */
static double page_ns(const struct validation *v)
{
	const cJSON *work = cJSON_GetObjectItemCaseSensitive(v->profile.root, "work");
	const cJSON *page = cJSON_GetObjectItemCaseSensitive(work, "compress_page");

	return STORING * cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(page, "low"));
}

/* What decides most, so that two runs of the command can be told apart. */
static void print_figures(const struct validation *v)
{
	static const char *const keys[] = {
		"clock", "ipc", "window", "store_buffer", "l2_latency", "llc_size", "llc_latency", "dram_latency", "transfer",
		"transfer_shared", "upgrade", "atomic",
	};
	const cJSON *figures = cJSON_GetObjectItemCaseSensitive(v->profile.root, "figures"), *f;

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		f = cJSON_GetObjectItemCaseSensitive(figures, keys[i]);
		printf("%s%s %g %s", i == 0 ? "" : i % 6 ? ", " : ",\n", keys[i],
		       cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(f, "value")),
		       cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(f, "unit")));
	}
	puts("");
}

/* ---- a place for what need not stay ---- */

static int failed(struct validation *v, const char *what)
{
	snprintf(v->error, sizeof(v->error), "zsmsim: %s: %s", what, strerror(errno));
	return 1;
}

static int make_directory(struct validation *v)
{
	const char *tmp = getenv("TMPDIR");
	char *dir = scn_printf("%s/zsmsim-host-XXXXXX", tmp && *tmp ? tmp : "/tmp");

	if (!mkdtemp(dir)) {
		failed(v, dir);
		free(dir);
		return 1;
	}
	v->dir = dir;
	v->profile_file = scn_printf("%s/measured.json", dir);
	v->db_file = scn_printf("%s/runs.db", dir);
	return 0;
}

static int write_profile(struct validation *v)
{
	char *text = cJSON_Print(v->profile.root);
	FILE *f = fopen(v->profile_file, "w");
	bool ok = f && text && fprintf(f, "%s\n", text) > 0;

	if (f && fclose(f))
		ok = false;
	cJSON_free(text);
	return ok ? 0 : failed(v, v->profile_file);
}

static void remove_directory(struct validation *v)
{
	if (!v->dir)
		return;
	unlink(v->profile_file);
	unlink(v->db_file);
	rmdir(v->dir);
}

/* ---- output ---- */

static void print_head(const struct validation *v)
{
	printf("This machine: %s, %s; %u CPU%s. %zu figures of its profile were measured, %zu are those of %s.\n",
	       v->host.cpu, v->host.kernel, v->cpus.nr, v->cpus.nr == 1 ? "" : "s", v->profile.measured,
	       v->profile.estimated, v->profile.nearest);
	if (v->cpus.nr == 1)
		puts("One CPU: only one process at a time can be compared; there are no ratios to 1 process.");
	print_figures(v);
	fflush(stdout);
}

static void print_noise(const struct validation *v, const struct host_table *t)
{
	double widest = host_table_widest(t);

	printf("%s machine: %zu of %zu runs were preempted by other work; 10th to 90th percentile of the times up to"
	       " %.0f %% of\nthe median, of the profile's figures %.0f %% (median) and up to %.0f %% (%s); others took"
	       " %.2g %% of a spinning\nthread's time.\n", t->preempted || widest > NOISY ? "A noisy" : "A quiet",
	       t->preempted, t->runs, widest * 100, v->profile.median_spread * 100, v->profile.worst_spread * 100,
	       v->profile.worst, v->profile.lost_percent);
}

static int write_csv(struct validation *v, const struct host_table *t)
{
	struct csv csv;

	if (csv_open(&csv, v->options->csv, v->error, sizeof(v->error)))
		return 1;
	host_table_csv(t, &csv);
	return csv_commit(&csv, v->error, sizeof(v->error));
}

static int print(struct validation *v)
{
	struct host_table t = { 0 };
	int status = host_table_load(&t, &v->db, &v->runs.real, &v->runs.simulated);

	if (status) {
		snprintf(v->error, sizeof(v->error), "%s", db_error(&v->db));
	} else {
		host_table_print(&t, v->runs.region_mb, stdout);
		print_noise(v, &t);
		if (v->options->csv)
			status = write_csv(v, &t);
	}
	host_table_free(&t);
	return status;
}

/* ---- all together ---- */

static int prepare(struct validation *v)
{
	char why[512];
	int status = v->options->csv ? csv_probe(v->options->csv, v->error, sizeof(v->error)) : 0;

	if (status)
		return status;
	v->cpus = host_cpus();
	host_describe(&v->host, "", v->cpus.at[0]);
	if (!native_setup(&v->host, &v->cpus, why, sizeof(why)))
		return 0;
	snprintf(v->error, sizeof(v->error), "zsmsim: %s", why);
	return 1;
}

static int check_memory(struct validation *v)
{
	uint64_t available = host_memory_available("");

	if (!available || available >> 20 >= v->runs.memory_mb)
		return 0;
	snprintf(v->error, sizeof(v->error), "zsmsim: validate --host: memory of %u MB is needed, and %llu MB are free",
		 v->runs.memory_mb, (unsigned long long)(available >> 20));
	return 1;
}

static int plan(struct validation *v)
{
	int status = make_directory(v) || write_profile(v);

	if (status)
		return status;
	v->runs.region_mb = host_runs_region_mb(v->cpus.nr, v->options->repeat, page_ns(v), host_memory_available(""));
	status = host_runs_create(&v->runs, &v->host, &v->cpus, v->options->repeat, v->profile_file,
				  "zsmsim validate --host", v->error, sizeof(v->error));
	if (status == 0)
		status = check_memory(v);
	if (status == 0 && db_open_for_runs(&v->db, v->db_file)) {
		snprintf(v->error, sizeof(v->error), "%s", db_error(&v->db));
		status = 1;
	}
	return status;
}

/* Faults of runs and interruptions have been told already, others are in v->error. */
static int execute(struct validation *v)
{
	bool complete;
	int status = host_runs_make(&v->runs, &v->db, v->options->jobs, !v->options->quiet, &complete), printed;

	if (!complete)
		return status;
	printed = print(v);
	return printed ? printed : status;
}

int validate_host(const struct validate_options *options)
{
	struct validation v = { .options = options };
	int status = prepare(&v);

	if (status == 0)
		status = measure(&v);
	if (status == 0) {
		print_head(&v);
		status = plan(&v);
	}
	if (status == 0)
		status = execute(&v);
	if (*v.error)
		fprintf(stderr, "%s\n", v.error);
	db_close(&v.db);
	host_runs_destroy(&v.runs);
	remove_directory(&v);
	hostprofile_free(&v.profile);
	host_free(&v.host);
	cpu_list_free(&v.cpus);
	free(v.profile_file);
	free(v.db_file);
	free(v.dir);
	return status;
}
