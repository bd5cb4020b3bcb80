/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nearest.c - see nearest.h. */
#include "native/nearest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Words by which profiles and processors of one make can be known; the number is x86's family or Arm's part. */
static const struct {
	const char *vendor;		/* as the system says it */
	unsigned number;		/* 0: all of the vendor */
	const char *word;		/* in the profile's text */
} makes[] = {
	{ "AuthenticAMD", 0, "AMD" }, { "AuthenticAMD", 0x17, "Zen 2" }, { "AuthenticAMD", 0x19, "Zen 3" },
	{ "AuthenticAMD", 0x19, "Zen 4" }, { "AuthenticAMD", 0x1a, "Zen 5" }, { "GenuineIntel", 0, "Intel" },
	{ "0x41", 0, "Cortex" }, { "0x41", 0xd03, "Cortex-A53" }, { "0x41", 0xd05, "Cortex-A55" },
	{ "0x41", 0xd08, "Cortex-A72" }, { "0x41", 0xd0b, "Cortex-A76" }, { "0x41", 0xd0c, "Neoverse N1" },
	{ "0x41", 0xd46, "A510" }, { "0x41", 0xd47, "A710" }, { "0x41", 0xd49, "Neoverse N2" },
	{ "0x41", 0xd80, "A520" }, { "0x41", 0xd81, "A720" },
};

static bool is_x86(const struct host *host)
{
	return !strcmp(host->vendor, "AuthenticAMD") || !strcmp(host->vendor, "GenuineIntel") ||
	       (host->family && strncmp(host->vendor, "0x", 2));
}

int nearest_likeness(const struct host *host, const struct profile *profile)
{
	int likeness = is_x86(host) == profile->atomic_is_fence ? 100 : 0;

	for (size_t i = 0; i < sizeof(makes) / sizeof(makes[0]); i++) {
		unsigned number = is_x86(host) ? host->family : host->model;

		if (!strcmp(makes[i].vendor, host->vendor) && strcasestr(profile->text, makes[i].word))
			likeness += !makes[i].number ? 10 : makes[i].number == number ? 20 : 0;
	}
	return likeness;
}

struct profile *nearest_profile(const struct host *host, char *error, size_t error_bytes)
{
	char **names = profile_names(), **n;
	struct profile *best = NULL;

	snprintf(error, error_bytes, "no profile is installed from which to take what cannot be measured");
	for (n = names; n && *n; n++) {
		struct profile *p = profile_load(*n, error, error_bytes);

		if (p && (!best || nearest_likeness(host, p) > nearest_likeness(host, best))) {
			profile_free(best);
			best = p;
		} else {
			profile_free(p);
		}
	}
	profile_names_free(names);
	return best;
}
