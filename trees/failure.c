/* SPDX-License-Identifier: GPL-3.0-or-later */
/* failure.c - see failure.h. */
#include "trees/failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/mem.h"

static char *print(const char *format, va_list args)
{
	va_list copy;
	char *text;
	int length;

	va_copy(copy, args);
	length = vsnprintf(NULL, 0, format, copy);
	va_end(copy);
	text = scn_zalloc(length + 1, 1);
	vsnprintf(text, length + 1, format, args);
	return text;
}

int fail(struct failure *failure, int status, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = print(format, args);
	va_end(args);
	/* What was noted before may be among the arguments. */
	free(failure->text);
	failure->text = text;
	failure->status = status;
	return status;
}

void fail_more(struct failure *failure, const char *format, ...)
{
	char *before = failure->text, *more;
	va_list args;

	va_start(args, format);
	more = print(format, args);
	va_end(args);
	failure->text = scn_printf("%s%s", before ? before : "", more);
	free(before);
	free(more);
}

void failure_free(struct failure *failure)
{
	free(failure->text);
	memset(failure, 0, sizeof(*failure));
}
