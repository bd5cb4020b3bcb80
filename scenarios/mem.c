/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mem.c - see mem.h. */
#include "scenarios/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *memory)
{
	if (!memory) {
		fputs("zsmsim: out of memory\n", stderr);
		exit(1);
	}
	return memory;
}

void *scn_zalloc(size_t nr, size_t bytes)
{
	return checked(calloc(nr ? nr : 1, bytes));
}

void *scn_grow(void *array, size_t nr, size_t bytes)
{
	size_t room = nr ? 2 * nr : 1;

	/* Between powers of two the last doubling still has room. */
	if (nr & (nr - 1))
		return array;
	return checked(reallocarray(array, room, bytes));
}

char *scn_strdup(const char *text)
{
	return text ? checked(strdup(text)) : NULL;
}

char *scn_printf(const char *format, ...)
{
	va_list args;
	char *text;
	int length;

	va_start(args, format);
	length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	text = scn_zalloc(length + 1, 1);
	va_start(args, format);
	vsnprintf(text, length + 1, format, args);
	va_end(args);
	return text;
}
