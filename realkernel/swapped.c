/* SPDX-License-Identifier: GPL-3.0-or-later */
/* swapped.c - see swapped.h. */
#include "realkernel/swapped.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE_BYTES	4096u
#define AT_ONCE		4096u		/* pages looked at by one call */
#define PAGEMAP_SWAPPED	(1ull << 62)
#define PAGEMAP_PRESENT	(1ull << 63)

static bool is_swapped(uint64_t entry)
{
	return (entry & PAGEMAP_SWAPPED) && !(entry & PAGEMAP_PRESENT);
}

/* mincore() calls a page resident that is in the swap cache, though its entry says swapped. */
static int count_chunk(int fd, char *at, size_t pages, size_t *left)
{
	static uint64_t entry[AT_ONCE];
	static unsigned char resident[AT_ONCE];
	size_t bytes = pages * sizeof(*entry);

	if (pread(fd, entry, bytes, (off_t)((uintptr_t)at / PAGE_BYTES * sizeof(*entry))) != (ssize_t)bytes ||
	    mincore(at, pages * PAGE_BYTES, resident))
		return -1;
	for (size_t i = 0; i < pages; i++)
		*left += !is_swapped(entry[i]) || (resident[i] & 1);
	return 0;
}

int pages_not_swapped(void *region, size_t bytes, size_t *left, char *error, size_t error_bytes)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC), status = fd < 0 ? -1 : 0;
	size_t pages = bytes / PAGE_BYTES;

	*left = 0;
	for (size_t i = 0; status == 0 && i < pages; i += AT_ONCE)
		status = count_chunk(fd, (char *)region + i * PAGE_BYTES, pages - i < AT_ONCE ? pages - i : AT_ONCE,
				     left);
	if (status)
		snprintf(error, error_bytes, "/proc/self/pagemap: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	return status;
}
