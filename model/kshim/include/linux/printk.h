/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * printk.h - messages of the tree. An error is a complaint about the state it
 * is in, so it ends the run as a fault does; the levels below are not shown.
 */
#ifndef KSHIM_LINUX_PRINTK_H
#define KSHIM_LINUX_PRINTK_H

#include "sim/hw.h"

#ifndef pr_fmt
#define pr_fmt(fmt) fmt
#endif

static inline __attribute__((format(printf, 1, 2))) void kshim_no_print(const char *fmt, ...)
{
	(void)fmt;
}

#define pr_err(fmt, ...)	hw_fault("%s:%d: " pr_fmt(fmt), __FILE__, __LINE__, ##__VA_ARGS__)
#define pr_warn(fmt, ...)	pr_info(fmt, ##__VA_ARGS__)
#define pr_warn_once(fmt, ...)	pr_info(fmt, ##__VA_ARGS__)
#define pr_info(fmt, ...)	kshim_no_print(pr_fmt(fmt), ##__VA_ARGS__)
#define pr_info_once(fmt, ...)	pr_info(fmt, ##__VA_ARGS__)
#define pr_debug(fmt, ...)	pr_info(fmt, ##__VA_ARGS__)
#define pr_notice(fmt, ...)	pr_info(fmt, ##__VA_ARGS__)

#endif
