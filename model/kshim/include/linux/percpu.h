/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * percpu.h - static per-CPU variables beside the dynamic ones.
 *
 * DEFINE_PER_CPU() puts the initial value into a section of the module; at
 * boot tree_init() copies the section for every CPU. A pointer into the section
 * therefore has to be told from one that alloc_percpu() returned.
 */
#ifndef KSHIM_LINUX_PERCPU_H
#define KSHIM_LINUX_PERCPU_H

#include <linux/kernel.h>

extern char __start_kshim_percpu[] __attribute__((weak, visibility("hidden")));
extern char __stop_kshim_percpu[] __attribute__((weak, visibility("hidden")));
extern char *kshim_percpu_copy;		/* of the section; from alloc_percpu() */

#define DEFINE_PER_CPU(type, name) \
	__attribute__((section("kshim_percpu"))) __typeof__(type) name
#define DECLARE_PER_CPU(type, name) extern __typeof__(type) name

static __always_inline void *kshim_percpu(const void *ptr)
{
	unsigned long offset = (unsigned long)ptr - (unsigned long)__start_kshim_percpu;

	if (offset < (unsigned long)(__stop_kshim_percpu - __start_kshim_percpu))
		return kshim_percpu_copy + offset;
	return (void *)ptr;
}

#undef per_cpu_ptr
#define per_cpu_ptr(ptr, cpu) \
	((__typeof__(ptr))(percpu_units + (unsigned long)(cpu) * PERCPU_UNIT + (unsigned long)kshim_percpu(ptr)))
#undef this_cpu_ptr
#define this_cpu_ptr(ptr)	((__typeof__(ptr))(hw_base() + (unsigned long)kshim_percpu(ptr)))
#define raw_cpu_ptr(ptr)	this_cpu_ptr(ptr)
#define per_cpu(name, cpu)	(*per_cpu_ptr(&(name), cpu))
#define this_cpu_read(name)	(*this_cpu_ptr(&(name)))
#define this_cpu_inc(name)	(void)((*this_cpu_ptr(&(name)))++)
#define this_cpu_add(name, n)	(void)((*this_cpu_ptr(&(name))) += (n))

#endif
