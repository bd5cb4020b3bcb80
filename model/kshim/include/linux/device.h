/* SPDX-License-Identifier: GPL-3.0-or-later */
/* device.h - devices and classes, as far as their files go. */
#ifndef KSHIM_LINUX_DEVICE_H
#define KSHIM_LINUX_DEVICE_H

#include <linux/module.h>
#include <linux/sysfs.h>

struct device {
	const struct attribute_group **groups;
};

struct device_attribute {
	struct attribute attr;
	ssize_t (*show)();
	ssize_t (*store)();
};

#define DEVICE_ATTR_RO(file)	struct device_attribute dev_attr_##file = __ATTR_RO(file)
#define DEVICE_ATTR_WO(file)	struct device_attribute dev_attr_##file = __ATTR_WO(file)
#define DEVICE_ATTR_RW(file)	struct device_attribute dev_attr_##file = __ATTR_RW(file)

struct class {
	const char *name;
	void *owner;
	const struct attribute_group **class_groups;
};

struct class_attribute {
	struct attribute attr;
	ssize_t (*show)();
	ssize_t (*store)();
};

#define CLASS_ATTR_RO(file)	struct class_attribute class_attr_##file = __ATTR_RO(file)
#define CLASS_ATTR_WO(file)	struct class_attribute class_attr_##file = __ATTR_WO(file)

#define class_register(class)	((void)(class), 0)
#define class_unregister(class)	do { (void)(class); } while (0)

#endif
