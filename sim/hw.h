/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hw.h - the simulated hardware as the software on it sees it.
 *
 * Code in model/ may include this header and no other of sim/. Plain loads
 * and stores, atomics (the compiler's __atomic builtins) and control flow
 * need no call: the compiler's instrumentation reports them. What is declared
 * here is what a real machine offers besides: who am I, wait for an
 * interrupt, copy a page. Calls marked "observer" cost no simulated time and
 * change nothing that the software can see.
 *
 * No call takes or returns a time: software on this machine cannot see one.
 */
#ifndef ZSMSIM_HW_H
#define ZSMSIM_HW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HW_MAX_CPUS	256
#define HW_LINE_SHIFT	6
#define HW_LINE_SIZE	(1u << HW_LINE_SHIFT)

/*
 * Simulated physical memory is mapped here, always, so that addresses (and
 * with them cache sets) are the same in each run. Byte i of memory is at
 * HW_MEM_BASE + i.
 */
#define HW_MEM_BASE	0x200000000000ull

/* ---- processors ---------------------------------------------------- */

/* Number of the CPU that executes, 0 .. hw_nr_cpus() - 1. */
unsigned hw_cpu(void);
unsigned hw_nr_cpus(void);

/*
 * Each CPU has a register in which its software keeps a number; by custom how
 * far its per-CPU data lie from CPU 0's. Like the segment base of x86 or the
 * thread register of Arm it can be read without a load or a call: the machine
 * keeps it where two plain instructions get it, and no hook sees them.
 */
void hw_set_base(unsigned cpu, uint64_t base);
extern __thread uint64_t hw_base_now;

static inline __attribute__((always_inline)) uint64_t hw_base(void)
{
#if defined(__x86_64__)
	uint64_t base;

	/* volatile: a task that slept may wake up on another CPU */
	__asm__ volatile("movq hw_base_now@gottpoff(%%rip), %0\n\tmovq %%fs:(%0), %0" : "=r"(base));
	return base;
#else
	uint64_t hw_base_read(void);

	return hw_base_read();
#endif
}

/*
 * A round of a spin loop ends here. The machine may park the CPU until a line
 * that the loop reads is taken from it; the loop then sees the same times as
 * if it had gone round all along.
 */
void hw_relax(void);

/* Full fence: older loads and stores are done before a younger one starts. */
void hw_fence(void);

/*
 * Stop until hw_kick() of this CPU. A kick that came since the last return
 * from hw_idle() makes it return at once, so none is lost.
 */
void hw_idle(void);

/* Send an inter-processor interrupt that ends the hw_idle() of @cpu. */
void hw_kick(unsigned cpu);

/*
 * Contexts are stacks to run on. hw_context_create() prepares @stack_bytes at
 * @stack so that the first switch to it calls fn(arg), which never returns;
 * its result is the context. hw_context_switch() leaves the running one in
 * *save and goes on in @next, on the same CPU.
 */
void *hw_context_create(void *stack, size_t stack_bytes, void (*fn)(void *), void *arg);
void hw_context_switch(void **save, void *next);

/*
 * How software maps memory: page by page through a table of 8-byte entries,
 * one for each 4 KiB from HW_MEM_BASE on, at @entries; except what
 * hw_map_blocks() names, which has blocks of 2 MiB. Both cost nothing to say.
 * A CPU that can change the size of a mapping only by unmapping it first (Arm
 * without BBML2) has to be given pages; others have such figures in their
 * profiles that it makes no difference.
 */
void hw_page_table(const void *entries);
void hw_map_blocks(const void *addr, size_t bytes);

/* ---- bulk work ------------------------------------------------------ */

/* Copy / clear memory as the CPU's streaming instructions do. Regions of
 * hw_copy() do not overlap. */
void hw_copy(void *dst, const void *src, size_t bytes);
void hw_zero(void *dst, size_t bytes);

/*
 * A named piece of work that is not run as code: the profile of the CPU says
 * what one unit costs. hw_work_name() introduces the name once and returns
 * the id to use; a name that a profile lacks is a fault when it is used.
 */
unsigned hw_work_name(const char *name);
void hw_work(unsigned id, uint64_t units);

/*
 * Between these two calls the code runs, but the machine does not look: the
 * work is paid as hw_work(). Calls nest.
 */
void hw_mute(void);
void hw_unmute(void);

/* ---- observers -------------------------------------------------------- */

/* The running CPU now executes on behalf of task @task (small number, 0 = none). */
void hw_task(unsigned task);
void hw_task_name(unsigned task, const char *name);

/* Something worth a time stamp happened: mark @name of instance @index. */
void hw_mark(const char *name, unsigned index);

/*
 * The address @ptr was computed from the loaded word @word in a way that
 * cannot be seen from the outside (a frame number in some of its bits), so
 * what is reached through @ptr waits for that load.
 */
void hw_derived(const void *ptr, uint64_t word);
/* The same where only the part of the word above its lowest @shift bits is at hand. */
void hw_derived_field(const void *ptr, uint64_t field, unsigned shift);

/* Quantities the machine's observer keeps and samples. @gauge: see model.h. */
void hw_gauge_add(unsigned gauge, int64_t delta);

/*
 * Single values that the observer keeps: hw_observation() and hw_span() name
 * a quantity (a name that is known gives its id again), hw_observe() adds a
 * value of it. A span is the time from begin to end as the running task sees
 * it, sleep and waiting included; a task is in one span of a name at a time.
 * Of a counter only the sum is kept. Names and units must stay.
 */
unsigned hw_observation(const char *name, const char *unit);
unsigned hw_counter(const char *name, const char *unit);
unsigned hw_span(const char *name);
void hw_observe(unsigned id, int64_t value);
void hw_span_begin(unsigned id);
void hw_span_end(unsigned id);

/* The lines of [addr, addr + bytes) belong to group @name in reports. The name must stay. */
void hw_name_lines(const void *addr, size_t bytes, const char *name);

/*
 * Locks. A class is a name under which locks are reported. hw_lock_init()
 * gives the lock word at @lock to a class for good; locks that are a bit of
 * some word have class given at each call instead (@cls != 0).
 * hw_lock_contended() is called when a first attempt failed, before waiting.
 */
enum hw_lock_mode { HW_LOCK_EXCLUSIVE, HW_LOCK_SHARED };
unsigned hw_lock_class(const char *name);
void hw_lock_init(const void *lock, unsigned cls);
void hw_lock_contended(const void *lock, unsigned cls, enum hw_lock_mode mode);
void hw_lock_acquired(const void *lock, unsigned cls, enum hw_lock_mode mode, bool try);
void hw_lock_released(const void *lock, unsigned cls, enum hw_lock_mode mode);

/*
 * Memory that nobody may touch: a later load or store inside it is a fault,
 * reported as use of a freed @what ("page", "slab object"). Granule 8 bytes.
 */
enum hw_poison { HW_POISON_NONE, HW_POISON_PAGE, HW_POISON_SLAB };
void hw_poison(const void *addr, size_t bytes, enum hw_poison what);
void hw_unpoison(const void *addr, size_t bytes);
/* Loads and stores of the memory allocators themselves may enter poisoned memory between these. */
void hw_poison_off(void);
void hw_poison_on(void);

/* As snprintf(), but returns the bytes written; for texts that the software offers to its host. */
size_t hw_format(char *buf, size_t bytes, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* The software found itself broken. Reports and ends the run; does not return. */
void hw_fault(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

#endif
