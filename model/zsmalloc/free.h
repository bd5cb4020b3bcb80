/* SPDX-License-Identifier: GPL-3.0-or-later */
/* free.h - freeing one object now. */
#ifndef ZSMALLOC_FREE_H
#define ZSMALLOC_FREE_H

#include "model/zsmalloc/zsmalloc.h"

/* Free the object of @handle, which must be valid, before returning. Takes class->lock. */
void zs_free_one(struct zs_pool *pool, unsigned long handle);

#endif
