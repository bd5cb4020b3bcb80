/* SPDX-License-Identifier: GPL-3.0-or-later */
/* features.c - see features.h. */
#include "trees/features.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/mem.h"

#define CHAIN_SIZE_MIN 4
#define CHAIN_SIZE_MAX 16
#define CHAIN_SIZE_DEFAULT 8	/* as a kernel's configuration has it */
#define CHAIN_SIZE_FIXED 4	/* of files from before there was a choice */

/* Identifiers that tell how a file does something, though others define them. */
static const char *const telling[] = {
	"zpdesc", "llist_add", "queue_work", "system_dfl_wq", "system_unbound_wq", "alloc_percpu",
	"DEFINE_PER_CPU", "local_lock", CHAIN_SIZE_NAME, "class_idx",
};

/* The configuration of the reference kernel, as far as the files ask for it. */
static const struct {
	const char *name, *value;
	bool if_mentioned;
} defaults[] = {
	{ "CONFIG_64BIT", "1", false },
	{ "CONFIG_COMPACTION", "1", false },
	{ "CONFIG_MMU", "1", false },
	{ "CONFIG_SMP", "1", false },
	{ "CONFIG_ZSMALLOC", "1", false },
	{ CHAIN_SIZE_NAME, "8", true },
};

#define NR(array) (sizeof(array) / sizeof((array)[0]))

static bool is_config(const char *name)
{
	return !strncmp(name, "CONFIG_", strlen("CONFIG_"));
}

/* y and n are what a kernel's configuration says for 1 and for nothing. */
static void print_define(FILE *f, const char *name, const char *value)
{
	if (is_config(name) && !strcmp(value, "n"))
		return;
	if (is_config(name) && !strcmp(value, "y"))
		value = "1";
	fprintf(f, "#define %s%s%s\n", name, *value ? " " : "", value);
}

static void print_config(FILE *f, const struct scan *zsmalloc, const struct defines *defines)
{
	for (size_t i = 0; i < NR(defaults); i++) {
		if (defines_value(defines, defaults[i].name))
			continue;
		if (!defaults[i].if_mentioned || names_have(&zsmalloc->words, defaults[i].name))
			print_define(f, defaults[i].name, defaults[i].value);
	}
	for (size_t i = 0; i < defines->nr; i++)
		print_define(f, defines->at[i].name, defines->at[i].value);
}

static void print_names(FILE *f, const char *prefix, const char *kind, const struct names *names)
{
	for (size_t i = 0; i < names->nr; i++)
		fprintf(f, "#define %s%s_%s 1\n", prefix, kind, names->at[i]);
}

static void print_scan(FILE *f, const char *prefix, const struct scan *scan)
{
	for (size_t i = 0; i < scan->nr_functions; i++) {
		const struct scan_function *function = &scan->functions[i];

		fprintf(f, "#define %sHAS_%s 1\n", prefix, function->name);
		fprintf(f, "#define %sPARAMS_%s %u\n", prefix, function->name, function->params);
	}
	print_names(f, prefix, "FIELD", &scan->fields);
	print_names(f, prefix, "ENUM", &scan->enums);
	print_names(f, prefix, "MACRO", &scan->macros);
	for (size_t i = 0; i < NR(telling); i++) {
		if (names_have(&scan->words, telling[i]))
			fprintf(f, "#define %sUSES_%s 1\n", prefix, telling[i]);
	}
}

char *features_text(const struct scan *zsmalloc, const struct scan *zram, const struct defines *defines)
{
	char *text = NULL;
	size_t bytes;
	FILE *f = open_memstream(&text, &bytes);

	if (!f)
		abort();
	/* It is on the command line and included by the shim as well. */
	fputs("#ifndef TREE_FEATURES_H\n#define TREE_FEATURES_H\n", f);
	print_config(f, zsmalloc, defines);
	print_scan(f, "TREE_", zsmalloc);
	if (zram)
		print_scan(f, "ZRAM_", zram);
	fputs("#endif\n", f);
	fclose(f);
	return text;
}

int features_chain_size(const struct scan *zsmalloc, const struct defines *defines, unsigned *chain_size,
			struct failure *failure)
{
	const char *value = defines_value(defines, CHAIN_SIZE_NAME);
	bool known = names_have(&zsmalloc->words, CHAIN_SIZE_NAME);
	char *end = NULL;
	long number;

	*chain_size = known ? CHAIN_SIZE_DEFAULT : CHAIN_SIZE_FIXED;
	if (!value)
		return 0;
	number = isdigit((unsigned char)*value) ? strtol(value, &end, 10) : 0;
	if (!end || *end || number < CHAIN_SIZE_MIN || number > CHAIN_SIZE_MAX)
		return fail(failure, FAILURE_INPUT, "--define " CHAIN_SIZE_NAME "=%.80s: not a chain size; give a whole "
			    "number from %d to %d", value, CHAIN_SIZE_MIN, CHAIN_SIZE_MAX);
	if (!known && number != CHAIN_SIZE_FIXED)
		return fail(failure, FAILURE_INPUT, "--define " CHAIN_SIZE_NAME "=%s: the tree's mm/zsmalloc.c does not "
			    "know it and has %d pages; leave it out", value, CHAIN_SIZE_FIXED);
	*chain_size = number;
	return 0;
}
