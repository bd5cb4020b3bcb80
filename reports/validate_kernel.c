/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * validate_kernel.c - zsmsim validate --kernel: the test program on the kernel
 * that runs here, and beside it the simulator's word on this machine.
 */
#include "config.h"

#include "reports/validate_modes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "native/hostprofile.h"
#include "native/run.h"
#include "realkernel/repeated.h"
#include "realkernel/running.h"
#include "realkernel/simulate.h"
#include "realkernel/traits.h"
#include "reports/cli.h"
#include "reports/csv.h"
#include "reports/progress.h"

#define REGION_MB	256u
#define REGION_BYTES	((size_t)REGION_MB << 20)
#define REGION_PAGES	(REGION_BYTES / 4096)
#define LINE_BYTES	1024
#define TRAITS_MAX	8

/* What is aimed at: percent of the measured figure. */
#define REACH_TIME	30.0
#define REACH_RATIO	15.0
/* Spreads above this, in parts of the median, are a noisy machine's. */
#define NOISY		0.1
/* Percent by which a line's way differs when it is another way. */
#define MOVED		25.0

static const char *const mm_stat_names[] = { "original", "compressed", "used" };

#define NR_MM_STAT (sizeof(mm_stat_names) / sizeof(*mm_stat_names))

struct check {
	const struct validate_options *options;
	struct kernel_needs needs;
	struct nearest_variant nearest;
	unsigned chain_size;
	bool chain_known;
	struct cpu_list allowed, cpus;	/* cpus: the first of those allowed; not to be freed */
	struct host host;
	struct progress bar;
	struct repeated measured[PROCESSES_MAX];
	struct hostprofile profile;
	struct simulated simulated[PROCESSES_MAX];
	char error[LINE_BYTES];
};

/* ---- can it be done? ---- */

static int wrong(struct check *c, const char *what)
{
	snprintf(c->error, sizeof(c->error), "zsmsim: validate --kernel: %s", what);
	return EXIT_WRONG;
}

static int look(struct check *c)
{
	char line[LINE_BYTES - 64];

	c->allowed = c->cpus = host_cpus();
	if (c->cpus.nr > PROCESSES_MAX)
		c->cpus.nr = PROCESSES_MAX;
	kernel_needs_find(&c->needs);
	if (!kernel_needs_met(&c->needs, c->cpus.nr * (uint64_t)REGION_BYTES, line, sizeof(line)))
		return wrong(c, line);
	c->nearest = nearest_variant(c->needs.release);
	if (!c->nearest.variant)
		return wrong(c, c->nearest.why);
	c->chain_size = running_chain_size(&c->chain_known);
	host_describe(&c->host, "", c->cpus.at[0]);
	return c->options->csv ? csv_probe(c->options->csv, c->error, sizeof(c->error)) : EXIT_DONE;
}

/* ---- the three parts: the kernel, the profile, the simulator ---- */

static void step_round(void *arg)
{
	progress_step(&((struct check *)arg)->bar, 1);
}

static int measure_kernel(struct check *c)
{
	const struct repeated_options how = {
		.procs_max = c->cpus.nr, .repeat = c->options->repeat, .cpus = &c->cpus,
		.region_bytes = REGION_BYTES, .sweep_bytes = native_sweep_bytes(&c->host, c->cpus.nr),
		.progress = step_round, .arg = c,
	};
	size_t rounds = (size_t)how.procs_max * how.repeat;
	char line[ROUND_ERROR_BYTES];
	int status;

	progress_begin(&c->bar, !c->options->quiet, rounds, rounds);
	c->bar.things = "rounds";
	status = repeated_make(&how, c->measured, line);
	progress_clear(&c->bar);
	if (status)
		snprintf(c->error, sizeof(c->error), "zsmsim: validate --kernel: %s", line);
	return status ? EXIT_FAULT : EXIT_DONE;
}

static void step_figure(void *arg, size_t step, size_t of)
{
	struct check *c = arg;

	if (!step) {
		progress_begin(&c->bar, !c->options->quiet, of, of);
		c->bar.things = "measurements";
	} else {
		progress_step(&c->bar, 1);
	}
}

static int measure_profile(struct check *c)
{
	const struct hostprofile_options how = {
		.name = "host", .cpus = &c->cpus, .progress = step_figure, .arg = c,
	};
	char line[LINE_BYTES - 64];
	int status = hostprofile_measure(&c->profile, &how, line, sizeof(line));

	progress_clear(&c->bar);
	if (status)
		snprintf(c->error, sizeof(c->error), "zsmsim: validate --kernel: %s", line);
	return status ? EXIT_FAULT : EXIT_DONE;
}

static int simulate(struct check *c)
{
	const struct simulate_options how = {
		.profile = c->profile.root, .variant = c->nearest.variant, .chain_size = c->chain_size,
		.cpus = c->cpus.nr, .procs_max = c->cpus.nr, .region_mb = REGION_MB,
		.jobs = c->options->jobs, .progress = !c->options->quiet,
	};

	return simulate_rounds(&how, c->simulated, c->error, sizeof(c->error)) ? EXIT_FAULT : EXIT_DONE;
}

/* ---- figures ---- */

static double error_pct(double simulated, double measured)
{
	return measured != 0 ? (simulated - measured) / measured * 100 : 0;
}

static bool mm_stat_numbers(const char *line, unsigned long long *number)
{
	return sscanf(line, "%llu %llu %llu", &number[0], &number[1], &number[2]) == (int)NR_MM_STAT;
}

static double page_ns(const struct check *c, unsigned i)
{
	return c->simulated[i].mean_ns / REGION_PAGES;
}

static struct spread measured_page_ns(const struct check *c, unsigned i)
{
	struct spread s = c->measured[i].mean_ns;

	s.low /= REGION_PAGES;
	s.value /= REGION_PAGES;
	s.high /= REGION_PAGES;
	return s;
}

static double simulated_ratio(const struct check *c, unsigned i)
{
	return c->simulated[i].mean_ns / c->simulated[0].mean_ns;
}

static bool mm_stat_equal(const struct check *c)
{
	for (unsigned i = 0; i < c->cpus.nr; i++) {
		unsigned long long real[NR_MM_STAT], simulated[NR_MM_STAT];

		if (c->measured[i].varied || !mm_stat_numbers(c->measured[i].mm_stat, real) ||
		    !mm_stat_numbers(c->simulated[i].mm_stat, simulated) || memcmp(real, simulated, sizeof(real)))
			return false;
	}
	return true;
}

/* ---- the page ---- */

static void print_head(const struct check *c)
{
	printf("%s on %s, %u CPU%s; %u MB per process, %u rounds of each, in turn\n", c->host.kernel, c->host.cpu,
	       c->cpus.nr, c->cpus.nr == 1 ? "" : "s", REGION_MB, c->options->repeat);
	printf("Simulated: variant %s (%s), chain size %u%s\n", c->nearest.variant, c->nearest.why, c->chain_size,
	       c->chain_known ? "" : " (assumed: the kernel does not say)");
}

static void print_mm_stat(const struct check *c)
{
	puts("\nmm_stat after the page-out, in bytes:\nprocs  figure            kernel    simulated");
	for (unsigned i = 0; i < c->cpus.nr; i++) {
		unsigned long long real[NR_MM_STAT] = { 0 }, simulated[NR_MM_STAT] = { 0 };

		mm_stat_numbers(c->measured[i].mm_stat, real);
		mm_stat_numbers(c->simulated[i].mm_stat, simulated);
		for (size_t k = 0; k < NR_MM_STAT; k++) {
			printf("%5u  %-10s %13llu %12llu  ", i + 1, mm_stat_names[k], real[k], simulated[k]);
			if (real[k] == simulated[k])
				puts("equal");
			else
				printf("differs by %lld\n", (long long)(simulated[k] - real[k]));
		}
		if (c->measured[i].varied)
			printf("%5u  not the same in all rounds: other programs' pages were swapped out too\n", i + 1);
	}
}

static void print_row(const char *name, const struct spread *s, double simulated)
{
	printf("%5s  %9.2f  %9.2f .. %-9.2f %9.2f  %+6.1f %%\n", name, s->value, s->low, s->high, simulated,
	       error_pct(simulated, s->value));
}

static void print_times(const struct check *c)
{
	char name[16];

	puts("\nTime per page in ns, mean over the processes; median and 10th to 90th percentile of the rounds:\n"
	     "procs   measured          spread        simulated   error");
	for (unsigned i = 0; i < c->cpus.nr; i++) {
		struct spread s = measured_page_ns(c, i);

		snprintf(name, sizeof(name), "%u", i + 1);
		print_row(name, &s, page_ns(c, i));
	}
	if (c->cpus.nr == 1)
		return;
	puts("ratio to one process, of rounds of the same turn:");
	for (unsigned i = 1; i < c->cpus.nr; i++) {
		snprintf(name, sizeof(name), "%u:1", i + 1);
		print_row(name, &c->measured[i].ratio, simulated_ratio(c, i));
	}
}

static void print_reach(const struct check *c)
{
	double time = fabs(error_pct(page_ns(c, 0), measured_page_ns(c, 0).value));

	printf("\nmm_stat equal to the byte: %s\n", mm_stat_equal(c) ? "yes" : "NO");
	printf("one process within %.0f %%: %s (%.1f %%)\n", REACH_TIME, time <= REACH_TIME ? "yes" : "NO", time);
	if (c->cpus.nr > 1) {
		double ratio = fabs(error_pct(simulated_ratio(c, 1), c->measured[1].ratio.value));

		printf("2 to 1 processes within %.0f %%: %s (%.1f %%)\n", REACH_RATIO, ratio <= REACH_RATIO ? "yes" : "NO",
		       ratio);
	}
}

/* The profile's figure of the same name; 0 if it has none. */
static double profile_transfer_ns(const struct check *c)
{
	const cJSON *figures = cJSON_GetObjectItemCaseSensitive(c->profile.root, "figures");
	const cJSON *transfer = cJSON_GetObjectItemCaseSensitive(figures, "transfer");
	const cJSON *value = cJSON_GetObjectItemCaseSensitive(transfer, "value");

	return cJSON_IsNumber(value) ? value->valuedouble : 0;
}

/* A hypervisor may move CPUs to others between the rounds and the measurement of the profile. */
static void print_transfers(const struct check *c)
{
	struct spread s = c->measured[1].transfer_ns;
	double profile = profile_transfer_ns(c);

	if (c->cpus.nr == 1)
		return;
	printf("A line's way between the first two CPUs, before each of these rounds: %.1f ns (%.1f .. %.1f); in the"
	       " profile: %.1f ns%s.\n", s.value, s.low, s.high, profile,
	       fabs(error_pct(profile, s.value)) > MOVED ? ", so the CPUs were moved meanwhile: compare one process"
							   " only, or try again" : "");
}

static void print_noise(const struct check *c)
{
	double widest = 0, apart = 0;
	long preemptions = 0;

	for (unsigned i = 0; i < c->cpus.nr; i++) {
		widest = fmax(widest, spread_relative(&c->measured[i].mean_ns));
		apart = fmax(apart, c->measured[i].apart_ns_max);
		preemptions += c->measured[i].preemptions;
	}
	printf("\nNoise: 10th to 90th percentile of munmap() at most %.0f %% of the median; %ld preemptions; processes"
	       " began at most %.3f ms apart.\n", widest * 100, preemptions, apart / 1e6);
	print_transfers(c);
	printf("The profile's figures spread by %.0f %% (median) and others took %.2g %% of the time meanwhile: %s.\n",
	       c->profile.median_spread * 100, c->profile.lost_percent,
	       widest > NOISY || c->profile.median_spread > NOISY ? "a noisy machine, so look at the ratios"
								  : "a quiet machine");
	printf("Of the profile, %zu figures are this machine's and %zu were taken from the profile %s.\n",
	       c->profile.measured, c->profile.estimated, c->profile.nearest);
}

static void print_traits(void)
{
	const struct trait *found[TRAITS_MAX];
	size_t nr = kernel_traits("", found, TRAITS_MAX);

	if (nr)
		puts("\nThis kernel has, and the simulated one has not:");
	for (size_t i = 0; i < nr; i++)
		printf("* %s\n", found[i]->what);
}

/* ---- CSV ---- */

static void csv_double(struct csv *csv, const char *format, double value)
{
	char text[64];

	snprintf(text, sizeof(text), format, value);
	csv_text(csv, text);
}

static void csv_row(struct csv *csv, const char *figure, unsigned procs, const char *unit, const struct spread *s,
		    double simulated)
{
	const char *format = strcmp(unit, "bytes") ? "%.4f" : "%.0f";

	csv_text(csv, figure);
	csv_int(csv, procs);
	csv_text(csv, unit);
	csv_double(csv, format, s->value);
	csv_double(csv, format, s->low);
	csv_double(csv, format, s->high);
	csv_double(csv, format, simulated);
	csv_double(csv, "%.2f", error_pct(simulated, s->value));
	csv_end_line(csv);
}

static void csv_rows(struct csv *csv, const struct check *c, unsigned i)
{
	unsigned long long real[NR_MM_STAT] = { 0 }, simulated[NR_MM_STAT] = { 0 };
	struct spread s = measured_page_ns(c, i);

	mm_stat_numbers(c->measured[i].mm_stat, real);
	mm_stat_numbers(c->simulated[i].mm_stat, simulated);
	for (size_t k = 0; k < NR_MM_STAT; k++) {
		double value = (double)real[k];
		struct spread exact = { value, value, value, 1 };

		csv_row(csv, mm_stat_names[k], i + 1, "bytes", &exact, (double)simulated[k]);
	}
	csv_row(csv, "page", i + 1, "ns", &s, page_ns(c, i));
	if (i)
		csv_row(csv, "ratio_to_1", i + 1, "ratio", &c->measured[i].ratio, simulated_ratio(c, i));
}

static int write_csv(struct check *c)
{
	static const char *const header[] = {
		"figure", "procs", "unit", "measured", "low", "high", "simulated", "error_pct",
	};
	struct csv csv;

	if (!c->options->csv)
		return EXIT_DONE;
	if (csv_open(&csv, c->options->csv, c->error, sizeof(c->error)))
		return EXIT_FAULT;
	csv_header(&csv, header, sizeof(header) / sizeof(*header));
	for (unsigned i = 0; i < c->cpus.nr; i++)
		csv_rows(&csv, c, i);
	return csv_commit(&csv, c->error, sizeof(c->error)) ? EXIT_FAULT : EXIT_DONE;
}

/* The pages are the same bytes on both sides, so another mm_stat is a fault; another time is a finding. */
static int report(struct check *c)
{
	print_head(c);
	print_mm_stat(c);
	print_times(c);
	print_reach(c);
	print_noise(c);
	print_traits();
	if (write_csv(c))
		return EXIT_FAULT;
	return mm_stat_equal(c) ? EXIT_DONE : EXIT_FAULT;
}

int validate_kernel(const struct validate_options *options)
{
	struct check c = { .options = options };
	int status = look(&c);

	if (status == EXIT_DONE)
		status = measure_kernel(&c);
	if (status == EXIT_DONE)
		status = measure_profile(&c);
	if (status == EXIT_DONE)
		status = simulate(&c);
	if (status == EXIT_DONE)
		status = report(&c);
	if (*c.error)
		fprintf(stderr, "%s\n", c.error);
	hostprofile_free(&c.profile);
	host_free(&c.host);
	cpu_list_free(&c.allowed);
	return status;
}
