/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unmap.c - munmap() as it is: who unmaps frees the swap slots too, run by run. */
#define ZAP_UNMAP				mm_unmap
#define ZAP_LINKAGE
#define ZAP_PUT_ENTRIES(zap, offset, nr)	swap_put_entries_direct(offset, nr)
#define ZAP_CONTEXT
#define ZAP_END(zap)				do { } while (0)
#include "model/mm/unmap_walk.h"
