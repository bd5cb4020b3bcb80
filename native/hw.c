/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hw.c - the rest of sim/hw.h, and what the module exports. Work is done, not
 * paid, and nobody observes: those calls are empty.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/kernel/printf.h"
#include "model/zram/lzorle.h"
#include "native/machine.h"
#include "sim/context.h"
#include "sim/hw.h"

#define MARKS_MAX	(4 * HW_MAX_CPUS)
#define FAULT_BYTES	1024
#define PAGE_BYTES	4096

/* ---- processors ---- */

void hw_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield" ::: "memory");
#else
	__asm__ volatile("" ::: "memory");
#endif
}

void hw_fence(void)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void *hw_context_create(void *stack, size_t stack_bytes, void (*fn)(void *), void *arg)
{
	return context_make(stack, stack_bytes, fn, arg);
}

void hw_context_switch(void **save, void *next)
{
	context_switch(save, next);
}

void hw_copy(void *dst, const void *src, size_t bytes)
{
	memcpy(dst, src, bytes);
}

void hw_zero(void *dst, size_t bytes)
{
	memset(dst, 0, bytes);
}

/* ---- marks ---- */

static struct native_mark marks[MARKS_MAX];
static size_t nr_marks;

void hw_mark(const char *name, unsigned index)
{
	uint64_t ns = machine_now_ns();
	size_t at = __atomic_fetch_add(&nr_marks, 1, __ATOMIC_RELAXED);

	if (at >= MARKS_MAX)
		machine_fault("fault: more marks than there is room for");
	marks[at] = (struct native_mark){ name, index, ns };
}

const struct native_mark *hw_marks(size_t *nr)
{
	*nr = nr_marks;
	return marks;
}

/* ---- texts ---- */

void hw_fault(const char *fmt, ...)
{
	static __thread char report[FAULT_BYTES] __attribute__((tls_model("initial-exec")));
	va_list ap;
	int n = snprintf(report, sizeof(report), "fault: ");

	va_start(ap, fmt);
	vsnprintf(report + n, sizeof(report) - (size_t)n, fmt, ap);
	va_end(ap);
	machine_fault(report);
}

size_t hw_format(char *buf, size_t bytes, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(buf, bytes, fmt, ap);
	va_end(ap);
	return n < 0 || !bytes ? 0 : (size_t)n < bytes ? (size_t)n : bytes - 1;
}

/* ---- the module ---- */

extern const struct model_ops zsmsim_model;

static int run(void)
{
	return machine_run(zsmsim_model.cpu_main);
}

static size_t compress(const void *page, void *dst)
{
	static struct lzo_workspace ws;

	return lzo_compress(LZO_RLE, page, PAGE_BYTES, dst, &ws);
}

static size_t decompress(const void *data, size_t bytes, void *page)
{
	long n = lzo_decompress(data, bytes, page, PAGE_BYTES);

	return n < 0 ? 0 : (size_t)n;
}

__attribute__((visibility("default"))) const struct native_ops zsmsim_native = {
	.model = &zsmsim_model,
	.create = machine_create,
	.run = run,
	.marks = hw_marks,
	.rest_ns = machine_rest_ns,
	.disturbance = machine_disturbance,
	.compress = compress,
	.decompress = decompress,
};
