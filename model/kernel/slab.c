/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slab.c - object caches in the manner of SLUB.
 *
 * A slab is a block of pages cut into objects. Its state is one word in the
 * first page's descriptor (slab_word below), changed by compare-exchange: the
 * first free object, objects in use, frozen (it belongs to a CPU). Free
 * objects link to each other through a word of their own, obfuscated. A CPU
 * allocates from its own slab without locks; a free into another slab is one
 * atomic on that slab's descriptor. Slabs that were full and got one object
 * back wait on a list of the CPU, and from there go to the node's list.
 *
 * Lock order: node->list_lock is innermost but for the page allocator's.
 */
#include "model/kernel/kernel.h"

#define MAX_CACHES	24
#define NO_OBJECT	0xffffu

/* Overlay of page->private: everything that changes together. */
union slab_word {
	u64 word;
	struct {
		u16 first;		/* offset of the first free object in units of 8 bytes, NO_OBJECT: none */
		u16 inuse;
		u16 frozen;
		u16 on_node;		/* on the node's partial list */
	};
};

struct slab_cpu {
	void *freelist;			/* of this CPU's slab, taken over from the slab */
	u64 tid;
	struct page *slab;
	struct page *partial;		/* chain through page->index; counts in page->order */
};

struct slab_node {
	spinlock_t list_lock;
	u32 nr_partial;
	struct list_head partial;
};

struct kmem_cache {
	struct slab_cpu __percpu *cpu;
	u32 size, objects, order, offset;	/* offset of the link in a free object */
	u32 cpu_partial_slabs, min_partial;
	u64 random;			/* obfuscates links */
	const char *name;
	atomic_long_t nr_slabs;		/* observers' */
	struct slab_node node ____cacheline_aligned;
	u16 *sequence;			/* a random order of a slab's objects */
};

static struct kmem_cache *caches;
static unsigned nr_caches;
static struct kmem_cache *kmalloc_cache[16];
static const u16 kmalloc_sizes[] = { 8, 16, 32, 64, 96, 128, 192, 256, 512, 1024, 2048, 4096, 8192 };
static u64 random_state;

static u64 next_random(void)
{
	random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
	return random_state >> 16;
}

/* ---- the words ---- */

static __always_inline union slab_word slab_read(const struct page *slab)
{
	return (union slab_word){ .word = READ_ONCE(slab->private) };
}

static __always_inline bool slab_update(struct page *slab, union slab_word old, union slab_word new)
{
	u64 expected = old.word;

	return __atomic_compare_exchange_n((u64 *)&slab->private, &expected, new.word, false,
					   __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

static __always_inline void *unpack_object(const struct page *slab, u16 first)
{
	return first == NO_OBJECT ? NULL : (char *)page_address(slab) + (size_t)first * 8;
}

static __always_inline u16 pack_object(const struct page *slab, const void *obj)
{
	return obj ? (u16)(((const char *)obj - (char *)page_address(slab)) / 8) : NO_OBJECT;
}

static __always_inline u64 obfuscate(const struct kmem_cache *s, u64 ptr, u64 at)
{
	return ptr ^ s->random ^ __builtin_bswap64(at);
}

static __always_inline void *get_link(const struct kmem_cache *s, const void *obj)
{
	const u64 *at = (const u64 *)((const char *)obj + s->offset);

	return (void *)obfuscate(s, *at, (u64)at);
}

static __always_inline void set_link(const struct kmem_cache *s, void *obj, const void *next)
{
	u64 *at = (u64 *)((char *)obj + s->offset);

	*at = obfuscate(s, (u64)next, (u64)at);
}

/* ---- slabs ---- */

/* The observer: objects handed out may be touched, others not. */
static void object_taken(const struct kmem_cache *s, const void *obj)
{
	hw_unpoison(obj, s->size);
}

static void object_given(const struct kmem_cache *s, const void *obj)
{
	hw_poison(obj, s->size, HW_POISON_SLAB);
}

static struct page *new_slab(struct kmem_cache *s, gfp_t gfp)
{
	struct page *slab = alloc_pages(gfp & ~__GFP_HIGHMEM & ~__GFP_MOVABLE, s->order);
	unsigned start;
	void *next = NULL;

	if (!slab)
		return NULL;
	hw_name_lines(page_address(slab), PAGE_SIZE << s->order, s->name);
	for (unsigned i = 0; i < 1u << s->order; i++)
		slab[i].index = (unsigned long)slab;
	set_bit32(PG_slab, &slab->flags);
	slab->mapping = s;
	mod_zone_page_state(NR_SLAB_PAGES, 1l << s->order);
	atomic_long_inc(&s->nr_slabs);
	/* link the objects in a random order that starts at a random place */
	start = (unsigned)(next_random() % s->objects);
	for (unsigned i = 0; i < s->objects; i++) {
		unsigned at = start + i < s->objects ? start + i : start + i - s->objects;
		void *obj = (char *)page_address(slab) + (size_t)s->sequence[at] * s->size;

		set_link(s, obj, next);
		next = obj;
	}
	WRITE_ONCE(slab->private, ((union slab_word){ .first = pack_object(slab, next) }).word);
	hw_poison(page_address(slab), (size_t)s->size * s->objects, HW_POISON_SLAB);
	return slab;
}

static void discard_slab(struct kmem_cache *s, struct page *slab)
{
	mod_zone_page_state(NR_SLAB_PAGES, -(1l << s->order));
	atomic_long_dec(&s->nr_slabs);
	slab->mapping = NULL;
	slab->index = 0;
	clear_bit32(PG_slab, &slab->flags);
	__free_pages(slab, s->order);
}

/* ---- allocation ---- */

/* Freeze @slab for this CPU and take all its free objects. */
static void *freeze(struct kmem_cache *s, struct page *slab)
{
	union slab_word old, new;

	do {
		old = slab_read(slab);
		new = old;
		new.first = NO_OBJECT;
		new.inuse = (u16)s->objects;
		new.frozen = 1;
		new.on_node = 0;
	} while (!slab_update(slab, old, new));
	return unpack_object(slab, old.first);
}

/*
 * The first slab of the node's list, frozen for this CPU, with its free
 * objects in *@objects; NULL if the list is empty. Frozen before the lock is
 * released: until then a free of the slab's last object may want to take it
 * off the list and discard it, and waits for the lock.
 */
static struct page *take_node_partial(struct kmem_cache *s, void **objects)
{
	struct page *slab = NULL;

	if (!READ_ONCE(s->node.nr_partial))
		return NULL;
	spin_lock(&s->node.list_lock);
	if (!list_empty(&s->node.partial)) {
		slab = list_first_entry(&s->node.partial, struct page, lru);
		list_del(&slab->lru);
		s->node.nr_partial--;
		*objects = freeze(s, slab);
	}
	spin_unlock(&s->node.list_lock);
	return slab;
}

/*
 * Objects that came back into the CPU's own slab from elsewhere, or NULL. Then
 * the slab is let go, and is known to nobody until an object is freed into it.
 * One update decides: an object that came back between looking and letting go
 * would stay in a slab that no list has.
 */
static void *get_freelist(struct kmem_cache *s, struct page *slab)
{
	union slab_word old, new;

	do {
		old = slab_read(slab);
		new = old;
		new.first = NO_OBJECT;
		new.inuse = (u16)s->objects;
		new.frozen = old.first != NO_OBJECT;
	} while (!slab_update(slab, old, new));
	return unpack_object(slab, old.first);
}

static noinline void *alloc_slow(struct kmem_cache *s, gfp_t gfp)
{
	struct slab_cpu *c = this_cpu_ptr(s->cpu);
	void *obj = NULL;

	if (c->slab) {
		obj = get_freelist(s, c->slab);
		if (!obj)
			c->slab = NULL;
	}
	if (!obj && c->partial) {
		c->slab = c->partial;
		c->partial = (struct page *)c->slab->lru.next;
		obj = freeze(s, c->slab);
	}
	if (!obj)
		c->slab = take_node_partial(s, &obj);
	if (!obj) {
		struct page *slab;

		preempt_enable();
		slab = new_slab(s, gfp);
		preempt_disable();
		if (!slab)
			return NULL;
		c = this_cpu_ptr(s->cpu);
		c->slab = slab;
		obj = freeze(s, slab);
	}
	c->freelist = get_link(s, obj);
	c->tid++;
	return obj;
}

void *kmem_cache_alloc(struct kmem_cache *s, gfp_t gfp)
{
	struct slab_cpu *c;
	void *obj;

	preempt_disable();
	c = this_cpu_ptr(s->cpu);
	obj = c->freelist;
	hw_poison_off();
	if (likely(obj)) {
		c->freelist = get_link(s, obj);
		c->tid++;
	} else {
		obj = alloc_slow(s, gfp);
	}
	hw_poison_on();
	preempt_enable();
	if (!obj)
		return NULL;
	object_taken(s, obj);
	return obj;
}

void *kmem_cache_zalloc(struct kmem_cache *s, gfp_t gfp)
{
	u64 *obj = kmem_cache_alloc(s, gfp);

	if (!obj)
		return NULL;
	if (s->size > 128)
		hw_zero(obj, s->size);
	else
		for (unsigned i = 0; i < s->size / 8; i++)
			obj[i] = 0;
	return obj;
}

/* ---- freeing ---- */

/* Slabs of the CPU's overfull list go to the node's list, empty ones back to the page allocator. */
static void put_partials(struct kmem_cache *s, struct page *slab)
{
	while (slab) {
		struct page *next = (struct page *)slab->lru.next;
		union slab_word old, new;
		bool discard;

		spin_lock(&s->node.list_lock);
		do {
			old = slab_read(slab);
			discard = !old.inuse && s->node.nr_partial >= s->min_partial;
			new = old;
			new.on_node = !discard;
		} while (!slab_update(slab, old, new));
		if (!discard) {
			list_add_tail(&slab->lru, &s->node.partial);
			s->node.nr_partial++;
		}
		spin_unlock(&s->node.list_lock);
		if (discard)
			discard_slab(s, slab);
		slab = next;
	}
}

/* A slab that was full has a free object now: keep it at hand for this CPU. */
static void put_cpu_partial(struct kmem_cache *s, struct page *slab)
{
	struct slab_cpu *c;
	struct page *flush = NULL, *first;

	preempt_disable();
	c = this_cpu_ptr(s->cpu);
	first = c->partial;
	slab->order = first ? first->order + 1 : 1;
	if (first && first->order >= s->cpu_partial_slabs) {
		flush = first;
		first = NULL;
		slab->order = 1;
	}
	slab->lru.next = (struct list_head *)first;
	c->partial = slab;
	preempt_enable();
	if (flush)
		put_partials(s, flush);
}

/*
 * The update that leaves a slab empty. The lock is taken before it: an empty
 * slab may be discarded by whoever has the lock, so that afterwards there may
 * be no slab to look at. It leaves the node's list if that is long enough
 * without it; one that waits on a CPU's list stays there. False if the slab
 * has changed meanwhile.
 */
static noinline bool free_last(struct kmem_cache *s, struct page *slab, union slab_word old, union slab_word new)
{
	bool updated, discard;

	spin_lock(&s->node.list_lock);
	updated = slab_update(slab, old, new);
	discard = updated && new.on_node && s->node.nr_partial > s->min_partial;
	if (discard) {
		list_del(&slab->lru);
		s->node.nr_partial--;
	}
	spin_unlock(&s->node.list_lock);
	if (discard)
		discard_slab(s, slab);
	return updated;
}

static noinline void free_slow(struct kmem_cache *s, struct page *slab, void *obj)
{
	union slab_word old, new;

	for (;;) {
		old = slab_read(slab);
		set_link(s, obj, unpack_object(slab, old.first));
		new = old;
		new.first = pack_object(slab, obj);
		new.inuse--;
		if (unlikely(!new.inuse) && !old.frozen && old.first != NO_OBJECT) {
			if (free_last(s, slab, old, new))
				return;
		} else if (slab_update(slab, old, new)) {
			break;
		}
	}
	if (!old.frozen && old.first == NO_OBJECT)
		put_cpu_partial(s, slab);
}

void kmem_cache_free(struct kmem_cache *s, void *obj)
{
	struct page *slab = virt_to_page(obj);
	struct slab_cpu *c;

	slab = (struct page *)slab->index;
	WARN_ON(slab->mapping != s);
	object_given(s, obj);
	hw_poison_off();
	preempt_disable();
	c = this_cpu_ptr(s->cpu);
	if (slab == c->slab) {
		set_link(s, obj, c->freelist);
		c->freelist = obj;
		c->tid++;
		preempt_enable();
	} else {
		preempt_enable();
		free_slow(s, slab, obj);
	}
	hw_poison_on();
}

/* ---- caches ---- */

/* Large enough for a few objects per CPU, little waste, at most order 3. */
static unsigned slab_order(size_t size)
{
	unsigned least = 4 * (unsigned)(fls(num_possible_cpus()) + 1);
	unsigned order = 0;

	while (order < 3 && (PAGE_SIZE << order) / size < least)
		order++;
	return order;
}

static u16 *make_sequence(unsigned objects)
{
	u16 *sequence = alloc_table(objects * sizeof(u16));

	BUG_ON(!sequence);
	for (unsigned i = 0; i < objects; i++)
		sequence[i] = (u16)i;
	for (unsigned i = objects - 1; i > 0; i--) {
		unsigned k = (unsigned)(next_random() % (i + 1));
		u16 swap = sequence[i];

		sequence[i] = sequence[k];
		sequence[k] = swap;
	}
	return sequence;
}

struct kmem_cache *kmem_cache_create(const char *name, size_t size, size_t align)
{
	struct kmem_cache *s = &caches[nr_caches++];
	unsigned partial_objects = size < 256 ? 120 : size < 1024 ? 52 : 24;

	BUG_ON(nr_caches > MAX_CACHES);
	align = max(align, (size_t)8);
	size = DIV_ROUND_UP(size, align) * align;
	s->name = name;
	s->size = (u32)size;
	s->order = slab_order(size);
	s->objects = (u32)((PAGE_SIZE << s->order) / size);
	s->offset = (u32)(size / 2 & ~7ul);
	s->cpu_partial_slabs = DIV_ROUND_UP(partial_objects * 2, s->objects);
	s->min_partial = (u32)clamp(ilog2(size) / 2, 5, 10);
	s->random = next_random() << 16 ^ next_random();
	s->sequence = make_sequence(s->objects);
	s->cpu = alloc_percpu(struct slab_cpu);
	BUG_ON(!s->cpu);
	spin_lock_init_named(&s->node.list_lock, "slab list_lock");
	INIT_LIST_HEAD(&s->node.partial);
	return s;
}

/* Free objects of all slabs that a CPU or the node knows; full slabs are known to nobody. */
static unsigned long free_on_chain(const struct kmem_cache *s, const struct page *slab, unsigned long *slabs)
{
	unsigned long sum = 0;

	for (; slab; slab = (struct page *)slab->lru.next) {
		sum += s->objects - slab_read(slab).inuse;
		(*slabs)++;
	}
	return sum;
}

static unsigned long count_links(const struct kmem_cache *s, const void *obj)
{
	unsigned long n = 0;

	for (; obj; obj = get_link(s, obj))
		n++;
	return n;
}

unsigned long kmem_cache_objects(struct kmem_cache *s)
{
	unsigned long total = (unsigned long)atomic_long_read(&s->nr_slabs) * s->objects, unused = 0, slabs = 0;
	struct page *slab;
	int cpu;

	for_each_possible_cpu(cpu) {
		struct slab_cpu *c = per_cpu_ptr(s->cpu, cpu);

		unused += count_links(s, c->freelist);
		if (c->slab)
			unused += s->objects - slab_read(c->slab).inuse;
		unused += free_on_chain(s, c->partial, &slabs);
	}
	list_for_each_entry(slab, &s->node.partial, lru)
		unused += s->objects - slab_read(slab).inuse;
	return total - unused;
}

void kmem_cache_destroy(struct kmem_cache *s)
{
	unsigned long left = kmem_cache_objects(s);

	if (left)
		hw_fault("cache '%s' still has %lu objects", s->name, left);
}

/* ---- kmalloc ---- */

void slab_init(void)
{
	static const char *const names[] = { "kmalloc-8", "kmalloc-16", "kmalloc-32", "kmalloc-64", "kmalloc-96",
					     "kmalloc-128", "kmalloc-192", "kmalloc-256", "kmalloc-512",
					     "kmalloc-1k", "kmalloc-2k", "kmalloc-4k", "kmalloc-8k" };

	random_state = 0x5eed;
	caches = alloc_table(sizeof(*caches) * MAX_CACHES);
	BUG_ON(!caches);
	for (unsigned i = 0; i < ARRAY_SIZE(kmalloc_sizes); i++)
		kmalloc_cache[i] = kmem_cache_create(names[i], kmalloc_sizes[i],
						     is_power_of_2(kmalloc_sizes[i]) ? min_t(size_t, kmalloc_sizes[i], 64) : 8);
}

static struct kmem_cache *cache_for(size_t bytes)
{
	for (unsigned i = 0; i < ARRAY_SIZE(kmalloc_sizes); i++)
		if (bytes <= kmalloc_sizes[i])
			return kmalloc_cache[i];
	return NULL;
}

void *kmalloc(size_t bytes, gfp_t gfp)
{
	struct kmem_cache *s;
	struct page *page;
	unsigned order = 0;

	/* the compiler resolves this for sizes it knows */
	if (likely(bytes <= kmalloc_sizes[ARRAY_SIZE(kmalloc_sizes) - 1])) {
		s = cache_for(bytes);
		return kmem_cache_alloc(s, gfp);
	}
	while (PAGE_SIZE << order < bytes)
		order++;
	page = alloc_pages(gfp, order);
	if (!page)
		return NULL;
	page->memcg_data = 0;
	page->index = order;
	mod_zone_page_state(NR_KERNEL_PAGES, 1l << order);
	return page_address(page);
}

void *kzalloc(size_t bytes, gfp_t gfp)
{
	void *p = kmalloc(bytes, gfp);

	if (p)
		hw_zero(p, bytes);
	return p;
}

void kfree(const void *obj)
{
	struct page *page, *slab;

	if (!obj)
		return;
	page = virt_to_page(obj);
	slab = (struct page *)page->index;
	if (page->flags >> PG_slab & 1 || (page->index >= HW_MEM_BASE)) {
		kmem_cache_free(slab->mapping, (void *)obj);
		return;
	}
	mod_zone_page_state(NR_KERNEL_PAGES, -(1l << page->index));
	__free_pages(page, (unsigned)page->index);
}

void *vzalloc(size_t bytes)
{
	return alloc_table(bytes);
}

void vfree(const void *addr)
{
	(void)addr;
}
