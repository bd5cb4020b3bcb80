/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernel_variant.c - see kernel_variant.h. */
#include "scenarios/kernel_variant.h"

#include <stdlib.h>
#include <string.h>

#include "scenarios/axes.h"
#include "scenarios/mem.h"
#include "scenarios/nearest.h"
#include "scenarios/words.h"

#define SUFFIX ".so"
/* For errors that do not say what would be right. */
#define BUILD_ONE "; build one with 'zsmsim kernel build TREE -o my.so'"

static const cJSON *member(const cJSON *object, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

static bool has_suffix(const char *text)
{
	size_t length = strlen(text);

	return length >= strlen(SUFFIX) && !strcmp(text + length - strlen(SUFFIX), SUFFIX);
}

bool is_kernel_variant(const cJSON *item)
{
	if (cJSON_IsString(item))
		return has_suffix(item->valuestring);
	return cJSON_IsObject(item) && member(item, "kernel");
}

/* The node that names the file: @item itself, or a member of it. */
static const cJSON *file_item(const cJSON *item)
{
	return cJSON_IsString(item) ? item : member(item, "kernel");
}

/* ---- keys ---- */

static int path_check(struct source *src, const cJSON *item)
{
	if (text_check(src, item))
		return 2;
	if (*item->valuestring)
		return 0;
	return source_fault(src, item,
			    "an empty name; name a file that 'zsmsim kernel build TREE -o my.so' made");
}

static int key_check(struct source *src, const cJSON *item)
{
	static const char *const keys[] = { "kernel", "name", "zram_stats", NULL };
	static const char *const of_the_tree[] = { "lookup", "page_release", "free", "defer_batch",
						   "from", "mapping", "shrinker", NULL };

	if (!strcmp(item->string, "kernel"))
		return path_check(src, item);
	if (!strcmp(item->string, "name"))
		return name_check(src, item, WORD_VARIANT);
	if (!strcmp(item->string, "zram_stats"))
		return axis_check(src, item);
	for (size_t i = 0; of_the_tree[i]; i++) {
		if (!strcmp(item->string, of_the_tree[i]))
			return source_key_fault(src, item, "the tree decides %s; leave it out", item->string);
	}
	return source_key_fault(src, item, "unknown key; the nearest known key is \"%s\"",
				nearest_word(item->string, keys));
}

static int keys_check(struct source *src, const cJSON *item)
{
	const cJSON *key;

	if (!cJSON_IsObject(item))
		return 0;
	cJSON_ArrayForEach(key, item) {
		if (key_check(src, key))
			return 2;
	}
	return 0;
}

/* ---- the file ---- */

static struct kernel_module *find_module(const struct kernel_modules *modules, const char *given)
{
	for (size_t i = 0; i < modules->nr; i++) {
		if (!strcmp(modules->at[i]->given, given))
			return modules->at[i];
	}
	return NULL;
}

static void free_module(struct kernel_module *module)
{
	module_info_free(&module->info);
	free(module->given);
	free(module->path);
	free(module);
}

static void add_module(struct kernel_modules *modules, struct kernel_module *module)
{
	modules->at = scn_grow(modules->at, modules->nr, sizeof(*modules->at));
	modules->at[modules->nr++] = module;
}

/* Read the module that @file names, unless that is done. */
static int read_module(struct source *src, struct kernel_modules *modules, const cJSON *file)
{
	const char *given = file->valuestring;
	struct kernel_module *module;
	char error[512], *path;

	if (find_module(modules, given))
		return 0;
	path = source_find_file(src, given);
	if (!path)
		return source_fault(src, file,
				    "no module here; build one with 'zsmsim kernel build TREE -o %s'",
				    quote(given).text);
	module = scn_zalloc(1, sizeof(*module));
	module->given = scn_strdup(given);
	module->path = path;
	if (module_info_read(path, &module->info, error, sizeof(error))) {
		free_module(module);
		return source_fault(src, file, "%s%s", error, strstr(error, "; ") ? "" : BUILD_ONE);
	}
	add_module(modules, module);
	return 0;
}

struct kernel_module *kernel_variant_module(const struct kernel_modules *modules, const cJSON *item)
{
	return find_module(modules, file_item(item)->valuestring);
}

void kernel_modules_move(struct kernel_modules *to, struct kernel_modules *from)
{
	for (size_t i = 0; i < from->nr; i++)
		add_module(to, from->at[i]);
	free(from->at);
	*from = (struct kernel_modules){ 0 };
}

void kernel_modules_free(struct kernel_modules *modules)
{
	for (size_t i = 0; i < modules->nr; i++)
		free_module(modules->at[i]);
	free(modules->at);
	*modules = (struct kernel_modules){ 0 };
}

/* ---- what it is ---- */

/* "dir/k612.so" is called k612, unless it is given a name. */
char *kernel_variant_name(const cJSON *item)
{
	const cJSON *name = cJSON_IsObject(item) ? member(item, "name") : NULL;
	const char *file = file_item(item)->valuestring, *slash = strrchr(file, '/');
	const char *base = slash ? slash + 1 : file;
	size_t length = strlen(base);

	if (name)
		return scn_strdup(name->valuestring);
	if (has_suffix(base))
		length -= strlen(SUFFIX);
	return scn_printf("%.*s", (int)length, base);
}

static int taken_check(struct source *src, const char *const *named, const cJSON *item, const char *name)
{
	const cJSON *given = cJSON_IsObject(item) ? member(item, "name") : NULL;

	for (size_t i = 0; named[i]; i++) {
		if (!strcmp(named[i], name))
			return source_fault(src, given ? given : file_item(item),
					    "\"%s\" is a named variant already; %s", quote(name).text,
					    given ? "choose another name" : "give the module another with \"name\"");
	}
	return 0;
}

static int variant_name_check(struct source *src, const char *const *named, const cJSON *item)
{
	char *name = kernel_variant_name(item);
	int status;

	if (name_is_legal(name, WORD_VARIANT))
		status = taken_check(src, named, item, name);
	else
		status = source_fault(src, file_item(item),
				      "the file's name gives no variant name (a-z, 0-9, - and +, at most %d); give one with \"name\"",
				      NAME_BYTES_MAX);
	free(name);
	return status;
}

int kernel_variant_check(struct source *src, struct kernel_modules *modules,
			 const char *const *named, const cJSON *item)
{
	const cJSON *stats = cJSON_IsObject(item) ? member(item, "zram_stats") : NULL;

	if (keys_check(src, item) || read_module(src, modules, file_item(item)))
		return 2;
	if (stats && kernel_variant_module(modules, item)->info.with_zram)
		return source_key_fault(src, stats, "the tree's own zram counts; leave zram_stats out");
	return variant_name_check(src, named, item);
}

/* All but zram_stats is in the tree's code; the values here are those that the code is closest to. */
struct model_variant kernel_variant_axes(const cJSON *item)
{
	struct model_variant axes = {
		.lookup = LOOKUP_POOL_LOCK,
		.page_release = PAGE_RELEASE_UNDER_CLASS_LOCK,
		.free = FREE_SYNC,
		.defer_batch = DEFER_BATCH_DEFAULT,
		.zram_stats = ZRAM_STATS_SHARED_ATOMIC,
	};

	if (cJSON_IsObject(item))
		axes_apply(item, &axes);
	return axes;
}

char *kernel_variant_text(const char *name, const struct kernel_module *module,
			  const struct model_variant *axes)
{
	const struct module_info *info = &module->info;
	const char *slash = strrchr(module->path, '/');
	cJSON *root = cJSON_CreateObject();
	char *printed, *text;

	cJSON_AddStringToObject(root, "name", name);
	cJSON_AddStringToObject(root, "kernel", slash ? slash + 1 : module->path);
	cJSON_AddStringToObject(root, "kernel_id", info->id);
	cJSON_AddStringToObject(root, "tree", info->tree);
	cJSON_AddStringToObject(root, "patches", info->patches);
	cJSON_AddStringToObject(root, "defines", info->defines);
	cJSON_AddStringToObject(root, "zram_stats", info->with_zram ? "tree" : zram_stats_word(axes));
	printed = cJSON_PrintUnformatted(root);
	text = scn_strdup(printed);
	cJSON_free(printed);
	cJSON_Delete(root);
	return text;
}
