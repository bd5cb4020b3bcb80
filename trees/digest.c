/* SPDX-License-Identifier: GPL-3.0-or-later */
/* digest.c - see digest.h. */
#include "trees/digest.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "scenarios/mem.h"
#include "trees/files.h"

struct digest {
	XXH64_state_t *state;
};

struct digest *digest_create(void)
{
	struct digest *digest = scn_zalloc(1, sizeof(*digest));

	digest->state = XXH64_createState();
	if (!digest->state)
		abort();
	XXH64_reset(digest->state, 0);
	return digest;
}

void digest_bytes(struct digest *digest, const void *at, size_t bytes)
{
	uint64_t border = bytes;

	XXH64_update(digest->state, &border, sizeof(border));
	if (bytes)
		XXH64_update(digest->state, at, bytes);
}

void digest_text(struct digest *digest, const char *text)
{
	digest_bytes(digest, text, strlen(text));
}

void digest_file(struct digest *digest, const char *path)
{
	uint64_t none = UINT64_MAX;
	struct text text;

	if (file_read(path, BINARY_BYTES_MAX, &text)) {
		XXH64_update(digest->state, &none, sizeof(none));
		return;
	}
	digest_bytes(digest, text.at, text.nr);
	text_free(&text);
}

void digest_files(struct digest *digest, const char *root, const char *const *ends)
{
	struct names names = { 0 };

	list_files(root, ends, &names);
	for (size_t i = 0; i < names.nr; i++) {
		char *path = scn_printf("%s/%s", root, names.at[i]);

		digest_text(digest, names.at[i]);
		digest_file(digest, path);
		free(path);
	}
	names_free(&names);
}

char *digest_end(struct digest *digest)
{
	char *text = scn_printf("%016" PRIx64, XXH64_digest(digest->state));

	XXH64_freeState(digest->state);
	free(digest);
	return text;
}
