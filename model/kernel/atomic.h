/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * atomic.h - atomic integers with the kernel's names and orderings.
 *
 * Operations without a result are relaxed, those that return a value are
 * fully ordered unless the name says otherwise, as in the kernel.
 */
#ifndef KERNEL_ATOMIC_H
#define KERNEL_ATOMIC_H

#include "sim/hw.h"
#include "model/kernel/types.h"

typedef struct { int counter; } atomic_t;
typedef struct { s64 counter; } atomic64_t;
typedef atomic64_t atomic_long_t;

#define ATOMIC_OPS(type, name, num)							\
static __always_inline num name##_read(const type *v)					\
{											\
	return __atomic_load_n(&v->counter, __ATOMIC_RELAXED);				\
}											\
static __always_inline void name##_set(type *v, num i)					\
{											\
	__atomic_store_n(&v->counter, i, __ATOMIC_RELAXED);				\
}											\
static __always_inline void name##_add(num i, type *v)					\
{											\
	__atomic_fetch_add(&v->counter, i, __ATOMIC_RELAXED);				\
}											\
static __always_inline void name##_sub(num i, type *v)					\
{											\
	__atomic_fetch_sub(&v->counter, i, __ATOMIC_RELAXED);				\
}											\
static __always_inline num name##_add_return(num i, type *v)				\
{											\
	return __atomic_fetch_add(&v->counter, i, __ATOMIC_SEQ_CST) + i;		\
}											\
static __always_inline num name##_sub_return(num i, type *v)				\
{											\
	return __atomic_fetch_sub(&v->counter, i, __ATOMIC_SEQ_CST) - i;		\
}											\
static __always_inline num name##_xchg(type *v, num i)					\
{											\
	return __atomic_exchange_n(&v->counter, i, __ATOMIC_SEQ_CST);			\
}											\
static __always_inline num name##_cmpxchg(type *v, num old, num i)			\
{											\
	__atomic_compare_exchange_n(&v->counter, &old, i, false, __ATOMIC_SEQ_CST,	\
				    __ATOMIC_RELAXED);					\
	return old;									\
}											\
static __always_inline bool name##_try_cmpxchg(type *v, num *old, num i)		\
{											\
	return __atomic_compare_exchange_n(&v->counter, old, i, false,			\
					   __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);		\
}											\
static __always_inline void name##_inc(type *v) { name##_add(1, v); }			\
static __always_inline void name##_dec(type *v) { name##_sub(1, v); }			\
static __always_inline bool name##_dec_and_test(type *v)				\
{											\
	return name##_sub_return(1, v) == 0;						\
}

ATOMIC_OPS(atomic_t, atomic, int)
ATOMIC_OPS(atomic64_t, atomic64, s64)

#define atomic_long_read	atomic64_read
#define atomic_long_set		atomic64_set
#define atomic_long_add		atomic64_add
#define atomic_long_sub		atomic64_sub
#define atomic_long_inc		atomic64_inc
#define atomic_long_dec		atomic64_dec
#define atomic_long_xchg	atomic64_xchg
#define atomic_long_try_cmpxchg	atomic64_try_cmpxchg

#define smp_load_acquire(p)	__atomic_load_n(p, __ATOMIC_ACQUIRE)
#define smp_store_release(p, v)	__atomic_store_n(p, v, __ATOMIC_RELEASE)
#define smp_mb()		hw_fence()
#define cpu_relax()		hw_relax()

/* Wait until @cond of VAL, the value at @ptr, holds; its last load is an acquire. */
#define smp_cond_load_acquire(ptr, cond) ({			\
	__typeof__(*(ptr)) VAL;					\
	for (;;) {						\
		VAL = __atomic_load_n(ptr, __ATOMIC_ACQUIRE);	\
		if (cond)					\
			break;					\
		cpu_relax();					\
	}							\
	VAL;							\
})

/* Bits of a 32-bit word. */
static __always_inline bool test_bit32(int nr, const u32 *word)
{
	return READ_ONCE(*word) >> nr & 1;
}

static __always_inline void set_bit32(int nr, u32 *word)
{
	__atomic_fetch_or(word, 1u << nr, __ATOMIC_RELAXED);
}

static __always_inline void clear_bit32(int nr, u32 *word)
{
	__atomic_fetch_and(word, ~(1u << nr), __ATOMIC_RELAXED);
}

static __always_inline bool test_and_set_bit32_lock(int nr, u32 *word)
{
	return __atomic_fetch_or(word, 1u << nr, __ATOMIC_ACQUIRE) >> nr & 1;
}

static __always_inline void clear_bit32_unlock(int nr, u32 *word)
{
	__atomic_fetch_and(word, ~(1u << nr), __ATOMIC_RELEASE);
}

static __always_inline bool test_and_set_bit32(int nr, u32 *word)
{
	return __atomic_fetch_or(word, 1u << nr, __ATOMIC_SEQ_CST) >> nr & 1;
}

#endif
