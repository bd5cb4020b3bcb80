/* SPDX-License-Identifier: GPL-3.0-or-later */
/* places.c - see places.h. */
#include "trees/places.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/mem.h"
#include "trees/files.h"

static bool has(const char *dir, const char *name)
{
	char *path = scn_printf("%s/%s", dir, name);
	bool there = is_file(path);

	free(path);
	return there;
}

/* $@variable, or @built if @name is in it, or @installed. */
static const char *choose(const char *variable, const char *built, const char *installed, const char *name)
{
	const char *override = getenv(variable);

	if (override && *override)
		return override;
	return has(built, name) ? built : installed;
}

static int missing(const char *dir, const char *name, const char *variable, struct failure *failure)
{
	return fail(failure, FAILURE_HOST, "%s/%s: not found; build it with make, or name its directory in %s", dir, name,
		    variable);
}

int places_find(struct places *places, bool with_zram, struct failure *failure)
{
	static const char tree[] = "model/kshim/tree.c";
	const char *archive = with_zram ? "libzsmsim-env-nozram.a" : "libzsmsim-env.a";
	const char *src = choose("ZSMSIM_SRC", ABS_TOP_SRCDIR, PKGDATADIR "/src", tree);
	const char *lib = choose("ZSMSIM_LIB", ABS_TOP_BUILDDIR, PKGLIBDIR, archive);
	char real[PATH_MAX];

	*places = (struct places){ 0 };
	if (!has(src, tree) || !realpath(src, real))
		return missing(src, tree, "ZSMSIM_SRC", failure);
	places->src = scn_strdup(real);
	if (!has(lib, archive) || !realpath(lib, real))
		return missing(lib, archive, "ZSMSIM_LIB", failure);
	places->archive = scn_printf("%s/%s", real, archive);
	return 0;
}

void places_free(struct places *places)
{
	free(places->src);
	free(places->archive);
	memset(places, 0, sizeof(*places));
}
