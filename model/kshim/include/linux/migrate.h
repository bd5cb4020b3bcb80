/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * migrate.h - pages that can be moved, and who moves them.
 *
 * Up to 6.16 a movable page carries the address of its operations with a mark
 * in the low bits of mapping; later there is one set per page type and a flag.
 */
#ifndef KSHIM_LINUX_MIGRATE_H
#define KSHIM_LINUX_MIGRATE_H

#include <linux/mm.h>

typedef unsigned int isolate_mode_t;

enum migrate_mode { MIGRATE_ASYNC, MIGRATE_SYNC_LIGHT, MIGRATE_SYNC, MIGRATE_SYNC_NO_COPY };

#define MIGRATEPAGE_SUCCESS	0

struct movable_operations {
	bool (*isolate_page)(struct page *page, isolate_mode_t mode);
	int (*migrate_page)(struct page *dst, struct page *src, enum migrate_mode mode);
	void (*putback_page)(struct page *page);
};

#define PAGE_MAPPING_MOVABLE	2ul

#define __SetPageMovable(page, ops) \
	((page)->mapping = (void *)((unsigned long)(ops) | PAGE_MAPPING_MOVABLE))
#define __ClearPageMovable(page)	((page)->mapping = NULL)
#define PageMovable(page)		((unsigned long)(page)->mapping & PAGE_MAPPING_MOVABLE)
#define __PageMovable(page)		PageMovable(page)

/* Flags of the descriptor that the project's own allocator does not use. */
#define KSHIM_PG_isolated	30
#define KSHIM_PG_movable	29
#define PageIsolated(page)		test_bit32(KSHIM_PG_isolated, &(page)->flags)
#define SetPageIsolated(page)		set_bit32(KSHIM_PG_isolated, &(page)->flags)
#define ClearPageIsolated(page)		clear_bit32(KSHIM_PG_isolated, &(page)->flags)
#define SetPageMovableOps(page)		set_bit32(KSHIM_PG_movable, &(page)->flags)
#define ClearPageMovableOps(page)	clear_bit32(KSHIM_PG_movable, &(page)->flags)
#define PageMovableOps(page)		test_bit32(KSHIM_PG_movable, &(page)->flags)
#define PageMovableOpsIsolated(page)	PageIsolated(page)
#define page_has_movable_ops(page)	PageMovableOps(page)

#define set_movable_ops(ops, type)	((void)(ops), (void)(type), 0)

#endif
