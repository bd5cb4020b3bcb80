/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * obj.h - where an object is, and taking it from or returning it to its zspage.
 *
 * A handle is the address of a slot that holds the "obj value":
 *
 *   LOOKUP_POOL_LOCK	[ frame number | object index ]
 *   LOOKUP_CLASS_IN_OBJ	[ frame number | class index | object index ]
 *
 * The frame is that of the page in which the object starts. Compaction and
 * migration rewrite the slot; they change the frame and the object index, but
 * never the class. So a class read from a slot without any lock is right even
 * when the rest of the value is out of date already.
 *
 * The first word of an object in use is handle | 1 (a huge zspage keeps it in
 * its page's index instead and gives the whole page to its user). The first
 * word of a free object is the index of the next free one, shifted by one.
 */
#ifndef ZSMALLOC_OBJ_H
#define ZSMALLOC_OBJ_H

#include "model/zsmalloc/zspage.h"

#define OBJ_TAG_BITS		1
#define OBJ_ALLOCATED_TAG	1ul

#define MAX_POSSIBLE_PHYSMEM_BITS 52
#define OBJ_PFN_SHIFT		(BITS_PER_LONG - (MAX_POSSIBLE_PHYSMEM_BITS - PAGE_SHIFT))
#define OBJ_CLASS_BITS		(CLASS_BITS + 1)
#define OBJ_CLASS_SHIFT		(OBJ_PFN_SHIFT - OBJ_CLASS_BITS)
#define OBJ_CLASS_MASK		(((1ul << OBJ_CLASS_BITS) - 1) << OBJ_CLASS_SHIFT)

/* Room for the index of any object of the longest chain, beside the class. */
#define ZS_OBJS_PER_ZSPAGE_BITS	(4 + PAGE_SHIFT - 5)
_Static_assert(ZS_MAX_CHAIN_SIZE <= 1 << 4, "see above");
_Static_assert(OBJ_CLASS_SHIFT >= ZS_OBJS_PER_ZSPAGE_BITS, "class and index fit below the frame number");
_Static_assert(ZS_SIZE_CLASSES <= 1ul << OBJ_CLASS_BITS, "class fits its bits");

struct link_free {
	union {
		unsigned long next;	/* free: index of the next free object << OBJ_TAG_BITS */
		unsigned long handle;	/* in use: handle | OBJ_ALLOCATED_TAG */
	};
};

static inline unsigned long handle_to_obj(unsigned long handle)
{
	return READ_ONCE(*(unsigned long *)handle);
}

static inline void record_obj(unsigned long handle, unsigned long obj)
{
	WRITE_ONCE(*(unsigned long *)handle, obj);
}

/* That a value names a page and its memory cannot be seen from its bits: tell the machine. */
static inline struct page *obj_to_page(unsigned long obj)
{
	struct page *page = pfn_to_page(obj >> OBJ_PFN_SHIFT);

	hw_derived(page, obj);
	hw_derived(page_address(page), obj);
	return page;
}

static inline unsigned int obj_to_index(struct zs_pool *pool, unsigned long obj)
{
	return obj & pool->config.obj_index_mask;
}

/* Only with LOOKUP_CLASS_IN_OBJ. */
static inline unsigned int obj_to_class_index(unsigned long obj)
{
	return (obj & OBJ_CLASS_MASK) >> OBJ_CLASS_SHIFT;
}

/* The class leaves no bit when the variant has none for it: a mask is cheaper than a branch. */
static inline unsigned long location_to_obj(struct zs_pool *pool, struct page *page,
					    unsigned int class_index, unsigned int index)
{
	unsigned long class_bits = (unsigned long)class_index << OBJ_CLASS_SHIFT;

	return page_to_pfn(page) << OBJ_PFN_SHIFT |
	       (class_bits & pool->config.obj_class_mask) | index;
}

/* Offset in its page at which object @index starts. */
static inline unsigned int obj_offset(struct size_class *class, unsigned int index)
{
	return ((unsigned long)class->size * index) & ~PAGE_MASK;
}

/* If the object whose first word is at @word of @page is in use, its handle; else 0. */
static inline unsigned long obj_allocated(struct page *page, const struct link_free *word)
{
	unsigned long head;

	if (unlikely(get_zspage(page)->huge))
		head = page->index;
	else
		head = word->handle;
	return head & OBJ_ALLOCATED_TAG ? head & ~OBJ_ALLOCATED_TAG : 0;
}

/*
 * Give the first free object of @zspage, which has one, to @handle. Needs
 * class->lock, or a zspage that nobody else can find. The slot of @handle is
 * written here. Returns the obj value.
 */
static inline unsigned long obj_malloc(struct zs_pool *pool, struct size_class *class,
				       struct zspage *zspage, unsigned long handle)
{
	unsigned int index = zspage->freeobj;
	unsigned long offset = (unsigned long)index * class->size;
	struct page *page = zspage->first_page;
	struct link_free *link;
	unsigned long obj;
	char *vaddr;

	for (unsigned long hops = offset >> PAGE_SHIFT; hops; hops--)
		page = get_next_page(page);

	vaddr = kmap_local_page(page);
	link = (struct link_free *)(vaddr + offset_in_page(offset));
	zspage->freeobj = link->next >> OBJ_TAG_BITS;
	if (likely(!zspage->huge))
		link->handle = handle | OBJ_ALLOCATED_TAG;
	else
		page->index = handle | OBJ_ALLOCATED_TAG;
	kunmap_local(vaddr);
	zspage->inuse++;

	obj = location_to_obj(pool, page, zspage->class, index);
	record_obj(handle, obj);
	return obj;
}

/* Put the object at @obj on the free list of its zspage, first out. Needs class->lock. */
static inline void obj_free(struct zs_pool *pool, struct size_class *class, unsigned long obj)
{
	struct page *page = obj_to_page(obj);
	unsigned int index = obj_to_index(pool, obj);
	struct zspage *zspage = get_zspage(page);

	if (likely(!zspage->huge)) {
		char *vaddr = kmap_local_page(page);
		struct link_free *link = (struct link_free *)(vaddr + obj_offset(class, index));

		/* In 32 bits, as the kernel's: of a full zspage's mark the top bit is lost. */
		link->next = zspage->freeobj << OBJ_TAG_BITS;
		kunmap_local(vaddr);
	} else {
		page->index = 0;
	}
	zspage->freeobj = index;
	zspage->inuse--;
}

#endif
