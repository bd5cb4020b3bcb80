/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * steps_host.c - `steps`: runs the driver of model/workload/steps.h in a
 * module and prints its transcript, one line for each step, to standard
 * output. Transcripts of two modules with the same seed are the same if their
 * allocators do the same.
 */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/workload/steps.h"
#include "scenarios/variants.h"
#include "sim/machine.h"
#include "sim/module.h"
#include "sim/observe.h"
#include "sim/profile.h"

/* Functional mode: nothing of a profile matters, but a machine has one. */
#define PROFILE		"i7-14700hx-p"
#define MEMORY_BYTES	(128ull << 20)
#define TEXT_BYTES	(4u << 20)
#define LINE_BYTES	256

struct options {
	const char *module;
	const char *variant;
	uint64_t steps;
	uint64_t text_every;		/* 0: only at the end */
	struct steps_config config;
};

static const char usage[] =
	"Usage: steps [OPTION]...\n"
	"Drive an allocator step by step and say after each what it did.\n"
	"  --module FILE      the software (default: " ABS_TOP_BUILDDIR "/zsmsim-model.so)\n"
	"  --seed N           of the sequence of operations (1)\n"
	"  --steps N          how many (10000)\n"
	"  --text-every N     describe the whole pool after each N steps (1000; 0: at the end)\n"
	"  --chain N          most pages of a zspage, 4 to 16 (8)\n"
	"  --variant NAME     one of data/variants.json (pool-lock)\n"
	"  --break WHAT       do something wrong: extra-free, swap-frees, content\n"
	"  --break-at N       in the first step from N on in which it can be done (1)\n"
	"A module that was built from a kernel tree has its own chain limit and variant.\n";

static void die(const char *what, const char *detail)
{
	fprintf(stderr, "steps: %s: %s\n", what, detail);
	exit(2);
}

static uint64_t number(const char *name, const char *text, uint64_t low, uint64_t high)
{
	char *end;
	unsigned long long n = strtoull(text, &end, 10);

	if (*text < '0' || *text > '9' || *end || n < low || n > high)
		die(name, "not a number in its range");
	return n;
}

static enum steps_break break_of(const char *text)
{
	static const struct {
		const char *name;
		enum steps_break what;
	} known[] = { { "nothing", STEPS_BREAK_NOTHING }, { "extra-free", STEPS_BREAK_EXTRA_FREE },
		      { "swap-frees", STEPS_BREAK_SWAP_FREES }, { "content", STEPS_BREAK_CONTENT } };

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(known[i].name, text))
			return known[i].what;
	die("--break", "unknown fault");
	return STEPS_BREAK_NOTHING;
}

static void set_option(struct options *o, const char *name, const char *value)
{
	if (!strcmp(name, "module"))
		o->module = value;
	else if (!strcmp(name, "variant"))
		o->variant = value;
	else if (!strcmp(name, "seed"))
		o->config.seed = number("--seed", value, 0, UINT64_MAX);
	else if (!strcmp(name, "steps"))
		o->steps = number("--steps", value, 1, 100000000);
	else if (!strcmp(name, "text-every"))
		o->text_every = number("--text-every", value, 0, UINT64_MAX);
	else if (!strcmp(name, "chain"))
		o->config.chain_size = (unsigned)number("--chain", value, 4, 16);
	else if (!strcmp(name, "break"))
		o->config.break_what = break_of(value);
	else
		o->config.break_at = number("--break-at", value, 1, UINT64_MAX);
}

static void parse(struct options *o, int argc, char **argv)
{
	static const struct option known[] = {
		{ "module", required_argument, NULL, 1 },     { "seed", required_argument, NULL, 1 },
		{ "steps", required_argument, NULL, 1 },      { "text-every", required_argument, NULL, 1 },
		{ "chain", required_argument, NULL, 1 },      { "variant", required_argument, NULL, 1 },
		{ "break", required_argument, NULL, 1 },      { "break-at", required_argument, NULL, 1 },
		{ "help", no_argument, NULL, 'h' },	      { NULL, 0, NULL, 0 },
	};
	int c, at;

	while ((c = getopt_long(argc, argv, "", known, &at)) != -1) {
		if (c == 'h') {
			fputs(usage, stdout);
			exit(0);
		}
		if (c != 1)
			exit(2);
		set_option(o, known[at].name, optarg);
	}
	if (optind < argc)
		die(argv[optind], "unexpected argument");
}

static struct model_variant variant_named(const char *name)
{
	struct model_variant axes = { 0 };
	struct variant_set set;
	char error[512];
	bool found = false;

	if (variants_load(&set, error, sizeof(error)))
		die("variants", error);
	for (size_t i = 0; i < set.nr; i++) {
		if (strcmp(set.at[i].name, name))
			continue;
		axes = set.at[i].axes;
		found = true;
	}
	variants_free(&set);
	if (!found)
		die("--variant", "not in data/variants.json");
	return axes;
}

static void make_machine(void)
{
	struct machine_config config = { .nr_cpus = 1, .memory_bytes = MEMORY_BYTES };
	char error[512];

	config.profile[0] = profile_load(PROFILE, error, sizeof(error));
	if (!config.profile[0])
		die("profile", error);
	observe_create(MODEL_NR_GAUGES, 0);
	machine_create(&config);
}

static void print_text(const struct steps_ops *ops, char *buf)
{
	fwrite(buf, 1, ops->text(buf, TEXT_BYTES), stdout);
}

static void run(const struct options *o, const struct steps_ops *ops)
{
	char line[LINE_BYTES], *buf = malloc(TEXT_BYTES);

	if (!buf)
		die("text", "out of memory");
	ops->begin(&o->config);
	for (uint64_t i = 1; i <= o->steps; i++) {
		size_t bytes = ops->step(line, sizeof(line) - 1);

		line[bytes] = '\n';
		fwrite(line, 1, bytes + 1, stdout);
		if (i == o->steps || (o->text_every && i % o->text_every == 0))
			print_text(ops, buf);
	}
	ops->end();
	free(buf);
}

int main(int argc, char **argv)
{
	struct options o = {
		.module = ABS_TOP_BUILDDIR "/zsmsim-model.so",
		.variant = "pool-lock",
		.steps = 10000,
		.text_every = 1000,
		.config = { .memory_bytes = MEMORY_BYTES, .chain_size = 8, .seed = 1, .break_at = 1 },
	};
	const struct steps_ops *ops;
	char error[512];

	parse(&o, argc, argv);
	o.config.variant = variant_named(o.variant);
	ops = module_load(o.module, "zsmsim_steps", error, sizeof(error));
	if (!ops)
		die("module", error);
	make_machine();
	run(&o, ops);
	if (fflush(stdout) || ferror(stdout))
		die("standard output", "cannot be written");
	return 0;
}
