/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names.c - names of cache-line groups and of work items. */
#include "sim/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct group_stats names_groups[MAX_GROUPS];
unsigned names_nr_groups;
uint8_t *names_page_group;

static const char *work_names[MAX_WORK_NAMES];
static unsigned nr_work_names;

void names_create(void)
{
	names_nr_groups = 1;
	names_groups[0].name = "other";
	names_page_group = mmap(NULL, memory_bytes >> 12, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (names_page_group == MAP_FAILED) {
		perror("zsmsim: names of pages");
		exit(1);
	}
}

void names_destroy(void)
{
	munmap(names_page_group, memory_bytes >> 12);
	memset(names_groups, 0, sizeof(names_groups));
	nr_work_names = 0;
}

static unsigned group_intern(const char *name)
{
	for (unsigned i = 0; i < names_nr_groups; i++)
		if (names_groups[i].name == name || !strcmp(names_groups[i].name, name))
			return i;
	if (names_nr_groups == MAX_GROUPS)
		hw_fault("more than %d names of line groups", MAX_GROUPS);
	names_groups[names_nr_groups].name = name;
	return names_nr_groups++;
}

/* Whole pages are named in one byte each; single lines, which go first, in their directory entry. */
void hw_name_lines(const void *addr, size_t bytes, const char *name)
{
	uint64_t from = (uint64_t)addr - HW_MEM_BASE, to = from + bytes;
	unsigned group = group_intern(name);

	if (from >= memory_bytes)
		return;
	if (!(from % 4096) && !(bytes % 4096)) {
		memset(names_page_group + from / 4096, (int)group, bytes / 4096);
		return;
	}
	for (uint64_t line = from >> HW_LINE_SHIFT; line <= (to - 1) >> HW_LINE_SHIFT; line++)
		line_extra((uint32_t)line)->group = (uint16_t)group;
}

unsigned hw_work_name(const char *name)
{
	for (unsigned i = 0; i < nr_work_names; i++)
		if (!strcmp(work_names[i], name))
			return i;
	if (nr_work_names == MAX_WORK_NAMES)
		hw_fault("more than %d names of work items", MAX_WORK_NAMES);
	work_names[nr_work_names] = name;
	return nr_work_names++;
}

unsigned work_count(void)
{
	return nr_work_names;
}

const char *work_name(unsigned id)
{
	return work_names[id];
}

const char *cause_name(unsigned cause)
{
	static const char *const fixed[] = {
#define CAUSE(id, name) name,
		MACHINE_CAUSES(CAUSE)
#undef CAUSE
	};
	static char name[96];

	if (cause < NR_FIXED_CAUSES)
		return fixed[cause];
	if (cause < CAUSE_WORK(0))
		snprintf(name, sizeof(name), "lock wait: %s", locks_stats(cause - CAUSE_LOCK(0))->name);
	else
		snprintf(name, sizeof(name), "work: %s", work_name(cause - CAUSE_WORK(0)));
	return name;
}
