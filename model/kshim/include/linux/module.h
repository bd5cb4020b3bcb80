/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * module.h - a tree's file is linked into one module with the rest of the
 * software; what it would do when loaded, tree_init() does at boot.
 */
#ifndef KSHIM_LINUX_MODULE_H
#define KSHIM_LINUX_MODULE_H

#include <linux/kernel.h>

#define __init
#define __exit
#define __initdata
#define __exitdata
#define KBUILD_MODNAME		"zsmalloc"
#define THIS_MODULE		NULL

#define __KSHIM_NOTHING		_Static_assert(1, "")
#define MODULE_LICENSE(x)	__KSHIM_NOTHING
#define MODULE_AUTHOR(x)	__KSHIM_NOTHING
#define MODULE_DESCRIPTION(x)	__KSHIM_NOTHING
#define MODULE_ALIAS(x)		__KSHIM_NOTHING
#define MODULE_PARM_DESC(x, y)	__KSHIM_NOTHING
#define module_param(name, type, perm) __KSHIM_NOTHING
#define EXPORT_SYMBOL(x)	__KSHIM_NOTHING
#define EXPORT_SYMBOL_GPL(x)	__KSHIM_NOTHING
#define EXPORT_SYMBOL_FOR_MODULES(x, y) __KSHIM_NOTHING

#define module_init(fn)		static __used int (*const KSHIM_INIT)(void) = fn
#define module_exit(fn)		static __used void (*const KSHIM_EXIT)(void) = fn
#ifndef KSHIM_INIT
#define KSHIM_INIT		kshim_module_init
#define KSHIM_EXIT		kshim_module_exit
#endif

#endif
