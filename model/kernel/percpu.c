/* SPDX-License-Identifier: GPL-3.0-or-later */
/* percpu.c - handing out offsets in the per-CPU units. */
#include "model/kernel/kernel.h"

static char *unit;			/* CPU 0's */
static size_t unit_used;
int __percpu *preempt_counts;

void percpu_init(void)
{
	unit = alloc_boot(PERCPU_UNIT * num_possible_cpus(), PAGE_SIZE, "per-CPU data");
	unit_used = 0;
	preempt_counts = alloc_percpu(int);
}

void *__alloc_percpu(size_t bytes, size_t align, const char *name)
{
	size_t at = (unit_used + align - 1) / align * align;
	int cpu;

	if (at + bytes > PERCPU_UNIT)
		return NULL;
	unit_used = at + bytes;
	for_each_possible_cpu(cpu) {
		hw_zero(per_cpu_ptr(unit + at, cpu), bytes);
		if (bytes >= SMP_CACHE_BYTES)
			hw_name_lines(per_cpu_ptr(unit + at, cpu), bytes, name);
	}
	return unit + at;
}

/* Areas are never used again: pools are few and live as long as the run. */
void free_percpu(void *ptr)
{
	(void)ptr;
}
