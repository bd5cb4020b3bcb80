/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * highmem.h - mapping pages. All memory is mapped already. kmap_atomic()
 * besides forbids preemption and page faults, and a kernel with those counters
 * pays for them; kmap_local_page() is an address and nothing else.
 */
#ifndef KSHIM_LINUX_HIGHMEM_H
#define KSHIM_LINUX_HIGHMEM_H

#include <linux/mm.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/uaccess.h>

static inline void *kmap_atomic(struct page *page)
{
	preempt_disable();
	pagefault_disable();
	return page_address(page);
}

#define kunmap_atomic(addr) do {	\
	(void)(addr);			\
	pagefault_enable();		\
	preempt_enable();		\
} while (0)

static inline void memcpy_from_page(char *to, struct page *page, size_t offset, size_t len)
{
	memcpy(to, (char *)page_address(page) + offset, len);
}

static inline void memcpy_to_page(struct page *page, size_t offset, const char *from, size_t len)
{
	memcpy((char *)page_address(page) + offset, from, len);
}

static inline void copy_highpage(struct page *to, struct page *from)
{
	copy_page(page_address(to), page_address(from));
}

static inline void clear_highpage(struct page *page)
{
	clear_page(page_address(page));
}

#define flush_dcache_page(page)		do { (void)(page); } while (0)
#define flush_dcache_folio(folio)	do { (void)(folio); } while (0)
#define kmsan_copy_page_meta(dst, src)	do { } while (0)

#endif
