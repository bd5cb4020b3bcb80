/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load.c - see load.h. */
#include "native/load.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <xxhash.h>

static const char *module_path(void)
{
	static const char *const places[] = { ABS_TOP_BUILDDIR "/zsmsim-native.so", PKGLIBDIR "/zsmsim-native.so" };
	const char *env = getenv("ZSMSIM_NATIVE");

	if (env)
		return env;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (!access(places[i], R_OK))
			return places[i];
	}
	return NULL;
}

const struct native_ops *native_load(char *error, size_t error_bytes)
{
	static const struct native_ops *ops;
	const char *path = module_path();
	void *module;

	if (ops)
		return ops;
	if (!path) {
		snprintf(error, error_bytes, "zsmsim-native.so: not found; build it with make, or name it in ZSMSIM_NATIVE");
		return NULL;
	}
	/* RTLD_LOCAL: its hardware must not be taken for the simulator's. */
	module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	ops = module ? dlsym(module, "zsmsim_native") : NULL;
	if (!ops)
		snprintf(error, error_bytes, "%s", dlerror());
	return ops;
}

const char *native_build_id(void)
{
	static char id[17] = "";
	const char *path = module_path();
	XXH64_state_t *state = XXH64_createState();
	FILE *f = path && !*id ? fopen(path, "rb") : NULL;
	char buf[65536];
	size_t n;

	if (f && state) {
		XXH64_reset(state, 0);
		while ((n = fread(buf, 1, sizeof(buf), f)))
			XXH64_update(state, buf, n);
		snprintf(id, sizeof(id), "%016llx", (unsigned long long)XXH64_digest(state));
	}
	if (f)
		fclose(f);
	XXH64_freeState(state);
	return *id ? id : "none";
}
