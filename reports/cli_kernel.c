/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli_kernel.c - zsmsim kernel: modules from kernel trees, for a scenario's variants. */
#include "config.h"

#include "reports/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "scenarios/nearest.h"
#include "trees/build.h"

enum { KEY_PATCH = 0x100, KEY_DEFINE, KEY_CC, KEY_ZRAM, KEY_NO_CACHE, KEY_KEEP };

/* ---- build ---- */

static const struct argp_option build_options[] = {
	{ "output", 'o', "FILE.so", 0, "Write the module to this file", 0 },
	{ "patch", KEY_PATCH, "FILE", 0, "Apply this patch, a diff or a mail, to a private copy first; may be repeated", 0 },
	{ "define", KEY_DEFINE, "NAME=VALUE", 0,
	  "Set configuration, as in CONFIG_ZSMALLOC_CHAIN_SIZE=8 or CONFIG_ZSMALLOC_STAT=y; may be repeated", 0 },
	{ "cc", KEY_CC, "COMMAND", 0, "Compile with this gcc or clang (default: what zsmsim was built with)", 0 },
	{ "with-zram", KEY_ZRAM, 0, 0, "Also take drivers/block/zram from the tree", 0 },
	{ "no-cache", KEY_NO_CACHE, 0, 0, "Neither take the module from the cache nor keep it there", 0 },
	{ "keep", KEY_KEEP, "DIR", 0, "Keep the private copy with all that was made of it in this new directory", 0 },
	CLI_COMMON_OPTIONS
};

static const char *wanted(const struct argp_state *state, const char *option, const char *arg, const char *what)
{
	if (!*arg)
		cli_usage_error(state, "%s: an empty name; name %s", option, what);
	return arg;
}

static void add_define(struct build_request *request, const char *arg, const struct argp_state *state)
{
	struct failure failure = { 0 };

	if (defines_add(&request->defines, arg, &failure))
		cli_usage_error(state, "%s", failure.text);
}

static void add_patch(struct build_request *request, const char *arg, const struct argp_state *state)
{
	wanted(state, "--patch", arg, "a patch file");
	names_add(&request->patches, arg, strlen(arg));
}

static void take_tree(struct build_request *request, const char *arg, const struct argp_state *state)
{
	if (request->tree)
		cli_usage_error(state, "%.200s: a second tree; name one, as in zsmsim kernel build linux -o my.so", arg);
	request->tree = wanted(state, "TREE", arg, "the top directory of a kernel source tree");
}

static void check_complete(const struct build_request *request, const struct argp_state *state)
{
	if (!request->tree)
		cli_usage_error(state, "no tree; name one, as in zsmsim kernel build linux -o my.so");
	if (!request->output)
		cli_usage_error(state, "no output; name the module, as in -o my.so");
}

static error_t parse_build(int key, char *arg, struct argp_state *state)
{
	struct build_request *request = state->input;

	switch (key) {
	case 'o':
		request->output = wanted(state, "-o", arg, "the module's file");
		return 0;
	case KEY_PATCH:
		add_patch(request, arg, state);
		return 0;
	case KEY_DEFINE:
		add_define(request, arg, state);
		return 0;
	case KEY_CC:
		request->cc = wanted(state, "--cc", arg, "a compiler");
		return 0;
	case KEY_ZRAM:
		request->with_zram = true;
		return 0;
	case KEY_NO_CACHE:
		request->no_cache = true;
		return 0;
	case KEY_KEEP:
		request->keep = wanted(state, "--keep", arg, "a directory");
		return 0;
	case ARGP_KEY_ARG:
		take_tree(request, arg, state);
		return 0;
	case ARGP_KEY_END:
		check_complete(request, state);
		return 0;
	}
	return cli_common(key, state);
}

static const struct argp build_argp = {
	build_options, parse_build, "TREE -o FILE.so",
	"Compile the mm/zsmalloc.c of the kernel source tree TREE as it is, instrumented, to a module that a scenario"
	" names as a variant."
	"\vTREE is only read. Exit status: 0 done; 1 the host would not (disk full, interrupted); 2 the command line,"
	" the tree or a patch is wrong.", NULL, NULL, NULL
};

static double seconds_since(const struct timespec *then)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - then->tv_sec) + (now.tv_nsec - then->tv_nsec) / 1e9;
}

static void print_built(const struct build_request *request, const struct build_result *result,
			const struct timespec *start)
{
	const struct module_info *info = &result->info;

	printf("%s: Linux %s, mm/zsmalloc.c%s, chain size %u", request->output, info->tree,
	       info->with_zram ? " and zram" : "", info->chain_size);
	if (*info->patches)
		printf(", patched (%s)", info->patches);
	if (*info->defines)
		printf(", %s", info->defines);
	printf(", %s, ", info->compiler);
	if (result->cached)
		puts("from the cache");
	else
		printf("built in %.1f s\n", seconds_since(start));
}

static int build(int argc, char **argv)
{
	struct build_request request = { 0 };
	struct build_result result;
	struct failure failure = { 0 };
	struct timespec start;
	int status;

	clock_gettime(CLOCK_MONOTONIC, &start);
	cli_parse(&build_argp, argc, argv, &request);
	status = build_module(&request, &result, &failure);
	for (size_t i = 0; i < result.notes.nr; i++)
		fprintf(stderr, "zsmsim: %s\n", result.notes.at[i]);
	if (status)
		fprintf(stderr, "zsmsim: %s\n", failure.text);
	else
		print_built(&request, &result, &start);
	build_free(&result);
	failure_free(&failure);
	names_free(&request.patches);
	defines_free(&request.defines);
	return cli_finish(status);
}

/* ---- info ---- */

static const struct argp_option info_options[] = { CLI_COMMON_OPTIONS };

static error_t parse_info(int key, char *arg, struct argp_state *state)
{
	const char **path = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		if (*path)
			cli_usage_error(state, "%.200s: a second module; name one", arg);
		*path = arg;
		return 0;
	case ARGP_KEY_NO_ARGS:
		cli_usage_error(state, "no module; name one, as in zsmsim kernel info my.so");
	}
	return cli_common(key, state);
}

static const struct argp info_argp = {
	info_options, parse_info, "FILE.so", "Print what a module of zsmsim kernel build was made of.", NULL, NULL, NULL
};

static void print_info(const struct module_info *info)
{
	printf("tree        %s\n", info->tree);
	printf("files       mm/zsmalloc.c%s, id %s\n", info->with_zram ? ", drivers/block/zram" : "", info->source_id);
	printf("patches     %s\n", *info->patches ? info->patches : "none");
	printf("defines     %s\n", *info->defines ? info->defines : "none");
	printf("chain size  %u\n", info->chain_size);
	printf("compiler    %s\n", info->compiler);
	printf("module      id %s\n", info->id);
}

static int info(int argc, char **argv)
{
	const char *path = NULL;
	struct module_info info;
	char error[512];
	int status;

	cli_parse(&info_argp, argc, argv, &path);
	status = module_info_read(path, &info, error, sizeof(error));
	if (status)
		fprintf(stderr, "zsmsim: %s: %s\n", path, error);
	else
		print_info(&info);
	module_info_free(&info);
	return cli_finish(status);
}

/* ---- which of them ---- */

static int help(void)
{
	puts("Usage: zsmsim kernel build TREE -o FILE.so [OPTION...]\n"
	     "       zsmsim kernel info FILE.so\n"
	     "\n"
	     "build compiles the mm/zsmalloc.c of a kernel source tree, patched as you like, to a\n"
	     "module; a scenario names it as a variant, {\"kernel\": \"FILE.so\"}, or the command line\n"
	     "does: --set variants=FILE.so. info prints what a module was made of.\n"
	     "\n"
	     "zsmsim kernel build --help lists the options; see also zsmsim-kernel(1).");
	return cli_finish(EXIT_DONE);
}

int cli_kernel(int argc, char **argv)
{
	static const char *const words[] = { "build", "info", NULL };
	static char build_name[] = "kernel build", info_name[] = "kernel info";
	const char *word = argc > 1 ? argv[1] : "--help";

	if (!strcmp(word, "--help") || !strcmp(word, "-h"))
		return help();
	if (!strcmp(word, "--version") || !strcmp(word, "-V")) {
		cli_print_version();
		return cli_finish(EXIT_DONE);
	}
	/* Messages name both words. */
	if (!strcmp(word, "build")) {
		argv[1] = build_name;
		return build(argc - 1, argv + 1);
	}
	if (!strcmp(word, "info")) {
		argv[1] = info_name;
		return info(argc - 1, argv + 1);
	}
	fprintf(stderr, "zsmsim: kernel: %.40s: unknown word; the nearest is %s\n", word, nearest_word(word, words));
	return EXIT_WRONG;
}
