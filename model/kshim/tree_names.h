/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tree_names.h - functions of a tree whose name the rest of the software
 * knows with other arguments get another name in the files that are the
 * tree's; for tree.c and zram_tree.c, before they include those.
 */
#ifndef KSHIM_TREE_NAMES_H
#define KSHIM_TREE_NAMES_H

#include "tree_features.h"

/* Where the tree may let handles wait, they are counted on their way in and out. */
#if defined(TREE_USES_llist_add) || defined(TREE_USES_alloc_percpu) || defined(TREE_HAS_zs_free_deferred)
#define KSHIM_COUNT_HANDLES
#endif

#if TREE_PARAMS_zs_create_pool > 1
#define zs_create_pool		tree_file_create_pool
#else
#define zs_create_pool		tree_create_pool
#endif
#if TREE_PARAMS_zs_malloc > 3
#define zs_malloc		tree_file_malloc
#endif
#ifdef TREE_HAS_zs_obj_read_begin
#define zs_obj_read_begin	tree_file_read_begin
#define zs_obj_read_end		tree_file_read_end
#endif

#endif
