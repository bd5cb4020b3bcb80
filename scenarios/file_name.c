/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file_name.c - see file_name.h. */
#include "scenarios/file_name.h"

#include <ctype.h>
#include <string.h>

#include "scenarios/mem.h"

char *word_of_file(const char *file, const char *suffix)
{
	const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
	char *name = scn_strdup(base);
	size_t length = strlen(name);

	if (length > strlen(suffix) && !strcmp(name + length - strlen(suffix), suffix))
		name[length - strlen(suffix)] = 0;
	for (char *c = name; *c; c++) {
		if (!isalnum((unsigned char)*c) && !strchr("._+-", *c))
			*c = '_';
	}
	return name;
}
