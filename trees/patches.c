/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * patches.c - taking a patch file apart, see patches.h.
 *
 * The length of a hunk is what its @@ says: what follows a diff in a mail may
 * look like more of it.
 */
#include "trees/patches.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/mem.h"

struct line {
	const char *at;
	size_t nr;		/* without its end */
};

struct reader {
	struct patch *patch;
	struct failure *failure;
	struct line *lines;
	size_t nr, next;
};

static bool begins(const struct reader *r, size_t i, const char *with)
{
	return i < r->nr && r->lines[i].nr >= strlen(with) && !memcmp(r->lines[i].at, with, strlen(with));
}

/* Lines may end as on other systems: the file that is patched does not. */
static void cut_lines(struct reader *r, const struct text *text)
{
	const char *at = text->at, *end = text->at + text->nr;

	while (at < end) {
		const char *stop = memchr(at, '\n', end - at) ?: end;
		size_t nr = stop - at;

		if (nr && at[nr - 1] == '\r')
			nr--;
		r->lines = scn_grow(r->lines, r->nr, sizeof(*r->lines));
		r->lines[r->nr++] = (struct line){ at, nr };
		at = stop + 1;
	}
}

static int damaged(struct reader *r, size_t line, const char *what)
{
	return fail(r->failure, FAILURE_INPUT, "%s:%zu: %s; give a diff as git or diff -u writes it", r->patch->path,
		    line + 1, what);
}

/* ---- hunks ---- */

static bool take_number(const char **at, const char *end, size_t *number)
{
	size_t value = 0;
	const char *from = *at;

	for (; *at < end && isdigit((unsigned char)**at) && value < 100000000; ++*at)
		value = 10 * value + (**at - '0');
	*number = value;
	return *at > from;
}

/* "12,3" or "12". */
static bool take_range(const char **at, const char *end, size_t *from, size_t *count)
{
	*count = 1;
	if (!take_number(at, end, from))
		return false;
	if (*at == end || **at != ',')
		return true;
	++*at;
	return take_number(at, end, count);
}

static bool take_text(const char **at, const char *end, const char *text)
{
	size_t nr = strlen(text);

	if ((size_t)(end - *at) < nr || memcmp(*at, text, nr))
		return false;
	*at += nr;
	return true;
}

struct range {
	size_t from, old, new_from, new;
};

static bool hunk_range(const struct line *line, struct range *range)
{
	const char *at = line->at, *end = at + line->nr;

	return take_text(&at, end, "@@ -") && take_range(&at, end, &range->from, &range->old) &&
	       take_text(&at, end, " +") && take_range(&at, end, &range->new_from, &range->new) &&
	       take_text(&at, end, " @@");
}

/* What is wrong with a line of this kind where @left is to come, or NULL. */
static const char *wrong_kind(char kind, bool old, bool new, const struct range *left)
{
	if (kind == '\t')
		return "a line of the hunk begins with a tab, so its blanks were changed on the way";
	if (kind != '\\' && !old && !new)
		return "the hunk is shorter than its @@ says";
	if ((old && !left->old) || (new && !left->new))
		return "the hunk is longer than its @@ says";
	return NULL;
}

/* A line of a hunk; mail programs cut off the blank of an empty one. */
static int take_hunk_line(struct reader *r, struct hunk *hunk, struct range *left, FILE *to)
{
	const struct line *line = &r->lines[r->next];
	char kind = line->nr ? *line->at : ' ';
	bool old = kind == ' ' || kind == '-', new = kind == ' ' || kind == '+';
	const char *wrong = wrong_kind(kind, old, new, left);

	if (wrong)
		return damaged(r, r->next, wrong);
	if (old)
		names_add(&hunk->old, line->nr ? line->at + 1 : "", line->nr ? line->nr - 1 : 0);
	left->old -= old;
	left->new -= new;
	fprintf(to, "%s%.*s\n", line->nr ? "" : " ", (int)line->nr, line->at);
	r->next++;
	return 0;
}

static int take_hunk(struct reader *r, struct patch_part *part, FILE *to)
{
	const struct line *line = &r->lines[r->next];
	struct hunk *hunk;
	struct range left;
	int status = 0;

	if (!hunk_range(line, &left))
		return damaged(r, r->next, "the @@ of a hunk cannot be read");
	part->hunks = scn_grow(part->hunks, part->nr_hunks, sizeof(*part->hunks));
	hunk = &part->hunks[part->nr_hunks++];
	*hunk = (struct hunk){ .line = r->next + 1, .from = left.from };
	fprintf(to, "%.*s\n", (int)line->nr, line->at);
	r->next++;
	while (status == 0 && (left.old || left.new)) {
		if (r->next == r->nr)
			return damaged(r, r->nr - 1, "the patch ends within a hunk");
		status = take_hunk_line(r, hunk, &left, to);
	}
	if (status == 0 && begins(r, r->next, "\\ "))
		status = take_hunk_line(r, hunk, &left, to);
	return status;
}

/* ---- names of files ---- */

/* What is called a/mm/zsmalloc.c is mm/zsmalloc.c; control bytes must not reach a terminal. */
static char *path_of(const char *at, size_t nr)
{
	const char *tab = memchr(at, '\t', nr), *slash;
	char *name;

	nr = tab ? (size_t)(tab - at) : nr;
	while (nr && at[nr - 1] == ' ')
		nr--;
	if (nr == strlen("/dev/null") && !memcmp(at, "/dev/null", nr))
		return NULL;
	slash = memchr(at, '/', nr);
	if (slash) {
		nr -= slash + 1 - at;
		at = slash + 1;
	}
	name = scn_printf("%.*s", (int)nr, at);
	for (char *c = name; *c; c++)
		*c = iscntrl((unsigned char)*c) ? '?' : *c;
	return name;
}

static char *path_in_line(const struct reader *r, size_t i, const char *head)
{
	return path_of(r->lines[i].at + strlen(head), r->lines[i].nr - strlen(head));
}

/* ---- parts ---- */

static void print_head(const struct patch_part *part, FILE *to)
{
	fprintf(to, part->creates ? "--- /dev/null\n" : "--- a/%s\n", part->file);
	fprintf(to, part->deletes ? "+++ /dev/null\n" : "+++ b/%s\n", part->file);
}

static int take_hunks(struct reader *r, struct patch_part *part)
{
	FILE *to = open_memstream(&part->text, &part->bytes);
	int status = 0;

	if (!to)
		abort();
	print_head(part, to);
	while (status == 0 && begins(r, r->next, "@@ -"))
		status = take_hunk(r, part, to);
	fclose(to);
	return status;
}

/* At a --- line that a +++ line follows. */
static int take_part(struct reader *r)
{
	struct patch *patch = r->patch;
	char *old = path_in_line(r, r->next, "--- "), *new = path_in_line(r, r->next + 1, "+++ ");
	struct patch_part *part;

	if ((!old && !new) || (new ? !*new : !*old)) {
		free(old);
		free(new);
		return damaged(r, r->next, "no file is named");
	}
	patch->parts = scn_grow(patch->parts, patch->nr, sizeof(*patch->parts));
	part = &patch->parts[patch->nr++];
	*part = (struct patch_part){ .file = new ? new : old, .creates = !old, .deletes = !new };
	if (new)
		free(old);
	r->next += 2;
	return take_hunks(r, part);
}

static bool at_part(const struct reader *r)
{
	return begins(r, r->next, "--- ") && begins(r, r->next + 1, "+++ ") && begins(r, r->next + 2, "@@ -");
}

/* Of a change without hunks git says only this much. */
static void note_other(struct reader *r)
{
	static const char *const heads[] = { "rename from ", "rename to ", "copy to " };

	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		const struct line *line = &r->lines[r->next];

		if (begins(r, r->next, heads[i]))
			names_add(&r->patch->other, line->at + strlen(heads[i]), line->nr - strlen(heads[i]));
	}
}

static bool is_encoded(const struct reader *r)
{
	static const char head[] = "Content-Transfer-Encoding: ";

	for (size_t i = 0; i < r->nr; i++) {
		const struct line *line = &r->lines[i];

		if (line->nr > strlen(head) && !strncasecmp(line->at, head, strlen(head)) &&
		    strchr("bBqQ", line->at[strlen(head)]))
			return true;
	}
	return false;
}

static int nothing_found(struct reader *r)
{
	if (is_encoded(r))
		return fail(r->failure, FAILURE_INPUT, "%s: a mail in an encoding for transport; save its text decoded, "
			    "as git mailinfo does", r->patch->path);
	return fail(r->failure, FAILURE_INPUT, "%s: no diff in it; give lines of ---, +++ and @@ as git or diff -u "
		    "write them", r->patch->path);
}

static int take_all(struct reader *r)
{
	int status = 0;

	while (r->next < r->nr && status == 0) {
		if (at_part(r)) {
			status = take_part(r);
		} else {
			note_other(r);
			r->next++;
		}
	}
	if (status == 0 && !r->patch->nr)
		status = nothing_found(r);
	return status;
}

int patch_split(struct patch *patch, const char *path, const struct text *text, struct failure *failure)
{
	struct reader r = { .patch = patch, .failure = failure };
	int status;

	*patch = (struct patch){ .path = path };
	cut_lines(&r, text);
	status = take_all(&r);
	free(r.lines);
	return status;
}

int patch_read(struct patch *patch, const char *path, struct failure *failure)
{
	struct text text;
	int status;

	*patch = (struct patch){ .path = path };
	if (file_read(path, TEXT_BYTES_MAX, &text))
		return fail(failure, FAILURE_INPUT, "%s: %s; name a file with a patch of at most %lu MiB", path,
			    strerror(errno), TEXT_BYTES_MAX >> 20);
	status = patch_split(patch, path, &text, failure);
	text_free(&text);
	return status;
}

static void free_part(struct patch_part *part)
{
	for (size_t i = 0; i < part->nr_hunks; i++)
		names_free(&part->hunks[i].old);
	free(part->hunks);
	free(part->file);
	free(part->text);
}

void patch_free(struct patch *patch)
{
	for (size_t i = 0; i < patch->nr; i++)
		free_part(&patch->parts[i]);
	free(patch->parts);
	names_free(&patch->other);
	memset(patch, 0, sizeof(*patch));
}
