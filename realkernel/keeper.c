/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keeper.c - see keeper.h. */
#include "realkernel/keeper.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/swap.h>
#include <sys/wait.h>
#include <unistd.h>

enum order { ORDER_ADD, ORDER_ENABLE, ORDER_MM_STAT, ORDER_DISABLE, ORDER_REMOVE };

struct request {
	enum order order;
	uint32_t slots;
};

struct reply {
	int status;
	char mm_stat[128];
	struct zram_device device;
};

/* ---- the keeper ---- */

static int obey(struct zram_device *d, const struct request *request, struct reply *reply)
{
	switch (request->order) {
	case ORDER_ADD:
		return zram_device_add(d);
	case ORDER_ENABLE:
		return zram_device_enable(d, request->slots);
	case ORDER_MM_STAT:
		return zram_device_mm_stat(d, reply->mm_stat, sizeof(reply->mm_stat));
	case ORDER_DISABLE:
		return zram_device_disable(d);
	case ORDER_REMOVE:
		return zram_device_remove(d);
	}
	return -1;
}

/* Out of reach of the terminal and of who ends the program's process group. */
static void be_out_of_reach(void)
{
	sigset_t all;

	setsid();
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
}

static void __attribute__((noreturn)) keeper_main(int fd)
{
	struct zram_device d;
	struct request request;

	be_out_of_reach();
	zram_device_init(&d);
	while (recv(fd, &request, sizeof(request), 0) == (ssize_t)sizeof(request)) {
		struct reply reply = { 0 };

		reply.status = obey(&d, &request, &reply);
		reply.device = d;
		if (send(fd, &reply, sizeof(reply), MSG_NOSIGNAL) != (ssize_t)sizeof(reply))
			break;
	}
	/* After ORDER_REMOVE there is nothing left to do; without it the program has died. */
	_exit(zram_device_remove(&d) ? 1 : 0);
}

/* ---- the program ---- */

/* An order is never left half done: an interruption waits for the reply. */
static ssize_t receive(int fd, struct reply *reply)
{
	ssize_t n;

	do
		n = recv(fd, reply, sizeof(*reply), 0);
	while (n < 0 && errno == EINTR);
	return n;
}

static int command(struct keeper *k, enum order order, uint32_t slots, struct reply *reply)
{
	const struct request request = { order, slots };

	if (send(k->fd, &request, sizeof(request), MSG_NOSIGNAL) != (ssize_t)sizeof(request) ||
	    receive(k->fd, reply) != (ssize_t)sizeof(*reply)) {
		snprintf(k->device.error, sizeof(k->device.error), "the process that keeps the device was killed");
		return -1;
	}
	k->device = reply->device;
	return reply->status;
}

int keeper_start(struct keeper *k)
{
	struct reply reply;
	int ends[2];

	k->pid = -1;
	k->fd = -1;
	zram_device_init(&k->device);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		goto out_no_process;
	k->pid = fork();
	if (k->pid == 0) {
		close(ends[0]);
		keeper_main(ends[1]);
	}
	close(ends[1]);
	k->fd = ends[0];
	if (k->pid < 0)
		goto out_no_process;
	return command(k, ORDER_ADD, 0, &reply);

out_no_process:
	snprintf(k->device.error, sizeof(k->device.error), "no further process: %s", strerror(errno));
	return -1;
}

int keeper_enable(struct keeper *k, uint32_t slots)
{
	struct reply reply;

	return command(k, ORDER_ENABLE, slots, &reply);
}

int keeper_mm_stat(struct keeper *k, char *line, size_t line_bytes)
{
	struct reply reply;

	if (command(k, ORDER_MM_STAT, 0, &reply))
		return -1;
	snprintf(line, line_bytes, "%s", reply.mm_stat);
	return 0;
}

int keeper_disable(struct keeper *k)
{
	struct reply reply;

	return command(k, ORDER_DISABLE, 0, &reply);
}

/* A keeper that was killed may have done more than it told: try each step. */
static int remove_in_its_place(struct keeper *k)
{
	swapoff(k->device.node);
	k->device.swapping = false;
	k->device.sized = true;
	return zram_device_remove(&k->device);
}

static void say_what_is_left(struct zram_device *d)
{
	char why[ZRAM_ERROR_BYTES];

	if (d->number < 0)
		return;
	memcpy(why, d->error, sizeof(why));
	snprintf(d->error, sizeof(d->error), "%.80s is left (%.60s); swapoff it and write %d to"
		 " /sys/class/zram-control/hot_remove", d->node, why, d->number);
}

int keeper_end(struct keeper *k)
{
	struct reply reply;
	int status = 0;

	if (k->pid > 0 && command(k, ORDER_REMOVE, 0, &reply))
		status = -1;
	if (k->fd >= 0)
		close(k->fd);
	k->fd = -1;
	while (k->pid > 0 && waitpid(k->pid, NULL, 0) < 0 && errno == EINTR)
		;
	k->pid = -1;
	if (status && k->device.number >= 0)
		status = remove_in_its_place(k);
	if (status)
		say_what_is_left(&k->device);
	return status;
}
