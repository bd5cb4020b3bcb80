/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traits.c - see traits.h. */
#include "realkernel/traits.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_BYTES	512
#define VULNERABILITIES	"/sys/devices/system/cpu/vulnerabilities/"

static const struct trait traits[] = {
	{ "/proc/cpuinfo", " hypervisor", "/proc/kallsyms", "__pv_queued_spin_lock_slowpath",
	  "a virtual machine with paravirtual spinlocks: an unlock is an atomic operation, and the CPU that just"
	  " unlocked may take the lock again before those that wait, so lines move less often than under fair locks." },
	{ "/proc/cpuinfo", " hypervisor", NULL, NULL,
	  "a virtual machine: addresses are translated twice, and its CPUs may stop or move at any time." },
	{ VULNERABILITIES "spec_rstack_overflow", "Safe RET", NULL, NULL,
	  "safe returns: each return of the kernel's code is mispredicted on purpose." },
	{ VULNERABILITIES "retbleed", "untrained return thunk", NULL, NULL,
	  "return thunks: each return of the kernel's code goes by way of another jump." },
	{ VULNERABILITIES "spectre_v2", "Retpolines", NULL, NULL,
	  "retpolines: each indirect call of the kernel's code is mispredicted on purpose." },
	{ VULNERABILITIES "meltdown", "PTI", NULL, NULL,
	  "page table isolation: system calls cost more, once per process." },
};

static bool file_has(const char *root, const char *name, const char *needle)
{
	char path[PATH_BYTES], *line = NULL;
	size_t room = 0;
	bool has = false;
	FILE *f;

	snprintf(path, sizeof(path), "%s%s", root, name);
	f = fopen(path, "r");
	while (f && !has && getline(&line, &room, f) > 0)
		has = strstr(line, needle) != NULL;
	if (f)
		fclose(f);
	free(line);
	return has;
}

size_t kernel_traits(const char *root, const struct trait **found, size_t max)
{
	size_t nr = 0;

	for (size_t i = 0; i < sizeof(traits) / sizeof(*traits) && nr < max; i++) {
		const struct trait *t = &traits[i];

		if (file_has(root, t->file, t->needle) && (!t->file2 || file_has(root, t->file2, t->needle2)))
			found[nr++] = t;
	}
	return nr;
}
