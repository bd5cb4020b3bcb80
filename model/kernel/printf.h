/* SPDX-License-Identifier: GPL-3.0-or-later */
/* printf.h - text for statistics files; the host formats, the model pays nothing. */
#ifndef KERNEL_PRINTF_H
#define KERNEL_PRINTF_H

#include <stddef.h>

/* As snprintf(), but returns the bytes written. Provided by the machine's host. */
size_t hw_format(char *buf, size_t bytes, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
#define scnprintf hw_format

#endif
