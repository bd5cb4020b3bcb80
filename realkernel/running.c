/* SPDX-License-Identifier: GPL-3.0-or-later */
/* running.c - see running.h. */
#include "realkernel/running.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/swap.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "native/host.h"

#define CAP_SYS_ADMIN_BIT	21
#define CHAIN_KEY		"CONFIG_ZSMALLOC_CHAIN_SIZE="
#define CHAIN_DEFAULT		8u
#define CONFIG_BYTES_MAX	(1u << 20)
/* Pages that are written out exist twice for a while, and the machine has other things to do. */
#define MEMORY_FACTOR		2u
#define MEMORY_RESERVE		(1ull << 30)

/* ---- which variant ---- */

static unsigned version(unsigned major, unsigned minor)
{
	return major * 1000 + minor;
}

struct nearest_variant nearest_variant(const char *release)
{
	unsigned major, minor, v;

	if (sscanf(release, "%u.%u", &major, &minor) != 2)
		return (struct nearest_variant){ NULL, "its version cannot be read" };
	v = version(major, minor);
	/* The series entered the memory-management tree at the end of June 2026; by the calendar that is 7.3. */
	if (v >= version(7, 3))
		return (struct nearest_variant){ "base", "since mid 2026 the class is read from the object value" };
	if (v >= version(6, 15))
		return (struct nearest_variant){ "pool-lock", "6.15 to mid 2026: the pool's rwlock, then the class lock" };
	if (v >= version(6, 11))
		return (struct nearest_variant){ "pool-lock", "6.11 to 6.14: the same locks, the pool's named migrate_lock" };
	if (v >= version(6, 2))
		return (struct nearest_variant){ "pool-lock",
			"6.2 to 6.10 have one spinlock for the whole pool, which no variant has: expect several processes"
			" to wait longer" };
	return (struct nearest_variant){ "pool-lock",
		"before 6.2 zspages are of other sizes, which no variant has: expect other figures" };
}

/* ---- its configuration ---- */

unsigned chain_size_in(const char *config)
{
	const char *at = strstr(config, CHAIN_KEY);

	return at ? (unsigned)strtoul(at + strlen(CHAIN_KEY), NULL, 10) : 0;
}

/* A file or, by the help of gzip, the kernel's own copy. */
static unsigned chain_size_of(FILE *f, int (*end)(FILE *))
{
	char *text = f ? calloc(1, CONFIG_BYTES_MAX + 1) : NULL;
	unsigned chain = 0;

	if (text && fread(text, 1, CONFIG_BYTES_MAX, f) > 0)
		chain = chain_size_in(text);
	if (f)
		end(f);
	free(text);
	return chain;
}

unsigned running_chain_size(bool *known)
{
	struct utsname u;
	char path[sizeof(u.release) + 16];
	unsigned chain = 0;

	if (!access("/proc/config.gz", R_OK))
		chain = chain_size_of(popen("gzip -dc /proc/config.gz 2>/dev/null", "r"), pclose);
	if (!chain && !uname(&u)) {
		snprintf(path, sizeof(path), "/boot/config-%s", u.release);
		chain = chain_size_of(fopen(path, "r"), fclose);
	}
	*known = chain != 0;
	return chain ? chain : CHAIN_DEFAULT;
}

/* ---- what is there ---- */

static bool is_admin(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	uint64_t caps = 0;
	char line[256];

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "CapEff: %" SCNx64, &caps) == 1)
			break;
	}
	if (f)
		fclose(f);
	return caps >> CAP_SYS_ADMIN_BIT & 1;
}

/* An empty name is refused in any case; the error tells whether it was looked at. */
static bool swapon_permitted(void)
{
	return swapon("", 0) == 0 || (errno != EPERM && errno != ENOSYS && errno != EACCES);
}

static bool first_char_is(const char *path, char wanted)
{
	char c = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool is = fd >= 0 && read(fd, &c, 1) == 1 && c == wanted;

	if (fd >= 0)
		close(fd);
	return is;
}

void kernel_needs_find(struct kernel_needs *needs)
{
	struct utsname u;

	memset(needs, 0, sizeof(*needs));
	if (!uname(&u)) {
		snprintf(needs->system, sizeof(needs->system), "%.31s", u.sysname);
		snprintf(needs->release, sizeof(needs->release), "%.95s", u.release);
	}
	needs->admin = is_admin();
	needs->swapon = swapon_permitted();
	needs->control_there = !access("/sys/class/zram-control/hot_add", F_OK);
	needs->control = !access("/sys/class/zram-control/hot_add", R_OK) &&
			 !access("/sys/class/zram-control/hot_remove", W_OK);
	needs->zswap = first_char_is("/sys/module/zswap/parameters/enabled", 'Y');
	needs->pagemap = !access("/proc/self/pagemap", R_OK);
	needs->page_bytes = (unsigned)sysconf(_SC_PAGESIZE);
	needs->available = host_memory_available("");
}

/* ---- what is missing ---- */

static const char *missing(const struct kernel_needs *n)
{
	if (strcmp(n->system, "Linux"))
		return "it needs Linux with zram, and this is another system; run it on such a machine";
	if (!n->admin)
		return "it needs root (CAP_SYS_ADMIN) to add a zram device and to swap on it; run it as root";
	if (!n->control_there)
		return "it needs zram, and /sys/class/zram-control is not there; load the module with 'modprobe zram'";
	if (!n->control)
		return "it needs /sys/class/zram-control, which may not be written here; run it outside the container";
	if (!n->swapon)
		return "it needs swap, which is forbidden here or not in this kernel; run it outside the container";
	if (n->zswap)
		return "zswap is on and would take the pages before zram does; write N to"
		       " /sys/module/zswap/parameters/enabled";
	if (!n->pagemap)
		return "it needs /proc/self/pagemap to see which pages are swapped out; mount /proc";
	if (n->page_bytes != 4096)
		return "it compares pages of 4 KiB, and this kernel has others; run it on a kernel with those";
	return NULL;
}

bool kernel_needs_met(const struct kernel_needs *needs, uint64_t bytes, char *line, size_t line_bytes)
{
	const char *what = missing(needs);
	uint64_t wanted = bytes * MEMORY_FACTOR + MEMORY_RESERVE;

	if (what) {
		snprintf(line, line_bytes, "%s", what);
		return false;
	}
	if (needs->available < wanted) {
		snprintf(line, line_bytes, "it needs %" PRIu64 " MB of free memory, and %" PRIu64
			 " MB are free here; stop what uses it", wanted >> 20, needs->available >> 20);
		return false;
	}
	return true;
}
