/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * percpu.h - a copy of a variable for each CPU.
 *
 * A per-CPU pointer is the distance from the start of a CPU's unit, which is
 * the same for all; the base register of each CPU holds where its unit starts.
 * Units do not share lines.
 */
#ifndef KERNEL_PERCPU_H
#define KERNEL_PERCPU_H

#include "sim/hw.h"
#include "model/kernel/types.h"

#define PERCPU_UNIT	(64ul << 10)
#define __percpu

#define smp_processor_id()	hw_cpu()
#define num_possible_cpus()	hw_nr_cpus()
#define for_each_possible_cpu(cpu) for ((cpu) = 0; (cpu) < (int)hw_nr_cpus(); (cpu)++)

extern char *percpu_units;		/* CPU 0's unit, then the others'; constant after boot */

#define per_cpu_ptr(ptr, cpu) \
	((__typeof__(ptr))(percpu_units + (unsigned long)(cpu) * PERCPU_UNIT + (unsigned long)(ptr)))
#define this_cpu_ptr(ptr)	((__typeof__(ptr))(hw_base() + (unsigned long)(ptr)))

/* The first line of a unit is for what has to be found without a pointer. */
#define PERCPU_FIRST		SMP_CACHE_BYTES

/* Set up the areas; once, at boot, before any alloc_percpu(). */
void percpu_init(void);
/* Zeroed memory for each CPU, or NULL. Objects of up to 64 bytes may share lines with others of their CPU. */
void *__alloc_percpu(size_t bytes, size_t align, const char *name);
#define alloc_percpu(type) ((type *)__alloc_percpu(sizeof(type), __alignof__(type), #type))
void free_percpu(void *ptr);

#endif
