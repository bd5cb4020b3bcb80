/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * module_info.c - see module_info.h.
 *
 * The hash in the trailer covers what is before the JSON; the line of JSON
 * ends with a hash of itself, so that no byte of the file can change unnoticed.
 */
#include "trees/module_info.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cjson/cJSON.h>
#include <xxhash.h>

#include "scenarios/mem.h"

#define STATUS_WRONG 2
#define MAGIC "ZSMKMOD1"
#define MAGIC_BYTES 8
#define FOOT_BYTES 24			/* length, hash, magic */
#define CHECK_FORM ",\"check\":\"%016" PRIx64 "\"}\n"	/* the end of the line */
#define MODULE_BYTES_MAX (256l << 20)
#define CHAIN_SIZE_MIN 4
#define CHAIN_SIZE_MAX 16

static const char not_a_module[] =
	"not a module of 'zsmsim kernel build'; build it with 'zsmsim kernel build TREE -o NAME.so'";

static void put_le64(unsigned char *to, uint64_t value)
{
	for (unsigned i = 0; i < 8; i++)
		to[i] = value >> (8 * i);
}

static uint64_t get_le64(const unsigned char *from)
{
	uint64_t value = 0;

	for (unsigned i = 8; i--;)
		value = value << 8 | from[i];
	return value;
}

static char *hex_of(uint64_t hash)
{
	return scn_printf("%016" PRIx64, hash);
}

/* ---- the JSON ---- */

static char *json_of(const struct module_info *info)
{
	cJSON *object = cJSON_CreateObject();
	char *plain, *line;
	size_t bytes;

	cJSON_AddStringToObject(object, "tree", info->tree);
	cJSON_AddStringToObject(object, "source_id", info->source_id);
	cJSON_AddStringToObject(object, "patches", info->patches);
	cJSON_AddStringToObject(object, "defines", info->defines);
	cJSON_AddStringToObject(object, "compiler", info->compiler);
	cJSON_AddNumberToObject(object, "chain_size", info->chain_size);
	cJSON_AddBoolToObject(object, "with_zram", info->with_zram);
	plain = cJSON_PrintUnformatted(object);
	cJSON_Delete(object);
	if (!plain)
		return NULL;
	bytes = strlen(plain) - 1;
	line = scn_printf("%.*s" CHECK_FORM, (int)bytes, plain, XXH64(plain, bytes, 0));
	free(plain);
	return line;
}

static bool checks(const char *json, size_t bytes)
{
	char *end = scn_printf(CHECK_FORM, (uint64_t)0);
	size_t nr = strlen(end), head = bytes - nr;
	bool good = false;

	free(end);
	if (bytes >= nr) {
		end = scn_printf(CHECK_FORM, XXH64(json, head, 0));
		good = !memcmp(json + head, end, nr);
		free(end);
	}
	return good;
}

static bool get_text(const cJSON *object, const char *key, char **to)
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));

	*to = scn_strdup(text);
	return text;
}

static bool get_members(const cJSON *object, struct module_info *info)
{
	const cJSON *chain = cJSON_GetObjectItemCaseSensitive(object, "chain_size");
	const cJSON *zram = cJSON_GetObjectItemCaseSensitive(object, "with_zram");

	if (!cJSON_IsNumber(chain) || !cJSON_IsBool(zram))
		return false;
	if (!(chain->valuedouble >= CHAIN_SIZE_MIN && chain->valuedouble <= CHAIN_SIZE_MAX))
		return false;
	info->chain_size = chain->valuedouble;
	info->with_zram = cJSON_IsTrue(zram);
	return get_text(object, "tree", &info->tree) && get_text(object, "source_id", &info->source_id) &&
	       get_text(object, "patches", &info->patches) && get_text(object, "defines", &info->defines) &&
	       get_text(object, "compiler", &info->compiler);
}

static bool parse_json(const char *json, size_t bytes, struct module_info *info)
{
	cJSON *object = checks(json, bytes) ? cJSON_ParseWithLength(json, bytes) : NULL;
	bool good = object && get_members(object, info);

	cJSON_Delete(object);
	return good;
}

/* ---- reading ---- */

struct content {
	unsigned char *at;
	size_t nr;
};

static int say(char *error, size_t bytes, const char *text, const char *more)
{
	snprintf(error, bytes, "%s%s", text, more);
	return STATUS_WRONG;
}

static const char *read_into(int fd, struct content *content)
{
	struct stat st;
	ssize_t n = 1;

	if (fstat(fd, &st))
		return strerror(errno);
	if (!S_ISREG(st.st_mode))
		return S_ISDIR(st.st_mode) ? "it is a directory" : "it is not a regular file";
	if (st.st_size > MODULE_BYTES_MAX)
		return "it is far too large for a module";
	content->at = scn_zalloc(st.st_size, 1);
	while (content->nr < (size_t)st.st_size && n > 0) {
		n = read(fd, content->at + content->nr, st.st_size - content->nr);
		content->nr += n > 0 ? n : 0;
	}
	return n < 0 ? strerror(errno) : NULL;
}

/* Not blocking: a name in a scenario may be that of a pipe. */
static const char *read_file(const char *path, struct content *content)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	const char *problem;

	if (fd < 0)
		return strerror(errno);
	problem = read_into(fd, content);
	close(fd);
	return problem;
}

static int examine(const struct content *c, struct module_info *info, char *error, size_t error_bytes)
{
	const unsigned char *foot = c->at + c->nr - FOOT_BYTES;
	uint64_t json_bytes;
	size_t json;

	if (c->nr < FOOT_BYTES || memcmp(foot + 16, MAGIC, MAGIC_BYTES)) {
		if (c->nr >= 4 && !memcmp(c->at, "\177ELF", 4))
			return say(error, error_bytes, "damaged or ", not_a_module);
		return say(error, error_bytes, not_a_module, "");
	}
	json_bytes = get_le64(foot);
	if (json_bytes > c->nr - FOOT_BYTES)
		return say(error, error_bytes, "damaged: its trailer is broken; build it again", "");
	json = c->nr - FOOT_BYTES - json_bytes;
	if (XXH64(c->at, json, 0) != get_le64(foot + 8))
		return say(error, error_bytes, "damaged: its code is not what was built; build it again", "");
	if (!parse_json((const char *)c->at + json, json_bytes, info))
		return say(error, error_bytes, "damaged: its description is broken; build it again", "");
	info->id = hex_of(XXH64(c->at, c->nr, 0));
	return 0;
}

int module_info_read(const char *path, struct module_info *info, char *error, size_t error_bytes)
{
	struct content content = { 0 };
	const char *problem;
	int status;

	memset(info, 0, sizeof(*info));
	problem = read_file(path, &content);
	if (problem)
		status = say(error, error_bytes, "cannot be opened: ", problem);
	else
		status = examine(&content, info, error, error_bytes);
	free(content.at);
	return status;
}

void module_info_free(struct module_info *info)
{
	free(info->id);
	free(info->tree);
	free(info->source_id);
	free(info->patches);
	free(info->defines);
	free(info->compiler);
	memset(info, 0, sizeof(*info));
}

/* ---- writing ---- */

static int write_all(int fd, const void *from, size_t bytes)
{
	while (bytes) {
		ssize_t n = write(fd, from, bytes);

		if (n < 0 && errno != EINTR)
			return -1;
		n = n < 0 ? 0 : n;
		from = (const char *)from + n;
		bytes -= n;
	}
	return 0;
}

static int append_to(int fd, const struct content *content, const char *json)
{
	unsigned char foot[FOOT_BYTES];

	put_le64(foot, strlen(json));
	put_le64(foot + 8, XXH64(content->at, content->nr, 0));
	memcpy(foot + 16, MAGIC, MAGIC_BYTES);
	if (lseek(fd, 0, SEEK_END) < 0 || write_all(fd, json, strlen(json)))
		return -1;
	return write_all(fd, foot, sizeof(foot));
}

int module_info_append(const char *path, const struct module_info *info)
{
	struct content content = { 0 };
	char *json = json_of(info);
	int fd = open(path, O_RDWR | O_CLOEXEC), status = -1, error;

	if (!json)
		errno = ENOMEM;
	else if (fd >= 0 && read_into(fd, &content))
		errno = errno ? errno : EINVAL;
	else if (fd >= 0)
		status = append_to(fd, &content, json);
	error = errno;
	if (fd >= 0 && close(fd) && !status) {
		error = errno;
		status = -1;
	}
	free(content.at);
	free(json);
	errno = error;
	return status;
}
