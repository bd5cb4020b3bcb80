/* SPDX-License-Identifier: GPL-3.0-or-later */
/* host.c - see host.h. */
#include "native/host.h"

#include <ctype.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "scenarios/mem.h"

#define CPU_MAX		4096
#define LINE_BYTES	512

/* ---- small files ---- */

/* The first line of the file, without its end; false if there is none. */
static bool read_line(char *line, size_t bytes, const char *root, const char *format, int a, int b)
{
	char path[LINE_BYTES];
	int n = snprintf(path, sizeof(path), "%s", root);
	FILE *f;
	bool ok;

	snprintf(path + n, sizeof(path) - (size_t)n, format, a, b);
	f = fopen(path, "r");
	if (!f)
		return false;
	ok = fgets(line, (int)bytes, f);
	fclose(f);
	if (ok)
		line[strcspn(line, "\n")] = '\0';
	return ok;
}

/* The value of the first line "KEY : VALUE" of a file like /proc/cpuinfo. */
static bool read_key(char *value, size_t bytes, const char *root, const char *file, const char *key)
{
	char path[LINE_BYTES], line[LINE_BYTES];
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), "%s%s", root, file);
	f = fopen(path, "r");
	if (!f)
		return false;
	while (!found && fgets(line, sizeof(line), f)) {
		char *colon = strchr(line, ':');

		if (!colon || strncmp(line, key, strlen(key)) || strspn(line + strlen(key), " \t") +
		    strlen(key) != (size_t)(colon - line))
			continue;
		colon += 1 + strspn(colon + 1, " \t");
		colon[strcspn(colon, "\n")] = '\0';
		snprintf(value, bytes, "%s", colon);
		found = true;
	}
	fclose(f);
	return found;
}

/* "32K", "1024K", "8M" */
static size_t parse_size(const char *text)
{
	char *end;
	size_t n = strtoul(text, &end, 10);

	return *end == 'K' ? n << 10 : *end == 'M' ? n << 20 : n;
}

/* ---- lists of CPUs ---- */

static void add_cpu(struct cpu_list *list, int cpu)
{
	list->at = scn_grow(list->at, list->nr, sizeof(*list->at));
	list->at[list->nr++] = cpu;
}

static int by_number(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* One range; NULL in *@next if it is no range. */
static bool parse_range(const char *at, const char **next, long *first, long *last)
{
	char *end;

	if (!isdigit((unsigned char)*at))
		return false;
	*first = *last = strtol(at, &end, 10);
	if (*end == '-') {
		if (!isdigit((unsigned char)end[1]))
			return false;
		*last = strtol(end + 1, &end, 10);
	}
	*next = end;
	return true;
}

const char *cpu_list_parse(const char *text, struct cpu_list *list)
{
	const char *at = text, *wrong = NULL;
	long first, last;

	*list = (struct cpu_list){ 0 };
	do {
		if (!parse_range(at, &at, &first, &last) || (*at && *at != ','))
			wrong = "is no list of CPUs; write one like 0-3,6";
		else if (last < first || last >= CPU_MAX)
			wrong = "names a CPU that cannot be; write one like 0-3,6";
		for (; !wrong && first <= last; first++) {
			if (cpu_list_has(list, (int)first))
				wrong = "names a CPU twice";
			else
				add_cpu(list, (int)first);
		}
	} while (!wrong && *at++ == ',');
	if (wrong)
		cpu_list_free(list);
	else
		qsort(list->at, list->nr, sizeof(*list->at), by_number);
	return wrong;
}

bool cpu_list_has(const struct cpu_list *list, int cpu)
{
	for (unsigned i = 0; i < list->nr; i++) {
		if (list->at[i] == cpu)
			return true;
	}
	return false;
}

void cpu_list_free(struct cpu_list *list)
{
	free(list->at);
	*list = (struct cpu_list){ 0 };
}

struct cpu_list host_cpus(void)
{
	cpu_set_t *set = CPU_ALLOC(CPU_MAX);
	size_t bytes = CPU_ALLOC_SIZE(CPU_MAX);
	struct cpu_list list = { 0 };

	if (!set || sched_getaffinity(0, bytes, set)) {
		fprintf(stderr, "zsmsim: the CPUs of this machine: %s\n", strerror(errno));
		exit(1);
	}
	for (int cpu = 0; cpu < CPU_MAX; cpu++) {
		if (CPU_ISSET_S(cpu, bytes, set))
			add_cpu(&list, cpu);
	}
	CPU_FREE(set);
	return list;
}

int host_pin(int cpu)
{
	cpu_set_t *set = CPU_ALLOC(CPU_MAX);
	size_t bytes = CPU_ALLOC_SIZE(CPU_MAX);
	int status;

	if (!set)
		return -1;
	CPU_ZERO_S(bytes, set);
	CPU_SET_S(cpu, bytes, set);
	status = sched_setaffinity(0, bytes, set);
	CPU_FREE(set);
	return status;
}

/* ---- the processor ---- */

static unsigned read_number(const char *root, const char *key)
{
	char text[64];

	return read_key(text, sizeof(text), root, "/proc/cpuinfo", key) ? (unsigned)strtoul(text, NULL, 0) : 0;
}

static void describe_processor(struct host *h, const char *root)
{
	struct utsname system;

	if (!read_key(h->vendor, sizeof(h->vendor), root, "/proc/cpuinfo", "vendor_id"))
		read_key(h->vendor, sizeof(h->vendor), root, "/proc/cpuinfo", "CPU implementer");
	h->family = read_number(root, "cpu family");
	h->model = read_number(root, "model");
	if (!h->model)
		h->model = read_number(root, "CPU part");
	uname(&system);
	snprintf(h->kernel, sizeof(h->kernel), "%.20s %.60s", system.sysname, system.release);
	if (!read_key(h->cpu, sizeof(h->cpu), root, "/proc/cpuinfo", "model name"))
		snprintf(h->cpu, sizeof(h->cpu), "%.20s processor, implementer %.20s, part 0x%x", system.machine,
			 *h->vendor ? h->vendor : "unknown", h->model);
}

/* ---- its caches ---- */

static void read_cache(struct host *h, const char *root, int cpu, int index)
{
	static const char dir[] = "/sys/devices/system/cpu/cpu%d/cache/index%d/";
	char line[LINE_BYTES], path[128];
	struct host_cache *cache;
	unsigned level;

	snprintf(path, sizeof(path), "%slevel", dir);
	if (!read_line(line, sizeof(line), root, path, cpu, index))
		return;
	level = (unsigned)strtoul(line, NULL, 10);
	snprintf(path, sizeof(path), "%stype", dir);
	if (!level || level > HOST_LEVELS || !read_line(line, sizeof(line), root, path, cpu, index) ||
	    !strcmp(line, "Instruction"))
		return;
	cache = &h->cache[level - 1];
	snprintf(path, sizeof(path), "%ssize", dir);
	if (read_line(line, sizeof(line), root, path, cpu, index))
		cache->bytes = parse_size(line);
	snprintf(path, sizeof(path), "%sways_of_associativity", dir);
	if (read_line(line, sizeof(line), root, path, cpu, index))
		cache->ways = (unsigned)strtoul(line, NULL, 10);
	snprintf(path, sizeof(path), "%sshared_cpu_list", dir);
	if (read_line(line, sizeof(line), root, path, cpu, index)) {
		cpu_list_free(&cache->shared);
		cpu_list_parse(line, &cache->shared);
	}
}

/* The C library knows from the processor itself what some systems do not show. */
static void complete_caches(struct host *h)
{
	static const int names[HOST_LEVELS][2] = {
		{ _SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL1_DCACHE_ASSOC },
		{ _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL2_CACHE_ASSOC },
		{ _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL3_CACHE_ASSOC },
	};

	for (int i = 0; i < HOST_LEVELS; i++) {
		long bytes = sysconf(names[i][0]), ways = sysconf(names[i][1]);

		if (!h->cache[i].bytes && bytes > 0)
			h->cache[i].bytes = (size_t)bytes;
		if (!h->cache[i].ways && ways > 0)
			h->cache[i].ways = (unsigned)ways;
	}
}

static size_t huge_page_bytes(const char *root)
{
	char line[LINE_BYTES];

	if (!read_line(line, sizeof(line), root, "/sys/kernel/mm/transparent_hugepage/enabled", 0, 0) ||
	    strstr(line, "[never]") ||
	    !read_line(line, sizeof(line), root, "/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", 0, 0))
		return 0;
	return strtoul(line, NULL, 10);
}

void host_describe(struct host *h, const char *root, int cpu)
{
	*h = (struct host){ 0 };
	describe_processor(h, root);
	for (int index = 0; index < 8; index++)
		read_cache(h, root, cpu, index);
	if (!*root)
		complete_caches(h);
	h->huge_page_bytes = huge_page_bytes(root);
}

void host_free(struct host *h)
{
	for (int i = 0; i < HOST_LEVELS; i++)
		cpu_list_free(&h->cache[i].shared);
}

uint64_t host_memory_available(const char *root)
{
	char text[64];

	return read_key(text, sizeof(text), root, "/proc/meminfo", "MemAvailable") ?
	       strtoull(text, NULL, 10) << 10 : 0;
}
