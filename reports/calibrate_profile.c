/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate_profile.c - see calibrate_profile.h. */
#include "reports/calibrate_profile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scenarios/mem.h"
#include "sim/profile.h"

#define WORK_PREFIX "work."

static cJSON *member(const cJSON *object, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

int profile_tree_open(struct profile_tree *t, const char *name, char *error, size_t error_bytes)
{
	char line[1024];
	struct profile *p = profile_load(name, line, sizeof(line));

	*t = (struct profile_tree){ 0 };
	if (!p) {
		snprintf(error, error_bytes, "zsmsim: %s", line);
		return 2;
	}
	/* The loader has read this text, so it is well formed and complete. */
	t->root = cJSON_Parse(p->text);
	t->name = scn_strdup(p->name);
	profile_free(p);
	return 0;
}

void profile_tree_close(struct profile_tree *t)
{
	cJSON_Delete(t->root);
	free(t->name);
	*t = (struct profile_tree){ 0 };
}

bool profile_tree_figure(const struct profile_tree *t, const char *name, struct tree_figure *figure)
{
	bool work = !strncmp(name, WORK_PREFIX, strlen(WORK_PREFIX));
	cJSON *object = work ? member(member(t->root, "work"), name + strlen(WORK_PREFIX)) :
			       member(member(t->root, "figures"), name);

	if (!object)
		return false;
	*figure = (struct tree_figure){
		.object = object,
		.unit = member(object, "unit")->valuestring,
		.value = member(object, "value")->valuedouble,
		.low = member(object, "low")->valuedouble,
		.high = member(object, "high")->valuedouble,
		.calibrated = cJSON_IsTrue(member(object, "calibrated")),
	};
	return true;
}

char **profile_tree_names(const struct profile_tree *t)
{
	const cJSON *figures = member(t->root, "figures"), *work = member(t->root, "work"), *item;
	char **names = scn_zalloc((size_t)(cJSON_GetArraySize(figures) + cJSON_GetArraySize(work)) + 1,
				  sizeof(*names));
	size_t nr = 0;

	cJSON_ArrayForEach(item, figures)
		names[nr++] = scn_strdup(item->string);
	cJSON_ArrayForEach(item, work)
		names[nr++] = scn_printf(WORK_PREFIX "%s", item->string);
	return names;
}

unsigned profile_tree_calibrated(const struct profile_tree *t)
{
	const char *const groups[] = { "figures", "work" };
	const cJSON *item;
	unsigned nr = 0;

	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++)
		cJSON_ArrayForEach(item, member(t->root, groups[i]))
			nr += cJSON_IsTrue(member(item, "calibrated"));
	return nr;
}

bool tree_figure_is_continuous(const char *name, const struct tree_figure *figure)
{
	static const char *const units[] = { "GHz", "MHz", "ns", "us", "cycles", "GB/s", "MB/s" };

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(figure->unit, units[i]))
			return true;
	/* Its unit is also that of the issue width, a whole number. */
	return !strcmp(name, "ipc");
}

void tree_figure_set(struct tree_figure *figure, const char *key, double number)
{
	cJSON_SetNumberValue(member(figure->object, key), number);
	if (!strcmp(key, "value"))
		figure->value = number;
	else if (!strcmp(key, "low"))
		figure->low = number;
	else
		figure->high = number;
}

/* ---- writing: in the form of data/profiles, which people read and compare ---- */

static void print_member(FILE *f, const cJSON *item, const char *before, const char *after)
{
	char *text = cJSON_PrintUnformatted(item);

	fprintf(f, "%s\"%s\": %s%s", before, item->string, text, after);
	cJSON_free(text);
}

/* The short members of a figure share a line, its texts have lines of their own. */
static void print_figure(FILE *f, const cJSON *object)
{
	static const char *const keys[] = { "value", "unit", "low", "high", "kind", "source", "note", "calibrated" };
	char *key = cJSON_PrintUnformatted(&(cJSON){ .type = cJSON_String, .valuestring = object->string });

	fprintf(f, "\t\t%s: {\n", key);
	cJSON_free(key);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		const cJSON *item = member(object, keys[i]);

		if (item)
			print_member(f, item, !i ? "\t\t\t" : i < 5 ? ", " : ",\n\t\t\t", "");
	}
	fprintf(f, "\n\t\t}%s\n", object->next ? "," : "");
}

static void print_group(FILE *f, const cJSON *group, const char *end)
{
	const cJSON *object;

	fprintf(f, "\t\"%s\": {\n", group->string);
	cJSON_ArrayForEach(object, group)
		print_figure(f, object);
	fprintf(f, "\t}%s\n", end);
}

static void print_tree(FILE *f, const cJSON *root)
{
	fputs("{\n", f);
	print_member(f, member(root, "name"), "\t", ",\n");
	print_member(f, member(root, "description"), "\t", ",\n");
	print_member(f, member(root, "soc"), "\t", ",\n");
	print_group(f, member(root, "figures"), ",");
	print_group(f, member(root, "work"), "");
	fputs("}\n", f);
}

int profile_tree_write(struct profile_tree *t, const char *file, char *error, size_t error_bytes)
{
	char *new_file = scn_printf("%s.new", file), *name = profile_short_name(file);
	FILE *f = fopen(new_file, "we");
	bool ok = f && name;

	if (ok) {
		cJSON_SetValuestring(member(t->root, "name"), name);
		print_tree(f, t->root);
		ok = !ferror(f);
	}
	if (f && fclose(f))
		ok = false;
	if (!ok || rename(new_file, file)) {
		ok = false;
		snprintf(error, error_bytes, "zsmsim: %s: %s; name a file that can be written", file, strerror(errno));
		if (f)
			unlink(new_file);
	}
	free(new_file);
	free(name);
	return !ok;
}
