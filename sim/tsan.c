/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tsan.c - the runtime that the compiler's memory instrumentation calls.
 *
 * Plain accesses: the hook runs before the access; the compiler's code then
 * does it. Atomics: the hook does the operation itself. gcc and clang use the
 * same names.
 */
#include "sim/access.h"
#include "sim/jitter.h"

/* A compiler that itself adds a sanitizer knows these names, with types of its own that differ in signs and const. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wbuiltin-declaration-mismatch"
#endif

#define READ_HOOK(n)						\
	void __tsan_read##n(void *addr);			\
	void __tsan_read##n(void *addr)				\
	{							\
		access_load((uint64_t)addr);			\
	}
#define WRITE_HOOK(n)						\
	void __tsan_write##n(void *addr);			\
	void __tsan_write##n(void *addr)			\
	{							\
		access_store((uint64_t)addr);			\
	}
#define PLAIN_HOOKS(n)						\
	READ_HOOK(n)						\
	WRITE_HOOK(n)						\
	void __tsan_read_write##n(void *addr);			\
	void __tsan_read_write##n(void *addr)			\
	{							\
		access_load((uint64_t)addr);			\
		access_store((uint64_t)addr);			\
	}

PLAIN_HOOKS(1)
PLAIN_HOOKS(2)
PLAIN_HOOKS(4)
PLAIN_HOOKS(8)
PLAIN_HOOKS(16)

/* Unaligned ones may lie on two lines. */
#define UNALIGNED_HOOKS(n)							\
	void __tsan_unaligned_read##n(void *addr);				\
	void __tsan_unaligned_read##n(void *addr)				\
	{									\
		__tsan_read_range(addr, n);					\
	}									\
	void __tsan_unaligned_write##n(void *addr);				\
	void __tsan_unaligned_write##n(void *addr)				\
	{									\
		__tsan_write_range(addr, n);					\
	}

void __tsan_read_range(void *addr, unsigned long bytes);
void __tsan_read_range(void *addr, unsigned long bytes)
{
	uint64_t a = (uint64_t)addr, end = a + bytes;

	for (; a < end; a = (a | (HW_LINE_SIZE - 1)) + 1)
		access_load(a);
}

void __tsan_write_range(void *addr, unsigned long bytes);
void __tsan_write_range(void *addr, unsigned long bytes)
{
	uint64_t a = (uint64_t)addr, end = a + bytes;

	for (; a < end; a = (a | (HW_LINE_SIZE - 1)) + 1)
		access_store(a);
}

UNALIGNED_HOOKS(2)
UNALIGNED_HOOKS(4)
UNALIGNED_HOOKS(8)
UNALIGNED_HOOKS(16)

#define VOLATILE_HOOKS(n)					\
	void __tsan_volatile_read##n(void *addr);		\
	void __tsan_volatile_read##n(void *addr)		\
	{							\
		access_load((uint64_t)addr);			\
	}							\
	void __tsan_volatile_write##n(void *addr);		\
	void __tsan_volatile_write##n(void *addr)		\
	{							\
		access_store((uint64_t)addr);			\
	}

VOLATILE_HOOKS(1)
VOLATILE_HOOKS(2)
VOLATILE_HOOKS(4)
VOLATILE_HOOKS(8)

/* Calls are not of interest: call chains are read off the frame pointers. */
void __tsan_func_entry(void *pc);
void __tsan_func_entry(void *pc)
{
	(void)pc;
}

void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
}

void __tsan_init(void);
void __tsan_init(void)
{
}

/* ---- atomics ---- */

static inline void atomic_rmw(const volatile void *addr, int order, bool result_used)
{
	struct cpu *c = cur;
	uint64_t off;

	if (unlikely(c->muted))
		return;
	off = access_offset((uint64_t)addr);
	if (off != UINT64_MAX)
		access_rmw(c, off, (uint64_t)addr, order, result_used);
}

static inline void atomic_load(const volatile void *addr, int order)
{
	struct cpu *c = cur;
	uint64_t off;

	if (unlikely(c->muted))
		return;
	off = access_offset((uint64_t)addr);
	if (off == UINT64_MAX)
		return;
	if (order == __ATOMIC_RELAXED)
		access_load((uint64_t)addr);
	else
		access_load_acquire(c, off, (uint64_t)addr);
}

/* Returns true if the machine does the store, now or when its line is there. */
static inline bool atomic_store(volatile void *addr, uint32_t bytes, uint64_t value, int order)
{
	struct cpu *c = cur;
	uint64_t off;

	if (unlikely(c->muted))
		return false;
	off = access_offset((uint64_t)addr);
	if (off == UINT64_MAX)
		return false;
	if (order == __ATOMIC_SEQ_CST) {
		access_rmw(c, off, (uint64_t)addr, order, true);
		return false;
	}
	jitter(c);
	order_check(c);
	if (unlikely(c->nr_pending))
		access_pending(c, (uint64_t)addr);
	access_check_poison(c, off, "store");
	access_store_atomic(c, off, (uint64_t)addr, bytes, value, order == __ATOMIC_RELEASE);
	return true;
}

#define ATOMIC_HOOKS(bits, type)								\
	type __tsan_atomic##bits##_load(const volatile type *a, int order);			\
	type __tsan_atomic##bits##_load(const volatile type *a, int order)			\
	{											\
		atomic_load(a, order);								\
		return __atomic_load_n(a, __ATOMIC_RELAXED);					\
	}											\
	void __tsan_atomic##bits##_store(volatile type *a, type v, int order);			\
	void __tsan_atomic##bits##_store(volatile type *a, type v, int order)			\
	{											\
		if (!atomic_store(a, sizeof(v), v, order))					\
			__atomic_store_n(a, v, __ATOMIC_RELAXED);				\
	}											\
	type __tsan_atomic##bits##_exchange(volatile type *a, type v, int order);		\
	type __tsan_atomic##bits##_exchange(volatile type *a, type v, int order)		\
	{											\
		type old;									\
												\
		atomic_rmw(a, order, true);							\
		old = *a;									\
		*a = v;										\
		return old;									\
	}											\
	int __tsan_atomic##bits##_compare_exchange_strong(volatile type *a, type *old, type v,	\
							  int order, int fail_order);		\
	int __tsan_atomic##bits##_compare_exchange_strong(volatile type *a, type *old, type v,	\
							  int order, int fail_order)		\
	{											\
		(void)fail_order;								\
		atomic_rmw(a, order, true);							\
		if (*a != *old) {								\
			*old = *a;								\
			return 0;								\
		}										\
		*a = v;										\
		return 1;									\
	}											\
	int __tsan_atomic##bits##_compare_exchange_weak(volatile type *a, type *old, type v,	\
							int order, int fail_order);		\
	int __tsan_atomic##bits##_compare_exchange_weak(volatile type *a, type *old, type v,	\
							int order, int fail_order)		\
	{											\
		return __tsan_atomic##bits##_compare_exchange_strong(a, old, v, order, fail_order); \
	}											\
	type __tsan_atomic##bits##_compare_exchange_val(volatile type *a, type old, type v,	\
							int order, int fail_order);		\
	type __tsan_atomic##bits##_compare_exchange_val(volatile type *a, type old, type v,	\
							int order, int fail_order)		\
	{											\
		__tsan_atomic##bits##_compare_exchange_strong(a, &old, v, order, fail_order);	\
		return old;									\
	}											\
	FETCH_HOOK(bits, type, add, old + v)							\
	FETCH_HOOK(bits, type, sub, old - v)							\
	FETCH_HOOK(bits, type, and, old & v)							\
	FETCH_HOOK(bits, type, or, old | v)							\
	FETCH_HOOK(bits, type, xor, old ^ v)							\
	FETCH_HOOK(bits, type, nand, ~(old & v))

/* A relaxed operation is taken for one without a result: the kernel's counters are. */
#define FETCH_HOOK(bits, type, name, expression)						\
	type __tsan_atomic##bits##_fetch_##name(volatile type *a, type v, int order);		\
	type __tsan_atomic##bits##_fetch_##name(volatile type *a, type v, int order)		\
	{											\
		type old;									\
												\
		atomic_rmw(a, order, order != __ATOMIC_RELAXED);				\
		old = *a;									\
		*a = (type)(expression);							\
		return old;									\
	}

ATOMIC_HOOKS(8, uint8_t)
ATOMIC_HOOKS(16, uint16_t)
ATOMIC_HOOKS(32, uint32_t)
ATOMIC_HOOKS(64, uint64_t)

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
	if (order == __ATOMIC_SEQ_CST)
		hw_fence();
}

void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
	(void)order;
	__asm__ volatile("" ::: "memory");
}
