/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tree.h - between the file that contains a tree's allocator (tree.c) and the
 * one that makes it fit the rest of the software (adapter.c). What the tree
 * calls by a name of model/zsmalloc/zsmalloc.h, with the same arguments, is
 * used as it is; what is called or takes something else is here.
 */
#ifndef KSHIM_TREE_H
#define KSHIM_TREE_H

#include "model/kernel/types.h"

struct zs_pool;
struct page;
struct seq_file;

/* What the tree's file would do when its module is loaded; 0, or a negative error. */
int tree_init(void);
struct zs_pool *tree_create_pool(const char *name);
/* The same for everybody but the adapter: initialises the tree first, names the pool's lines after. */
struct zs_pool *kshim_create_pool(const char *name);
void tree_destroy_pool(struct zs_pool *pool);
unsigned long tree_pages_compacted(struct zs_pool *pool);
/* The shrinker's two halves; a tree without a shrinker counts 0. */
unsigned long tree_shrinker_count(struct zs_pool *pool);
unsigned long tree_shrinker_scan(struct zs_pool *pool, unsigned long nr_to_scan);
/* As zs_page_migrate() of model/zsmalloc/zsmalloc.h. */
int tree_migrate(struct page *newpage, struct page *page);
/* Name the lines of the pool and of its classes for reports. */
void tree_name_lines(struct zs_pool *pool);
/* Most pages in a zspage, as compiled in. */
unsigned tree_chain_size(void);

/* zs_free() of a tree that may let handles wait. */
void tree_free(struct zs_pool *pool, unsigned long handle);

#endif
