/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tree.c - a kernel tree's mm/zsmalloc.c, as it is, and what has to see its
 * insides.
 *
 * tree_features.h, made from the tree's text, says which functions, fields
 * and constants it defines; the differences between versions are told by
 * these, not by a version number. Functions of the tree whose name the rest
 * of the software knows with other arguments get another name here.
 */
#include "model/kshim/tree_names.h"

#define zs_destroy_pool		tree_destroy_pool
#ifdef KSHIM_COUNT_HANDLES
#define zs_free			tree_free
#endif

#include TREE_ZSMALLOC_C

#include "model/kshim/tree_contract.h"
#include "model/kshim/tree_view.h"
