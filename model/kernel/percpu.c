/* SPDX-License-Identifier: GPL-3.0-or-later */
/* percpu.c - handing out offsets in the per-CPU units. */
#include "model/kernel/kernel.h"

char *percpu_units;
static size_t unit_used;

void percpu_init(void)
{
	int cpu;

	percpu_units = alloc_boot(PERCPU_UNIT * num_possible_cpus(), PAGE_SIZE, "per-CPU data");
	unit_used = PERCPU_FIRST;
	for_each_possible_cpu(cpu) {
		hw_set_base(cpu, (unsigned long)percpu_units + cpu * PERCPU_UNIT);
		*per_cpu_ptr(preempt_counts, cpu) = 0;
	}
}

void *__alloc_percpu(size_t bytes, size_t align, const char *name)
{
	size_t at = (unit_used + align - 1) / align * align;
	int cpu;

	if (at + bytes > PERCPU_UNIT)
		return NULL;
	unit_used = at + bytes;
	for_each_possible_cpu(cpu) {
		char *copy = per_cpu_ptr((char *)at, cpu);

		hw_zero(copy, bytes);
		if (bytes >= SMP_CACHE_BYTES)
			hw_name_lines(copy, bytes, name);
	}
	return (void *)at;
}

/* Areas are never used again: pools are few and live as long as the run. */
void free_percpu(void *ptr)
{
	(void)ptr;
}
