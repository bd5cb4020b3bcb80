/* SPDX-License-Identifier: GPL-3.0-or-later */
/* source.c - see source.h. */
#include "scenarios/source.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scenarios/mem.h"

#define MESSAGE_BYTES 1024

int source_open(struct source *src, const char *file, char *error, size_t error_bytes)
{
	int status;

	memset(src, 0, sizeof(*src));
	src->error = error;
	src->error_bytes = error_bytes;
	src->dropped = cJSON_CreateArray();
	src->texts = scn_grow(NULL, 0, sizeof(*src->texts));
	src->texts[0] = scn_zalloc(1, sizeof(**src->texts));
	src->nr_texts = 1;
	status = json_text_read(src->texts[0], file, error, error_bytes);
	src->root = src->texts[0]->root;
	return status;
}

void source_close(struct source *src)
{
	for (size_t i = 0; i < src->nr_texts; i++) {
		json_text_close(src->texts[i]);
		free(src->texts[i]);
	}
	free(src->texts);
	cJSON_Delete(src->dropped);
	memset(src, 0, sizeof(*src));
}

const struct json_text *source_text(const struct source *src, const cJSON *item, uint32_t *mark)
{
	for (size_t i = 0; i < src->nr_texts; i++) {
		*mark = json_text_mark(src->texts[i], item);
		if (*mark != JSON_NO_MARK)
			return src->texts[i];
	}
	return NULL;
}

bool source_is_set(const struct source *src, const cJSON *item)
{
	uint32_t mark;
	const struct json_text *text = item ? source_text(src, item, &mark) : NULL;

	return text && text != src->texts[0];
}

static int fault(struct source *src, const cJSON *item, bool at_key, const char *format,
		 va_list args)
{
	uint32_t mark = JSON_NO_MARK;
	const struct json_text *text = item ? source_text(src, item, &mark) : NULL;
	char message[MESSAGE_BYTES];

	vsnprintf(message, sizeof(message), format, args);
	return json_text_fault(text ? text : src->texts[0], mark, at_key, message, src->error,
			       src->error_bytes);
}

int source_fault(struct source *src, const cJSON *item, const char *format, ...)
{
	va_list args;
	int status;

	va_start(args, format);
	status = fault(src, item, false, format, args);
	va_end(args);
	return status;
}

int source_key_fault(struct source *src, const cJSON *item, const char *format, ...)
{
	va_list args;
	int status;

	va_start(args, format);
	status = fault(src, item, true, format, args);
	va_end(args);
	return status;
}

struct quoted quote(const char *text)
{
	const char *end = text + strlen(text);
	struct quoted out;
	size_t length = 0;

	while (text + length < end && length < sizeof(out.text) - 8) {
		unsigned step = utf8_length(text + length, end);

		length += step ? step : 1;
	}
	snprintf(out.text, sizeof(out.text), "%.*s%s", (int)length, text,
		 text + length < end ? "..." : "");
	return out;
}

char *source_find_file(const struct source *src, const char *given)
{
	const char *scenario = src->texts[0]->name, *slash = strrchr(scenario, '/');
	char *path;

	if (!access(given, F_OK))
		return scn_strdup(given);
	if (*given == '/' || !slash)
		return NULL;
	path = scn_printf("%.*s/%s", (int)(slash - scenario), scenario, given);
	if (!access(path, F_OK))
		return path;
	free(path);
	return NULL;
}
