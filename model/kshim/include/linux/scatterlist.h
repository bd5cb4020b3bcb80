/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scatterlist.h - a list of pieces of pages. */
#ifndef KSHIM_LINUX_SCATTERLIST_H
#define KSHIM_LINUX_SCATTERLIST_H

#include <linux/mm.h>

struct scatterlist {
	unsigned long page_link;	/* descriptor | 2 in the last entry */
	unsigned int offset;
	unsigned int length;
	u64 dma_address;
	unsigned int dma_length;
};

static inline void sg_init_table(struct scatterlist *sg, unsigned int entries)
{
	hw_zero(sg, sizeof(*sg) * entries);
	sg[entries - 1].page_link |= 2;
}

static inline void sg_set_page(struct scatterlist *sg, struct page *page, unsigned int length, unsigned int offset)
{
	sg->page_link = (sg->page_link & 3) | (unsigned long)page;
	sg->offset = offset;
	sg->length = length;
}

static inline struct page *sg_page(struct scatterlist *sg)
{
	return (struct page *)(sg->page_link & ~3ul);
}

static inline struct scatterlist *sg_next(struct scatterlist *sg)
{
	return sg->page_link & 2 ? NULL : sg + 1;
}

#endif
