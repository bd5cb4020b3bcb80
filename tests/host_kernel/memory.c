/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memory.c - pages at the machine's fixed address, slab caches in them, and
 * larger memory from the host's malloc().
 *
 * Free pages are poisoned. Free objects are too, except words: the allocator's
 * own double-free check looks into the slot of a handle that may be free.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/host_kernel/host.h"

#undef memcpy

struct page *mem_map;
unsigned long mem_pages;
static struct page **free_stack;
static unsigned long nr_free;
static unsigned long nr_managed;	/* handed out or not: all but the descriptors */
static unsigned long slab_in_use;
static long zone_stats[NR_ZONE_STATS];
static long pages_locked;
char *percpu_units;
static size_t percpu_used;

struct slab {
	struct slab *next;
	char *memory;			/* a page */
};

struct host_cache {
	size_t size;
	unsigned long in_use;
	void *free;
	struct slab *slabs;
};

/* Shuffled, so that pages of a chain are not neighbours by accident. */
static void shuffle_pages(unsigned seed)
{
	unsigned long long state = seed * 2654435761ull + 1;

	for (unsigned long i = nr_free; i > 1; i--) {
		struct page *page = free_stack[i - 1];
		unsigned long other;

		state = state * 6364136223846793005ull + 1442695040888963407ull;
		other = (state >> 33) % i;
		free_stack[i - 1] = free_stack[other];
		free_stack[other] = page;
	}
}

static void map_memory(unsigned long pages)
{
	void *base = mmap((void *)HW_MEM_BASE, pages * PAGE_SIZE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);

	if (base != (void *)HW_MEM_BASE)
		hw_fault("simulated memory cannot be mapped");
	mem_map = base;
	mem_pages = pages;
}

void host_boot(unsigned long pages, unsigned nr_cpus, unsigned seed)
{
	unsigned long taken = DIV_ROUND_UP(pages * sizeof(struct page), PAGE_SIZE);

	host_hw_init(nr_cpus);
	map_memory(pages);
	free_stack = calloc(pages, sizeof(*free_stack));
	for (unsigned long pfn = taken; pfn < pages; pfn++) {
		mem_map[pfn].page_type = ~0u;
		free_stack[nr_free++] = mem_map + pfn;
		host_poison(page_address(mem_map + pfn), PAGE_SIZE);
	}
	nr_managed = nr_free;
	shuffle_pages(seed);
	free(percpu_units);
	percpu_units = calloc(nr_cpus, PERCPU_UNIT);
	percpu_used = PERCPU_FIRST;
	for (unsigned cpu = 0; cpu < nr_cpus; cpu++)
		hw_set_base(cpu, (uint64_t)percpu_units + cpu * PERCPU_UNIT);
}

unsigned long host_free_pages(void)
{
	return nr_free;
}

unsigned long managed_pages(void)
{
	return nr_managed;
}

struct page *alloc_page(gfp_t gfp)
{
	struct page *page;

	if (!nr_free || host_alloc_fails())
		return NULL;
	page = free_stack[--nr_free];
	host_unpoison(page_address(page), PAGE_SIZE);
	/* What a page held before must not matter, unless it was asked to be clear. */
	memset(page_address(page), gfp & __GFP_ZERO ? 0 : 0xa5, PAGE_SIZE);
	atomic_set(&page->_refcount, 1);
	return page;
}

static void free_last_reference(struct page *page)
{
	if (page->flags || page->mapping || page->private || page->page_type != ~0u)
		hw_fault("page %lu freed in use: flags 0x%x type 0x%x", page_to_pfn(page),
			 page->flags, page->page_type);
	host_poison(page_address(page), PAGE_SIZE);
	free_stack[nr_free++] = page;
}

void put_page(struct page *page)
{
	int left = atomic_sub_return(1, &page->_refcount);

	if (left < 0)
		hw_fault("page %lu freed twice", page_to_pfn(page));
	if (!left)
		free_last_reference(page);
}

bool PageLocked(struct page *page)
{
	return test_bit32(PG_locked, &page->flags);
}

bool trylock_page(struct page *page)
{
	if (test_and_set_bit32_lock(PG_locked, &page->flags))
		return false;
	pages_locked++;
	return true;
}

void unlock_page(struct page *page)
{
	if (!PageLocked(page))
		hw_fault("page %lu is not locked", page_to_pfn(page));
	clear_bit32_unlock(PG_locked, &page->flags);
	pages_locked--;
}

long host_pages_locked(void)
{
	return pages_locked;
}

/* There is nobody else to wait for, so let whoever holds it have finished just now. */
void wait_on_page_locked(struct page *page)
{
	if (PageLocked(page))
		unlock_page(page);
}

void lock_page(struct page *page)
{
	wait_on_page_locked(page);
	trylock_page(page);
}

void mod_zone_page_state(enum zone_stat item, long delta)
{
	zone_stats[item] += delta;
}

long zone_page_state(enum zone_stat item)
{
	return zone_stats[item];
}

/* ---- memory of the host, 512-byte aligned as large kmalloc buckets are -- */

struct header {
	size_t bytes;
	char pad[512 - sizeof(size_t)];
};

void *kmalloc(size_t bytes, gfp_t gfp)
{
	struct header *header;

	(void)gfp;
	if (host_alloc_fails())
		return NULL;
	header = aligned_alloc(512, sizeof(*header) + DIV_ROUND_UP(bytes, 512) * 512);
	header->bytes = bytes;
	slab_in_use += bytes;
	return header + 1;
}

void *kzalloc(size_t bytes, gfp_t gfp)
{
	void *obj = kmalloc(bytes, gfp);

	return obj ? memset(obj, 0, bytes) : NULL;
}

void kfree(const void *obj)
{
	struct header *header = (struct header *)obj - 1;

	slab_in_use -= header->bytes;
	free(header);
}

void *vzalloc(size_t bytes)
{
	return kzalloc(bytes, GFP_KERNEL);
}

void vfree(const void *addr)
{
	kfree(addr);
}

void *__alloc_percpu(size_t bytes, size_t align, const char *name)
{
	size_t at = DIV_ROUND_UP(percpu_used, align) * align;

	(void)name;
	if (host_alloc_fails() || at + bytes > PERCPU_UNIT)
		return NULL;
	percpu_used = at + bytes;
	for (unsigned cpu = 0; cpu < hw_nr_cpus(); cpu++)
		memset(per_cpu_ptr((char *)at, cpu), 0, bytes);
	return (void *)at;
}

void free_percpu(void *ptr)
{
	(void)ptr;
}

/* ---- slab caches -------------------------------------------------------- */

struct kmem_cache *kmem_cache_create(const char *name, size_t size, size_t align)
{
	struct host_cache *cache;

	(void)name;
	(void)align;
	if (host_alloc_fails())
		return NULL;
	cache = calloc(1, sizeof(*cache));
	cache->size = size;
	return (struct kmem_cache *)cache;
}

static void free_slabs(struct host_cache *cache)
{
	struct slab *next;

	for (struct slab *slab = cache->slabs; slab; slab = next) {
		next = slab->next;
		host_unpoison(slab->memory, PAGE_SIZE);
		free(slab->memory);
		free(slab);
	}
}

void kmem_cache_destroy(struct kmem_cache *kmem_cache)
{
	struct host_cache *cache = (struct host_cache *)kmem_cache;

	if (cache->in_use)
		hw_fault("cache of %zu-byte objects destroyed with %lu in use", cache->size,
			 cache->in_use);
	free_slabs(cache);
	free(cache);
}

static void poison_object(struct host_cache *cache, void *obj)
{
	if (cache->size > sizeof(void *))
		host_poison((char *)obj + sizeof(void *), cache->size - sizeof(void *));
}

static void push_object(struct host_cache *cache, void *obj)
{
	*(void **)obj = cache->free;
	cache->free = obj;
	poison_object(cache, obj);
}

static void add_slab(struct host_cache *cache)
{
	struct slab *slab = malloc(sizeof(*slab));

	slab->memory = aligned_alloc(PAGE_SIZE, PAGE_SIZE);
	slab->next = cache->slabs;
	cache->slabs = slab;
	for (size_t at = PAGE_SIZE / cache->size; at--;)
		push_object(cache, slab->memory + at * cache->size);
}

void *kmem_cache_alloc(struct kmem_cache *kmem_cache, gfp_t gfp)
{
	struct host_cache *cache = (struct host_cache *)kmem_cache;
	void *obj;

	(void)gfp;
	if (host_alloc_fails())
		return NULL;
	if (!cache->free)
		add_slab(cache);
	obj = cache->free;
	cache->free = *(void **)obj;
	host_unpoison(obj, cache->size);
	cache->in_use++;
	slab_in_use++;
	return obj;
}

void *kmem_cache_zalloc(struct kmem_cache *cache, gfp_t gfp)
{
	void *obj = kmem_cache_alloc(cache, gfp);

	return obj ? memset(obj, 0, ((struct host_cache *)cache)->size) : NULL;
}

void kmem_cache_free(struct kmem_cache *kmem_cache, void *obj)
{
	struct host_cache *cache = (struct host_cache *)kmem_cache;

	cache->in_use--;
	slab_in_use--;
	push_object(cache, obj);
}

unsigned long host_slab_in_use(void)
{
	return slab_in_use;
}
