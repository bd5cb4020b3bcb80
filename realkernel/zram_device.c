/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zram_device.c - see zram_device.h. */
#include "realkernel/zram_device.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "realkernel/fill.h"

#define CONTROL		"/sys/class/zram-control/"
#define PAGE_BYTES	4096u
#define PATH_BYTES	96
/* Whoever looks at new devices, as udev does, keeps them busy for a moment. */
#define TRIES		100
#define TRY_NS		20000000L
#define PRIORITY	32767

static int fail(struct zram_device *d, const char *what, const char *where)
{
	snprintf(d->error, sizeof(d->error), "%s: %s: %s", where, what, strerror(errno));
	return -1;
}

/* ---- files of sysfs ---- */

static int read_text(const char *path, char *text, size_t bytes)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, bytes - 1);
	int kept = errno;

	if (fd >= 0)
		close(fd);
	errno = kept;
	if (n < 0)
		return -1;
	text[n] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return 0;
}

static int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : write(fd, text, strlen(text));
	int kept = errno;

	if (fd >= 0)
		close(fd);
	errno = kept;
	return n < 0 ? -1 : 0;
}

static int write_patiently(const char *path, const char *text)
{
	const struct timespec pause = { .tv_nsec = TRY_NS };

	for (int i = 0; i < TRIES; i++) {
		if (!write_text(path, text))
			return 0;
		if (errno != EBUSY && errno != EINTR)
			return -1;
		nanosleep(&pause, NULL);
	}
	return -1;
}

static void attribute(const struct zram_device *d, const char *name, char *path)
{
	snprintf(path, PATH_BYTES, "/sys/block/zram%d/%s", d->number, name);
}

static int set(struct zram_device *d, const char *name, const char *value)
{
	char path[PATH_BYTES];

	attribute(d, name, path);
	return write_patiently(path, value) ? fail(d, "cannot be set", path) : 0;
}

/* ---- the device's node ---- */

static bool is_node(const char *path, dev_t dev)
{
	struct stat st;

	return !stat(path, &st) && S_ISBLK(st.st_mode) && st.st_rdev == dev;
}

static int find_node(struct zram_device *d)
{
	char path[PATH_BYTES], text[32];
	unsigned major_nr, minor_nr;
	dev_t dev;

	attribute(d, "dev", path);
	if (read_text(path, text, sizeof(text)) || sscanf(text, "%u:%u", &major_nr, &minor_nr) != 2)
		return fail(d, "cannot be read", path);
	dev = makedev(major_nr, minor_nr);
	snprintf(d->node, sizeof(d->node), "/dev/zram%d", d->number);
	if (is_node(d->node, dev))
		return 0;
	snprintf(d->node, sizeof(d->node), "/dev/zsmsim-zram%d", d->number);
	if (mknod(d->node, S_IFBLK | 0600, dev))
		return fail(d, "cannot be made", d->node);
	d->own_node = true;
	return 0;
}

static int write_header(struct zram_device *d, uint32_t slots)
{
	void *page = aligned_alloc(PAGE_BYTES, PAGE_BYTES);
	int fd = open(d->node, O_WRONLY | O_EXCL | O_CLOEXEC), status = -1;

	if (page && fd >= 0) {
		fill_swap_header(page, PAGE_BYTES, slots);
		if (pwrite(fd, page, PAGE_BYTES, 0) == (ssize_t)PAGE_BYTES && !fsync(fd))
			status = 0;
	}
	if (status)
		fail(d, "no swap header could be written", d->node);
	if (fd >= 0)
		close(fd);
	free(page);
	return status;
}

/* ---- from none to swap, and back ---- */

void zram_device_init(struct zram_device *d)
{
	memset(d, 0, sizeof(*d));
	d->number = -1;
}

int zram_device_add(struct zram_device *d)
{
	char text[32], *end;
	long number;

	if (read_text(CONTROL "hot_add", text, sizeof(text)))
		return fail(d, "no device could be added", CONTROL "hot_add");
	number = strtol(text, &end, 10);
	if (end == text || number < 0) {
		snprintf(d->error, sizeof(d->error), CONTROL "hot_add: gave no number");
		return -1;
	}
	d->number = (int)number;
	return find_node(d);
}

int zram_device_enable(struct zram_device *d, uint32_t slots)
{
	char bytes[32];

	snprintf(bytes, sizeof(bytes), "%llu", (unsigned long long)slots * PAGE_BYTES);
	if (set(d, "comp_algorithm", "lzo-rle")) {
		snprintf(d->error, sizeof(d->error), "zram of this kernel has no lzo-rle; it needs CONFIG_ZRAM_BACKEND_LZO");
		return -1;
	}
	if (set(d, "disksize", bytes))
		return -1;
	d->sized = true;
	if (write_header(d, slots))
		return -1;
	if (swapon(d->node, SWAP_FLAG_PREFER | PRIORITY))
		return fail(d, "swapon", d->node);
	d->swapping = true;
	return 0;
}

int zram_device_mm_stat(struct zram_device *d, char *line, size_t line_bytes)
{
	char path[PATH_BYTES];

	attribute(d, "mm_stat", path);
	return read_text(path, line, line_bytes) ? fail(d, "cannot be read", path) : 0;
}

static int swapoff_patiently(const char *node)
{
	for (int i = 0; i < TRIES; i++) {
		if (!swapoff(node))
			return 0;
		if (errno != EINTR)
			return -1;
	}
	return -1;
}

int zram_device_disable(struct zram_device *d)
{
	if (d->swapping && swapoff_patiently(d->node))
		return fail(d, "swapoff", d->node);
	d->swapping = false;
	if (d->sized && set(d, "reset", "1"))
		return -1;
	d->sized = false;
	return 0;
}

int zram_device_remove(struct zram_device *d)
{
	char text[16];

	if (d->number < 0)
		return 0;
	if (zram_device_disable(d))
		return -1;
	if (d->own_node)
		unlink(d->node);
	d->own_node = false;
	snprintf(text, sizeof(text), "%d", d->number);
	if (write_patiently(CONTROL "hot_remove", text))
		return fail(d, "the device could not be removed", CONTROL "hot_remove");
	d->number = -1;
	return 0;
}
