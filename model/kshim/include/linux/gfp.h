/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gfp.h - allocation flags and pages by node; the simulated machine has one node. */
#ifndef KSHIM_LINUX_GFP_H
#define KSHIM_LINUX_GFP_H

#include "model/kernel/page.h"

#define __GFP_NORETRY		0u
#define __GFP_KSWAPD_RECLAIM	0u
#define __GFP_DIRECT_RECLAIM	GFP_KERNEL
#define __GFP_NOMEMALLOC	0u
#define __GFP_RECLAIM		GFP_KERNEL
#ifndef GFP_ATOMIC
#define GFP_ATOMIC		GFP_NOWAIT
#endif

#define NUMA_NO_NODE		(-1)
#define numa_node_id()		0
#define numa_mem_id()		0
#define alloc_pages_node(nid, gfp, order) \
	((void)(nid), (order) ? alloc_pages(gfp, order) : alloc_page(gfp))
#define alloc_pages_node_noprof	alloc_pages_node

#endif
