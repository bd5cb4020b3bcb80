/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * percpu.h - a copy of a variable for each CPU.
 *
 * A per-CPU pointer is the address of CPU 0's copy; CPU n's lies
 * n * PERCPU_UNIT bytes further on, so copies of different CPUs never share
 * a line.
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

#define per_cpu_ptr(ptr, cpu) \
	((__typeof__(ptr))((char *)(ptr) + (unsigned long)(cpu) * PERCPU_UNIT))
#define this_cpu_ptr(ptr)	per_cpu_ptr(ptr, hw_cpu())

/* Set up the areas; once, at boot, before any alloc_percpu(). */
void percpu_init(void);
/* Zeroed memory for each CPU, or NULL. Objects of up to 64 bytes may share lines with others of their CPU. */
void *__alloc_percpu(size_t bytes, size_t align, const char *name);
#define alloc_percpu(type) ((type *)__alloc_percpu(sizeof(type), __alignof__(type), #type))
void free_percpu(void *ptr);

#endif
