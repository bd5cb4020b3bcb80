/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * silent.c - the calls of sim/hw.h that do nothing where the software runs on
 * real hardware: observers have nothing to observe, and what costs time costs
 * it by itself.
 */
#include "sim/hw.h"

unsigned hw_work_name(const char *name) { (void)name; return 0; }
void hw_work(unsigned id, uint64_t units) { (void)id; (void)units; }
void hw_mute(void) { }
void hw_unmute(void) { }
void hw_task(unsigned task) { (void)task; }
void hw_task_name(unsigned task, const char *name) { (void)task; (void)name; }
void hw_derived(const void *ptr, uint64_t word) { (void)ptr; (void)word; }
void hw_page_table(const void *entries) { (void)entries; }
void hw_map_blocks(const void *addr, size_t bytes) { (void)addr; (void)bytes; }
void hw_derived_field(const void *ptr, uint64_t field, unsigned shift) { (void)ptr; (void)field; (void)shift; }
void hw_gauge_add(unsigned gauge, int64_t delta) { (void)gauge; (void)delta; }
unsigned hw_observation(const char *name, const char *unit) { (void)name; (void)unit; return 0; }
unsigned hw_counter(const char *name, const char *unit) { (void)name; (void)unit; return 0; }
unsigned hw_span(const char *name) { (void)name; return 0; }
void hw_observe(unsigned id, int64_t value) { (void)id; (void)value; }
void hw_span_begin(unsigned id) { (void)id; }
void hw_span_end(unsigned id) { (void)id; }
void hw_name_lines(const void *addr, size_t bytes, const char *name) { (void)addr; (void)bytes; (void)name; }
unsigned hw_lock_class(const char *name) { (void)name; return 1; }
void hw_lock_init(const void *lock, unsigned cls) { (void)lock; (void)cls; }
void hw_poison(const void *addr, size_t bytes, enum hw_poison what) { (void)addr; (void)bytes; (void)what; }
void hw_unpoison(const void *addr, size_t bytes) { (void)addr; (void)bytes; }
void hw_poison_off(void) { }
void hw_poison_on(void) { }

void hw_lock_contended(const void *lock, unsigned cls, enum hw_lock_mode mode)
{
	(void)lock;
	(void)cls;
	(void)mode;
}

void hw_lock_acquired(const void *lock, unsigned cls, enum hw_lock_mode mode, bool try)
{
	(void)lock;
	(void)cls;
	(void)mode;
	(void)try;
}

void hw_lock_released(const void *lock, unsigned cls, enum hw_lock_mode mode)
{
	(void)lock;
	(void)cls;
	(void)mode;
}
