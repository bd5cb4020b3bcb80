/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * host.h - a kernel for one thread on the host, so that code of model/ can be
 * tested without the machine: as fast as C, and under the sanitizers.
 *
 * It implements model/kernel/ and sim/hw.h with the plainest means. What it
 * adds are checks (locks balance, pages and objects are freed once) and
 * levers for tests: which CPU we are, when work runs, what fails.
 *
 * Any fault - the model's or one found here - ends in hw_fault(). A test that
 * expects one wraps the call in host_expect_fault().
 */
#ifndef TESTS_HOST_KERNEL_HOST_H
#define TESTS_HOST_KERNEL_HOST_H

#include <setjmp.h>
#include <stdbool.h>

#include "model/kernel/kernel.h"

/*
 * Boot with @pages of memory, some of which the descriptors take, and
 * @nr_cpus processors. Pages come from the allocator in an order that @seed
 * decides. Call once per process, before anything else.
 */
void host_boot(unsigned long pages, unsigned nr_cpus, unsigned seed);

/* Go on as CPU @cpu. */
void host_set_cpu(unsigned cpu);

/* Run queued work until none is left; returns how many items ran. */
unsigned host_run_work(void);

/*
 * The next @after allocations of pages and slab memory succeed, the one
 * after them fails, and so do all until the next call; -1: none fails.
 */
void host_fail_alloc(long after);

/* What rwlock_is_contended() answers. */
void host_set_contended(bool contended);

long host_gauge(unsigned gauge);
unsigned long host_free_pages(void);
/* Spinning locks held and preempt_disable() in force: 0 between calls, unless an object is mapped. */
long host_locks_held(void);
/* Pages locked now. */
long host_pages_locked(void);
/* Bytes that kmalloc() and vzalloc() gave out and objects of all caches: 0 after a clean end. */
unsigned long host_slab_in_use(void);

/* Every hw_mute() needs its hw_unmute(): how many are open. */
int host_mute_depth(void);

extern jmp_buf host_fault_jump;
extern bool host_fault_expected;
extern char host_fault_text[512];

/* Does @statement end in a fault? Its text is in host_fault_text then. */
#define host_expect_fault(statement) ({			\
	volatile bool _fault = false;			\
	host_fault_expected = true;			\
	if (setjmp(host_fault_jump))			\
		_fault = true;				\
	else						\
		statement;				\
	host_fault_expected = false;			\
	_fault;						\
})

/* Used between the files of the stub. */
bool host_alloc_fails(void);
void host_count_lock(int delta);
void host_hw_init(unsigned nr_cpus);

/* Sanitizers learn which memory nobody may touch; nothing happens without them. */
#if defined(__SANITIZE_ADDRESS__)
#define HOST_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HOST_ASAN 1
#endif
#endif
#ifdef HOST_ASAN
void __asan_poison_memory_region(void const volatile *addr, size_t bytes);
void __asan_unpoison_memory_region(void const volatile *addr, size_t bytes);
#define host_poison(addr, bytes)	__asan_poison_memory_region(addr, bytes)
#define host_unpoison(addr, bytes)	__asan_unpoison_memory_region(addr, bytes)
#else
#define host_poison(addr, bytes)	((void)(addr), (void)(bytes))
#define host_unpoison(addr, bytes)	((void)(addr), (void)(bytes))
#endif

#endif
