/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * adapter.c - makes a tree's allocator fit model/zsmalloc/zsmalloc.h, and the
 * services of the shim that are more than a macro.
 */
#include "model/kshim/tree_names.h"

#include <linux/cpu.h>
#include <linux/debugfs.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "model/kernel/kernel.h"
#include "model/kshim/check.h"
#include "model/kshim/tree.h"
#include "model/zsmalloc/view.h"
#undef zs_create_pool
#undef zs_malloc
#undef zs_obj_read_begin
#undef zs_obj_read_end
#include "model/zsmalloc/zsmalloc.h"

/* ---- services ---- */

#define MAX_TREE_CACHES 8
#define CACHE_NAME_BYTES 48

static struct {
	struct kmem_cache *cache;
	size_t size;
	char name[CACHE_NAME_BYTES];
} caches[MAX_TREE_CACHES];
static unsigned nr_caches;

/* Reports group lines by the cache's kind: what follows a hyphen is the pool's name. */
static void copy_kind(char *to, const char *name)
{
	size_t i = 0;

	for (; name[i] && name[i] != '-' && i < CACHE_NAME_BYTES - 1; i++)
		to[i] = name[i];
	to[i] = 0;
}

struct kmem_cache *kshim_cache_create(const char *name, size_t size, size_t align, slab_flags_t flags)
{
	unsigned i = nr_caches++;

	BUG_ON(i == MAX_TREE_CACHES);
	copy_kind(caches[i].name, name);
	caches[i].size = size;
	caches[i].cache = (kmem_cache_create)(caches[i].name, size,
					      flags & SLAB_HWCACHE_ALIGN ? SMP_CACHE_BYTES : align);
	return caches[i].cache;
}

void kshim_cache_destroy(struct kmem_cache *cache)
{
	if (cache)
		(kmem_cache_destroy)(cache);
}

char *kstrdup(const char *text, gfp_t gfp)
{
	size_t bytes = strlen(text) + 1;
	char *copy = kmalloc(bytes, gfp);

	if (copy)
		memcpy(copy, text, bytes);
	return copy;
}

size_t strlen(const char *text)
{
	size_t n = 0;

	while (text[n])
		n++;
	return n;
}

int strcmp(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return (unsigned char)*a - (unsigned char)*b;
}

int kshim_cpuhp_setup(int (*startup)(unsigned int cpu), int (*teardown)(unsigned int cpu))
{
	int cpu, error = 0;

	(void)teardown;
	for_each_possible_cpu(cpu)
		if (startup && !error)
			error = startup(cpu);
	return error;
}

char *kshim_percpu_copy;
int __percpu *kshim_pagefault_counts;

/* The section always has something in it, so that the linker marks its ends. */
static __used DEFINE_PER_CPU(long, kshim_percpu_anchor);

static void setup_percpu(void)
{
	size_t bytes = __stop_kshim_percpu - __start_kshim_percpu;
	int cpu;

	kshim_pagefault_counts = alloc_percpu(int);
	kshim_percpu_copy = __alloc_percpu(bytes, SMP_CACHE_BYTES, "per-CPU data");
	BUG_ON(!kshim_pagefault_counts || !kshim_percpu_copy);
	for_each_possible_cpu(cpu)
		memcpy(per_cpu_ptr(kshim_percpu_copy, cpu), __start_kshim_percpu, bytes);
}

struct dentry kshim_dentry;

static struct {
	void *data;
	const struct file_operations *fops;
} classes_file;

void kshim_debugfs_file(const char *name, void *data, const struct file_operations *fops)
{
	if (strcmp(name, "classes"))
		return;
	classes_file.data = data;
	classes_file.fops = fops;
}

/* ---- the pool ---- */

static void init_tree_once(void)
{
	static bool done;

	if (done)
		return;
	done = true;
	setup_percpu();
	if (tree_init())
		hw_fault("the tree's init function failed");
}

struct zs_pool *kshim_create_pool(const char *name)
{
	struct zs_pool *pool;

	init_tree_once();
	pool = tree_create_pool(name);
	if (pool)
		tree_name_lines(pool);
	return pool;
}

/* The variant's axes and the chain size are what the tree was compiled to be. */
struct zs_pool *zs_create_pool(const char *name, const struct model_variant *variant, unsigned int chain_size)
{
	(void)variant;
	(void)chain_size;
	return kshim_create_pool(name);
}

void zs_destroy_pool(struct zs_pool *pool)
{
	tree_destroy_pool(pool);
}

unsigned long zs_pages_compacted(struct zs_pool *pool)
{
	return tree_pages_compacted(pool);
}

unsigned long zs_shrinker_count(struct zs_pool *pool)
{
	return tree_shrinker_count(pool);
}

unsigned long zs_shrinker_scan(struct zs_pool *pool, unsigned long nr_to_scan)
{
	return tree_shrinker_scan(pool, nr_to_scan);
}

int zs_page_migrate(struct page *newpage, struct page *page)
{
	return tree_migrate(newpage, page);
}

/* ---- objects ---- */

#if defined(TREE_HAS_zs_map_object) && !defined(TREE_HAS_zs_obj_write)
/* A tree from before these functions: its users mapped the object and copied. */
void *zs_obj_read_begin(struct zs_pool *pool, unsigned long handle, size_t len, void *local)
{
	(void)len;
	(void)local;
	return zs_map_object(pool, handle, ZS_MM_RO);
}

void zs_obj_read_end(struct zs_pool *pool, unsigned long handle, size_t len, void *mem)
{
	(void)len;
	(void)mem;
	zs_unmap_object(pool, handle);
}

void zs_obj_write(struct zs_pool *pool, unsigned long handle, const void *src, size_t len)
{
	memcpy(zs_map_object(pool, handle, ZS_MM_WO), src, len);
	zs_unmap_object(pool, handle);
}

void zs_obj_modify(struct zs_pool *pool, unsigned long handle, const void *src, size_t len)
{
	memcpy(zs_map_object(pool, handle, ZS_MM_RW), src, len);
	zs_unmap_object(pool, handle);
}
#else
void zs_obj_modify(struct zs_pool *pool, unsigned long handle, const void *src, size_t len)
{
	zs_obj_write(pool, handle, (void *)src, len);
}
#endif

#ifndef TREE_HAS_zs_lookup_class_index
unsigned int zs_lookup_class_index(struct zs_pool *pool, unsigned int size)
{
	struct zs_class_view view;
	unsigned int i = 0;

	while (!zs_view_class(pool, i, &view) || view.size < min(size + sizeof(unsigned long), PAGE_SIZE))
		i++;
	return i;
}
#endif

/* ---- handles that wait ---- */

static unsigned long waiting;

unsigned long zs_deferred_objects(struct zs_pool *pool)
{
	(void)pool;
	return waiting;
}

static void count_waiting(int delta)
{
	waiting += delta;
	hw_gauge_add(GAUGE_DEFERRED_OBJECTS, delta);
}

/* Only the tree's handles have the size of one word. */
void kshim_handle_freed(struct kmem_cache *cache)
{
	for (unsigned i = 0; i < nr_caches; i++)
		if (caches[i].cache == cache && caches[i].size == sizeof(unsigned long))
			count_waiting(-1);
}

#ifdef KSHIM_COUNT_HANDLES
void zs_free(struct zs_pool *pool, unsigned long handle)
{
	hw_mute();
	count_waiting(!!handle && !IS_ERR_VALUE(handle));
	hw_unmute();
	tree_free(pool, handle);
}
#endif

/* A tree that lets frees wait does so here too. */
void zs_free_at_once(struct zs_pool *pool, unsigned long handle)
{
	zs_free(pool, handle);
}

/* A tree has no such call, and its places are its own business. */
bool zs_peek(struct zs_pool *pool, unsigned long handle, u64 *word)
{
	(void)pool;
	(void)handle;
	(void)word;
	return false;
}

/* Trees defer as they do: the schemes of the axis `free` are not made of a tree's allocator. */
bool zs_deferred_list_create(struct zs_pool *pool)
{
	(void)pool;
	return false;
}

void zs_free_deferred(struct zs_pool *pool, unsigned long handle)
{
	zs_free(pool, handle);
}

void zs_deferred_list_flush(struct zs_pool *pool)
{
	(void)pool;
}

void zs_deferred_list_destroy(struct zs_pool *pool)
{
	(void)pool;
}

void zs_observe_waiting(struct zs_pool *pool, unsigned long handle)
{
	(void)pool;
	(void)handle;
}

void zs_observe_freed(struct zs_pool *pool)
{
	(void)pool;
}

/* ---- what the pool says about itself ---- */

/* Built with CONFIG_ZSMALLOC_STAT the tree writes the text, else its counters are read. */
size_t zs_classes_show(struct zs_pool *pool, char *buf, size_t bytes)
{
	struct seq_file s = { .buf = buf, .size = bytes, .private = classes_file.data };

	if (!classes_file.fops)
		return kshim_classes_text(pool, buf, bytes);
	classes_file.fops->show(&s, NULL);
	return s.count;
}

void zs_check_pool(struct zs_pool *pool)
{
	kshim_check_pool(pool);
}
