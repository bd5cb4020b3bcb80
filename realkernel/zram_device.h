/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zram_device.h - a zram device of our own with swap on it. Only ever the
 * device that zram_device_add() brought into being is touched.
 *
 * Functions that return int give 0, or -1 and one line in d->error.
 */
#ifndef ZSMSIM_REALKERNEL_ZRAM_DEVICE_H
#define ZSMSIM_REALKERNEL_ZRAM_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ZRAM_ERROR_BYTES 256

struct zram_device {
	int number;			/* of /dev/zramN; -1: none */
	bool sized;			/* has a disk size, so memory */
	bool swapping;
	bool own_node;			/* the system made no node in /dev, so one was made */
	char node[64];			/* the block device's file */
	char error[ZRAM_ERROR_BYTES];
};

/* The state without a device: what zram_device_add() begins with. */
void zram_device_init(struct zram_device *d);

/* Add one; it has no memory yet. */
int zram_device_add(struct zram_device *d);

/* Give it @slots pages under lzo-rle and swap on it with the highest priority. */
int zram_device_enable(struct zram_device *d, uint32_t slots);

/* Its mm_stat, without newline. */
int zram_device_mm_stat(struct zram_device *d, char *line, size_t line_bytes);

/*
 * Swap on it no more, and drop its memory. Brings back what still lies there.
 * Nothing to do is no error.
 */
int zram_device_disable(struct zram_device *d);

/* zram_device_disable(), then remove it. */
int zram_device_remove(struct zram_device *d);

#endif
