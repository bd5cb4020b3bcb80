/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sysfs.h - files that show and set a device's state. They are kept in the
 * lists the tree makes of them, where kshim_attr_find() looks one up by name.
 * The functions have no parameter lists because versions differ in what is
 * const.
 */
#ifndef KSHIM_LINUX_SYSFS_H
#define KSHIM_LINUX_SYSFS_H

#include <linux/string.h>
#include <linux/types.h>

struct attribute {
	const char *name;
	umode_t mode;
};

struct attribute_group {
	struct attribute **attrs;
};

#define __ATTR(file, access, show_fn, store_fn) {			\
	.attr = { .name = #file, .mode = (access) },			\
	.show = (show_fn), .store = (store_fn),				\
}
#define __ATTR_RO(file)		__ATTR(file, 0444, file##_show, NULL)
#define __ATTR_WO(file)		__ATTR(file, 0200, NULL, file##_store)
#define __ATTR_RW(file)		__ATTR(file, 0644, file##_show, file##_store)

#define ATTRIBUTE_GROUPS(name)						\
static const struct attribute_group name##_group = { .attrs = name##_attrs }; \
static const struct attribute_group *name##_groups[] = { &name##_group, NULL }

#define sysfs_emit(buf, ...)		scnprintf(buf, PAGE_SIZE, __VA_ARGS__)
#define sysfs_emit_at(buf, at, ...)	scnprintf((buf) + (at), PAGE_SIZE - (at), __VA_ARGS__)

/* Equal but for a line feed at the end of either. */
static inline bool sysfs_streq(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b || (*a == '\n' && !a[1] && !*b) || (*b == '\n' && !b[1] && !*a);
}

/* The file called @name in the NULL-terminated @groups, or NULL. */
static inline struct attribute *kshim_attr_find(const struct attribute_group **groups, const char *name)
{
	for (; *groups; groups++)
		for (struct attribute **a = (*groups)->attrs; *a; a++)
			if (!strcmp((*a)->name, name))
				return *a;
	return NULL;
}

#endif
