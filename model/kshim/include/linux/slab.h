/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slab.h - object caches. The kernel copies a cache's name and the callers
 * count on it; model/kernel/slab.h keeps the pointer.
 */
#ifndef KSHIM_LINUX_SLAB_H
#define KSHIM_LINUX_SLAB_H

#include <linux/kernel.h>
#include <linux/gfp.h>

typedef unsigned int slab_flags_t;
#define SLAB_HWCACHE_ALIGN	1u
#define SLAB_ACCOUNT		2u
#define SLAB_RECLAIM_ACCOUNT	4u

struct kmem_cache *kshim_cache_create(const char *name, size_t size, size_t align, slab_flags_t flags);
void kshim_cache_destroy(struct kmem_cache *cache);
/* Observes that a handle came back, where the tree may keep handles waiting. */
void kshim_handle_freed(struct kmem_cache *cache);

#define kmem_cache_create(name, size, align, flags, ctor) kshim_cache_create(name, size, align, flags)
#define kmem_cache_destroy(cache) kshim_cache_destroy(cache)
#define KMEM_CACHE(type, flags) \
	kshim_cache_create(#type, sizeof(struct type), __alignof__(struct type), flags)

#ifdef KSHIM_COUNT_HANDLES
#define kmem_cache_free(cache, object) do {		\
	(kmem_cache_free)(cache, object);		\
	hw_mute();					\
	kshim_handle_freed(cache);			\
	hw_unmute();					\
} while (0)
#endif

/* Arrays, and the allocation helpers that take a type in place of a size. */
#define kcalloc(n, size, gfp)		kzalloc((size_t)(n) * (size), gfp)
#define kmalloc_array(n, size, gfp)	kmalloc((size_t)(n) * (size), gfp)
#define kmalloc_obj(var, ...)		((__typeof__(var) *)kmalloc(sizeof(var), KSHIM_GFP(__VA_ARGS__)))
#define kzalloc_obj(var, ...)		((__typeof__(var) *)kzalloc(sizeof(var), KSHIM_GFP(__VA_ARGS__)))
#define __KSHIM_FIRST(first, ...)	first
#define KSHIM_GFP(...)			__KSHIM_FIRST(__VA_ARGS__ __VA_OPT__(,) GFP_KERNEL)
#define kvmalloc(bytes, gfp)		vzalloc(bytes)
#define kvzalloc(bytes, gfp)		vzalloc(bytes)
#define kvfree(addr)			vfree(addr)

char *kstrdup(const char *text, gfp_t gfp);

#endif
