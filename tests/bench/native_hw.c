/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * native_hw.c - the software of model/, compiled without instrumentation,
 * runs on the host: hardware of one CPU that pays nothing and observes
 * nothing. What the bench compares the simulator with.
 *
 * usage: native REGION_MB [REPETITIONS]; prints the time of the unmapping.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "model/kernel/printf.h"
#include "model/model.h"
#include "sim/context.h"
#include "sim/hw.h"

extern const struct model_ops zsmsim_model;

static void *host_sp, *cpu_sp;
static char idle_stack[256 << 10] __attribute__((aligned(64)));
static struct timespec begin, end;

unsigned hw_cpu(void) { return 0; }
__thread uint64_t hw_base_now;
void hw_set_base(unsigned cpu, uint64_t base) { if (!cpu) hw_base_now = base; }
uint64_t hw_base_read(void) { return hw_base_now; }
unsigned hw_nr_cpus(void) { return 1; }
void hw_relax(void) { }
void hw_fence(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void hw_kick(unsigned cpu) { (void)cpu; }
void hw_copy(void *dst, const void *src, size_t bytes) { memcpy(dst, src, bytes); }
void hw_zero(void *dst, size_t bytes) { memset(dst, 0, bytes); }

/* The one CPU has nothing left to do. */
void hw_idle(void)
{
	context_switch(&cpu_sp, host_sp);
}

void *hw_context_create(void *stack, size_t stack_bytes, void (*fn)(void *), void *arg)
{
	return context_make(stack, stack_bytes, fn, arg);
}

void hw_context_switch(void **save, void *next)
{
	context_switch(save, next);
}

void hw_mark(const char *name, unsigned index)
{
	(void)index;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, strcmp(name, "munmap_begin") ? &end : &begin);
}

void hw_fault(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(1);
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

int main(int argc, char **argv)
{
	struct model_config config = {
		.nr_cpus = 1,
		.memory_bytes = 4096ull << 20,
		.chain_size = 8,
		.variant = { LOOKUP_CLASS_IN_OBJ, PAGE_RELEASE_OUTSIDE_CLASS_LOCK, FREE_SYNC, 64,
			     ZRAM_STATS_SHARED_ATOMIC },
		.nr_procs = 1,
		.region_bytes = (uint64_t)(argc > 1 ? atoi(argv[1]) : 256) << 20,
		.seed = 1,
	};
	struct model_report report = { 0 };
	void *at = mmap((void *)HW_MEM_BASE, config.memory_bytes, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

	if (at != (void *)HW_MEM_BASE) {
		perror("native: memory");
		return 1;
	}
	madvise(at, config.memory_bytes, MADV_HUGEPAGE);
	zsmsim_model.prepare(&config);
	cpu_sp = context_make(idle_stack, sizeof(idle_stack), zsmsim_model.cpu_main, NULL);
	context_switch(&host_sp, cpu_sp);
	zsmsim_model.finish(&report);
	printf("%lld\n", (long long)(end.tv_sec - begin.tv_sec) * 1000000000 + (end.tv_nsec - begin.tv_nsec));
	return 0;
}
