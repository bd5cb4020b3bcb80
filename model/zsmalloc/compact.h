/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compact.h - what compaction could give back. */
#ifndef ZSMALLOC_COMPACT_H
#define ZSMALLOC_COMPACT_H

#include "model/zsmalloc/pool.h"

/* Pages of @class that would be free if all objects were packed. Takes no lock; may be out of date. */
unsigned long zs_can_compact(struct size_class *class);

#endif
