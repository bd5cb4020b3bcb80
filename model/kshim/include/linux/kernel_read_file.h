/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernel_read_file.h - there are no files: a compressor's dictionary cannot be read. */
#ifndef KSHIM_LINUX_KERNEL_READ_FILE_H
#define KSHIM_LINUX_KERNEL_READ_FILE_H

#include <linux/kernel.h>
#include <linux/types.h>

#define READING_POLICY	0

static inline ssize_t kernel_read_file_from_path(const char *path, loff_t offset, void **buf, size_t bytes,
						 size_t *file_bytes, int id)
{
	(void)offset, (void)buf, (void)bytes, (void)file_bytes, (void)id;
	hw_fault("reading the file %s is not part of the simulated kernel", path);
}

#endif
