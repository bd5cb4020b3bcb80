/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bare.h - included before everything else where the software is compiled to
 * be counted by other tools: the calls that exist only for the simulator's
 * observers are not compiled, and neither are their arguments. What is left is
 * what the simulator means to count.
 */
#ifndef TESTS_COUNTERS_BARE_H
#define TESTS_COUNTERS_BARE_H

#include "model/kernel/atomic.h"
#include "sim/hw.h"
#include "model/zsmalloc/observe.h"

#define observe_drained(...)		((void)0)
#define observe_free(...)		((void)0)
#define observe_free_begin(...)		((void)0)
#define observe_malloc(...)		((void)0)
#define observe_obj_moved(...)		((void)0)
#define observe_page_moved(...)		((void)0)
#define observe_queued(...)		((void)0)

#define hw_derived(...)			((void)0)
#define hw_derived_field(...)		((void)0)
#define hw_gauge_add(...)		((void)0)
#define hw_lock_acquired(...)		((void)0)
#define hw_lock_contended(...)		((void)0)
#define hw_lock_init(...)		((void)0)
#define hw_lock_released(...)		((void)0)
#define hw_map_blocks(...)		((void)0)
#define hw_mute()			((void)0)
#define hw_name_lines(...)		((void)0)
#define hw_page_table(...)		((void)0)
#define hw_poison(...)			((void)0)
#define hw_poison_off()			((void)0)
#define hw_poison_on()			((void)0)
#define hw_task(...)			((void)0)
#define hw_task_name(...)		((void)0)
#define hw_unmute()			((void)0)
#define hw_unpoison(...)		((void)0)
#define hw_work(...)			((void)0)

#if defined(__x86_64__)
/*
 * To the machine an atomic is one instruction, and to the kernel this one is.
 * The compiler makes a loop of a compare-and-exchange of the expression.
 */
static inline __attribute__((always_inline)) bool bare_test_and_set(int nr, u32 *word)
{
	bool old;

	__asm__ volatile("lock btsl %2, %1" : "=@ccc"(old), "+m"(*word) : "Ir"(nr) : "memory");
	return old;
}
#define test_and_set_bit32(nr, word)		bare_test_and_set(nr, word)
#define test_and_set_bit32_lock(nr, word)	bare_test_and_set(nr, word)
#endif

#endif
