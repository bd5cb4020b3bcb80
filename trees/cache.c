/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cache.c - see cache.h. */
#include "trees/cache.h"

#include <stdlib.h>

#include "scenarios/mem.h"
#include "trees/files.h"

static const char *value_of(const char *variable)
{
	const char *value = getenv(variable);

	return value && *value ? value : NULL;
}

/* A relative path would mean another cache in each directory. */
static char *cache_dir(void)
{
	const char *own = value_of("ZSMSIM_CACHE"), *xdg = value_of("XDG_CACHE_HOME"), *home = value_of("HOME");

	if (own)
		return scn_strdup(own);
	if (xdg && *xdg == '/')
		return scn_printf("%s/zsmsim", xdg);
	return home && *home == '/' ? scn_printf("%s/.cache/zsmsim", home) : NULL;
}

char *cache_path(const char *key)
{
	char *dir = cache_dir();
	char *path = dir ? scn_printf("%s/%s.so", dir, key) : NULL;

	free(dir);
	return path;
}

void cache_store(const char *path, const char *module)
{
	if (!make_parents(path))
		file_install(module, path);
}
