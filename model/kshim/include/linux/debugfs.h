/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * debugfs.h - files that show state. The one called "classes" is kept, so that
 * its text can be asked for; nothing else is.
 */
#ifndef KSHIM_LINUX_DEBUGFS_H
#define KSHIM_LINUX_DEBUGFS_H

#include <linux/seq_file.h>

/* A directory is nothing but there. */
struct dentry { char unused; };
extern struct dentry kshim_dentry;

void kshim_debugfs_file(const char *name, void *data, const struct file_operations *fops);

#define debugfs_initialized()			true
#define debugfs_create_dir(name, parent)	((void)(name), (void)(parent), &kshim_dentry)
#define debugfs_create_file(name, mode, parent, data, fops) \
	((void)(parent), kshim_debugfs_file(name, data, fops), &kshim_dentry)
#define debugfs_remove_recursive(dentry)	do { (void)(dentry); } while (0)
#define debugfs_remove(dentry)			do { (void)(dentry); } while (0)

#endif
