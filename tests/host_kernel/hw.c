/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hw.c - the calls of sim/hw.h and the levers of host.h, without a machine behind them. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "tests/host_kernel/host.h"

#undef memcpy

jmp_buf host_fault_jump;
bool host_fault_expected;
char host_fault_text[512];

static unsigned this_cpu, cpus = 1;
static int mute_depth;
static long gauges[MODEL_NR_GAUGES];
static long allocs_left = -1;
static long locks_held;

void host_hw_init(unsigned nr_cpus)
{
	cpus = nr_cpus;
}

unsigned hw_cpu(void)
{
	return this_cpu;
}

__thread uint64_t hw_base_now;
static uint64_t bases[HW_MAX_CPUS];

void hw_set_base(unsigned cpu, uint64_t base)
{
	bases[cpu] = base;
	hw_base_now = bases[this_cpu];
}

uint64_t hw_base_read(void)
{
	return hw_base_now;
}

unsigned hw_nr_cpus(void)
{
	return cpus;
}

void host_set_cpu(unsigned cpu)
{
	this_cpu = cpu;
	hw_base_now = bases[cpu];
}

void hw_fault(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(host_fault_text, sizeof(host_fault_text), fmt, args);
	va_end(args);
	if (host_fault_expected)
		longjmp(host_fault_jump, 1);
	fprintf(stderr, "fault: %s\n", host_fault_text);
	abort();
}

/* One thread that waits would wait for ever. */
void hw_relax(void)
{
	hw_fault("spinning on the only CPU");
}

void hw_fence(void)
{
}

void hw_copy(void *dst, const void *src, size_t bytes)
{
	memcpy(dst, src, bytes);
}

void hw_zero(void *dst, size_t bytes)
{
	memset(dst, 0, bytes);
}

void hw_mute(void)
{
	mute_depth++;
}

void hw_unmute(void)
{
	if (--mute_depth < 0)
		hw_fault("hw_unmute() without hw_mute()");
}

int host_mute_depth(void)
{
	return mute_depth;
}

void hw_gauge_add(unsigned gauge, int64_t delta)
{
	gauges[gauge] += delta;
	if (gauges[gauge] < 0)
		hw_fault("gauge %u fell to %ld", gauge, gauges[gauge]);
}

long host_gauge(unsigned gauge)
{
	return gauges[gauge];
}

/* Observations: named and forgotten; what a test wants to know it asks the code itself. */
unsigned hw_observation(const char *name, const char *unit)
{
	(void)name;
	(void)unit;
	return 0;
}

unsigned hw_counter(const char *name, const char *unit)
{
	return hw_observation(name, unit);
}

unsigned hw_span(const char *name)
{
	return hw_observation(name, "");
}

void hw_observe(unsigned id, int64_t value)
{
	(void)id;
	(void)value;
}

void hw_span_begin(unsigned id)
{
	hw_observe(id, 0);
}

void hw_span_end(unsigned id)
{
	hw_observe(id, 0);
}

void hw_name_lines(const void *addr, size_t bytes, const char *name)
{
	(void)addr;
	(void)bytes;
	(void)name;
}

size_t hw_format(char *buf, size_t bytes, const char *fmt, ...)
{
	va_list args;
	int length;

	va_start(args, fmt);
	length = vsnprintf(buf, bytes, fmt, args);
	va_end(args);
	if (!bytes)
		return 0;
	return (size_t)length < bytes ? (size_t)length : bytes - 1;
}

void host_fail_alloc(long after)
{
	allocs_left = after;
}

bool host_alloc_fails(void)
{
	if (allocs_left < 0)
		return false;
	if (!allocs_left)
		return true;
	allocs_left--;
	return false;
}

void host_count_lock(int delta)
{
	locks_held += delta;
	if (locks_held < 0)
		hw_fault("more locks released than taken");
}

long host_locks_held(void)
{
	long held = locks_held;

	for (unsigned cpu = 0; cpu < cpus; cpu++)
		held += *per_cpu_ptr(preempt_counts, cpu);
	return held;
}

/* Dependences between loads do not matter where no time passes. */
void hw_derived(const void *ptr, uint64_t word)
{
	(void)ptr;
	(void)word;
}

void hw_page_table(const void *entries)
{
	(void)entries;
}

void hw_map_blocks(const void *addr, size_t bytes)
{
	(void)addr;
	(void)bytes;
}

void hw_derived_field(const void *ptr, uint64_t field, unsigned shift)
{
	(void)ptr;
	(void)field;
	(void)shift;
}
