/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kconfig.h - asking for a configuration symbol in an expression.
 *
 * IS_ENABLED(CONFIG_X) is 1 if CONFIG_X is defined as 1, and 0 if it is not
 * defined: a defined one makes the pasted name expand to two arguments, which
 * moves the 1 into second place.
 */
#ifndef KSHIM_LINUX_KCONFIG_H
#define KSHIM_LINUX_KCONFIG_H

#define __KSHIM_CONFIG_1	, 1
#define __kshim_second(first, second, ...) second
#define __kshim_pick(...)	__kshim_second(__VA_ARGS__, 0, 0)
#define __kshim_paste(value)	__kshim_pick(__KSHIM_CONFIG_##value)
#define IS_ENABLED(option)	__kshim_paste(option)
#define IS_BUILTIN(option)	IS_ENABLED(option)
#define IS_REACHABLE(option)	IS_ENABLED(option)

#endif
