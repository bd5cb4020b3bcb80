/* SPDX-License-Identifier: GPL-3.0-or-later */
/* size_class.h - building a pool's table of size classes. */
#ifndef ZSMALLOC_SIZE_CLASS_H
#define ZSMALLOC_SIZE_CLASS_H

#include "model/zsmalloc/pool.h"

/*
 * Pages to chain for objects of @size bytes, 1 .. @chain_size: the fewest
 * that leave the least unused tail. Powers of two fill one page exactly.
 */
unsigned int zs_chain_pages(unsigned int size, unsigned int chain_size);

/* Fill pool->size_class and config.huge_class_size. False when memory is short; free what was made. */
bool create_size_classes(struct zs_pool *pool);

/* Free all classes. A zspage left in one is a fault: somebody did not free an object. */
void destroy_size_classes(struct zs_pool *pool);

#endif
