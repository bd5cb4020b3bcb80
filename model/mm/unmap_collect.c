/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unmap_collect.c - munmap() that leaves swap slots to a thread (model/swap/collect.h). */
#include "model/swap/collect.h"

#define ZAP_UNMAP				unmap_collecting
#define ZAP_LINKAGE				static
#define ZAP_PUT_ENTRIES(zap, offset, nr)	swap_collect(&(zap)->batch, offset, nr)
#define ZAP_CONTEXT				struct swap_batch *batch;
#define ZAP_END(zap)				swap_collect_end(&(zap)->batch)
#include "model/mm/unmap_walk.h"

void mm_unmap_collect(struct mm *mm)
{
	if (mm->swap_entries < (s64)SWAP_COLLECT_THRESHOLD)
		mm_unmap(mm);
	else
		unmap_collecting(mm);
}
