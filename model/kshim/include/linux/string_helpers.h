/* SPDX-License-Identifier: GPL-3.0-or-later */
/* string_helpers.h - copies of short texts. */
#ifndef KSHIM_LINUX_STRING_HELPERS_H
#define KSHIM_LINUX_STRING_HELPERS_H

#include <linux/errno.h>
#include <linux/string.h>
#include <linux/types.h>

#ifndef E2BIG
#define E2BIG	7
#endif

/* Copy @from into the @bytes at @to, cut off if need be. Returns its length, or -E2BIG when it was cut. */
static inline ssize_t kshim_strscpy(char *to, const char *from, size_t bytes)
{
	size_t i = 0;

	for (; i + 1 < bytes && from[i]; i++)
		to[i] = from[i];
	to[i] = 0;
	return from[i] ? -E2BIG : (ssize_t)i;
}
#define strscpy(to, from, bytes) kshim_strscpy(to, from, bytes)

static inline char *kshim_strcpy(char *to, const char *from)
{
	char *start = to;

	while ((*to++ = *from++))
		;
	return start;
}
#define strcpy(to, from)	kshim_strcpy(to, from)

#endif
