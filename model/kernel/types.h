/* SPDX-License-Identifier: GPL-3.0-or-later */
/* types.h - the basic types, constants and compiler words of kernel code. */
#ifndef KERNEL_TYPES_H
#define KERNEL_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;
typedef unsigned gfp_t;

#define BITS_PER_LONG	64

/* The page size is a property of the build of the model: 4 KiB or 16 KiB. */
#ifndef PAGE_SHIFT
#define PAGE_SHIFT	12
#endif
#define PAGE_SIZE	(1ul << PAGE_SHIFT)
#define PAGE_MASK	(~(PAGE_SIZE - 1))

#define SMP_CACHE_BYTES	64
#define ____cacheline_aligned __attribute__((aligned(SMP_CACHE_BYTES)))

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)
#undef __always_inline			/* a C library's header may have it */
#define __always_inline	inline __attribute__((always_inline))
#define noinline	__attribute__((noinline))
#define __maybe_unused	__attribute__((unused))
#define barrier()	__asm__ volatile("" ::: "memory")

#define READ_ONCE(x)	__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v) __atomic_store_n(&(x), (v), __ATOMIC_RELAXED)

#define container_of(ptr, type, member) \
	((type *)((char *)(ptr) - offsetof(type, member)))
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))
#define min(a, b)	({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a < _b ? _a : _b; })
#define max(a, b)	({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
#define min_t(t, a, b)	min((t)(a), (t)(b))
#define max_t(t, a, b)	max((t)(a), (t)(b))
#define clamp(v, lo, hi) min(max(v, lo), hi)

#define offset_in_page(p) ((unsigned long)(p) & ~PAGE_MASK)

static inline bool is_power_of_2(unsigned long n)
{
	return n && !(n & (n - 1));
}

static inline int fls(unsigned x)
{
	return x ? 32 - __builtin_clz(x) : 0;
}

/* log2, rounded down; n > 0 */
static inline int ilog2(unsigned long n)
{
	return 63 - __builtin_clzl(n);
}

#endif
