/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * keeper.h - a process that owns the zram device, so that the device goes
 * whatever becomes of the program: the keeper heeds no interruption, and when
 * the program ends, well or not, its end of their socket closes and the keeper
 * removes what it added. Should the keeper itself be killed, the program
 * removes the device in its place.
 *
 * Functions that return int give 0, or -1 and one line in k->device.error.
 */
#ifndef ZSMSIM_REALKERNEL_KEEPER_H
#define ZSMSIM_REALKERNEL_KEEPER_H

#include <sys/types.h>

#include "realkernel/zram_device.h"

struct keeper {
	pid_t pid;
	int fd;				/* our end of the socket; a process that lives on must close it after fork() */
	struct zram_device device;	/* as the keeper last described it */
};

/* Start it and let it add a device. Call keeper_end() in either case. */
int keeper_start(struct keeper *k);

/* zram_device_enable(), _mm_stat() and _disable(), done by the keeper. */
int keeper_enable(struct keeper *k, uint32_t slots);
int keeper_mm_stat(struct keeper *k, char *line, size_t line_bytes);
int keeper_disable(struct keeper *k);

/*
 * Let it remove the device, and wait for its end. Fails if the device is still
 * there; the error then names what was left.
 */
int keeper_end(struct keeper *k);

#endif
