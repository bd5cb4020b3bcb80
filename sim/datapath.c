/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * datapath.c - one directory is chosen, and all data files come from it: a
 * mixture of profiles from two places would be hard to explain afterwards.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/datapath.h"

static int is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static const char *data_directory(void)
{
	const char *override = getenv("ZSMSIM_DATA");

	if (override && *override)
		return override;
	if (is_directory(ABS_TOP_SRCDIR "/data"))
		return ABS_TOP_SRCDIR "/data";
	return PKGDATADIR "/data";
}

char *datapath(const char *relative)
{
	const char *directory = data_directory();
	size_t bytes = strlen(directory) + strlen(relative) + sizeof("/");
	char *path = malloc(bytes);

	if (!path)
		return NULL;
	snprintf(path, bytes, "%s/%s", directory, relative);
	if (access(path, F_OK) == 0)
		return path;
	free(path);
	return NULL;
}
