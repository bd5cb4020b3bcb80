/* SPDX-License-Identifier: GPL-3.0-or-later */
/* build.c - see build.h. */
#include "config.h"

#include "trees/build.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scenarios/mem.h"
#include "trees/cache.h"
#include "trees/command.h"
#include "trees/compiler.h"
#include "trees/copy.h"
#include "trees/diagnose.h"
#include "trees/digest.h"
#include "trees/features.h"
#include "trees/files.h"
#include "trees/patches.h"
#include "trees/places.h"
#include "trees/scan.h"
#include "trees/undefined.h"

/* What is known only while a module is built. */
struct build {
	const struct build_request *request;
	struct build_result *result;
	struct failure *failure;
	struct places places;
	struct compiler compiler;
	struct copy copy;
	struct scan zsmalloc, zram;
	struct names objects;
	char *features, *module, *cached;
	unsigned chain_size;
};

static int interrupted(struct build *b)
{
	return fail(b->failure, FAILURE_HOST, "interrupted; nothing was written");
}

static int no_room(struct build *b, const char *path)
{
	return fail(b->failure, FAILURE_HOST, "%s: %s; make room, or name another directory in TMPDIR", path,
		    strerror(errno));
}

/* ---- before anything is made ---- */

static char *directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return scn_strdup(".");
	return scn_printf("%.*s", slash == path ? 1 : (int)(slash - path), path);
}

/* What keeps a file from being made in @dir, or NULL. */
static const char *unwritable(const char *dir)
{
	if (!access(dir, F_OK) && !is_directory(dir))
		return strerror(ENOTDIR);
	return access(dir, W_OK | X_OK) ? strerror(errno) : NULL;
}

static int check_output(const char *path, struct failure *failure)
{
	char *dir = directory_of(path);
	struct stat st;
	bool there = stat(path, &st) == 0;
	int status = 0;

	if (path[strlen(path) - 1] == '/' || (there && S_ISDIR(st.st_mode)))
		status = fail(failure, FAILURE_INPUT, "%s: it is a directory; name a file, as in -o my.so", path);
	else if (there && !S_ISREG(st.st_mode))
		status = fail(failure, FAILURE_INPUT, "%s: it is not a regular file; name a file, as in -o my.so", path);
	else if (unwritable(dir))
		status = fail(failure, FAILURE_INPUT, "%s: the directory %s: %s; name one that is there and can be "
			      "written", path, dir, unwritable(dir));
	free(dir);
	return status;
}

/* ---- the tree's files ---- */

static int apply_patches(struct build *b)
{
	int status = 0;

	for (size_t i = 0; i < b->request->patches.nr && status == 0; i++) {
		struct patch patch;

		status = patch_read(&patch, b->request->patches.at[i], b->failure);
		if (status == 0)
			status = patch_apply(&patch, b->copy.dir, b->copy.scratch, b->request->with_zram,
					     &b->result->notes, b->failure);
		patch_free(&patch);
	}
	return status;
}

static void scan_file(const struct copy *copy, const char *name, struct scan *scan)
{
	struct text text;

	if (file_read_below(copy->dir, name, TEXT_BYTES_MAX, &text))
		return;
	scan_text(scan, text.at, text.nr);
	text_free(&text);
}

static void scan_sources(struct build *b)
{
	static const char *const zram[] = {
		"drivers/block/zram/zram_drv.c", "drivers/block/zram/zram_drv.h", "drivers/block/zram/zcomp.h"
	};

	scan_file(&b->copy, "mm/zsmalloc.c", &b->zsmalloc);
	scan_finish(&b->zsmalloc);
	for (size_t i = 0; i < sizeof(zram) / sizeof(zram[0]); i++)
		scan_file(&b->copy, zram[i], &b->zram);
	scan_finish(&b->zram);
}

static int check_sources(struct build *b)
{
	const char *tree = b->request->tree;

	if (!scan_function(&b->zsmalloc, "zs_malloc") || !scan_function(&b->zsmalloc, "zs_free"))
		return fail(b->failure, FAILURE_INPUT, "%s/mm/zsmalloc.c: it does not define zs_malloc() and zs_free(), so "
			    "it is not the kernel's zsmalloc; name the top directory of a kernel source tree", tree);
	if (b->request->with_zram && !scan_function(&b->zram, "zram_add"))
		return fail(b->failure, FAILURE_INPUT, "%s/drivers/block/zram/zram_drv.c: it does not define zram_add(), "
			    "so it is not the kernel's zram; leave out --with-zram", tree);
	return 0;
}

static int write_features(struct build *b)
{
	char *path = copy_path(&b->copy, "tree_features.h");
	int status = 0;

	b->features = features_text(&b->zsmalloc, b->request->with_zram ? &b->zram : NULL, &b->request->defines);
	if (file_write(path, b->features, strlen(b->features)))
		status = no_room(b, path);
	free(path);
	return status;
}

static int prepare_sources(struct build *b)
{
	int status = apply_patches(b);

	if (status)
		return status;
	scan_sources(b);
	status = check_sources(b);
	if (status == 0)
		status = features_chain_size(&b->zsmalloc, &b->request->defines, &b->chain_size, b->failure);
	return status ? status : write_features(b);
}

/* ---- compiling ---- */

static struct diagnose_places diagnose_places(const struct build *b)
{
	return (struct diagnose_places){ b->request->tree, b->copy.dir, b->places.src, &b->zsmalloc };
}

/* @status of a compiler or linker whose words are in @output. */
static int judge(struct build *b, int status, const struct text *output)
{
	struct diagnose_places places = diagnose_places(b);

	if (command_interrupted())
		return interrupted(b);
	if (status < 0)
		return fail(b->failure, FAILURE_HOST, "%s: %s; it could not be run", b->compiler.words.at[0],
			    strerror(errno));
	if (status >= 128)
		return fail(b->failure, FAILURE_HOST, "%s: ended by signal %d; see that there is memory and disk space",
			    b->compiler.words.at[0], status - 128);
	return status ? diagnose_compiler(&places, output, b->failure) : 0;
}

static int compile(struct build *b, const char *name)
{
	char *source = scn_printf("model/kshim/%s.c", name), *object = scn_printf("%s/%s.o", b->copy.dir, name);
	struct compile_job job = {
		.source = source, .object = object, .dir = b->copy.dir, .src = b->places.src,
		.scratch = b->copy.scratch, .with_zram = b->request->with_zram,
	};
	struct text output;
	int status = compiler_compile(&b->compiler, &job, &output);

	status = judge(b, status, &output);
	names_add(&b->objects, object, strlen(object));
	text_free(&output);
	free(object);
	free(source);
	return status;
}

static int check_undefined(struct build *b)
{
	struct diagnose_places places = diagnose_places(b);
	struct names undefined = { 0 };
	int status = undefined_symbols(b->module, &undefined, b->failure);

	if (status == 0 && undefined.nr)
		status = diagnose_undefined(&places, &undefined, b->failure);
	names_free(&undefined);
	return status;
}

static int link_module(struct build *b)
{
	struct text output;
	int status = compiler_link(&b->compiler, &b->objects, b->places.archive, b->module, b->copy.scratch, &output);

	status = judge(b, status, &output);
	text_free(&output);
	return status ? status : check_undefined(b);
}

/* The tree's file first: what is wrong with it shall be said before what follows from it. */
static int compile_and_link(struct build *b)
{
	static const char *const sources[] = { "tree", "adapter", "zram_tree" };
	size_t nr = b->request->with_zram ? 3 : 2;
	int status = 0;

	for (size_t i = 0; i < nr && status == 0; i++)
		status = compile(b, sources[i]);
	return status ? status : link_module(b);
}

/* ---- the trailer ---- */

/* Only the last part of a patch's path; nothing that could disturb a line of text. */
static char *patch_names(const struct names *paths)
{
	struct names names = { 0 };
	char *text;

	for (size_t i = 0; i < paths->nr; i++) {
		const char *slash = strrchr(paths->at[i], '/'), *name = slash ? slash + 1 : paths->at[i];

		names_add(&names, name, strlen(name));
	}
	text = names_join(&names, ", ");
	for (char *c = text; *c; c++)
		*c = isascii((unsigned char)*c) && isprint((unsigned char)*c) ? *c : '?';
	names_free(&names);
	return text;
}

/* To be freed with module_info_free(). */
static struct module_info info_of(const struct build *b)
{
	return (struct module_info){
		.tree = tree_version(b->request->tree),
		.source_id = copy_source_id(&b->copy),
		.patches = patch_names(&b->request->patches),
		.defines = defines_text(&b->request->defines),
		.compiler = scn_strdup(b->compiler.version),
		.chain_size = b->chain_size,
		.with_zram = b->request->with_zram,
	};
}

static int append_info(struct build *b)
{
	struct module_info info = info_of(b);
	int status = module_info_append(b->module, &info) ? no_room(b, b->module) : 0;

	module_info_free(&info);
	return status;
}

/* ---- the cache ---- */

/* The files of this program that go into a module. */
static void digest_places(struct digest *digest, const struct places *places)
{
	static const char *const shim_ends[] = { ".c", ".h", NULL }, *const header_ends[] = { ".h", NULL };
	char *shim = scn_printf("%s/model/kshim", places->src), *model = scn_printf("%s/model", places->src);
	char *hw = scn_printf("%s/sim/hw.h", places->src);

	digest_files(digest, shim, shim_ends);
	digest_files(digest, model, header_ends);
	digest_file(digest, hw);
	digest_file(digest, places->archive);
	free(shim);
	free(model);
	free(hw);
}

static char *key_of(const struct build *b)
{
	struct digest *digest = digest_create();
	struct module_info info = info_of(b);
	char *flags = compiler_flags(&b->compiler);
	const char *const texts[] = {
		PACKAGE_VERSION, info.tree, info.source_id, info.patches, info.defines, b->features,
		b->compiler.identity, flags, info.with_zram ? "zram" : "",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		digest_text(digest, texts[i]);
	digest_places(digest, &b->places);
	module_info_free(&info);
	free(flags);
	return digest_end(digest);
}

/* Is there a whole module in the cache? Who wants to look at the objects wants them made. */
static bool look_in_cache(struct build *b)
{
	struct module_info info;
	char *key, error[256];
	bool good;

	if (b->request->no_cache)
		return false;
	key = key_of(b);
	b->cached = cache_path(key);
	free(key);
	if (!b->cached || b->request->keep)
		return false;
	good = !module_info_read(b->cached, &info, error, sizeof(error));
	module_info_free(&info);
	return good;
}

/* ---- all of it ---- */

/* @from becomes the output, and is looked at once more where it is. */
static int install(struct build *b, const char *from)
{
	const char *to = b->request->output;
	char error[256];

	if (command_interrupted())
		return interrupted(b);
	if (file_install(from, to))
		return fail(b->failure, FAILURE_HOST, "%s: %s; the module was not written", to, strerror(errno));
	if (module_info_read(to, &b->result->info, error, sizeof(error)))
		return fail(b->failure, FAILURE_HOST, "%s: %s", to, error);
	return 0;
}

static int build_new(struct build *b)
{
	int status = compile_and_link(b);

	if (status == 0)
		status = append_info(b);
	if (status == 0)
		status = install(b, b->module);
	if (status == 0 && b->cached)
		cache_store(b->cached, b->module);
	return status;
}

static int build_from_copy(struct build *b)
{
	int status = compiler_find(&b->compiler, b->request->cc, b->copy.scratch, b->failure);

	if (status == 0)
		status = prepare_sources(b);
	if (status)
		return status;
	b->module = copy_path(&b->copy, "module.so");
	b->result->cached = look_in_cache(b);
	return b->result->cached ? install(b, b->cached) : build_new(b);
}

static int build_interruptible(struct build *b)
{
	const struct build_request *request = b->request;
	int status;

	command_catch_signals();
	status = copy_create(&b->copy, request->tree, request->with_zram, request->keep, b->failure);
	if (status == 0)
		status = build_from_copy(b);
	copy_remove(&b->copy);
	command_forget_signals();
	return status;
}

static void release(struct build *b)
{
	places_free(&b->places);
	compiler_free(&b->compiler);
	scan_free(&b->zsmalloc);
	scan_free(&b->zram);
	names_free(&b->objects);
	free(b->features);
	free(b->module);
	free(b->cached);
}

int build_module(const struct build_request *request, struct build_result *result, struct failure *failure)
{
	struct build b = { .request = request, .result = result, .failure = failure };
	int status = check_output(request->output, failure);

	*result = (struct build_result){ 0 };
	if (status == 0)
		status = places_find(&b.places, request->with_zram, failure);
	if (status == 0)
		status = build_interruptible(&b);
	release(&b);
	return status;
}

void build_free(struct build_result *result)
{
	module_info_free(&result->info);
	names_free(&result->notes);
}
