/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fs.h - a file is what shows it. */
#ifndef KSHIM_LINUX_FS_H
#define KSHIM_LINUX_FS_H

#include <linux/types.h>

struct seq_file;

struct file_operations {
	int (*show)(struct seq_file *s, void *unused);
};

#endif
