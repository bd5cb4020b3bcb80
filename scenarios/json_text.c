/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json_text.c - text to tree, with links from tree to text (see json_text.h). */
#include "scenarios/json_text.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scenarios/mem.h"

/* Names and keys are other people's text: no byte of them may break the line. */
static void write_line(char *error, size_t bytes, const char *name, const char *where,
		       const char *path, const char *message)
{
	snprintf(error, bytes, "zsmsim: %s%s: %s: %s", name, where, path, message);
	for (char *c = error; bytes && *c; c++) {
		if (iscntrl((unsigned char)*c))
			*c = '?';
	}
}

static int fault_at(const struct json_text *doc, uint32_t line, uint32_t column, uint32_t mark,
		    const char *message, char *error, size_t error_bytes)
{
	char where[32] = "", path[JSON_PATH_BYTES];

	if (doc->positions)
		snprintf(where, sizeof(where), ":%u:%u", line, column);
	json_mark_path(doc->text, &doc->marks, mark, doc->prefix, path);
	write_line(error, error_bytes, doc->name, where, path, message);
	return 2;
}

int json_text_fault(const struct json_text *doc, uint32_t mark, bool at_key, const char *message,
		    char *error, size_t error_bytes)
{
	uint32_t line = 1, column = 1;

	if (mark != JSON_NO_MARK) {
		const struct json_mark *m = &doc->marks.mark[mark];

		at_key = at_key && m->key_line;
		line = at_key ? m->key_line : m->line;
		column = at_key ? m->key_column : m->column;
	}
	return fault_at(doc, line, column, mark, message, error, error_bytes);
}

static int compare_links(const void *a, const void *b)
{
	const struct json_link *x = a, *y = b;

	return x->item < y->item ? -1 : x->item > y->item;
}

uint32_t json_text_mark(const struct json_text *doc, const cJSON *item)
{
	struct json_link key = { .item = item };
	const struct json_link *link = NULL;

	if (doc->links)
		link = bsearch(&key, doc->links, doc->marks.nr, sizeof(key), compare_links);
	return link ? link->mark : JSON_NO_MARK;
}

/*
 * Walk the tree in pre-order, beside the marks: the same order by
 * construction. Kinds are compared on the way, so a disagreement between the
 * two parsers is noticed instead of giving wrong positions.
 */
static bool link_marks(struct json_text *doc)
{
	const cJSON *stack[JSON_DEPTH_MAX + 1], *item = doc->root;
	unsigned depth = 0;
	size_t nr = 0;

	while (item) {
		enum json_kind kind = cJSON_IsObject(item) ? JSON_OBJECT :
				      cJSON_IsArray(item) ? JSON_ARRAY : JSON_SCALAR;

		if (nr == doc->marks.nr || doc->marks.mark[nr].kind != kind)
			return false;
		doc->links[nr] = (struct json_link){ item, nr };
		nr++;
		if (item->child) {
			stack[depth++] = item->next;
			item = item->child;
			continue;
		}
		item = item->next;
		while (!item && depth)
			item = stack[--depth];
	}
	return nr == doc->marks.nr;
}

struct member {
	const char *key;
	uint32_t parent, mark;
};

static int compare_members(const void *a, const void *b)
{
	const struct member *x = a, *y = b;
	int order;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	order = strcmp(x->key, y->key);
	if (order)
		return order;
	return x->mark < y->mark ? -1 : x->mark > y->mark;
}

static size_t collect_members(const struct json_text *doc, struct member *members)
{
	size_t nr = 0;

	for (size_t i = 0; i < doc->marks.nr; i++) {
		const struct json_mark *mark = &doc->marks.mark[i];

		if (mark->key_line)
			members[nr++] = (struct member){ doc->links[i].item->string,
							 mark->parent, i };
	}
	return nr;
}

/* The first member in the text whose key its object already has, and that one. */
static bool find_duplicate(const struct json_text *doc, uint32_t *first, uint32_t *second)
{
	struct member *members = scn_zalloc(doc->marks.nr, sizeof(*members));
	size_t nr = collect_members(doc, members);

	*first = *second = JSON_NO_MARK;
	qsort(members, nr, sizeof(*members), compare_members);
	for (size_t i = 1; i < nr; i++) {
		const struct member *a = &members[i - 1], *b = &members[i];

		if (a->parent != b->parent || strcmp(a->key, b->key) || b->mark > *second)
			continue;
		*first = a->mark;
		*second = b->mark;
	}
	free(members);
	return *second != JSON_NO_MARK;
}

/* What needs decoded keys and numbers; the links are still in text order. */
static int check_tree(const struct json_text *doc, char *error, size_t error_bytes)
{
	uint32_t first, second;
	char message[128];

	for (size_t i = 0; i < doc->marks.nr; i++) {
		const cJSON *item = doc->links[i].item;

		if (cJSON_IsNumber(item) && !isfinite(item->valuedouble))
			return json_text_fault(doc, i, false,
					       "number beyond what a double holds; write one below 1.8e308",
					       error, error_bytes);
	}
	if (!find_duplicate(doc, &first, &second))
		return 0;
	snprintf(message, sizeof(message), "duplicate key; keep one, the first is at line %u column %u",
		 doc->marks.mark[first].key_line, doc->marks.mark[first].key_column);
	return json_text_fault(doc, second, true, message, error, error_bytes);
}

int json_text_parse(struct json_text *doc, char *text, size_t bytes, char *error,
		    size_t error_bytes)
{
	struct json_fault fault;
	int status;

	doc->text = text;
	doc->bytes = bytes;
	if (!json_scan(text, bytes, &doc->marks, &fault))
		return fault_at(doc, fault.line, fault.column, fault.mark, fault.message, error,
				error_bytes);
	doc->root = cJSON_ParseWithLength(text, bytes);
	doc->links = scn_zalloc(doc->marks.nr, sizeof(*doc->links));
	if (!doc->root || !link_marks(doc))
		return json_text_fault(doc, JSON_NO_MARK, false,
				       "cannot be parsed here; simplify numbers and escapes", error,
				       error_bytes);
	status = check_tree(doc, error, error_bytes);
	qsort(doc->links, doc->marks.nr, sizeof(*doc->links), compare_links);
	return status;
}

/* Up to @room bytes of @fd, or -1. */
static ssize_t read_all(int fd, char *text, size_t room)
{
	size_t bytes = 0;
	ssize_t got;

	while (bytes < room) {
		got = read(fd, text + bytes, room - bytes);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		bytes += got;
	}
	return bytes;
}

/* The text of @fd, or NULL and why in @message. Size decides before reading. */
static char *read_text(int fd, size_t *bytes, char *message, size_t message_bytes)
{
	char *text;
	struct stat st;
	ssize_t got;

	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		snprintf(message, message_bytes, "is a directory; give a scenario file");
		return NULL;
	}
	if (S_ISREG(st.st_mode) && st.st_size > JSON_FILE_BYTES_MAX) {
		snprintf(message, message_bytes, "a file of %jd bytes; at most %u are read",
			 (intmax_t)st.st_size, JSON_FILE_BYTES_MAX);
		return NULL;
	}
	/* A pipe has no size: one byte more than allowed tells. */
	text = scn_zalloc(JSON_FILE_BYTES_MAX + 2, 1);
	got = read_all(fd, text, JSON_FILE_BYTES_MAX + 1);
	if (got > 0 && got <= JSON_FILE_BYTES_MAX) {
		*bytes = got;
		return text;
	}
	if (got < 0)
		snprintf(message, message_bytes, "cannot be read: %s; give a readable file",
			 strerror(errno));
	else if (got == 0)
		snprintf(message, message_bytes, "empty file; write a JSON object");
	else
		snprintf(message, message_bytes, "a text of more than %u bytes; at most that many are read",
			 JSON_FILE_BYTES_MAX);
	free(text);
	return NULL;
}

int json_text_read(struct json_text *doc, const char *file, char *error, size_t error_bytes)
{
	char message[160] = "", *text = NULL;
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	size_t bytes = 0;

	memset(doc, 0, sizeof(*doc));
	doc->name = scn_strdup(file);
	doc->prefix = scn_strdup("$");
	doc->positions = true;
	if (fd < 0) {
		snprintf(message, sizeof(message), "cannot be opened: %s; give a readable file",
			 strerror(errno));
	} else {
		text = read_text(fd, &bytes, message, sizeof(message));
		close(fd);
	}
	if (!text)
		return json_text_fault(doc, JSON_NO_MARK, false, message, error, error_bytes);
	return json_text_parse(doc, text, bytes, error, error_bytes);
}

void json_text_close(struct json_text *doc)
{
	cJSON_Delete(doc->root);
	free(doc->links);
	free(doc->marks.mark);
	free(doc->text);
	free(doc->prefix);
	free(doc->name);
	memset(doc, 0, sizeof(*doc));
}
