/* SPDX-License-Identifier: GPL-3.0-or-later */
/* seq_file.h - text that grows in a buffer; what does not fit is cut off. */
#ifndef KSHIM_LINUX_SEQ_FILE_H
#define KSHIM_LINUX_SEQ_FILE_H

#include <linux/fs.h>

struct seq_file {
	char *buf;
	size_t size;			/* bytes of buf */
	size_t count;			/* bytes used */
	void *private;
};

#define seq_printf(s, ...) \
	((void)((s)->count += hw_format((s)->buf + (s)->count, (s)->size - (s)->count, __VA_ARGS__)))
#define seq_puts(s, text)	seq_printf(s, "%s", text)
#define seq_putc(s, c)		seq_printf(s, "%c", c)

#define DEFINE_SHOW_ATTRIBUTE(name) \
	static const struct file_operations name##_fops = { .show = name##_show }

#endif
