/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compiler.h - gcc or clang with the flags that make the simulated software:
 * the same as for the project's own, which the Makefile passes on.
 */
#ifndef ZSMSIM_TREES_COMPILER_H
#define ZSMSIM_TREES_COMPILER_H

#include <stdbool.h>

#include "trees/failure.h"
#include "trees/files.h"
#include "trees/names.h"

struct compiler {
	struct names words;	/* the command */
	bool clang;
	char *version;		/* first line of its --version */
	char *identity;		/* path and all of --version: equal ones make equal code */
};

/* One file to compile and what it is compiled with. */
struct compile_job {
	const char *source;	/* below src */
	const char *object;	/* path */
	const char *dir;	/* of the private copy */
	const char *src;
	const char *scratch;
	bool with_zram;
};

/*
 * The compiler of @command, blanks between its words, or if that is NULL the
 * one that the project was built with. FAILURE_INPUT if there is none or it is
 * neither gcc nor clang. To be followed by compiler_free() in any case.
 */
int compiler_find(struct compiler *compiler, const char *command, const char *scratch, struct failure *failure);
void compiler_free(struct compiler *compiler);

/*
 * Compile; as command_run(). The object depends on nothing but the files'
 * content: no path of this host gets into it.
 */
int compiler_compile(const struct compiler *compiler, const struct compile_job *job, struct text *output);

/* Link @objects with all of @archive to the shared object @to; as command_run(). */
int compiler_link(const struct compiler *compiler, const struct names *objects, const char *archive, const char *to,
		  const char *scratch, struct text *output);

/* The command with its flags, for whoever wants to know whether they changed; newly allocated. */
char *compiler_flags(const struct compiler *compiler);

#endif
